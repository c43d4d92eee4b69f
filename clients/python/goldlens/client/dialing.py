"""A blocking connection to a daemon, up to the greeting."""

from __future__ import annotations

import socket
import time
from typing import Any

from goldlens.client.conversation import Conversation, greeted, greeting
from goldlens.client.errors import Disconnected, TimedOut
from goldlens.client.events import Event
from goldlens.client.place import State

PIECE = 1 << 16
"""So many bytes are read at once."""


class Line:
    """A connection where one thing is asked at a time."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.talk = Conversation()

    def ask(self, method: str, params: dict[str, Any], timeout: float | None) -> Any:
        """The result of a request. Raises ClientError."""
        end = None if timeout is None else time.monotonic() + timeout
        number, data = self.talk.request(method, params)
        try:
            self.socket.settimeout(timeout)
            self.socket.sendall(data)
            while True:
                if end is not None:
                    self.socket.settimeout(max(0.001, end - time.monotonic()))
                piece = self.socket.recv(PIECE)
                for received in self.talk.receive(piece):
                    if not isinstance(received, Event) and received.number == number:
                        return received.get()
                if not piece:
                    raise self.talk.ended()
        except TimeoutError as error:
            raise too_late(method, timeout) from error
        except OSError as error:
            raise Disconnected(f"the daemon is gone ({error}); connect again") from error

    def close(self) -> None:
        """Hangs up."""
        self.socket.close()


def dial(state: State, timeout: float | None) -> Line:
    """A connection on which nothing has been said. Raises Disconnected or TimedOut."""
    try:
        if state.endpoint is not None:
            return Line(socket.create_connection(state.endpoint, timeout))
        sock = socket.socket(socket.AF_UNIX)
        try:
            sock.settimeout(timeout)
            sock.connect(str(state.socket))
        except BaseException:
            sock.close()
            raise
        return Line(sock)
    except TimeoutError as error:
        raise too_late("connect", timeout) from error
    except OSError as error:
        raise unreachable(state, error) from error


def dial_and_greet(state: State, timeout: float | None) -> Line:
    """A connection that has been greeted by a daemon of our version. Raises ClientError."""
    line = dial(state, timeout)
    try:
        greeted(line.ask("hello", greeting(state), timeout))
    except BaseException:
        line.close()
        raise
    return line


def unreachable(state: State, error: OSError) -> Disconnected:
    """The error of a daemon that cannot be reached."""
    return Disconnected(f"the daemon of {state.root} cannot be reached at {state.address}: {error}")


def too_late(method: str, timeout: float | None) -> TimedOut:
    """The error of a daemon that does not answer."""
    return TimedOut(f"{method}: the daemon did not answer within {timeout:g} s; see its log")
