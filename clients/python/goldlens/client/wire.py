"""MessagePack-RPC: messages to bytes and back, within bounds. Nothing here reads or writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack

from goldlens.client.errors import BadFrame, CallWrong

LARGEST_SENT: Final = 1 << 20
"""The daemon takes no frame with more bytes."""

LARGEST_RECEIVED: Final = 256 << 20
"""The client takes no frame with more bytes."""

_LONGEST: Final = 1 << 22
"""The members of an array or a map that comes in; memory is taken before they are seen."""

REQUEST, RESPONSE, NOTIFICATION = range(3)


@dataclass(frozen=True, slots=True)
class Response:
    """The answer to a request: an error, or a result."""

    number: int
    error: tuple[int, str] | None
    result: Any


@dataclass(frozen=True, slots=True)
class Notification:
    """What the daemon tells unasked."""

    method: str
    params: Mapping[str, Any]


Message: TypeAlias = Response | Notification


def request(number: int, method: str, params: Mapping[str, Any]) -> bytes:
    """A request as bytes. Raises CallWrong if it cannot be sent."""
    return _packed([REQUEST, number, method, [params]], method)


def notification(method: str, params: Mapping[str, Any]) -> bytes:
    """A notification as bytes. Raises CallWrong if it cannot be sent."""
    return _packed([NOTIFICATION, method, [params]], method)


def _packed(message: list[Any], method: str) -> bytes:
    try:
        data = msgpack.packb(message)
    except (TypeError, ValueError, OverflowError) as error:
        raise CallWrong(f"{method}: an argument cannot be sent: {error}") from error
    assert isinstance(data, bytes)
    if len(data) > LARGEST_SENT:
        size = f"{len(data):,} bytes, more than the {LARGEST_SENT:,} a daemon takes"
        raise CallWrong(f"{method}: the request has {size}; ask for less at once")
    return data


class Messages:
    """Messages out of bytes that come in pieces."""

    def __init__(self, largest: int = LARGEST_RECEIVED) -> None:
        self._unpacker = msgpack.Unpacker(
            max_buffer_size=largest,
            max_array_len=_LONGEST,
            max_map_len=_LONGEST,
            strict_map_key=False,
        )

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are whole with these bytes. Raises BadFrame."""
        try:
            self._unpacker.feed(data)
            for value in self._unpacker:
                yield _message(value)
        except msgpack.BufferFull as error:
            raise BadFrame("the daemon sent a message that is too large") from error
        except (ValueError, RecursionError) as error:
            raise BadFrame(f"the daemon sent what is no MessagePack ({error})") from error


def _message(value: object) -> Message:
    match value:
        case [1, int(number), None, result]:
            return Response(number, None, result)
        case [1, int(number), [int(kind), str(text)], _]:
            return Response(number, (kind, text), None)
        case [2, str(method), []]:
            return Notification(method, {})
        case [2, str(method), [dict() as params]] if all(isinstance(key, str) for key in params):
            return Notification(method, params)
    raise BadFrame("the daemon sent what is no response and no notification")
