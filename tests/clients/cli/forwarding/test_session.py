"""What the session says to the editor and to another server when the one it had is gone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from goldlens.cli.forwarding import documents
from goldlens.cli.forwarding.session import Post, Session
from tests.clients.cli.forwarding.model import (
    Message,
    Server,
    ask,
    changed,
    closed,
    command,
    initialize,
    note,
    opened,
    packed,
)

URI = "file:///w/pred.conllu"
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def read(bodies: Iterable[bytes]) -> list[Message]:
    return [json.loads(body) for body in bodies]


def answer(number: int | str, value: Any = None) -> bytes:
    return packed({"id": number, "result": value})


def under_way(encoding: str = "utf-16", **more: Any) -> Session:
    """A session with a server, initialized."""
    session = Session()
    session.said(initialize(**more))
    assert len(session.joined().up) == 1
    capabilities = {"capabilities": {"positionEncoding": encoding}}
    assert session.heard(answer(1, capabilities)).down
    session.said(note("initialized", {}))
    return session


def replay(session: Session) -> list[Message]:
    session.died()
    return read(session.joined().up)


def test_messages_go_through_unchanged() -> None:
    session = under_way()
    for body in (
        b' {"jsonrpc": "2.0", "method": "x", "params": {"\xc3\xbc": 1.0}} ',
        ask(7, "textDocument/hover"),
        b"no json",
        b'["a", "batch"]',
    ):
        assert session.said(body) == Post(up=(body,))
        assert session.heard(body) == Post(down=(body,))


def test_initialize_is_said_again_and_its_answer_is_for_nobody() -> None:
    session = under_way(rootUri="file:///w")
    first, second = replay(session)
    assert (first["method"], second["method"]) == ("initialize", "initialized")
    assert first["params"]["rootUri"] == "file:///w"
    assert session.heard(answer(first["id"], {})) == Post()


def test_initialize_without_an_answer_is_said_as_it_was() -> None:
    session = Session()
    body = initialize()
    session.said(body)
    session.joined()
    for _ in range(3):
        assert session.died() == Post()
        assert session.joined() == Post(up=(body,))
    answered = answer(1, {"capabilities": {}})
    assert session.heard(answered) == Post(down=(answered,))


def test_a_refused_initialize_leaves_nothing_to_say() -> None:
    session = Session()
    session.said(initialize())
    session.joined()
    session.said(opened(URI, "a"))
    session.heard(packed({"id": 1, "error": {"code": -32602, "message": "no"}}))
    assert replay(session) == []


def test_a_document_is_opened_again_with_its_last_text_and_version() -> None:
    session = under_way("utf-8")
    session.said(opened(URI, "é\nb\n"))
    where = {"start": {"line": 0, "character": 2}, "end": {"line": 1, "character": 0}}
    session.said(changed(URI, 7, {"range": where, "text": "x"}, {"text": "y", "range": where}))
    last = replay(session)[-1]
    assert last["params"]["textDocument"] == {
        "uri": URI,
        "languageId": "conllu",
        "version": 7,
        "text": "éy",
    }


def inserted(text: str) -> Message:
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    return {"range": where, "text": text}


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize(
    "changes",
    [
        [[inserted("x")], [{"text": "whole"}]],
        [[inserted("x"), {"text": "who"}, {"text": "hole"}, inserted("w")]],
        [[{"text": "hole"}], [inserted("w")]],
    ],
)
def test_a_text_that_replaces_all(changes: list[list[Message]], answered: bool) -> None:
    """Whether it is known what columns count, or initialize still waits for its answer."""
    session = Session()
    session.said(initialize())
    session.joined()
    if answered:
        session.heard(answer(1, {"capabilities": {}}))
    for body in [opened(URI, "a"), *(changed(URI, 2, *some) for some in changes)]:
        session.said(body)
    server = Server()
    session.died()
    for body in session.joined().up:
        server.take(body)
    assert server.documents[URI][0].text() == b"whole"


def test_nothing_is_folded_before_it_is_known_what_columns_count() -> None:
    session = Session()
    session.said(initialize())
    session.joined()
    where = {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 2}}
    session.said(opened(URI, ""))
    session.said(changed(URI, 2, {"text": "éa"}, {"range": where, "text": "x"}))
    session.heard(answer(1, {"capabilities": {"positionEncoding": "utf-8"}}))
    assert replay(session)[-1]["params"]["textDocument"]["text"] == "éxa"


def test_closed_documents_are_not_opened_again() -> None:
    session = under_way()
    session.said(opened(URI, "a"))
    session.said(closed("file:///w/../w/%70red.conllu"))
    assert len(replay(session)) == 2


def test_the_last_settings_hold() -> None:
    session = under_way()
    for settings in ({"maxProblems": 1}, {"maxProblems": 2}, None):
        session.said(note("workspace/didChangeConfiguration", {"settings": settings}))
    assert replay(session)[-1]["params"] == {"settings": {"maxProblems": 2}}


@pytest.mark.parametrize(("size", "most"), [(1, 100), (500, 300)])
def test_changes_do_not_pile_up(size: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_CHANGES", most)
    session = under_way()
    session.said(opened(URI, ""))
    number = 2 * most
    assert session._told is not None
    [document] = session._told.documents
    for version in range(number):
        session.said(changed(URI, version, inserted("x" * size)))
        # What is kept of them is the text and not much more than as much again.
        assert len(document._log) < most
        assert sum(map(len, document._log)) <= max(len(document.text), documents.LEAST_SIZE)
    assert len(replay(session)[-1]["params"]["textDocument"]["text"]) == size * number


def test_a_waiting_request_is_sent_again_once() -> None:
    session = under_way()
    body = command(2, "rows", uri=URI)
    session.said(body)
    assert session.died() == Post()
    assert session.joined().up[-1] == body
    [error] = read(session.died().down)
    assert (error["id"], error["error"]["code"]) == (2, -32803)
    assert "2 daemons" in error["error"]["message"]
    assert body not in session.joined().up


def test_a_request_with_an_answer_is_not() -> None:
    session = under_way()
    session.said(command(2, "rows", uri=URI))
    assert session.heard(answer(2, "rows")).down
    assert len(replay(session)) == 2


def test_a_cancelled_request_is_answered_at_once() -> None:
    session = under_way()
    session.said(command(2, "rows", uri=URI))
    session.said(note("$/cancelRequest", {"id": 2}))
    [error] = read(session.died().down)
    assert (error["id"], error["error"]["code"]) == (2, -32800)


def test_messages_without_a_server_are_kept_in_order() -> None:
    session = under_way()
    session.died()
    bodies = [opened(URI, "a"), command(2, "score", uri=URI), closed(URI), note("x")]
    for body in bodies:
        assert session.said(body) == Post()
    assert session.kept_size == sum(map(len, bodies))
    assert list(session.joined().up[2:]) == bodies
    assert session.kept_size == 0


def test_gold_named_by_hand_is_named_again_for_open_documents() -> None:
    session = under_way()
    session.said(opened(URI, "a"))
    session.said(command(2, "setGold", uri=URI, gold="g"))
    session.heard(answer(2))
    session.said(command(3, "setGold", uri=URI, gold="bad"))
    session.heard(packed({"id": 3, "error": {"code": -32803, "message": "no"}}))
    *_, open_again, gold = replay(session)
    assert open_again["method"] == "textDocument/didOpen"
    assert gold["params"]["arguments"] == [{"uri": URI, "gold": "g"}]
    assert session.heard(answer(gold["id"])) == Post()


def test_and_for_others_when_they_are_opened() -> None:
    session = under_way()
    session.said(opened(URI, "a"))
    session.said(command(2, "setGold", uri=URI, gold="g"))
    session.heard(answer(2))
    session.said(closed(URI))
    assert len(replay(session)) == 2
    first, then = read(session.said(opened(URI, "a")).up)
    assert first["method"] == "textDocument/didOpen"
    assert then["params"]["command"] == "goldlens.setGold"
    assert len(session.said(opened(URI, "b")).up) == 1


def register(number: str) -> bytes:
    registrations = [{"id": "goldlens-files", "method": "workspace/didChangeWatchedFiles"}]
    return ask(number, "client/registerCapability", {"registrations": registrations})


def test_what_is_registered_is_not_registered_again() -> None:
    session = under_way()
    assert session.heard(register("a")).down
    session.died()
    session.joined()
    [told] = read(session.heard(register("b")).up)
    assert told == {"jsonrpc": "2.0", "id": "b", "result": None}


def test_but_it_is_after_it_was_taken_back() -> None:
    session = under_way()
    session.heard(register("a"))
    taken = {"unregisterations": [{"id": "goldlens-files", "method": "x"}]}
    session.heard(ask("b", "client/unregisterCapability", taken))
    assert session.heard(register("c")).down


def test_answers_to_a_server_that_is_gone_go_nowhere() -> None:
    session = under_way()
    session.heard(register("a"))
    session.died()
    session.joined()
    assert session.said(answer("a")) == Post()
    session.heard(ask("b", "window/workDoneProgress/create", {"token": 1}))
    assert session.said(answer("b")).up
    assert session.said(answer("b")) == Post()


def progress(token: str, kind: str) -> bytes:
    return note("$/progress", {"token": token, "value": {"kind": kind}})


def test_displays_that_are_left_open_are_ended() -> None:
    session = under_way()
    for token, kind in (("a", "begin"), ("b", "begin"), ("a", "report"), ("b", "end")):
        session.heard(progress(token, kind))
    assert read(session.died().down) == read([progress("a", "end")])
    session.joined()
    assert session.died() == Post()


def problems(uri: str, listed: list[Any], **more: Any) -> bytes:
    return note("textDocument/publishDiagnostics", {"uri": uri, **more, "diagnostics": listed})


def test_problems_of_what_is_not_open_are_taken_off_the_screen() -> None:
    """It is closed and its server died over that, or it never was open. All else comes again."""
    session = under_way()
    others = ["file:///w/ü.conllu", "file:///w/\\.conllu", "file:///w/mended.conllu"]
    session.said(opened(URI, "a"))
    for uri in (*others, URI):
        body = problems(uri, [{"message": "x"}], version=3)
        assert session.heard(body) == Post(down=(body,))
    session.heard(problems(others[2], []))
    told = read(session.died().down)
    assert [m["params"] for m in told] == [{"uri": u, "diagnostics": []} for u in others[:2]]
    session.joined()
    assert session.died() == Post()


def test_an_editor_that_pulls_is_told_to_pull_again() -> None:
    session = under_way(capabilities=PULLS)
    session.died()
    [refresh] = read(session.joined().down)
    assert refresh["method"] == "workspace/diagnostic/refresh"
    assert session.said(answer(refresh["id"])) == Post()


def test_and_not_while_it_waits_for_initialize() -> None:
    session = Session()
    session.said(initialize(capabilities=PULLS))
    assert session.joined().down == ()
    session.died()
    assert session.joined().down == ()


def test_only_the_first_initialize_counts() -> None:
    session = under_way(rootUri="file:///w")
    session.said(initialize(2, rootUri="file:///x"))
    session.heard(packed({"id": 2, "error": {"code": -32600, "message": "no"}}))
    assert replay(session)[0]["params"]["rootUri"] == "file:///w"


def test_an_id_that_is_none_waits_for_nothing() -> None:
    session = under_way()
    session.said(ask(True, "workspace/executeCommand"))
    assert session.died() == session.died() == Post()


def test_shutdown_without_a_server() -> None:
    session = under_way()
    session.said(command(2, "rows", uri=URI))
    session.died()
    session.said(command(3, "score", uri=URI))
    told = read(session.said(ask(4, "shutdown")).down)
    assert [(m["id"], m.get("error", {}).get("code")) for m in told] == [
        (2, -32800),
        (3, -32800),
        (4, None),
    ]
    [refused] = read(session.said(ask(5, "shutdown")).down)
    assert refused["error"]["code"] == -32600
    assert session.said(note("x")) == Post()
    assert session.said(note("exit")) == Post()
    assert session.down and session.left


def test_a_server_that_dies_while_it_shuts_down() -> None:
    session = under_way()
    session.said(ask(2, "shutdown"))
    [told] = read(session.died().down)
    assert (told["id"], told["result"], session.down) == (2, None, True)


def test_a_server_that_was_shut_down() -> None:
    session = under_way()
    session.said(ask(2, "shutdown"))
    assert not session.down
    session.heard(answer(2))
    assert session.down
    assert session.died() == Post()


def test_exit_without_shutdown() -> None:
    session = under_way()
    body = note("exit")
    assert session.said(body) == Post(up=(body,))
    assert session.left and not session.down


def test_the_process_of_the_editor() -> None:
    assert under_way(processId=17).process == 17
    assert under_way().process is None
    assert under_way(processId=True).process is None


@pytest.mark.parametrize(
    "params",
    [
        None,
        [],
        {"textDocument": None},
        {"textDocument": {"uri": 1, "text": "a"}},
        {"textDocument": {"uri": URI, "text": None}},
        {"textDocument": {"uri": URI}, "contentChanges": None},
        {"textDocument": {"uri": URI}, "contentChanges": [{"text": 1}]},
        {
            "textDocument": {"uri": URI},
            "contentChanges": [{"text": "a"}, {"text": "b", "range": 1}],
        },
        {
            "textDocument": {"uri": URI},
            "contentChanges": [{"text": "b", "range": {"start": {"line": -1, "character": 0}}}],
        },
    ],
)
@pytest.mark.parametrize("method", ["didOpen", "didChange"])
def test_what_no_server_takes_is_not_remembered(method: str, params: Any) -> None:
    session = under_way()
    session.said(opened(URI, "a"))
    assert session.said(note(f"textDocument/{method}", params)).up
    assert replay(session)[-1]["params"]["textDocument"]["text"] == "a"
