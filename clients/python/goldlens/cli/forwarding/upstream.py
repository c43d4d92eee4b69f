"""Where the relay sends what the editor says: a daemon, or a server in the relay's own process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final, Protocol

log = logging.getLogger(__name__)

PIECE: Final = 1 << 16
"""So many bytes are read of a daemon at once."""

UNREAD: Final = 1 << 18
"""With this many bytes unread by a daemon, the editor has to wait."""


class Below(Protocol):
    """The relay, as an upstream sees it."""

    def heard(self, upstream: Upstream, data: bytes, /) -> None:
        """The server says something."""

    def gone(self, upstream: Upstream, /) -> None:
        """The server says nothing any more, and hears nothing. Told once."""

    def hold(self, upstream: Upstream, held: bool, /) -> None:
        """Whether the server has enough to do, and the editor has to wait."""

    def unread(self) -> int:
        """How many bytes the editor has not read yet."""


class Upstream(Protocol):
    """A server."""

    def send(self, data: bytes, /) -> None:
        """Sends whole messages."""

    def pause(self) -> None:
        """The editor does not read as fast as the server writes."""

    def resume(self) -> None:
        """The editor reads again."""

    def end_input(self) -> None:
        """The editor says nothing more."""

    def close(self) -> None:
        """Nobody listens any more."""

    @property
    def working(self) -> bool:
        """Whether a thread of this process still works for it."""


class Daemon:
    """A daemon at the other end of a connection."""

    working = False

    def __init__(
        self, below: Below, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """To be made in the event loop."""
        self._below, self._reader, self._writer = below, reader, writer
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._draining: asyncio.Task[None] | None = None
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def _listen(self) -> None:
        try:
            while data := await self._reader.read(PIECE):
                self._below.heard(self, data)
                await self._may_read.wait()
        except OSError:
            pass  # a daemon that is killed may reset the connection
        except Exception:
            log.exception("what the daemon said could not be passed on")
        self._writer.transport.abort()
        self._below.gone(self)

    def send(self, data: bytes) -> None:
        """Sends whole messages."""
        transport = self._writer.transport
        if transport.is_closing():
            return
        self._writer.write(data)
        if self._draining is None and transport.get_write_buffer_size() > UNREAD:
            self._below.hold(self, True)
            self._draining = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.drain()
        self._draining = None
        self._below.hold(self, False)

    def pause(self) -> None:
        """The editor does not read as fast as the daemon writes."""
        self._may_read.clear()

    def resume(self) -> None:
        """The editor reads again."""
        self._may_read.set()

    def end_input(self) -> None:
        """The editor says nothing more."""
        if self._writer.can_write_eof() and not self._writer.transport.is_closing():
            self._writer.write_eof()

    def close(self) -> None:
        """Nobody listens any more. What was sent still goes out."""
        self._listening.cancel()
        self._writer.close()


class InProcess:
    """A server in this process, with its two ends in memory."""

    def __init__(self, below: Below) -> None:
        """To be made in the event loop."""
        # Only now: this is all that a relay does without as long as it has a daemon.
        from goldlens.server.lsp.connection import Connection
        from goldlens.server.memory import settle
        from goldlens.server.shared import Shared

        settle()
        self._below, self._loop = below, asyncio.get_running_loop()
        self._connection = Connection(Shared(), watch_parent=False)
        self._connection.source = self._connection.sink = self

    def send(self, data: bytes) -> None:
        """Sends whole messages."""
        self._connection.received(data)

    def pause(self) -> None:
        """The editor does not read as fast as the server writes."""
        self._connection.writing_paused()

    def resume(self) -> None:
        """The editor reads again."""
        self._connection.writing_resumed()

    def end_input(self) -> None:
        """The editor says nothing more."""
        self._connection.input_ended()

    @property
    def working(self) -> bool:
        """Whether a thread still works for it."""
        return self._connection.server.turns.working

    # The two ends of the connection

    def pause_reading(self) -> None:
        """The server takes nothing more."""
        self._below.hold(self, True)

    def resume_reading(self) -> None:
        """The server takes something again."""
        self._below.hold(self, False)

    def write(self, data: bytes) -> None:
        """The server says something."""
        # Later: it may be in the middle of what it was sent, and what it says may be answered.
        self._loop.call_soon(self._below.heard, self, data)

    def get_write_buffer_size(self) -> int:
        """How much of it the editor has not read yet."""
        return self._below.unread()

    def close(self) -> None:
        """The conversation is over, be it that the server or the relay has ended it."""
        if self._connection.ended.done():
            self._loop.call_soon(self._below.gone, self)
        else:
            self._connection.end(1)

    def abort(self) -> None:
        """The server takes the editor for lost."""
        self.close()
