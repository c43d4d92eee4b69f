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


EMPTY_NODES = (
    "# sent_id = s1\n"
    "# text = Sue likes tea\n"
    "1\tSue\tSue\tPROPN\t_\t_\t2\tnsubj\t2:nsubj|3.1:nsubj\t_\n"
    "2\tlikes\tlike\tVERB\t_\t_\t0\troot\t0:root\t_\n"
    "3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t3.1:obl:agent|2:obj\t_\n"
    "3.1\tdrinks\tdrink\tVERB\t_\t_\t_\t_\t2:conj\t_\n\n"
)


def test_empty_nodes_are_heads_and_have_heads(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, EMPTY_NODES, 2)
    lines = EMPTY_NODES.split("\n")

    def target(line: int, edge: str) -> str:
        where = place(pair.uri, line, lines[line].index(edge) + 1)
        return cell(EMPTY_NODES, editor.call("textDocument/definition", where)["range"])

    assert target(2, "3.1:nsubj") == target(4, "3.1:obl") == "drinks"
    assert target(4, "2:obj") == target(5, "2:conj") == target(5, "drinks") == "likes"
    node = place(pair.uri, 5, 5)
    found = editor.call("textDocument/references", node)
    assert [cell(EMPTY_NODES, each["range"]) for each in found] == ["Sue", "tea"]
    shown = editor.call("textDocument/documentHighlight", node)
    assert [cell(EMPTY_NODES, each["range"]) for each in shown] == ["drinks", "likes", "Sue", "tea"]
    # Whoever has no enhanced graph has no dependents there.
    editor.open(pair.uri, EMPTY_NODES.replace("3.1:nsubj", "7.1:nsubj"), 3)
    assert (
        editor.call("textDocument/definition", place(pair.uri, 2, lines[2].index("3.1:"))) is None
    )


def test_an_enhanced_relation_has_a_meaning(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, EMPTY_NODES, 2)
    row = EMPTY_NODES.split("\n")[4]
    assert "u/dep/obl.html" in said(editor, pair.uri, 4, row.index("3.1:") + 4)
    assert "u/dep/obj.html" in said(editor, pair.uri, 4, row.index("2:obj"))
    shown = editor.call("textDocument/signatureHelp", place(pair.uri, 4, row.index("3.1:") + 4))
    assert "u/dep/obl.html" in shown["signatures"][0]["documentation"]["value"]
    # What is none of them leaves it at what the column is for.
    editor.open(pair.uri, EMPTY_NODES.replace("3.1:obl:agent", "3.1:unheard"), 3)
    assert "DEPS: " in said(editor, pair.uri, 4, row.index("3.1:") + 4)


@pytest.mark.parametrize(
    ("form", "shown"),
    [("-", "\\-"), ("+", "\\+"), ("1.", "1\\."), ("&amp;", "\\&amp;"), ("~~", "\\~\\~")],
)
def test_forms_are_no_markdown(editor: SocketSession, pair: Pair, form: str, shown: str) -> None:
    # At the beginning of a paragraph it would be a list, elsewhere an entity or struck out.
    editor.open(pair.uri, pair.pred.replace("\tWe\t", f"\t{form}\t"), 2)
    paragraphs = said(editor, pair.uri, 1).split("\n\n")
    assert f"{shown} —nsubj→ like —root→ root" in paragraphs
    assert f"{shown} like tea" in said(editor, pair.uri, 0, 2).split("\n\n")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("cut", [0, 1, 2])
def test_symbols_hold_what_is_below_them(
    editor: SocketSession, pair: Pair, ending: str, cut: int
) -> None:
    # Editors find the symbol at a cursor by going down through the ranges.
    text = pair.pred.replace("# sent_id = s2", "# sent_id = s2\n# text = You nap")
    text = text[: len(text) - cut].replace("\n", ending)
    editor.open(pair.uri, text, 2)
    params = {"textDocument": {"uri": pair.uri}}
    sentences = editor.call("textDocument/documentSymbol", params)
    assert [each["detail"] for each in sentences] == ["We like tea", "You nap"]

    def edge(symbol: Any, which: str) -> tuple[int, int]:
        found = symbol["range"][which]
        return found["line"], found["character"]

    def held(symbol: Any) -> int:
        for below in symbol.get("children", []):
            assert edge(symbol, "start") <= edge(below, "start")
            assert edge(below, "end") <= edge(symbol, "end")
        return 1 + sum(map(held, symbol.get("children", [])))

    assert [held(each) for each in sentences] == [4, 3]
    assert edge(sentences[0], "end") < edge(sentences[1], "start")


