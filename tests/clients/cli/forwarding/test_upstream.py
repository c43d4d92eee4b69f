"""A daemon's connection, and a server in the same process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from goldlens.cli.forwarding import upstream as module
from goldlens.cli.forwarding.upstream import Daemon, InProcess
from goldlens.server.lsp.wire import Frames, frame
from tests.clients.cli.forwarding.model import initialize, note

WAIT = 20.0


class Below:
    """Notes what an upstream tells."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.held: list[bool] = []
        self.ends = 0
        self.news = asyncio.Event()

    def heard(self, upstream: Any, data: bytes) -> None:
        self.data += data
        self.news.set()

    def gone(self, upstream: Any) -> None:
        self.ends += 1
        self.news.set()

    def hold(self, upstream: Any, held: bool) -> None:
        self.held.append(held)
        self.news.set()

    def unread(self) -> int:
        return 0

    async def until(self, wanted: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT):
            while not wanted():
                self.news.clear()
                await self.news.wait()


@pytest.fixture
async def below() -> Below:
    return Below()


class Other:
    """The daemon's end."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


@pytest.fixture
async def other() -> Other:
    return Other()


@pytest.fixture
async def daemon(below: Below, other: Other) -> AsyncIterator[Daemon]:
    here = asyncio.Event()

    def come(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        other.reader, other.writer = reader, writer
        here.set()

    server = await asyncio.start_server(come, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
    made = Daemon(below, reader, writer)
    await here.wait()
    yield made
    made.close()
    other.writer.transport.abort()
    server.close()
    await server.wait_closed()
    await asyncio.sleep(0)


async def test_there_and_back(daemon: Daemon, below: Below, other: Other) -> None:
    daemon.send(b"up")
    assert await other.reader.readexactly(2) == b"up"
    other.writer.write(b"down")
    await below.until(lambda: below.data == b"down")


async def test_a_daemon_that_does_not_read_holds_the_editor(
    daemon: Daemon, below: Below, other: Other
) -> None:
    sent = 0
    while not below.held:
        daemon.send(b"x" * (1 << 16))
        sent += 1 << 16
        await asyncio.sleep(0)
    assert below.held == [True]
    assert daemon._writer.transport.get_write_buffer_size() <= module.UNREAD + (1 << 16)
    await other.reader.readexactly(sent)
    await below.until(lambda: below.held == [True, False])


async def test_one_that_dies_without_reading_holds_nobody(
    daemon: Daemon, below: Below, other: Other
) -> None:
    while not below.held:
        daemon.send(b"x" * (1 << 16))
        await asyncio.sleep(0)
    other.writer.transport.abort()
    await below.until(lambda: below.held == [True, False] and below.ends == 1)
    daemon.send(b"nobody hears this")


async def test_an_editor_that_does_not_read_stops_the_daemon(
    daemon: Daemon, below: Below, other: Other
) -> None:
    daemon.pause()
    # More than a system lets two sockets hold.
    whole = b"x" * (64 << 20)
    other.writer.write(whole)
    left = -1
    while left != (left := other.writer.transport.get_write_buffer_size()):
        for _ in range(100):
            await asyncio.sleep(0)
    assert left > 0
    # One piece may have been on its way.
    assert len(below.data) <= module.PIECE
    daemon.resume()
    await below.until(lambda: len(below.data) == len(whole))


async def test_the_end_of_input_leaves_the_way_back_open(
    daemon: Daemon, below: Below, other: Other
) -> None:
    daemon.send(b"last")
    daemon.end_input()
    assert await other.reader.read() == b"last"
    other.writer.write(b"answer")
    other.writer.close()
    await below.until(lambda: below.ends == 1)
    assert below.data == b"answer"


async def test_what_was_sent_before_the_end_goes_out(
    daemon: Daemon, below: Below, other: Other
) -> None:
    daemon.send(b"x" * (4 << 20))
    daemon.close()
    assert len(await other.reader.read()) == 4 << 20
    assert below.ends == 0


def answers(below: Below) -> list[Any]:
    return [json.loads(body) for body in Frames().feed(bytes(below.data))]


async def test_a_server_in_this_process(below: Below) -> None:
    server = InProcess(below)
    server.send(frame(initialize()))
    # Nothing is said while it is spoken to.
    assert below.data == b""
    await below.until(lambda: bool(below.data))
    assert answers(below)[0]["result"]["serverInfo"]["name"] == "goldlens"
    assert not server.working
    server.send(frame(note("exit")))
    await below.until(lambda: below.ends == 1)


async def test_it_ends_when_it_is_closed(below: Below) -> None:
    server = InProcess(below)
    server.close()
    await below.until(lambda: below.ends == 1)


async def test_it_holds_whoever_does_not_read(
    below: Below, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = InProcess(below)
    monkeypatch.setattr(below, "unread", lambda: 1 << 30)
    server.pause()
    server.send(frame(initialize()))
    assert below.held == [True]
    server.resume()
    assert below.held == [True, False]
    server.close()
