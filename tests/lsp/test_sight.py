"""In a large file lenses are given around where the client looks; others as it looks elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession, replace

SENTENCES = 6_000
ROW = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n"
REFRESH = "workspace/codeLens/refresh"
CAN = {"workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}}


@pytest.fixture
def large(pair: Pair) -> Pair:
    """A file of sentences of two lines each, all as in gold."""
    text = ROW * SENTENCES
    made = Pair(pair.folder, text, text)
    made.gold_file.write_text(text, "utf-8")
    return made


def opened(session: SocketSession, pair: Pair, capabilities: object) -> SocketSession:
    session.initialize(capabilities, folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


def with_lenses(session: SocketSession, pair: Pair) -> list[int]:
    """The sentences that have a lens of their own."""
    found: list[Any] = session.call("textDocument/codeLens", {"textDocument": {"uri": pair.uri}})
    lines = [each["data"]["line"] for each in found if "line" in each.get("data", {})]
    return [line // 2 for line in lines]


def look(session: SocketSession, pair: Pair, method: str, sentence: int) -> None:
    place = {"line": 2 * sentence, "character": 0}
    params = {
        "textDocument": {"uri": pair.uri},
        "position": place,
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
        "data": {"uri": pair.uri, "line": 2 * sentence},
    }
    session.call(method, params)


def asked_again(session: SocketSession) -> list[str]:
    session.settle()
    return [m["method"] for m in session.log if m.get("method", "").endswith("/refresh")]


def test_who_cannot_be_asked_to_ask_again_gets_all(session: SocketSession, large: Pair) -> None:
    opened(session, large, {})
    assert with_lenses(session, large) == list(range(SENTENCES))


@pytest.mark.parametrize(
    "method",
    [
        "textDocument/hover",
        "textDocument/inlayHint",
        "textDocument/semanticTokens/range",
        "textDocument/codeAction",
        "codeLens/resolve",
    ],
)
def test_lenses_follow_the_eye(session: SocketSession, large: Pair, method: str) -> None:
    literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}
    opened(session, large, {**CAN, "textDocument": {"codeAction": literals}})
    assert with_lenses(session, large) == list(range(1_000))
    look(session, large, method, 300)
    assert asked_again(session) == []
    look(session, large, method, 3_000)
    look(session, large, method, 3_001)
    # For lenses alone, and once.
    assert asked_again(session) == [REFRESH]
    assert with_lenses(session, large) == list(range(2_001, 4_001))
    look(session, large, method, 3_400)
    assert asked_again(session) == [REFRESH]


def test_an_edit_is_where_one_looks(session: SocketSession, large: Pair) -> None:
    opened(session, large, CAN)
    with_lenses(session, large)
    session.edit(large.uri, 2, replace(2 * (SENTENCES - 1), 0, 1, "1"))
    assert with_lenses(session, large) == list(range(SENTENCES - 1_001, SENTENCES))


def test_a_file_of_usual_size_has_all(session: SocketSession, pair: Pair) -> None:
    opened(session, pair, CAN)
    found = session.call("textDocument/codeLens", {"textDocument": {"uri": pair.uri}})
    assert [each["data"].get("line") for each in found if "data" in each] == [None, 0, 5]
    look(session, pair, "textDocument/hover", 2)
    assert asked_again(session) == []