def test_sentences_and_documents_fold(editor: SocketSession, pair: Pair) -> None:
    text = f"# newdoc id = a\n{pair.pred}# newdoc id = b\n{pair.pred}"
    editor.open(pair.uri, text, 2)
    found = editor.call("textDocument/foldingRange", {"textDocument": {"uri": pair.uri}})
    assert sorted((each["startLine"], each["endLine"]) for each in found) == [
        (0, 4),
        (0, 8),
        (6, 8),
        (10, 14),
        (10, 18),
        (16, 18),
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_the_blank_line_behind_what_folds_stays_in_sight(
    editor: SocketSession, pair: Pair, ending: str
) -> None:
    text = f"# newdoc id = a\n{pair.pred}\n# newdoc id = b\n{pair.pred}"
    editor.open(pair.uri, text.replace("\n", ending), 2)
    found = editor.call("textDocument/foldingRange", {"textDocument": {"uri": pair.uri}})
    rows = text.split("\n")
    assert {each["startLine"] for each in found} == {0, 6, 11, 17}
    assert len(found) == 6 and all(rows[each["endLine"]] for each in found)


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


@pytest.mark.parametrize("text", ["\ufeff# a\n1\tb\n", "1\tb\n\n# the last line", "# alone", ""])
def test_selections_hold_the_cursor(editor: SocketSession, pair: Pair, text: str) -> None:
    editor.open(pair.uri, text, 2)
    places = [
        (line, character)
        for line, row in enumerate(text.split("\n"))
        for character in range(len(row) + 1)
    ]
    params = {
        "textDocument": {"uri": pair.uri},
        "positions": [{"line": line, "character": character} for line, character in places],
    }
    for found, where in zip(
        editor.call("textDocument/selectionRange", params), places, strict=True
    ):
        start, end = found["range"]["start"], found["range"]["end"]
        assert (start["line"], start["character"]) <= where <= (end["line"], end["character"])


def test_names_link_to_gold(editor: SocketSession, pair: Pair) -> None:
    found = editor.call("textDocument/documentLink", {"textDocument": {"uri": pair.uri}})
    assert [cell(pair.pred, each["range"]) for each in found] == ["s1", "s2"]
    assert [each["target"] for each in found] == [f"{pair.gold_uri}#L1", f"{pair.gold_uri}#L6"]


@pytest.mark.parametrize("written", ["#sent_id=", "#  sent_id =\t", "# a\r\n# sent_id = "])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_names_link_to_gold_however_they_are_written(
    editor: SocketSession, pair: Pair, written: str, ending: str
) -> None:
    # Its like, which is another key, may stand before it.
    text = pair.pred.replace("# sent_id = ", f"# sent_id_was = s1\n{written}")
    text = "\n".join(text.splitlines()) + "\n"
    editor.open(pair.uri, text.replace("\n", ending), 2)
    found = editor.call("textDocument/documentLink", {"textDocument": {"uri": pair.uri}})
    assert [cell(text, each["range"]) for each in found] == ["s1", "s2"]
    assert [each["target"] for each in found] == [f"{pair.gold_uri}#L1", f"{pair.gold_uri}#L6"]
    assert all("_was" not in text.split("\n")[each["range"]["start"]["line"]] for each in found)


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


def test_a_sentence_without_its_text_is_outlined_by_its_words(
    editor: SocketSession, pair: Pair
) -> None:
    text = "1-2\tdu\t_\n1\tde\t_\n1.1\tnil\t_\n2\tle\t_\r\n3\t" + "é" * 200 + "\t_\n\n"
    editor.open(pair.uri, text, 2)
    params = {"textDocument": {"uri": pair.uri}}
    [found] = editor.call("textDocument/documentSymbol", params)
    assert found["detail"] == ("de le " + "é" * 200)[:120]
