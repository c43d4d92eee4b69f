"""Names of sentences: found in pieces as in one, kept while a file stays, the best first."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.conllu.blocks import lines
from goldlens.server.views import naming
from goldlens.server.views.naming import Best, Kept, Names

TEXT = (
    b"\xef\xbb\xbf# sent_id = a1\n1\tx\n\n#sent_id=B2 \n# text = # sent_id = no\n\n# sent_id = a10"
)


def names_of(*pieces: bytes) -> Names:
    names = Names()
    for piece in pieces:
        names.feed(piece)
    names.feed(b"")
    return names


def test_names_and_their_lines() -> None:
    assert list(names_of(TEXT).matching(b"")) == [(b"a1", 0), (b"B2", 3), (b"a10", 6)]
    assert list(names_of(TEXT).matching(b"b")) == [(b"B2", 3)]
    assert list(names_of(TEXT).matching(b"1\na")) == []
    assert list(names_of().matching(b"")) == []


@given(
    st.lists(st.sampled_from([b"# sent_id = ", b"a", b"x1", b"\n", b"\r\n", b"\r", b" "])),
    st.integers(1, 9),
)
def test_in_pieces_as_in_one(parts: list[bytes], size: int) -> None:
    text = b"".join(parts)
    pieces = [text[k : k + size] for k in range(0, len(text), size)]
    expected = [
        (line[12:].strip(b" \t\r\n"), number)
        for number, line in enumerate(lines(text))
        if line.startswith(b"# sent_id = ")
    ]
    assert list(names_of(*pieces).matching(b"")) == expected


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_lines_are_looked_at_as_they_come_and_not_gathered(end: bytes) -> None:
    names = Names()
    names.feed(b"# sent_id = a" + end + b"1\tx" + end)
    assert list(names.matching(b"")) == [(b"a", 0)]


def read(kept: Kept, path: Path) -> Names:
    found = None
    for found in kept.reading(path):  # noqa: B007
        pass
    assert found is not None
    return found


def test_a_file_is_read_again_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(naming, "PIECE", 7)
    file, kept = tmp_path / "a.conllu", Kept()
    file.write_bytes(TEXT)
    assert kept.find(file) is None
    names = read(kept, file)
    assert [name for name, _ in names.matching(b"")] == [b"a1", b"B2", b"a10"]
    assert kept.find(file) is names
    file.write_bytes(TEXT + b"\n")
    assert kept.find(file) is None
    reading = kept.reading(file)
    next(reading)
    file.write_bytes(TEXT + b"0\n")
    for _ in reading:
        # What was read is neither what was there nor what is there now.
        assert kept.find(file) is None
    assert kept.find(file) is None


def test_those_asked_for_last_are_kept(tmp_path: Path) -> None:
    files = [tmp_path / name for name in "abc"]
    size = len(b"a1\nB2\na10\n") + 3 * 8
    kept = Kept(2 * size)
    for file in files[:2]:
        file.write_bytes(TEXT)
        read(kept, file)
    files[2].write_bytes(TEXT)
    kept.find(files[0])
    read(kept, files[2])
    assert [kept.find(file) is not None for file in files] == [True, False, True]


def test_the_very_name_comes_first_then_beginnings() -> None:
    best: Best[str] = Best(b"s1", 3)
    for name in (b"x-s1", b"s12", b"S1", b"s1", b"s10", b"y-s1"):
        best.add(name, name.decode())
    assert best.all == ["S1", "s1", "s12"]
    assert not best.full
    everything: Best[int] = Best(b"", 2)
    for k in range(3):
        everything.add(b"x", k)
    assert everything.full and everything.all == [0, 1]
