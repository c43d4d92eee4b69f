"""One connection's talk, without the connection: what to send, and what comes of what is received.

The blocking and the asynchronous client both talk through it, so that there is one reading of the
protocol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from typing import Any, Final, TypeAlias

from goldlens.client import wire
from goldlens.client.errors import (
    BadFrame,
    CallError,
    CallFailed,
    CallWrong,
    Disconnected,
    OtherVersion,
)
from goldlens.client.events import Event, event_of
from goldlens.client.place import State

PROTOCOL: Final = 1


@cache
def own_version() -> str:
    """The version of Goldlens that this client is of."""
    return metadata.version("goldlens")


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a request."""

    number: int
    error: CallError | None
    result: Any

    def get(self) -> Any:
        """The result. Raises CallFailed or CallWrong."""
        if self.error is not None:
            raise self.error
        return self.result


Received: TypeAlias = Answer | Event


class Conversation:
    """Numbers requests, and reads what comes."""

    def __init__(self) -> None:
        self._messages = wire.Messages()
        self._asked = 0
        self._last_words: str | None = None

    def request(self, method: str, params: Mapping[str, Any]) -> tuple[int, bytes]:
        """A request: its number, and the bytes to send. Raises CallWrong."""
        data = wire.request(self._asked, method, params)
        self._asked += 1
        return self._asked - 1, data

    def cancel(self, number: int) -> bytes:
        """The bytes that tell the daemon that nobody waits for a request any more."""
        return wire.notification("cancel", {"msgid": number})

    def receive(self, data: bytes) -> Iterator[Received]:
        """What some bytes bring: answers, and events. Raises BadFrame."""
        for message in self._messages.feed(data):
            match message:
                case wire.Response(number, error, result):
                    if not 0 <= number < self._asked:
                        raise BadFrame("the daemon answered what was never asked")
                    yield Answer(number, _error(error), result)
                case wire.Notification("goldlens/error", {"message": str(said)}):
                    self._last_words = said
                case wire.Notification(method, params):
                    event = event_of(method, params)
                    if event is not None:
                        yield event

    def ended(self) -> Disconnected:
        """The error of a connection that has ended, with what the daemon said last."""
        why = f" ({self._last_words})" if self._last_words else ""
        return Disconnected(f"the daemon ended the connection{why}; connect again")


def greeting(state: State) -> dict[str, Any]:
    """The parameters of the first request."""
    params = {"version": own_version(), "client": "goldlens.client"}
    return params if state.token is None else {**params, "token": state.token}


def greeted(result: object) -> None:
    """Raises OtherVersion or BadFrame if what answers the first request is not as it should be."""
    match result:
        case {"version": str(version), "protocol": int(protocol)}:
            if version != own_version() or protocol != PROTOCOL:
                raise OtherVersion(
                    f"the daemon is Goldlens {version} and this is {own_version()}; end it with "
                    "“goldlens daemon stop”, and start another"
                )
        case _:
            raise BadFrame("the daemon did not greet as a daemon of Goldlens does")


def _error(error: tuple[int, str] | None) -> CallError | None:
    match error:
        case None:
            return None
        case (1, text):
            return CallWrong(text)
        case (_, text):
            return CallFailed(text)
