"""Commands that draw: told how they get on, and ended when nobody waits for them any more."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goldlens.scoring.bootstrap import Told, resampled
from goldlens.scoring.sample import Sample
from goldlens.server import commands
from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.publishing import Publishing
from goldlens.server.shared import Shared
from goldlens.server.turns import Turns
from goldlens.server.workspace import Workspace


class Caller:
    """Somebody whose rows are what `job` makes."""

    def __init__(self, job: Callable[[Told], Any]) -> None:
        self.turns = Turns(lambda: None)
        self.workspace = Workspace()
        self.workspace.publishing.rows_later = lambda *_, **__: job  # type: ignore[method-assign]
        self.heard: list[tuple[int, int]] = []

    def mark(self, uris: Iterable[str]) -> None:
        pass

    def has_large(self) -> bool:
        return False

    def told(self, drawn: int, of: int) -> None:
        self.heard.append((drawn, of))

    def rows(self) -> asyncio.Future[Any]:
        asked = [{"uri": "file:///a", "format": "csv"}]
        return commands.execute(self, "goldlens.rows", asked, commands.COMMANDS)


def test_a_draw_tells_how_it_gets_on_and_ends_where_it_is_told_to() -> None:
    sample = Sample(np.ones((1 << 14, 1), np.int64), {})
    heard: list[tuple[int, int]] = []
    resampled([sample], 1, 1000, lambda drawn, of: heard.append((drawn, of)))
    assert heard[0] == (0, 1000) and len(heard) > 3
    assert heard == sorted(heard)

    def enough(drawn: int, of: int) -> None:
        if drawn:
            raise StopIteration

    with pytest.raises(StopIteration):
        resampled([sample], 1, 1000, enough)


async def test_the_caller_is_told() -> None:
    def job(told: Told) -> str:
        told(3, 10)
        return "rows"

    caller = Caller(job)
    assert await asyncio.wait_for(caller.rows(), 10) == "rows"
    assert caller.heard == [(3, 10)]


async def test_a_draw_that_is_cancelled_ends_and_the_next_one_begins(
    caplog: pytest.LogCaptureFixture,
) -> None:
    begun = threading.Event()

    def for_ever(told: Told) -> str:
        while True:
            told(0, 1)
            begun.set()

    caller = Caller(for_ever)
    endless = caller.rows()
    await asyncio.to_thread(begun.wait, 10)
    caller.workspace.publishing.rows_later = lambda *_, **__: lambda told: "rows"  # type: ignore[method-assign]
    endless.cancel()
    assert await asyncio.wait_for(caller.rows(), 10) == "rows"
    assert endless.cancelled()
    assert not caplog.records


async def test_a_draw_ends_where_its_editor_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, over = threading.Event(), threading.Event()

    def for_ever(told: Told) -> str:
        try:
            while True:
                told(0, 1)
                begun.set()
        finally:
            over.set()

    monkeypatch.setattr(Publishing, "rows_later", lambda *_, **__: for_ever)
    server = GoldlensServer(lambda data: None, lambda status: None, Shared())

    def say(number: int, method: str, params: dict[str, object]) -> None:
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.receive(json.dumps(message).encode())

    say(1, "initialize", {"capabilities": {}})
    asked = {"command": "goldlens.rows", "arguments": [{"uri": "file:///a", "format": "csv"}]}
    say(2, "workspace/executeCommand", asked)
    assert await asyncio.to_thread(begun.wait, 10)
    server.leave()
    assert await asyncio.to_thread(over.wait, 10)


async def test_what_a_draw_raises_is_told(tmp_path: Path) -> None:
    def wrong(told: Told) -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await asyncio.wait_for(Caller(wrong).rows(), 10)
