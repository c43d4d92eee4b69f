"""When a client is asked to ask again: once at a time, not too often, and never too seldom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest

from goldlens.server.lsp import refreshing
from goldlens.server.lsp.refreshing import Refresher


class Client:
    def __init__(self, *methods: str) -> None:
        self.asked: list[tuple[str, Future[Any]]] = []
        self.running = True
        self.client = SimpleNamespace(refreshes=frozenset(methods))
        self.protocol = SimpleNamespace(send_request=self._send)

    def _send(self, method: str) -> Future[Any]:
        self.asked.append((method, Future()))
        return self.asked[-1][1]

    @property
    def methods(self) -> list[str]:
        return [method for method, _ in self.asked]


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not happened():
            await asyncio.sleep(0)


async def test_the_next_time_comes_when_all_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "EVERY", 0)
    client = Client("a", "b")
    refresher = Refresher(client)  # type: ignore[arg-type]
    refresher.ask()
    assert client.methods == ["a", "b"]
    refresher.ask()
    # The time has passed, but nobody has answered.
    for _ in range(10):
        await asyncio.sleep(0.001)
    assert client.methods == ["a", "b"]
    client.asked[0][1].set_result(None)
    assert client.methods == ["a", "b"]
    # An error is an answer too.
    client.asked[1][1].set_exception(RuntimeError("no such method"))
    assert client.methods == ["a", "b", "a", "b"]
    refresher.end()


async def test_some_methods_alone_and_what_waits_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "EVERY", 0)
    client = Client("a", "b")
    refresher = Refresher(client)  # type: ignore[arg-type]
    refresher.ask({"c"})
    assert client.methods == []
    refresher.ask({"a", "c"})
    assert client.methods == ["a"]
    refresher.ask({"b"})
    refresher.ask({"a"})
    client.asked[0][1].set_result(None)
    await until(lambda: client.methods == ["a", "a", "b"])
    refresher.end()


async def test_it_does_not_come_too_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "EVERY", 0.05)
    client = Client("a")
    refresher = Refresher(client)  # type: ignore[arg-type]
    refresher.ask()
    client.asked[0][1].set_result(None)
    refresher.ask()
    assert client.methods == ["a"]
    await until(lambda: client.methods == ["a", "a"])
    client.asked[1][1].set_result(None)
    refresher.end()


async def test_nothing_is_asked_of_who_cannot_or_has_gone() -> None:
    able, unable = Client("a"), Client()
    able.running = False
    for client in (able, unable):
        refresher = Refresher(client)  # type: ignore[arg-type]
        refresher.ask()
        assert client.methods == []
        refresher.end()
