"""A client at the other end of a pipe or a socket: bytes to messages, and the end of it all."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from goldlens.server.lsp.ends import Sink, Source
from goldlens.server.lsp.parent import Watch
from goldlens.server.lsp.protocol import Stage
from goldlens.server.lsp.server import GoldlensServer
from goldlens.server.lsp.wire import FrameError, Frames
from goldlens.server.patience import Patience
from goldlens.server.shared import Shared

log = logging.getLogger(__name__)

UNREAD: Final = 16 << 20
"""With this many bytes unread by the client, the server takes no more messages from it."""

AT_ONCE: Final = 16
"""With so many requests of one client waiting, nothing more is read from it."""

LAST_WORK: Final = 0.7
"""After the input has ended, this many seconds are left to work that has begun."""


class Connection:
    """One conversation. `ended` has the exit status when it is over, and `flushed` is done when
    the last byte is out, or never will be.
    """

    def __init__(
        self, shared: Shared, *, watch_parent: bool, patience: float | None = None
    ) -> None:
        """`shared`: what all connections of the process share. `watch_parent`: the client is on
        this machine, and its process number means something. `patience`: seconds after which one
        that reads nothing of what waits for it is cut off.
        """
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self.flushed: asyncio.Future[None] = self._loop.create_future()
        self.source: Source | None = None
        self.sink: Sink | None = None
        self._frames = Frames()
        self._unread = False
        self._paused = False
        self._patience = Patience(patience)
        self._watch: Watch | None = None
        self.server = GoldlensServer(
            self._send,
            self.end,
            shared,
            lambda: self._unread,
            self._watch_parent if watch_parent else lambda process: None,
        )
        self.server.protocol.on_answered = self._answered

    def received(self, data: bytes) -> None:
        """Bytes have come in."""
        try:
            with self.server.publisher.held():
                for body in self._frames.feed(data):
                    if self.ended.done():
                        return
                    self.server.receive(body)
                    if self.server.protocol.waiting >= AT_ONCE:
                        self._pause()
                    if self._paused:
                        # What else has come in stays in `_frames`.
                        break
        except FrameError as error:
            log.error("the connection ends: %s", error)
            self.end(1)

    def input_ended(self) -> None:
        """Nothing more comes in: work that has begun may go on for a moment."""
        if not self.ended.done():
            task = self._loop.create_task(self._run_out())
            task.add_done_callback(lambda done: self.end(self._status()))

    async def _run_out(self) -> None:
        try:
            async with asyncio.timeout(LAST_WORK):
                await self.server.turns.idle()
        except TimeoutError:
            log.info("work was left unfinished")
        self.server.publisher.flush()

    def _status(self) -> int:
        return 0 if self.server.protocol.stage is Stage.DOWN else 1

    def lost(self) -> None:
        """The client can no longer be reached."""
        self._patience.end()
        if not self.flushed.done():
            self.flushed.set_result(None)
        self.end(self._status())

    def end(self, status: int) -> None:
        """Ends the conversation. A second time: nothing."""
        if self.ended.done():
            return
        self.ended.set_result(status)
        self._patience.end()
        self.server.leave()
        if self._watch is not None:
            self._watch.stop()
        if self.sink is not None:
            self.sink.close()
            if not self.flushed.done():
                self._patience.outlast(self.sink)

    def writing_paused(self) -> None:
        """The client does not read as fast as it is written to."""
        self._unread = True
        if self.sink is not None and not self.ended.done():
            self._patience.begin(self.sink, self._cut_off)

    def _cut_off(self) -> None:
        assert self.sink is not None
        self.end(1)
        self.sink.abort()

    def writing_resumed(self) -> None:
        """The client has read what it was sent."""
        self._unread = False
        if self.ended.done():
            return
        self._patience.end()
        self._read_on()
        self.server.publisher.wake()

    def _answered(self) -> None:
        """A request has been answered: there may be room for others."""
        if self._paused and not self._unread and self.server.protocol.waiting <= AT_ONCE // 2:
            self._loop.call_soon(self._read_on)

    def _pause(self) -> None:
        """Reads nothing more for now."""
        if not self._paused and self.source is not None:
            self._paused = True
            self.source.pause_reading()

    def _read_on(self) -> None:
        if not self._paused or self._unread or self.ended.done() or self.source is None:
            return
        self._paused = False
        self.received(b"")
        if not self._paused:
            self.source.resume_reading()

    def _send(self, data: bytes) -> None:
        if self.ended.done() or self.sink is None:
            return
        self._patience.wrote(len(data))
        self.sink.write(data)
        # Answers cannot be dropped as problems can. Whoever never reads them gets no more.
        if self.sink.get_write_buffer_size() > UNREAD:
            self._pause()

    def _watch_parent(self, process: int) -> None:
        def gone() -> None:
            log.info("process %d, which started the server, is gone", process)
            self.end(self._status())

        self._watch = Watch(process, gone)
