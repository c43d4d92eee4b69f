"""Analyses asked of a daemon, by both clients."""

from __future__ import annotations

from pathlib import Path

from goldlens.client import connect, connect_async
from tests.clients.client.conftest import Serve

ANSWER = {"task": "ud", "costliest": []}


def test_what_is_asked(serve: Serve, root: Path) -> None:
    daemon = serve(**{"goldlens.analyze": lambda params: ANSWER})
    with connect(root, timeout=10) as client:
        assert client.analyze("/a") == ANSWER
        assert client.analyze("/a", "upos", metric="MLAS", top=3) == ANSWER
    assert [params for name, params, _ in daemon.asked if name == "goldlens.analyze"] == [
        {"uri": "file:///a", "what": "overview"},
        {"uri": "file:///a", "what": "upos", "metric": "MLAS", "top": 3},
    ]


async def test_what_is_asked_from_asyncio(serve: Serve, root: Path) -> None:
    daemon = serve(**{"goldlens.analyze": lambda params: ANSWER})
    async with connect_async(root, timeout=10) as client:
        assert await client.analyze("/a", "form", metric=None) == ANSWER
    [asked] = [params for name, params, _ in daemon.asked if name == "goldlens.analyze"]
    assert asked == {"uri": "file:///a", "what": "form"}
