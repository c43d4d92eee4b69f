"""Any text and any gold: lenses, hints and colours are in their places, never an error."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.shared import Shared
from goldlens.server.views.colouring import MODIFIERS, TYPES
from tests.server.lsp.test_anywhere import TEXTS

PRED, GOLD = (Path(f"/nowhere/{name}.conllu").as_uri() for name in ("pred", "gold"))
ENCODINGS = st.sampled_from(["utf-8", "utf-16", "utf-32"])


class Call:
    """The client of a server in this process. No answer may be an error."""

    def __init__(self) -> None:
        self.answers: dict[int, Any] = {}
        self.server = GoldlensServer(self._heard, lambda status: None, Shared())

    def _heard(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            assert "error" not in message, message
            self.answers[message["id"]] = message["result"]

    def say(self, method: str, params: Any, **more: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.server.receive(json.dumps(message).encode())

    async def __call__(self, method: str, params: dict[str, Any]) -> Any:
        number = len(self.answers) + 1
        self.say(method, params, id=number)
        while number not in self.answers:
            await asyncio.sleep(0)
        return self.answers[number]


async def talk(
    encoding: str, gold: str, pred: str, conversation: Callable[[Call], Coroutine[Any, Any, None]]
) -> None:
    """Opens two documents and lets a conversation go on."""
    call = Call()
    can = {"general": {"positionEncodings": [encoding]}, "workspace": {"applyEdit": True}}
    await call("initialize", {"capabilities": can})
    for uri, text in ((GOLD, gold), (PRED, pred)):
        document = {"uri": uri, "version": 1, "text": text}
        call.say("textDocument/didOpen", {"textDocument": document})
    try:
        await conversation(call)
    finally:
        call.server.leave()


NAMED = {"textDocument": {"uri": PRED}}


def among(first: int, last: int) -> dict[str, Any]:
    ends = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    return {**NAMED, "range": ends}


def lines(text: str) -> list[str]:
    return re.split("\r\n|\r|\n", text)


def width(text: str, encoding: str) -> int:
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    return len(text.encode({"utf-8": "utf-8"}.get(encoding, f"{encoding}-le"))) // size


def tokens(data: list[int]) -> list[tuple[int, int, int, int, int]]:
    """Line, start, end, type and modifiers of each token."""
    found, line, column = [], 0, 0
    for k in range(0, len(data), 5):
        down, right, length, kind, modifiers = data[k : k + 5]
        assert down >= 0 and right >= 0
        line, column = line + down, right if down else column + right
        found.append((line, column, column + length, kind, modifiers))
    return found


@settings(max_examples=60)
@given(TEXTS, TEXTS, ENCODINGS)
def test_lenses_stand_on_lines_and_hints_at_their_ends(gold: str, pred: str, encoding: str) -> None:
    rows = lines(pred)

    async def conversation(call: Call) -> None:
        for lens in await call("textDocument/codeLens", NAMED):
            assert 0 <= lens["range"]["start"]["line"] < len(rows)
            resolved = lens if "command" in lens else await call("codeLens/resolve", lens)
            assert isinstance(resolved["command"]["title"], str)
        for hint in await call("textDocument/inlayHint", among(0, 99)):
            line = hint["position"]["line"]
            assert hint["position"]["character"] == width(rows[line], encoding)
            assert hint["label"].startswith("gold: ")

    asyncio.run(talk(encoding, gold, pred, conversation))


@settings(max_examples=60)
@given(TEXTS, TEXTS, ENCODINGS, st.integers(0, 14), st.integers(0, 6))
def test_tokens_are_cells_and_those_of_a_range_some_of_them(
    gold: str, pred: str, encoding: str, first: int, more: int
) -> None:
    async def conversation(call: Call) -> None:
        has = await call("textDocument/semanticTokens/full", NAMED)
        check(tokens(has["data"]), pred, encoding)
        part = await call("textDocument/semanticTokens/range", among(first, first + more))
        wanted = [each for each in tokens(has["data"]) if first <= each[0] <= first + more]
        assert tokens(part["data"]) == wanted

    asyncio.run(talk(encoding, gold, pred, conversation))


@settings(max_examples=60)
@given(TEXTS, TEXTS, TEXTS, ENCODINGS)
def test_deltas_lead_to_the_tokens_of_now(gold: str, pred: str, other: str, encoding: str) -> None:
    async def conversation(call: Call) -> None:
        has = await call("textDocument/semanticTokens/full", NAMED)
        for version, (uri, text) in enumerate([(PRED, other), (GOLD, pred), (PRED, pred)], 2):
            changed = {"textDocument": {"uri": uri, "version": version}}
            call.say("textDocument/didChange", {**changed, "contentChanges": [{"text": text}]})
            asked = {**NAMED, "previousResultId": has["resultId"]}
            delta = await call("textDocument/semanticTokens/full/delta", asked)
            data = has["data"]
            for edit in delta["edits"]:
                data[edit["start"] : edit["start"] + edit["deleteCount"]] = edit["data"]
            has = await call("textDocument/semanticTokens/full", NAMED)
            assert data == has["data"]

    asyncio.run(talk(encoding, gold, pred, conversation))


def check(found: list[tuple[int, int, int, int, int]], text: str, encoding: str) -> None:
    """Tokens are in order, inside of their lines, and none of them reaches over a tab."""
    behind = (0, 0)
    for line, start, end, kind, modifiers in found:
        assert behind <= (line, start) < (line, end)
        behind = (line, end)
        row = lines(text)[line]
        assert end <= width(row, encoding)
        cut = [k for k in range(len(row) + 1) if width(row[:k], encoding) in (start, end)]
        assert "\t" not in row[cut[0] : cut[-1]]
        assert 0 <= kind < len(TYPES) and 0 <= modifiers < 1 << len(MODIFIERS)
