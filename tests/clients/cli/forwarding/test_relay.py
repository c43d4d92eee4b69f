"""The relay between an editor and servers that are made up here: who waits for whom, who is told
what when a server dies, and how it ends.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from goldlens.cli.forwarding import relay as module
from goldlens.cli.forwarding.relay import Relay
from goldlens.cli.forwarding.upstream import Below
from goldlens.client.errors import NoDaemon
from goldlens.server.lsp.wire import Frames, frame
from tests.clients.cli.forwarding.model import Message, Server, ask, initialize, note, opened

URI = "file:///w/pred.conllu"


class Editor:
    """Both ends of an editor that reads all at once."""

    def __init__(self) -> None:
        self.heard: list[Message] = []
        self.paused = self.closed = False
        self._frames = Frames()

    def pause_reading(self) -> None:
        assert not self.paused
        self.paused = True

    def resume_reading(self) -> None:
        assert self.paused
        self.paused = False

    def write(self, data: bytes) -> None:
        assert not self.closed
        self.heard += map(json.loads, self._frames.feed(data))

    def get_write_buffer_size(self) -> int:
        return 0

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.closed = True

    def answers(self) -> list[Any]:
        return [message["id"] for message in self.heard if "method" not in message]

    def told(self, method: str) -> list[str]:
        """The messages to the user."""
        found = [m["params"] for m in self.heard if m.get("method") == f"window/{method}"]
        assert all(params["type"] == 2 for params in found)
        return [params["message"] for params in found]


class Upstream:
    """A server that can be made to die."""

    working = False

    def __init__(self, below: Below, answers: bool = True) -> None:
        self.below, self.answers = below, answers
        self.server = Server()
        self.paused = self.ended = self.closed = False
        self._frames = Frames()

    def send(self, data: bytes) -> None:
        assert not self.closed
        for body in self._frames.feed(data):
            self.server.take(body)
        if self.answers:
            asyncio.get_running_loop().call_soon(self.speak)

    def speak(self) -> None:
        while self.server.out:
            self.below.heard(self, frame(self.server.out.popleft()))

    def pause(self) -> None:
        self.paused = True

    def resume(self) -> None:
        self.paused = False

    def end_input(self) -> None:
        self.ended = True

    def close(self) -> None:
        self.closed = True

    def die(self) -> None:
        self.below.gone(self)


class Daemons:
    """Gives servers when it is `ready`, or raises what stands in `troubles` first."""

    def __init__(self) -> None:
        self.given: list[Upstream] = []
        self.troubles: list[Exception | None] = []
        self.ready = asyncio.Event()

    async def join(self, below: Below) -> Upstream:
        await self.ready.wait()
        if self.troubles and (trouble := self.troubles.pop(0)):
            raise trouble
        self.given.append(Upstream(below))
        return self.given[-1]

    rejoin = join

    @property
    def last(self) -> Upstream:
        return self.given[-1]


class Played:
    """A relay with an editor, and daemons to join."""

    def __init__(self) -> None:
        self.editor, self.daemons = Editor(), Daemons()
        self.relay = Relay(self.daemons)
        self.relay.source = self.relay.sink = self.editor

    async def say(self, *bodies: bytes) -> None:
        self.relay.received(b"".join(map(frame, bodies)))
        await self.settle()

    async def settle(self) -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    async def begin(self) -> None:
        self.daemons.ready.set()
        await self.say(initialize(), note("initialized", {}), opened(URI, "a"))
        assert self.editor.answers() == [1]

    async def die(self) -> None:
        self.daemons.last.die()
        await self.settle()


@pytest.fixture
async def played() -> Played:
    return Played()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Upstream]]:
    """The servers that the relay has made in its own process, which are made up too."""
    made: list[Upstream] = []

    def make(below: Below) -> Upstream:
        made.append(Upstream(below))
        return made[-1]

    monkeypatch.setattr(module, "InProcess", make)
    yield made


async def test_what_comes_in_pieces_goes_up_whole(played: Played) -> None:
    for byte in frame(initialize()):
        played.relay.received(bytes([byte]))
    played.daemons.ready.set()
    await played.settle()
    assert played.daemons.last.server.seen == ["initialize"]


async def test_the_next_server_is_told_what_the_last_one_knew(played: Played) -> None:
    await played.begin()
    first = played.daemons.last
    await played.die()
    assert played.daemons.last.server.state() == first.server.state()
    assert len(played.daemons.given) == 2
    [said] = played.editor.told("showMessage")
    assert said == played.editor.told("logMessage")[0]
    assert "another server" in said
    assert played.editor.answers() == [1]


async def test_what_is_said_between_two_servers_waits(played: Played) -> None:
    await played.begin()
    played.daemons.ready.clear()
    await played.die()
    await played.say(opened("untitled:b", "b"))
    played.daemons.ready.set()
    await played.settle()
    assert list(played.daemons.last.server.documents) == [URI, "untitled:b"]


async def test_an_editor_that_says_much_meanwhile_has_to_wait(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_KEPT", 1000)
    await played.say(initialize(), opened(URI, "a" * 1000))
    assert played.editor.paused
    played.daemons.ready.set()
    await played.settle()
    assert not played.editor.paused


async def test_a_server_with_enough_to_do_is_sent_nothing_more(played: Played) -> None:
    await played.begin()
    upstream = played.daemons.last
    played.relay.hold(upstream, True)
    assert played.editor.paused
    played.relay.hold(upstream, False)
    assert not played.editor.paused
    played.relay.hold(upstream, True)
    await played.die()
    assert not played.editor.paused
    played.relay.hold(upstream, True)
    assert not played.editor.paused


async def test_an_editor_that_does_not_read_is_not_read_for(played: Played) -> None:
    await played.begin()
    played.relay.writing_paused()
    assert played.daemons.last.paused
    await played.die()
    assert played.daemons.last.paused
    played.relay.writing_resumed()
    assert not played.daemons.last.paused


async def test_without_a_daemon_the_relay_serves_itself(
    played: Played, alone: list[Upstream]
) -> None:
    await played.begin()
    first = played.daemons.last
    played.daemons.troubles.append(NoDaemon("none was to be had"))
    await played.die()
    [server] = alone
    assert server.server.state() == first.server.state()
    assert "none was to be had" in played.editor.told("logMessage")[-1]
    assert len(played.editor.told("showMessage")) == 1


async def test_a_daemon_that_cannot_be_joined_at_first_is_shown(
    played: Played, alone: list[Upstream]
) -> None:
    played.daemons.troubles.append(NoDaemon("none was to be had"))
    await played.begin()
    assert len(alone) == 1
    [said] = played.editor.told("showMessage")
    assert "none was to be had" in said


async def test_a_bug_in_joining_is_no_reason_to_hang(played: Played, alone: list[Upstream]) -> None:
    played.daemons.troubles.append(KeyError("oops"))
    await played.begin()
    assert len(alone) == 1
    assert "KeyError" in played.editor.told("showMessage")[0]


async def test_three_deaths_within_a_minute_are_enough(
    played: Played, alone: list[Upstream]
) -> None:
    await played.begin()
    for _ in range(3):
        assert not alone
        await played.die()
    assert len(played.daemons.given) == 3
    [server] = alone
    assert server.server.documents
    assert "3 daemons" in played.editor.told("showMessage")[-1]


async def test_three_deaths_in_a_day_are_not(
    played: Played, alone: list[Upstream], monkeypatch: pytest.MonkeyPatch
) -> None:
    await played.begin()
    hours = iter(range(0, 36_000, 3600))
    monkeypatch.setattr("goldlens.cli.forwarding.relay.monotonic", lambda: next(hours))
    for _ in range(5):
        await played.die()
    assert len(played.daemons.given) == 6


async def test_a_server_that_garbles_is_left(played: Played) -> None:
    await played.begin()
    first = played.daemons.last
    played.relay.heard(first, b"garbage\r\n\r\n")
    await played.settle()
    assert first.closed
    assert len(played.daemons.given) == 2
    # What it says after that is nobody's.
    played.relay.heard(first, frame(note("x")))
    assert played.editor.heard[-1].get("method") != "x"


async def test_half_a_message_dies_with_its_server(played: Played) -> None:
    await played.begin()
    played.relay.heard(played.daemons.last, frame(note("x" * 100))[:50])
    await played.die()
    played.relay.heard(played.daemons.last, frame(note("whole")))
    assert played.editor.heard[-1]["method"] == "whole"


async def test_an_editor_that_garbles_is_left(played: Played) -> None:
    await played.begin()
    played.relay.received(b"garbage\r\n\r\n")
    assert await played.relay.ended == 1
    assert played.editor.closed and played.daemons.last.closed


async def test_exit_after_shutdown_is_right(played: Played) -> None:
    await played.begin()
    await played.say(ask(2, "shutdown"))
    await played.say(note("exit"))
    assert not played.relay.ended.done()
    played.daemons.last.die()
    assert await played.relay.ended == 0
    assert len(played.daemons.given) == 1
    assert not played.editor.told("showMessage")


async def test_both_at_once(played: Played) -> None:
    await played.begin()
    played.daemons.last.answers = False
    await played.say(ask(2, "shutdown"), note("exit"))
    played.daemons.last.speak()
    await played.die()
    assert await played.relay.ended == 0
    assert played.editor.answers() == [1, 2]


async def test_exit_without_shutdown_is_wrong(played: Played) -> None:
    await played.begin()
    await played.say(note("exit"))
    await played.die()
    assert await played.relay.ended == 1


async def test_a_server_that_does_not_end_is_not_waited_for_long(played: Played) -> None:
    await played.begin()
    await played.say(ask(2, "shutdown"))
    await played.say(note("exit"))
    assert await asyncio.wait_for(played.relay.ended, 10) == 0
    assert played.daemons.last.closed


async def test_the_end_while_no_server_is_there(played: Played) -> None:
    await played.begin()
    played.daemons.ready.clear()
    await played.die()
    await played.say(ask(2, "rows"))
    await played.say(ask(3, "shutdown"))
    assert played.editor.answers() == [1, 2, 3]
    await played.say(note("exit"))
    assert await played.relay.ended == 0


async def test_a_server_that_comes_after_shutdown_is_let_go(played: Played) -> None:
    await played.begin()
    played.daemons.ready.clear()
    await played.die()
    await played.say(ask(2, "shutdown"))
    played.daemons.ready.set()
    await played.settle()
    assert played.daemons.last.closed
    await played.say(note("exit"))
    assert await played.relay.ended == 0


async def test_a_server_that_dies_after_shutdown_is_not_replaced(played: Played) -> None:
    await played.begin()
    await played.say(ask(2, "shutdown"))
    await played.die()
    assert len(played.daemons.given) == 1
    await played.say(ask(3, "textDocument/hover"))
    assert played.editor.heard[-1]["error"]["code"] == -32600
    await played.say(note("exit"))
    assert await played.relay.ended == 0


async def test_the_end_of_input_goes_up(played: Played) -> None:
    await played.begin()
    played.relay.input_ended()
    assert played.daemons.last.ended
    await played.die()
    assert await played.relay.ended == 1
    assert len(played.daemons.given) == 1


async def test_what_was_said_before_a_server_came_is_answered_after_the_end(
    played: Played,
) -> None:
    await played.say(initialize())
    played.relay.input_ended()
    played.daemons.ready.set()
    await played.settle()
    assert played.daemons.last.ended
    assert played.editor.answers() == [1]


async def test_an_editor_whose_process_is_gone(played: Played) -> None:
    """Though somebody else may hold its pipes open."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    played.daemons.ready.set()
    await played.say(initialize(processId=gone.pid), note("initialized", {}))
    assert await asyncio.wait_for(played.relay.ended, 20) == 1


async def test_an_editor_that_is_lost(played: Played) -> None:
    await played.begin()
    played.relay.lost()
    assert await played.relay.ended == 1
    assert played.relay.flushed.done()
    assert played.daemons.last.closed
