"""What is proposed in each column, and which column it is."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession
from tests.lsp.test_actions import applied

TEXT = (
    "# sent_id = s1\n"
    "1\tWe\twe\tPRON\tPRP\tCase=Nom|Number=Plur\t2\tnsubj:pass\t_\t_\n"
    "2\t🧀like\tlike\t_\t_\t_\t0\troot\t_\t_\n"
    "3\ttea\ttea\tNOUN\t_\tCase=Acc\t1\tobj\t_\tA=1|Gloss=x\n"
    "4\ttea\tTea\tPRON\t_\tCase=\t_\t_\t_\tSpaceAfter=No|A=1\n\n"
)
GOLD = TEXT.replace("tea\tNOUN\t_\tCase=Acc\t1\tobj", "tea\tNOUN\tNN\tCase=Acc\t2\tobj")


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    pair.gold_file.write_text(GOLD, "utf-8", newline="\n")
    session.initialize(folder=pair.folder)
    session.open(pair.uri, TEXT)
    session.problems(pair.uri, 1)
    return session


def at(line: int, column: int, behind: int = 0, text: str = TEXT) -> dict[str, int]:
    """A position in a cell, counted in UTF-16 units."""
    cells = text.split("\n")[line].split("\t")
    before = "\t".join(cells[:column]) + ("\t" if column else "") + cells[column][:behind]
    return {"line": line, "character": len(before.encode("utf-16-le")) // 2}


def proposed(editor: SocketSession, uri: str, position: object) -> list[Any]:
    params = {"textDocument": {"uri": uri}, "position": position}
    found = editor.call("textDocument/completion", params)
    items = found["items"] if found else []
    assert [item["sortText"] for item in items] == sorted(item["sortText"] for item in items)
    return list(items)


def labels(items: list[Any]) -> list[str]:
    return [item["label"] for item in items]


def test_all_tags_the_most_frequent_first(editor: SocketSession, pair: Pair) -> None:
    items = proposed(editor, pair.uri, at(2, 3))
    assert len(items) == 17 and labels(items)[:2] == ["PRON", "NOUN"]
    assert items[0]["filterText"] == "_PRON"
    assert "u/pos/PRON.html" in items[0]["documentation"]["value"]
    now = applied(TEXT, [items[0]["textEdit"]])
    assert now == TEXT.replace("like\t_", "like\tPRON")


def test_golds_head_first_and_nothing_that_would_be_a_ring(
    editor: SocketSession, pair: Pair
) -> None:
    items = proposed(editor, pair.uri, at(3, 6, 1))
    assert labels(items) == ["2 → 🧀like", "4 → tea", "1 → We", "0 → root"]
    assert items[0]["detail"] == "gold"
    assert applied(TEXT, [items[0]["textEdit"]]) == TEXT.replace("Acc\t1", "Acc\t2")
    # All that has no ring with it: "We" has "tea" below it.
    assert labels(proposed(editor, pair.uri, at(1, 6)))[:2] == ["2 → 🧀like", "4 → tea"]


def test_relations_with_the_subtypes_in_use(editor: SocketSession, pair: Pair) -> None:
    items = proposed(editor, pair.uri, at(4, 7))
    assert "nsubj:pass" in labels(items) and labels(items)[-1] == "root"
    assert len(items) == 38
    assert labels(proposed(editor, pair.uri, at(2, 7)))[0] == "root"
    assert proposed(editor, pair.uri, at(3, 7, 3))[0]["detail"] == "gold"


def test_features_of_the_tag_that_are_not_there(editor: SocketSession, pair: Pair) -> None:
    items = proposed(editor, pair.uri, at(4, 5, 5))
    assert labels(items)[:2] == ["Case=Nom", "Number=Plur"]
    assert applied(TEXT, [items[0]["textEdit"]]) == TEXT.replace("Case=\t", "Case=Nom\t")
    second = proposed(editor, pair.uri, at(1, 5, len("Case=Nom|Num")))
    assert "Case=Nom" not in labels(second) and "Case=" not in labels(second)
    assert applied(TEXT, [second[0]["textEdit"]]) == TEXT
    assert "Voice=" in labels(second)


def test_parts_of_misc(editor: SocketSession, pair: Pair) -> None:
    assert labels(proposed(editor, pair.uri, at(1, 9))) == ["A=1", "SpaceAfter=No", "Gloss=x"]
    second = proposed(editor, pair.uri, at(3, 9, 4))
    assert labels(second) == ["SpaceAfter=No", "Gloss=x"]
    assert applied(TEXT, [second[0]["textEdit"]]) == TEXT.replace("Gloss=x", "SpaceAfter=No")


def test_lemmas_other_tags_edges_and_comments(editor: SocketSession, pair: Pair) -> None:
    assert labels(proposed(editor, pair.uri, at(1, 2))) == ["we", "We"]
    [tag] = proposed(editor, pair.uri, at(3, 4))
    assert (tag["label"], tag["detail"]) == ("NN", "gold")
    edges = labels(proposed(editor, pair.uri, at(3, 8)))
    assert edges == ["1:obj", "1: → We", "2: → 🧀like", "3: → tea", "4: → tea"]
    text = TEXT.replace("# sent_id = s1\n", "# \n")
    editor.open(pair.uri, text, 2)
    items = proposed(editor, pair.uri, {"line": 0, "character": 2})
    assert labels(items)[:2] == ["# sent_id = ", "# text = We 🧀like tea tea"]
    assert applied(text, [items[1]["textEdit"]]).startswith("# text = We 🧀like tea tea\n1")


def test_nothing_where_nothing_is_known(editor: SocketSession, pair: Pair) -> None:
    for position in (at(0, 0, 9), at(1, 0), at(1, 1), {"line": 99, "character": 9}):
        assert proposed(editor, pair.uri, position) == []
    assert proposed(editor, (pair.folder / "closed.conllu").as_uri(), at(0, 0)) == []
    editor.open(pair.uri, "1-2\ta\nx\ty\n\n", 2)
    for line in range(4):
        assert proposed(editor, pair.uri, {"line": line, "character": 2}) == []


def test_the_column_has_a_name(editor: SocketSession, pair: Pair) -> None:
    params = {"textDocument": {"uri": pair.uri}, "position": at(1, 5, 10)}
    found = editor.call("textDocument/signatureHelp", params)
    [signature] = found["signatures"]
    start, end = signature["parameters"][found["activeParameter"]]["label"]
    assert signature["label"][start:end] == "FEATS"
    assert "u/feat/Number.html" in signature["documentation"]["value"]
    params["position"] = at(0, 0)
    assert editor.call("textDocument/signatureHelp", params) is None


def test_before_the_byte_order_mark_there_is_nothing_to_replace(
    editor: SocketSession, pair: Pair
) -> None:
    editor.open(pair.uri, f"\ufeff# \n{TEXT}", 2)
    params = {"textDocument": {"uri": pair.uri}, "position": {"line": 0, "character": 0}}
    assert editor.call("textDocument/completion", params) is None
    for item in proposed(editor, pair.uri, {"line": 0, "character": 1}):
        assert item["textEdit"]["range"]["start"] == {"line": 0, "character": 1}
