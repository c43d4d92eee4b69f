"""Requests, notifications and their errors, as JSON-RPC and LSP have them."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from goldlens.server.views.colouring import TYPES
from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession, framed, note

HOVER = {"textDocument": {"uri": "file:///a.conllu"}, "position": {"line": 0, "character": 0}}


def code_of(session: SocketSession, method: str, params: object = None) -> int:
    with pytest.raises(RpcError) as caught:
        session.call(method, params)
    return caught.value.code


def test_says_who_it_is_and_what_it_can(session: SocketSession) -> None:
    result = session.initialize()
    assert result["serverInfo"] == {"name": "goldlens", "version": version("goldlens")}
    can = result["capabilities"]
    assert can["textDocumentSync"] == {
        "openClose": True,
        "change": 2,
        "save": {"includeText": False},
    }
    assert set(can["executeCommandProvider"]["commands"]) >= {
        f"goldlens.{name}"
        for name in (
            "score",
            "rows",
            "compare",
            "receipt",
            "setGold",
            "pairs",
            "tree",
            "insertRows",
            "insertWord",
            "deleteWord",
            "splitToken",
            "mergeWords",
            "renumber",
        )
    }
    assert can["executeCommandProvider"]["workDoneProgress"] is True
    assert can["completionProvider"] == {"triggerCharacters": ["|", "=", ":"]}
    assert can["signatureHelpProvider"] == {"triggerCharacters": ["\t"]}
    assert can["renameProvider"] is True and "codeActionProvider" not in can
    assert can["codeLensProvider"] == {"resolveProvider": True}
    assert can["inlayHintProvider"] == {"resolveProvider": False}
    assert can["semanticTokensProvider"] == {
        "legend": {"tokenTypes": list(TYPES), "tokenModifiers": ["wrong", "differs"]},
        "range": True,
        "full": {"delta": True},
    }


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-16"], "utf-16"),
        (["utf-16", "utf-8"], "utf-8"),
        (["utf-32", "utf-8", "utf-16"], "utf-32"),
        (["utf-7", 8, "utf-16"], "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_utf_8_and_utf_32_come_before_utf_16(
    session: SocketSession, offered: object, chosen: str
) -> None:
    result = session.initialize({"general": {"positionEncodings": offered}})
    assert result["capabilities"]["positionEncoding"] == chosen


@pytest.mark.parametrize("method", ["textDocument/hover", "shutdown", "foo/bar"])
def test_a_request_before_initialize_is_refused(session: SocketSession, method: str) -> None:
    assert code_of(session, method) == -32002
    session.initialize()


def test_a_notification_before_initialize_is_ignored(session: SocketSession, pair: Pair) -> None:
    session.open(pair.uri, pair.pred)
    session.initialize()
    assert session.pull(pair.uri)["items"] == []


def test_a_second_initialize_is_refused(session: SocketSession) -> None:
    session.initialize()
    assert code_of(session, "initialize", {"processId": None, "capabilities": {}}) == -32600


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (None, "params to be an object"),
        ([1], "params to be an object"),
        ({"capabilities": 7}, "capabilities to be an object, not 7"),
        ({"capabilities": {}, "rootUri": 3}, "rootUri to be a string, not 3"),
        ({"capabilities": {}, "workspaceFolders": "x"}, "the folders to be an array, not 'x'"),
    ],
)
def test_a_bad_initialize_says_what_was_expected(
    session: SocketSession, params: object, expected: str
) -> None:
    with pytest.raises(RpcError, match=expected) as caught:
        session.call("initialize", params)
    assert caught.value.code == -32602
    session.initialize()


def test_odd_capabilities_do_no_harm(session: SocketSession) -> None:
    odd = {"textDocument": [], "workspace": {"diagnostics": 3}, "general": None, "window": "x"}
    assert session.initialize(odd)["capabilities"]["positionEncoding"] == "utf-16"


def test_an_unknown_request_is_method_not_found(session: SocketSession) -> None:
    session.initialize()
    assert code_of(session, "foo/bar", {}) == -32601
    assert code_of(session, "$/foo", {}) == -32601


def test_unknown_notifications_are_ignored(session: SocketSession) -> None:
    session.initialize()
    before = len(session.log)
    session.put(
        note("$/foo", {"a": 1}),
        note("foo/bar"),
        note("$/setTrace", {"value": "verbose"}),
        note("$/setTrace"),
        note("$/cancelRequest", {"id": 99}),
        note("$/cancelRequest", {"id": {}}),
        note("$/cancelRequest"),
        note("window/workDoneProgress/cancel", {"token": "none"}),
        note("window/workDoneProgress/cancel", 4),
        {"jsonrpc": "2.0", "id": "never asked", "result": None},
        {"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}},
    )
    assert session.call("textDocument/hover", HOVER) is None
    assert len(session.log) == before + 1


def test_foreign_diagnostics_are_nobodys_business(session: SocketSession) -> None:
    session.initialize()
    assert session.call("textDocument/hover", HOVER) is None
    foreign = {
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "message": "other tool",
        "code": {"value": "W1", "target": {"$mid": 1}},
        "relatedInformation": [{"location": {"uri": "git:/a?%7B%7D"}, "message": "m"}],
        "extra": {"a": None},
    }
    params = {
        "textDocument": {"uri": "file:///a"},
        "range": foreign["range"],
        "context": {"diagnostics": [foreign]},
    }
    assert session.call("textDocument/codeAction", params) in (None, [])


@pytest.mark.parametrize(
    "body",
    [b"{", b"\xff\xfe\xfd", b"", b"[" * 200_000, b"nonsense", b'{"jsonrpc": "2.0", "id": 1,}'],
)
def test_what_is_no_json_is_a_parse_error(session: SocketSession, body: bytes) -> None:
    session.raw(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    with pytest.raises(RpcError) as caught:
        session.answer(None)
    assert caught.value.code == -32700
    session.initialize()


@pytest.mark.parametrize(
    ("message", "number"),
    [
        ([], None),
        (3, None),
        ({"id": 5, "method": "shutdown"}, 5),
        ({"jsonrpc": "1.0", "id": 5, "method": "shutdown"}, 5),
        ({"jsonrpc": "2.0", "id": 5}, 5),
        ({"jsonrpc": "2.0", "id": 5, "method": 4}, 5),
        ({"jsonrpc": "2.0", "id": {}, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": None, "method": "shutdown"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "shutdown"}, None),
    ],
)
def test_what_is_no_message_is_an_invalid_request(
    session: SocketSession, message: object, number: int | None
) -> None:
    session.put(message)
    with pytest.raises(RpcError) as caught:
        session.answer(number)
    assert caught.value.code == -32600
    session.initialize()


def test_ids_may_be_strings_and_come_back_as_they_are(session: SocketSession) -> None:
    session.initialize()
    session.put({**note("textDocument/hover", HOVER), "id": 'ü"\u2028'})
    assert session.answer('ü"\u2028') is None


@pytest.mark.parametrize(
    ("method", "params", "expected"),
    [
        ("textDocument/diagnostic", None, "params to be an object"),
        ("textDocument/diagnostic", {}, "textDocument to be an object, not nothing"),
        ("textDocument/diagnostic", {"textDocument": {"uri": 1}}, "uri to be a string, not 1"),
        ("workspace/executeCommand", {}, "command to be a string"),
    ],
)
def test_invalid_params_say_what_was_expected(
    session: SocketSession, method: str, params: object, expected: str
) -> None:
    session.initialize()
    with pytest.raises(RpcError, match=expected) as caught:
        session.call(method, params)
    assert caught.value.code == -32602


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"textDocument": {"uri": "file:///x"}},
        {"textDocument": 1, "contentChanges": []},
    ],
)
@pytest.mark.parametrize("what", ["didOpen", "didChange", "didSave", "didClose"])
def test_bad_notifications_do_no_harm(
    session: SocketSession, pair: Pair, what: str, params: object
) -> None:
    session.initialize()
    session.send(f"textDocument/{what}", params)
    session.open(pair.uri, pair.pred)
    assert len(session.problems(pair.uri, 1)) == 1


def test_a_bad_edit_changes_nothing(session: SocketSession, pair: Pair) -> None:
    session.initialize()
    session.open(pair.uri, pair.pred)
    for change in ({}, {"text": 3}, {"text": "", "range": {"start": {"line": -1, "character": 0}}}):
        session.edit(pair.uri, 2, change)
    assert session.las(pair.uri) == 80


@pytest.mark.parametrize("params", [None, {}, "null"])
def test_after_shutdown_only_exit(session: SocketSession, params: object) -> None:
    session.initialize()
    message = {"jsonrpc": "2.0", "id": "s", "method": "shutdown"}
    if params is not None:
        message["params"] = None if params == "null" else params  # type: ignore[assignment]
    session.put(message)
    assert session.answer("s") is None
    assert code_of(session, "textDocument/hover", HOVER) == -32600
    assert code_of(session, "foo/bar") == -32600
    assert code_of(session, "shutdown") == -32600
    session.send("exit")
    session.ended()


def test_after_shutdown_nothing_is_pushed(session: SocketSession, pair: Pair) -> None:
    session.initialize()
    session.call("shutdown")
    session.open(pair.uri, pair.pred)
    code_of(session, "foo/bar")
    code_of(session, "foo/bar")
    assert session.pushed(pair.uri) == []


def test_what_was_opened_is_shown_before_shutdown_is_answered(
    session: SocketSession, pair: Pair
) -> None:
    session.initialize()
    opening = {"uri": pair.uri, "languageId": "conllu", "version": 1, "text": pair.pred}
    session.put(
        note("textDocument/didOpen", {"textDocument": opening}),
        {**note("shutdown"), "id": "s"},
    )
    assert session.answer("s") is None
    assert len(session.pushed(pair.uri)) == 1


@pytest.mark.parametrize(
    "name", [b"content-length", b"CONTENT-LENGTH", b"Content-length", b"cOnTeNt-LeNgTh"]
)
def test_header_names_in_any_letter_case(session: SocketSession, name: bytes) -> None:
    body = framed({**note("textDocument/hover", HOVER), "id": 1}).split(b"\r\n\r\n", 1)[1]
    more = b"content-TYPE: application/vscode-jsonrpc; charset=utf-8\r\nX-Other: a:b\r\n"
    session.raw(more + name + b": %d\r\n\r\n" % len(body) + body)
    with pytest.raises(RpcError) as caught:
        session.answer(1)
    assert caught.value.code == -32002


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello\r\n\r\n",
        b"\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"Content-Type: x\r\n\r\n{}",
        b"X: " + b"y" * 10_000,
        b"X: y\r\n" * 1000,
    ],
)
def test_garbage_between_messages_ends_the_connection(
    session: SocketSession, garbage: bytes
) -> None:
    session.raw(garbage)
    session.ended()
    assert session.log == []
