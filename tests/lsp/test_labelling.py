"""Tags and labels proposed where they may stand, and what hovering says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.session import SocketSession
from tests.lsp.test_actions import applied

GOLD = "Ada\tB-PER\nLovelace\tI-PER\nsaw\tO\nOslo\tB-LOC\n\n# sent_id = two\nBo\tB-PER\nran\tO\n\n"
PRED = "Ada\tB-PER\nLovelace\tO\nsaw\tO\nOslo\tB-ORG\n\n# sent_id = two\nBo\tB-PER\nran\t\n\n"


def faced(
    session: SocketSession, folder: Path, suffix: str, gold: str, pred: str | None = None
) -> str:
    """A prediction that is open beside gold; with no text of it, one without gold."""
    session.initialize(folder=folder)
    if pred is not None:
        (folder / f"gold{suffix}").write_text(gold, "utf-8")
    uri = (folder / f"pred{suffix}").as_uri()
    session.open(uri, gold if pred is None else pred)
    session.problems(uri, 1)
    return uri


def about(uri: str, line: int, character: int) -> dict[str, object]:
    return {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": character},
    }


def proposed(session: SocketSession, uri: str, line: int, character: int) -> list[Any]:
    found = session.call("textDocument/completion", about(uri, line, character))
    return list(found["items"]) if found else []


def labels(items: list[Any]) -> list[str]:
    return [item["label"] for item in items]


def hovered(session: SocketSession, uri: str, line: int, character: int = 0) -> str:
    found = session.call("textDocument/hover", about(uri, line, character))
    return str(found["contents"]["value"]) if found else ""


def test_tags_that_may_stand_behind_the_one_before(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, ".iob2", GOLD, PRED)
    items = proposed(session, uri, 1, 9)
    # Gold's first, and no I- of another span.
    assert labels(items) == ["I-PER", "O", "B-PER", "B-LOC", "B-ORG"]
    assert [item.get("detail") for item in items] == ["gold", None, None, None, None]
    assert applied(PRED, [items[0]["textEdit"]]) == PRED.replace("lace\tO", "lace\tI-PER")
    # Behind no span nothing goes on.
    assert labels(proposed(session, uri, 3, 10)) == ["B-LOC", "O", "B-PER", "B-ORG"]
    # A tag that is not there yet; gold's O.
    [first, *_] = items = proposed(session, uri, 7, 4)
    assert labels(items) == ["O", "I-PER", "B-PER", "B-LOC", "B-ORG"]
    assert applied(PRED, [first["textEdit"]]) == PRED.replace("ran\t", "ran\tO")
    # What gold has is no tag where nothing begins before it.
    session.open(uri, PRED.replace("B-PER", "O", 1), 2)
    assert labels(proposed(session, uri, 1, 9)) == ["O", "B-PER", "B-LOC", "B-ORG"]
    for line, character in ((1, 3), (4, 0), (5, 3), (99, 0)):
        assert proposed(session, uri, line, character) == []


def test_tags_of_a_file_without_gold_are_its_own(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, ".iob2", GOLD)
    assert labels(proposed(session, uri, 0, 4)) == ["O", "B-PER", "B-LOC"]


CLASSES = "d1\ta|b\nd2\tb\nd3\tc\n"


@pytest.mark.parametrize(
    ("row", "at", "expected", "now"),
    [
        ("d1\ta|x", 6, ["b", "c"], "d1\ta|b"),
        ("d1\t", 3, ["a", "b", "c"], "d1\ta"),
        ("d1\ta|", 5, ["b", "c"], "d1\ta|b"),
        ("d1\t\tx=0.3", 5, ["a", "b", "c"], "d1\t\ta=0.3"),
        ("d1\ta", 1, [], None),
    ],
)
def test_labels_in_cells(
    session: SocketSession,
    tmp_path: Path,
    row: str,
    at: int,
    expected: list[str],
    now: str | None,
) -> None:
    uri = faced(session, tmp_path, ".tsv", CLASSES, f"{row}\n")
    items = proposed(session, uri, 0, at)
    assert [label for label in labels(items) if label != "x"] == expected
    if now is not None:
        assert applied(f"{row}\n", [items[0]["textEdit"]]) == f"{now}\n"


SCORED = '{"id": "d1", "labels": ["é"]}\n{"id": "d2", "label": "b"}\n'


@pytest.mark.parametrize(
    ("row", "first", "now"),
    [
        ('{"id": "d1", "label": "|"}', '"é"', '{"id": "d1", "label": "é"}'),
        ('{"id": "d1", "label": |}', '"é"', '{"id": "d1", "label": "é"}'),
        ('{"id": "d1", "label": "|', '"é"', '{"id": "d1", "label": "é"'),
        ('{"id": "d1", "labels": ["x", "|"]}', '"é"', '{"id": "d1", "labels": ["x", "é"]}'),
        ('{"id": "d1", "labels": ["é", |]}', '"b"', '{"id": "d1", "labels": ["é", "b"]}'),
        ('{"id": "d1", "scores": {"|x": 1}}', '"é"', '{"id": "d1", "scores": {"é": 1}}'),
        ('{"id": "d1", "scores": {"x": 1.5e-3, |}}', '"é"', None),
        ('{"id": "|d1"}', None, None),
        ('{"id": "d1", "label": "x"|}', None, None),
        ('{"id": "d1", "scores": {"x": |1}}', None, None),
    ],
)
def test_labels_in_json(
    session: SocketSession, tmp_path: Path, row: str, first: str | None, now: str | None
) -> None:
    at, text = row.index("|"), row.replace("|", "") + "\n"
    uri = faced(session, tmp_path, ".jsonl", SCORED, text)
    items = proposed(session, uri, 0, at)
    if first is None:
        assert items == []
        return
    assert items[0]["filterText"] == first.strip('"')
    if now is not None:
        assert applied(text, [items[0]["textEdit"]]) == f"{now}\n"


def test_a_token_beside_gold(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, ".iob2", GOLD, PRED)
    said = hovered(session, uri, 1)
    assert "**Lovelace** · token 2" in said
    assert "| **tag** | **O** | **I-PER** |" in said
    assert "Gold: PER over tokens 1 to 2 (Ada Lovelace)" in said and "Here" not in said
    assert "Here: ORG over token 4 (Oslo)\n\nGold: LOC over token 4 (Oslo)" in hovered(
        session, uri, 3
    )
    assert "As in gold: PER over token 1 (Bo)" in hovered(session, uri, 6)
    assert hovered(session, uri, 5) == "**two**\n\nMicro 1/1 · right"
    found = session.call("textDocument/hover", about(uri, 1, 2))
    assert (found["range"]["start"]["character"], found["range"]["end"]["character"]) == (9, 10)


def test_a_token_by_itself(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, ".iob2", GOLD)
    assert hovered(session, uri, 1) == (
        "**Lovelace** · token 2\n\nPER over tokens 1 to 2 (Ada Lovelace)"
    )


def test_a_document_beside_gold(session: SocketSession, tmp_path: Path) -> None:
    rows = "d1\ta\ta=0.9|c=0.25\nd2\tb\nd2\tb\nd9\tb\n"
    uri = faced(session, tmp_path, ".tsv", CLASSES, rows)
    said = hovered(session, uri, 0)
    assert "| **labels** | **a** | **a, b** |" in said
    assert "Scores: a 0.9, c 0.25" in said
    assert "b in the file: 1 right of 2 in gold and 1 here" in said
    assert "| labels | b | b |" in hovered(session, uri, 1)
    assert "A row before it counts" in hovered(session, uri, 2)
    assert "Gold has no such document" in hovered(session, uri, 3)


def test_a_form_and_its_group(session: SocketSession, tmp_path: Path) -> None:
    (tmp_path / "goldlens.toml").write_text(
        '[[pair]]\ntask = "stemming"\ngold = "gold.tsv"\npred = "pred.tsv"\n', "utf-8"
    )
    uri = faced(session, tmp_path, ".tsv", "walk\twalks\n", "walk\twalk\nwalks\twalk\nx\tx\n")
    assert hovered(session, uri, 0) == "**walk**\n\nGold's group: walk, walks"
    assert "no such form" in hovered(session, uri, 2)
