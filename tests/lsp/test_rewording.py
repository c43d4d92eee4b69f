"""Words changed by commands, and names by rename, over a real connection."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.conftest import GOLD, Pair
from tests.lsp.session import RpcError, SocketSession
from tests.lsp.test_actions import applied

APPLIES = {
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
    "textDocument": {"rename": {"prepareSupport": True}},
}


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    can = session.initialize(folder=pair.folder)["capabilities"]
    assert can["renameProvider"] is True
    session.open(pair.uri, GOLD)
    session.problems(pair.uri, 1)
    return session


def changed(text: str, edit: Any, uri: str) -> str:
    return applied(text, edit["changes"][uri])


def test_a_word_is_put_in_and_taken_out(editor: SocketSession, pair: Pair) -> None:
    arguments = {"uri": pair.uri, "line": 2, "form": "hot"}
    found = editor.command("goldlens.insertWord", arguments)
    assert found["applied"] is False
    text = changed(GOLD, found["edit"], pair.uri)
    assert text.split("\n")[3:5] == [
        "3\thot\t_\t_\t_\t_\t2\tdep\t_\t_",
        "4\ttea\ttea\tNOUN\t_\t_\t2\tobj\t_\t_",
    ]
    editor.open(pair.uri, text, 2)
    found = editor.command("goldlens.deleteWord", {"uri": pair.uri, "line": 3})
    assert changed(text, found["edit"], pair.uri) == GOLD


def test_the_editor_makes_the_change_if_it_can(session: SocketSession, pair: Pair) -> None:
    session.initialize(APPLIES, folder=pair.folder)
    session.open(pair.uri, GOLD, 3)
    params = {
        "command": "goldlens.splitToken",
        "arguments": [{"uri": pair.uri, "line": 3, "forms": ["te", "a"]}],
    }
    number = session.ask("workspace/executeCommand", params)
    asked = session.expect(lambda m: m.get("method") == "workspace/applyEdit", "the edit")
    assert asked["params"]["label"] == "Split a word"
    [change] = asked["params"]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": pair.uri, "version": 3}
    text = applied(GOLD, change["edits"])
    assert [row.split("\t")[:2] for row in text.split("\n")[3:6]] == [
        ["3-4", "tea"],
        ["3", "te"],
        ["4", "a"],
    ]
    session.put({"jsonrpc": "2.0", "id": asked["id"], "result": {"applied": True}})
    assert session.answer(number)["applied"] is True
    session.open(pair.uri, text, 4)
    number = session.ask(
        "workspace/executeCommand",
        {"command": "goldlens.mergeWords", "arguments": [{"uri": pair.uri, "line": 3}]},
    )
    asked = session.expect(lambda m: m.get("method") == "workspace/applyEdit", "the edit")
    [change] = asked["params"]["edit"]["documentChanges"]
    assert applied(text, change["edits"]) == GOLD
    refused = {"applied": False, "failureReason": "read only"}
    session.put({"jsonrpc": "2.0", "id": asked["id"], "result": refused})
    with pytest.raises(RpcError, match="read only"):
        session.answer(number)


def test_sentences_are_numbered(editor: SocketSession, pair: Pair) -> None:
    text = GOLD.replace("\n3\ttea", "\n5\ttea").replace("\n2\tnap", "\n7\tnap")
    editor.open(pair.uri, text, 2)
    found = editor.command("goldlens.renumber", {"uri": pair.uri, "line": 1})
    assert changed(text, found["edit"], pair.uri) == GOLD.replace("\n2\tnap", "\n7\tnap")
    found = editor.command("goldlens.renumber", {"uri": pair.uri})
    assert changed(text, found["edit"], pair.uri) == GOLD


def test_what_cannot_be_done_is_said(editor: SocketSession, pair: Pair) -> None:
    for name, arguments, said in (
        ("deleteWord", {"line": 0}, "no word in this line"),
        ("deleteWord", {"line": 99}, "no sentence in this line"),
        ("mergeWords", {"line": 1}, "no multiword token"),
        ("splitToken", {"line": 1, "forms": ["a"]}, "two forms"),
    ):
        with pytest.raises(RpcError, match=said) as caught:
            editor.command(f"goldlens.{name}", {"uri": pair.uri, **arguments})
        assert caught.value.code == -32803
    for name, arguments in (
        ("insertWord", {"line": "x"}),
        ("insertWord", {}),
        ("splitToken", {"line": 1, "forms": [1]}),
    ):
        with pytest.raises(RpcError) as caught:
            editor.command(f"goldlens.{name}", {"uri": pair.uri, **arguments})
        assert caught.value.code == -32602


def renaming(editor: SocketSession, uri: str, line: int, character: int, new: str) -> Any:
    where = {"line": line, "character": character}
    params = {"textDocument": {"uri": uri}, "position": where, "newName": new}
    return editor.call("textDocument/rename", params)


def test_an_id_is_renamed(editor: SocketSession, pair: Pair) -> None:
    edit = renaming(editor, pair.uri, 3, 0, "1")
    rows = changed(GOLD, edit, pair.uri).split("\n")
    assert [row.split("\t")[:2] for row in rows[1:4]] == [["1", "tea"], ["2", "We"], ["3", "like"]]
    assert [row.split("\t")[6] for row in rows[1:4]] == ["3", "3", "0"]
    for line, character, new, said in (
        (3, 0, "9", "IDs 1 to 3"),
        (3, 0, "x", "whole number"),
        (3, 3, "1", "only the ID of a word and a sent_id"),
        (4, 0, "1", "only the ID"),
    ):
        with pytest.raises(RpcError, match=said):
            renaming(editor, pair.uri, line, character, new)


def test_a_sentence_is_renamed(editor: SocketSession, pair: Pair) -> None:
    edit = renaming(editor, pair.uri, 0, 14, "first")
    assert changed(GOLD, edit, pair.uri) == GOLD.replace("s1", "first")
    for new, said in (("s2", "another sentence"), (" ", "one line"), ("a\nb", "one line")):
        with pytest.raises(RpcError, match=said):
            renaming(editor, pair.uri, 0, 14, new)


def test_what_can_be_renamed_is_told(session: SocketSession, pair: Pair) -> None:
    can = session.initialize(APPLIES, folder=pair.folder)["capabilities"]
    assert can["renameProvider"] == {"prepareProvider": True}
    session.open(pair.uri, GOLD)

    def prepared(line: int, character: int) -> Any:
        where = {"line": line, "character": character}
        params = {"textDocument": {"uri": pair.uri}, "position": where}
        return session.call("textDocument/prepareRename", params)

    found = prepared(3, 1)
    assert found["placeholder"] == "3"
    assert (found["range"]["start"], found["range"]["end"]) == (
        {"line": 3, "character": 0},
        {"line": 3, "character": 1},
    )
    assert prepared(0, 13)["placeholder"] == "s1"
    assert [prepared(*where) for where in ((3, 5), (4, 0), (99, 0))] == [None] * 3
