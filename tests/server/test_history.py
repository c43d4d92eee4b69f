"""The history of a system: appended, bounded, and read in spite of damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from goldlens.server import history
from goldlens.server.history import History, Notes, Scored, moment

KEY = ("/p/pred.conllu", "/p/gold.conllu", "ud")


def scored(number: int, pred: str = "") -> Scored:
    return Scored(
        moment(number), pred or f"pred{number}", "gold", {"LAS": float(number), "X": None}
    )


def file_of(folder: Path) -> Path:
    [path] = folder.iterdir()
    return path


def test_what_was_noted_is_there_in_the_next_session(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "when" / "needed"
    first = History(folder)
    for number in (1, 2):
        first.add(scored(number), *KEY)
    assert first.of(*KEY) == History(folder).of(*KEY) == [scored(1), scored(2)]
    lines = file_of(folder).read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "time": "1970-01-01T00:00:01+00:00",
        "pred": "pred1",
        "gold": "gold",
        "scores": {"LAS": 1.0, "X": None},
    }


def test_the_same_contents_are_not_noted_twice_in_a_row(tmp_path: Path) -> None:
    kept = History(tmp_path)
    for number, pred in enumerate(("a", "a", "b", "a")):
        kept.add(scored(number, pred), *KEY)
    assert [each.pred for each in kept.of(*KEY)] == ["a", "b", "a"]
    again = History(tmp_path)
    again.add(scored(9, "a"), *KEY)
    assert len(again.of(*KEY)) == 3


def test_two_sessions_that_note_the_same_count_once(tmp_path: Path) -> None:
    one, two = History(tmp_path), History(tmp_path)
    assert one.of(*KEY) == two.of(*KEY) == []
    one.add(scored(1, "a"), *KEY)
    two.add(scored(2, "a"), *KEY)
    assert History(tmp_path).of(*KEY) == [scored(1, "a")]


@pytest.mark.parametrize(
    "other", [("/p/pred.conllu", "/p/gold2.conllu", "ud"), ("/p/pred2.conllu", *KEY[1:])]
)
def test_each_system_has_its_own(tmp_path: Path, other: tuple[str, ...]) -> None:
    kept = History(tmp_path)
    kept.add(scored(1), *KEY)
    assert kept.of(*other) == []


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"\n",
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b"\xff\xfe\0",
        b'{"time": 1, "pred": "p", "gold": "g", "scores": {}}',
        b'{"time": "t", "pred": "p", "gold": "g", "scores": []}',
        b'{"time": "t", "pred": "p", "gold": "g", "scores": {"LAS": "high"}}',
        b'{"time": "t", "pred": "p", "gold": "g"}',
    ],
)
def test_damaged_lines_are_passed_over(tmp_path: Path, damage: bytes) -> None:
    History(tmp_path).add(scored(1), *KEY)
    with file_of(tmp_path).open("ab") as file:
        file.write(damage)
    kept = History(tmp_path)
    kept.add(scored(2), *KEY)
    assert History(tmp_path).of(*KEY) == kept.of(*KEY) == [scored(1), scored(2)]


def test_a_full_history_keeps_its_newer_half(tmp_path: Path) -> None:
    kept = History(tmp_path, most=10)
    for number in range(11):
        kept.add(scored(number), *KEY)
    expected = [scored(number) for number in range(6, 11)]
    assert kept.of(*KEY) == History(tmp_path).of(*KEY) == expected
    assert len(list(tmp_path.iterdir())) == 1


def test_cutting_keeps_what_another_session_noted(tmp_path: Path) -> None:
    kept = History(tmp_path, most=10)
    for number in range(9):
        kept.add(scored(number), *KEY)
    History(tmp_path, most=10).add(scored(20), *KEY)
    for number in (9, 10):
        kept.add(scored(number), *KEY)
    assert scored(20) in History(tmp_path).of(*KEY)


def test_without_a_folder_it_lasts_as_long_as_the_session() -> None:
    kept = History(None)
    kept.add(scored(1), *KEY)
    assert kept.of(*KEY) == [scored(1)]


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    kept = History(tmp_path / "file" / "history", most=2)
    for number in range(4):
        kept.add(scored(number), *KEY)
    assert kept.of(*KEY)[-1] == scored(3)


def test_a_name_that_is_no_text_has_a_history(tmp_path: Path) -> None:
    kept = History(tmp_path)
    kept.add(scored(1), "/p/\udcff", *KEY[1:])
    assert History(tmp_path).of("/p/\udcff", *KEY[1:]) == [scored(1)]


def test_histories_are_in_the_users_state_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/somewhere")
    assert history.folder().parts[-2:] == ("goldlens", "history")


def test_notes_are_read_as_histories(tmp_path: Path) -> None:
    notes = Notes(tmp_path)
    for number in (1, 2, 2, 3):
        notes.add(scored(number), *KEY)
    assert History(tmp_path).of(*KEY) == [scored(1), scored(2), scored(3)]


def test_notes_know_what_another_session_noted_last(tmp_path: Path) -> None:
    kept = History(tmp_path)
    for number in range(500):
        kept.add(scored(number), *KEY)
    [path] = tmp_path.iterdir()
    before = path.read_bytes()
    Notes(tmp_path).add(scored(499), *KEY)
    assert path.read_bytes() == before
    path.write_bytes(before + b'{"time": "20')
    Notes(tmp_path).add(scored(499), *KEY)
    assert History(tmp_path).of(*KEY)[-1] == scored(499)
    Notes(tmp_path).add(scored(500), *KEY)
    assert History(tmp_path).of(*KEY)[-2:] == [scored(499), scored(500)]


def test_notes_that_have_grown_too_large_keep_the_newer_half(tmp_path: Path) -> None:
    size = len(scored(1).line())
    notes = Notes(tmp_path, most=10 * size)
    for number in range(1, 10):
        notes.add(scored(number), *KEY)
    for number in (11, 12):
        notes.add(scored(number), *KEY)
    found = History(tmp_path).of(*KEY)
    assert found[-3:] == [scored(9), scored(11), scored(12)] and len(found) < 8
    assert len(list(tmp_path.iterdir())) == 1


def test_notes_that_cannot_be_written_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    Notes(tmp_path / "file" / "history").add(scored(1), *KEY)
