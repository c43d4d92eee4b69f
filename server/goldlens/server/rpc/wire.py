"""Messages on a byte stream, as the MessagePack-RPC specification has them.

    request       [0, msgid, method, params]
    response      [1, msgid, error, result]
    notification  [2, method, params]

`params` is an array of at most one object here. What is no such message, or larger than anybody
should send, is a `FrameError`: after it nothing in the stream can be trusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack

MOST: Final = 1 << 20
"""The longest message of a client, in bytes: clients send names and settings, never texts."""

MEMBERS: Final = 1024
"""The most members of an array or an object: room for them is made before they are there."""

PIECE: Final = 1 << 18
"""So many bytes come in at most in one piece: the event loop reads no more at once."""

_IDS: Final = 1 << 32


class FrameError(Exception):
    """The stream is not made of messages. `str` says what was found instead."""


@dataclass(frozen=True, slots=True)
class Request:
    """A call that is to be answered under its number."""

    number: int
    method: str
    params: list[Any]


@dataclass(frozen=True, slots=True)
class Notification:
    """A call that nobody waits for."""

    method: str
    params: list[Any]


Message: TypeAlias = Request | Notification


class Messages:
    """Takes a stream in pieces, and gives one after the other the messages in it."""

    def __init__(self) -> None:
        self._unpacker = msgpack.Unpacker(
            max_buffer_size=MOST + PIECE,
            max_str_len=MOST,
            max_bin_len=MOST,
            max_array_len=MEMBERS,
            max_map_len=MEMBERS,
            max_ext_len=0,
            strict_map_key=True,
        )
        self._fed = self._taken = 0

    @property
    def rest(self) -> int:
        """So many bytes have come in of which no message has been given yet."""
        return self._fed - self._taken

    def feed(self, data: bytes) -> None:
        """Takes at most `PIECE` bytes, when all messages before them were taken as far as they
        are complete. Raises FrameError.
        """
        try:
            self._unpacker.feed(data)
        except msgpack.BufferFull:
            raise _too_large() from None
        self._fed += len(data)

    def take(self) -> Message | None:
        """The next message; None if it is not complete. Raises FrameError."""
        try:
            value = self._unpacker.unpack()
        except msgpack.OutOfData:
            if self.rest > MOST:
                raise _too_large() from None
            return None
        except (ValueError, TypeError, msgpack.UnpackException, RecursionError) as error:
            raise FrameError(f"no MessagePack: {error or type(error).__name__}") from error
        end = self._unpacker.tell()
        if end - self._taken > MOST:
            raise _too_large()
        self._taken = end
        return message(value)


def message(value: object) -> Message:
    """A value as a message. Raises FrameError. A response is none: nobody is asked anything."""
    match value:
        # `type`, not `isinstance`: true and false are ints to Python.
        case [0 as kind, int() as number, str() as method, list() as params] if (
            type(kind) is type(number) is int and 0 <= number < _IDS
        ):
            return Request(number, method, params)
        case [2 as kind, str() as method, list() as params] if type(kind) is int:
            return Notification(method, params)
    raise FrameError("expected [0, msgid, method, params] or [2, method, params]")


def response(number: int, error: object, result: object) -> bytes:
    """An answer to a request."""
    return _packed([1, number, error, result])


def notification(method: str, params: Mapping[str, object]) -> bytes:
    """Something told."""
    return _packed([2, method, [params]])


def _packed(value: object) -> bytes:
    # Paths that are no UTF-8 hold lone surrogates; they are shown, and found by their URIs.
    found: bytes = msgpack.packb(value, unicode_errors="backslashreplace")
    return found


def _too_large() -> FrameError:
    return FrameError(f"a message of more than {MOST:,} bytes")
