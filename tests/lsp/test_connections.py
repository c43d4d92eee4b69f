"""Many clients, one after another and at once."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable

from tests.lsp.conftest import Listening, Pair
from tests.lsp.session import COMMAND, SocketSession, replace

Connect = Callable[[], SocketSession]


def test_each_connection_sees_its_own_buffers(connect: Connect, pair: Pair) -> None:
    one, two = connect(), connect()
    for session in (one, two):
        session.initialize()
        session.open(pair.uri, pair.pred)
        assert len(session.problems(pair.uri, 1)) == 1
    one.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    assert one.problems(pair.uri, 2) == []
    assert (one.las(pair.uri), two.las(pair.uri)) == (100, 80)
    two.settle()
    assert len(two.pushed(pair.uri)) == 1


def test_the_end_of_one_is_not_the_end_of_others(connect: Connect, pair: Pair) -> None:
    stays, leaves, drops, garbles = [connect() for _ in range(4)]
    for session in (stays, leaves, drops, garbles):
        session.initialize()
    assert leaves.call("shutdown") is None
    leaves.send("exit")
    leaves.ended()
    drops.kill()
    garbles.raw(b"garbage\r\n\r\n")
    garbles.ended()
    stays.open(pair.uri, pair.pred)
    assert len(stays.problems(pair.uri, 1)) == 1
    later = connect()
    later.initialize()
    assert later.call("shutdown") is None


def test_a_client_that_only_stops_talking_hears_the_rest(connect: Connect) -> None:
    session = connect()
    session.initialize()
    number = session.ask("workspace/executeCommand", {"command": "goldlens.pairs"})
    session.socket.shutdown(socket.SHUT_WR)
    assert session.answer(number) == []
    session.ended()


def test_an_address_in_use_is_said_in_a_line(listening: Listening) -> None:
    done = subprocess.run(
        [*COMMAND, "--tcp", f"127.0.0.1:{listening.port}"],
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2
    [line] = done.stderr.decode().splitlines()
    assert line.startswith(f"goldlens: cannot listen on 127.0.0.1:{listening.port}: ")
