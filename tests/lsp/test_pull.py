"""Diagnostics for clients that ask: never pushed too, and told when to ask again."""

from __future__ import annotations

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession, replace

PULLS = {
    "textDocument": {"diagnostic": {"dynamicRegistration": False}, "publishDiagnostics": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
REFRESH = "workspace/diagnostic/refresh"


@pytest.fixture
def editor(session: SocketSession) -> SocketSession:
    can = session.initialize(PULLS)["capabilities"]
    assert can["diagnosticProvider"] == {
        "identifier": "goldlens",
        "interFileDependencies": True,
        "workspaceDiagnostics": True,
    }
    return session


def test_is_announced_to_nobody_else(session: SocketSession) -> None:
    assert "diagnosticProvider" not in session.initialize()["capabilities"]


def test_what_is_pulled_is_never_pushed(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    report = editor.pull(pair.uri)
    assert (report["kind"], len(report["items"])) == ("full", 1)
    assert report["items"][0]["range"]["start"] == {"line": 3, "character": 19}
    editor.close(pair.uri)
    editor.settle()
    assert editor.pushed(pair.uri) == []


def test_an_unchanged_list_is_not_sent_again(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    report = editor.pull(pair.uri)
    again = editor.pull(pair.uri, report["resultId"])
    assert again == {"kind": "unchanged", "resultId": report["resultId"]}
    editor.edit(pair.uri, 2, replace(0, 0, 0, "# x = y\n"))
    moved = editor.pull(pair.uri, report["resultId"])
    assert moved["kind"] == "full" and moved["resultId"] != report["resultId"]
    assert moved["items"][0]["range"]["start"]["line"] == 4
    assert editor.pull(pair.uri, "from-another-life")["kind"] == "full"


def test_a_document_that_is_not_open_has_none(editor: SocketSession, pair: Pair) -> None:
    assert editor.pull(pair.uri) == {"kind": "full", "items": []}
    editor.open(pair.uri, pair.pred)
    editor.close(pair.uri)
    assert editor.pull(pair.uri)["items"] == []


def test_asks_to_refresh_when_gold_changes(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    editor.edit(pair.uri, 3, replace(3, 19, 20, "1"))
    editor.save(pair.uri)
    report = editor.pull(pair.uri)
    editor.settle()
    assert not editor.has(REFRESH)  # its own edits an editor knows about
    pair.gold_file.write_text(pair.pred, "utf-8")
    changed = {"changes": [{"uri": pair.gold_uri, "type": 2}]}
    editor.send("workspace/didChangeWatchedFiles", changed)
    request = editor.expect(lambda m: m.get("method") == REFRESH, REFRESH)
    editor.put({"jsonrpc": "2.0", "id": request["id"], "result": None})
    assert editor.pull(pair.uri, report["resultId"])["items"] == []


def test_asks_to_refresh_when_an_open_gold_is_edited(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.open(pair.gold_uri, pair.gold)
    editor.edit(pair.gold_uri, 2, replace(3, 19, 20, "1"))
    editor.expect(lambda m: m.get("method") == REFRESH, REFRESH)
    assert editor.pull(pair.uri)["items"] == []


def test_asks_to_refresh_when_settings_change(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    editor.settle()
    settings = {"goldlens": {"severity": {"las-error": "off"}}}
    editor.send("workspace/didChangeConfiguration", {"settings": settings})
    editor.expect(lambda m: m.get("method") == REFRESH, REFRESH)
    assert editor.pull(pair.uri)["items"] == []


def test_asks_only_those_who_understand(session: SocketSession, pair: Pair) -> None:
    session.initialize({"textDocument": {"diagnostic": {}}})
    session.open(pair.uri, pair.pred)
    settings = {"goldlens": {"severity": {"las-error": "off"}}}
    session.send("workspace/didChangeConfiguration", {"settings": settings})
    session.settle()
    assert not session.has(REFRESH)


def test_on_save_the_list_stays_until_then(session: SocketSession, pair: Pair) -> None:
    session.initialize(PULLS, options={"run": "onSave"})
    session.open(pair.uri, pair.pred)
    report = session.pull(pair.uri)
    session.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    assert session.pull(pair.uri, report["resultId"])["kind"] == "unchanged"
    (pair.folder / "pred.conllu").write_text(pair.gold, "utf-8")
    session.save(pair.uri)
    session.expect(lambda m: m.get("method") == REFRESH, REFRESH)
    assert session.pull(pair.uri, report["resultId"])["items"] == []


def test_scores_are_told_all_the_same(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.uri, pair.pred)
    assert editor.notification("goldlens/scores")["metrics"]["LAS"]["f1"] == 80
