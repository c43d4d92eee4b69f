"""Hover, going around in trees, symbols, folds, selections and links over a real connection."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession

# Lines of pred.conllu: 0 comment, 1 We, 2 like, 3 tea (head 1, gold 2), 4 blank, 5 comment,
# 6 You, 7 nap.
FORM, UPOS, HEAD = 3, 10, 19
"""Characters in the line of "tea"."""

NESTED = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    session.initialize(capabilities=NESTED, folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


def place(uri: str, line: int, character: int = FORM) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def cell(text: str, found: Any) -> str:
    """The text of a range within one line."""
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    return text.split("\n")[start["line"]][start["character"] : end["character"]]


def said(editor: SocketSession, *at: Any) -> str:
    answer = editor.call("textDocument/hover", place(*at))
    value: str = answer["contents"]["value"]
    return value


def test_a_word_is_shown_beside_gold(editor: SocketSession, pair: Pair) -> None:
    answer = editor.call("textDocument/hover", place(pair.uri, 3, HEAD))
    value = answer["contents"]["value"]
    assert cell(pair.pred, answer["range"]) == "1"
    assert "**tea** · word 3" in value
    assert "| **HEAD** | **1 We** | **2 like** |" in value
    assert "| UPOS | NOUN | NOUN |" in value
    assert "tea —obj→ We —nsubj→ like —root→ root" in value
    assert "[obj](https://universaldependencies.org/u/dep/obj.html): direct object" in value


def test_a_tag_and_a_feature_have_meanings(editor: SocketSession, pair: Pair) -> None:
    assert "u/pos/NOUN.html" in said(editor, pair.uri, 3, UPOS)
    text = pair.pred.replace("NOUN\t_\t_\t1", "AUX\t_\tCase=Nom|Number[psor]=Sing\t1")
    editor.open(pair.uri, text, 2)
    assert "u/pos/AUX_.html" in said(editor, pair.uri, 3, UPOS)
    features = text.split("\n")[3].index("Case")
    assert "u/feat/Case.html" in said(editor, pair.uri, 3, features + 2)
    assert "u/feat/Number.html" in said(editor, pair.uri, 3, features + 12)


def test_a_sentence_has_figures(editor: SocketSession, pair: Pair) -> None:
    value = said(editor, pair.uri, 0, 2)
    assert "**s1**" in value and "LAS 2/3" in value and "UPOS 3/3" in value
    assert "LAS 2/2" in said(editor, pair.uri, 5, 0)


def test_without_gold_and_in_broken_rows_hover_says_what_it_can(
    editor: SocketSession, pair: Pair
) -> None:
    uri = (pair.folder / "alone.conllu").as_uri()
    editor.open(uri, "1\ta\n2\tb\t_\t_\t_\t_\t3\n3\tc\t_\t_\t_\t_\t2\tdep\nx\ty\n")
    assert "**a** · word 1" in said(editor, uri, 0)
    assert "a ring" in said(editor, uri, 1)
    assert editor.call("textDocument/hover", place(uri, 3)) is None
    assert editor.call("textDocument/hover", place(uri, 99)) is None
    closed = (pair.folder / "closed.conllu").as_uri()
    assert editor.call("textDocument/hover", place(closed, 0)) is None


def test_head_gold_and_dependents(editor: SocketSession, pair: Pair) -> None:
    head = editor.call("textDocument/definition", place(pair.uri, 3))
    assert head["uri"] == pair.uri and cell(pair.pred, head["range"]) == "We"
    assert editor.call("textDocument/definition", place(pair.uri, 2)) is None
    gold = editor.call("textDocument/declaration", place(pair.uri, 3, HEAD))
    assert gold["uri"] == pair.gold_uri and cell(pair.gold, gold["range"]) == "2"
    assert gold["range"]["start"]["line"] == 3
    sentence = editor.call("textDocument/declaration", place(pair.uri, 5))
    assert sentence["range"]["start"]["line"] == 5
    found = editor.call("textDocument/references", place(pair.uri, 2))
    assert [cell(pair.pred, each["range"]) for each in found] == ["We"]
    with_it = {**place(pair.uri, 2), "context": {"includeDeclaration": True}}
    found = editor.call("textDocument/references", with_it)
    assert [cell(pair.pred, each["range"]) for each in found] == ["like", "We"]
    shown = editor.call("textDocument/documentHighlight", place(pair.uri, 1))
    assert [cell(pair.pred, each["range"]) for each in shown] == ["We", "like", "tea"]


def test_the_edge_of_an_enhanced_graph_has_its_head(editor: SocketSession, pair: Pair) -> None:
    text = pair.pred.replace("1\tobj\t_\t_", "1\tobj\t1:obj|2:dep\t_")
    editor.open(pair.uri, text, 2)
    column = text.split("\n")[3].index("2:dep")
    head = editor.call("textDocument/definition", place(pair.uri, 3, column + 1))
    assert cell(text, head["range"]) == "like"


def test_the_tree_as_a_hierarchy_both_ways(editor: SocketSession, pair: Pair) -> None:
    [item] = editor.call("textDocument/prepareCallHierarchy", place(pair.uri, 1))
    assert (item["name"], item["detail"]) == ("We", "PRON nsubj")
    [caller] = editor.call("callHierarchy/incomingCalls", {"item": item})
    assert caller["from"]["name"] == "like"
    [called] = editor.call("callHierarchy/outgoingCalls", {"item": item})
    assert called["to"]["name"] == "tea"
    assert editor.call("callHierarchy/incomingCalls", {"item": caller["from"]}) == []


def test_symbols_are_sentences_and_trees(editor: SocketSession, pair: Pair) -> None:
    params = {"textDocument": {"uri": pair.uri}}
    first, second = editor.call("textDocument/documentSymbol", params)
    assert [first["name"], second["name"]] == ["s1", "s2"]
    [top] = first["children"]
    assert top["name"] == "like"
    assert top["children"][0]["name"] == "We"
    assert top["children"][0]["children"][0]["name"] == "tea"
    found = editor.call("workspace/symbol", {"query": "S2"})
    expected = [("s2", pair.uri), ("s2", pair.gold_uri)]
    assert [(each["name"], each["location"]["uri"]) for each in found] == expected


def test_symbols_are_flat_for_those_who_show_no_others(session: SocketSession, pair: Pair) -> None:
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    found = session.call("textDocument/documentSymbol", {"textDocument": {"uri": pair.uri}})
    assert [each["name"] for each in found] == ["s1", "s2"]
    assert found[1]["location"]["range"]["start"]["line"] == 5


def test_sentences_and_documents_fold(editor: SocketSession, pair: Pair) -> None:
    text = f"# newdoc id = a\n{pair.pred}# newdoc id = b\n{pair.pred}"
    editor.open(pair.uri, text, 2)
    found = editor.call("textDocument/foldingRange", {"textDocument": {"uri": pair.uri}})
    assert sorted((each["startLine"], each["endLine"]) for each in found) == [
        (0, 4),
        (0, 8),
        (6, 8),
        (10, 14),
        (10, 19),
        (16, 18),
    ]


def test_selections_grow(editor: SocketSession, pair: Pair) -> None:
    params = {
        "textDocument": {"uri": pair.uri},
        "positions": [{"line": 1, "character": 3}, {"line": 4, "character": 0}],
    }
    word, blank = editor.call("textDocument/selectionRange", params)
    lines = []
    while word is not None:
        lines.append((word["range"]["start"]["line"], word["range"]["end"]["line"]))
        word = word.get("parent")
    assert lines == [(1, 1), (1, 1), (1, 3), (0, 5), (0, 9)]
    assert blank["range"]["start"]["line"] == 0


def test_names_link_to_gold(editor: SocketSession, pair: Pair) -> None:
    found = editor.call("textDocument/documentLink", {"textDocument": {"uri": pair.uri}})
    assert [cell(pair.pred, each["range"]) for each in found] == ["s1", "s2"]
    assert [each["target"] for each in found] == [f"{pair.gold_uri}#L1", f"{pair.gold_uri}#L6"]


@pytest.mark.parametrize(
    "method",
    ["hover", "definition", "declaration", "references", "documentHighlight", "selectionRange"],
)
def test_positions_behind_the_text_are_no_errors(
    editor: SocketSession, pair: Pair, method: str
) -> None:
    for line, character in ((0, 9999), (4, 5), (9, 0), (99, 99)):
        where = {"line": line, "character": character}
        asked = {"textDocument": {"uri": pair.uri}, "position": where, "positions": [where]}
        editor.call(f"textDocument/{method}", asked)


def test_an_edit_in_between_is_told(editor: SocketSession, pair: Pair) -> None:
    params = {"textDocument": {"uri": pair.uri}}
    number = editor.ask("textDocument/documentSymbol", params)
    editor.send("$/cancelRequest", {"id": number})
    editor.settle()
