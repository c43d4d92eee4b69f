"""The two ends of a pipe or a socket, as the event loop serves them."""

from __future__ import annotations

import asyncio
from typing import Protocol


class Source(Protocol):
    """Where bytes come from."""

    def pause_reading(self) -> None:
        """Lets them wait."""

    def resume_reading(self) -> None:
        """Takes them again."""


class Sink(Protocol):
    """Where bytes go to, without waiting."""

    def write(self, data: bytes, /) -> None:
        """Takes bytes."""

    def get_write_buffer_size(self) -> int:
        """How many have not gone out yet."""

    def close(self) -> None:
        """Takes no more; what was taken still goes out."""

    def abort(self) -> None:
        """Takes no more, and lets what was taken go."""


class Peer(Protocol):
    """Whoever talks over a pipe or a socket: told of bytes and of the end."""

    source: Source | None
    sink: Sink | None

    def received(self, data: bytes, /) -> None:
        """Bytes have come in."""

    def input_ended(self) -> None:
        """Nothing more comes in."""

    def lost(self) -> None:
        """The other side can no longer be reached."""

    def writing_paused(self) -> None:
        """The other side does not read as fast as it is written to."""

    def writing_resumed(self) -> None:
        """The other side has read what it was sent."""


class Reading(asyncio.Protocol):
    """Our side of a pipe that is read."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def data_received(self, data: bytes) -> None:
        """Bytes have come in."""
        self._peer.received(data)

    def connection_lost(self, error: Exception | None) -> None:
        """The pipe has ended."""
        self._peer.input_ended()


class Writing(asyncio.BaseProtocol):
    """Our side of a pipe that is written."""

    def __init__(self, peer: Peer) -> None:
        self._peer = peer

    def pause_writing(self) -> None:
        """Too much waits to be read."""
        self._peer.writing_paused()

    def resume_writing(self) -> None:
        """It has been read."""
        self._peer.writing_resumed()

    def connection_lost(self, error: Exception | None) -> None:
        """The pipe is broken or closed."""
        self._peer.lost()


class Both(Reading, Writing):
    """Our side of a socket."""

    def __init__(self, peer: Peer, said: bytes = b"") -> None:
        """`said`: what was read of the socket already."""
        super().__init__(peer)
        self._said = said

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The client is there."""
        assert isinstance(transport, asyncio.Transport)
        self._peer.source = self._peer.sink = transport
        if self._said:
            self._peer.received(self._said)

    def eof_received(self) -> bool:
        """The client says nothing more, but may still listen."""
        self._peer.input_ended()
        return True

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone."""
        self._peer.lost()
