"""The relay between an editor and a daemon: two ends, and a session's memory between them.

Each end waits for the other: an editor that does not read is not read for from the daemon, and a
daemon that does not read is not read for from the editor. When the daemon dies, another server
takes its place and is told what the first one knew.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Iterable
from time import monotonic
from typing import Final, Protocol

from goldlens.cli.forwarding import messages
from goldlens.cli.forwarding.session import Session
from goldlens.cli.forwarding.upstream import Below, InProcess, Upstream
from goldlens.client.errors import ClientError
from goldlens.server.lsp.ends import Sink, Source
from goldlens.server.lsp.parent import Watch
from goldlens.server.lsp.wire import FrameError, Frames, frame

log = logging.getLogger(__name__)

LAST_WORK: Final = 1.2
"""After the editor's input has ended, a server has this many seconds for its last answers."""

AFTER_EXIT: Final = 0.5
"""After the editor has said exit, it has this many."""

MOST_KEPT: Final = 16 << 20
"""With this many bytes waiting for a server, the editor has to wait too."""

MOST_DEATHS: Final = 3
WITHIN: Final = 60.0
"""After so many deaths within so many seconds, no daemon is looked for any more."""


class Daemons(Protocol):
    """Where daemons come from. Both raise ClientError."""

    def join(self, below: Below, /) -> Awaitable[Upstream]:
        """The first one."""

    def rejoin(self, below: Below, /) -> Awaitable[Upstream]:
        """Another one, after one has died."""


class Relay:
    """One editor's relay. `ended` has the exit status when it is over, and `flushed` is done when
    the last byte is out, or never will be.
    """

    def __init__(self, daemons: Daemons) -> None:
        """To be made in the event loop."""
        self._loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[int] = self._loop.create_future()
        self.flushed: asyncio.Future[None] = self._loop.create_future()
        self.source: Source | None = None
        self.sink: Sink | None = None
        self.working = False
        """Whether a thread of this process still works when the relay has ended."""
        self._daemons = daemons
        self._session = Session()
        self._frames, self._frames_above = Frames(), Frames()
        self._upstream: Upstream | None = None
        self._deaths: deque[float] = deque(maxlen=MOST_DEATHS)
        self._held_by: set[str] = set()
        self._unread = self._input_over = False
        self._watch: Watch | None = None
        self._joining = self._loop.create_task(self._join())

    # The editor's end

    def received(self, data: bytes) -> None:
        """The editor says something."""
        if self.ended.done():
            return
        up: list[bytes] = []
        try:
            for body in self._frames.feed(data):
                post = self._session.said(body)
                up += post.up
                self._tell(post.down)
        except FrameError as error:
            log.error("the connection ends: %s", error)
            self._send(up)
            self._finish()
            return
        self._send(up)
        self._hold("kept", self._session.kept_size > MOST_KEPT)
        if self._session.left:
            self._leave(AFTER_EXIT)
        else:
            self._watch_editor()

    def input_ended(self) -> None:
        """The editor says nothing more."""
        if self.ended.done() or self._input_over:
            return
        self._input_over = True
        if self._upstream is not None:
            self._upstream.end_input()
        self._leave(LAST_WORK)

    def lost(self) -> None:
        """The editor can no longer be reached."""
        if not self.flushed.done():
            self.flushed.set_result(None)
        self._finish()

    def writing_paused(self) -> None:
        """The editor does not read as fast as it is written to."""
        self._unread = True
        if self._upstream is not None:
            self._upstream.pause()

    def writing_resumed(self) -> None:
        """The editor has read what it was sent."""
        self._unread = False
        if self._upstream is not None:
            self._upstream.resume()

    # The server's end

    def heard(self, upstream: Upstream, data: bytes) -> None:
        """The server says something."""
        if upstream is not self._upstream or self.ended.done():
            return
        up: list[bytes] = []
        try:
            for body in self._frames_above.feed(data):
                post = self._session.heard(body)
                up += post.up
                self._tell(post.down)
        except FrameError as error:
            log.error("the daemon is left: %s", error)
            upstream.close()
            self.gone(upstream)
            return
        self._send(up)

    def gone(self, upstream: Upstream) -> None:
        """The server says nothing any more."""
        if upstream is not self._upstream or self.ended.done():
            return
        self._upstream = None
        self._hold("server", False)
        self._tell(self._session.died().down)
        if self._session.left or self._input_over:
            self._finish()
        elif not self._session.down:
            self._replace()

    def hold(self, upstream: Upstream, held: bool) -> None:
        """Whether the server has enough to do, and the editor has to wait."""
        if upstream is self._upstream:
            self._hold("server", held)

    def unread(self) -> int:
        """How many bytes the editor has not read yet."""
        return self.sink.get_write_buffer_size() if self.sink is not None else 0

    # Servers come and go

    async def _join(self) -> None:
        """The first server."""
        try:
            upstream = await self._daemons.join(self)
        except Exception as error:
            self._warn(f"{_why(error)}, so this editor is served without a daemon")
            upstream = InProcess(self)
        self._joined(upstream)

    async def _rejoin(self) -> None:
        """Another server, of which the user knows already."""
        try:
            upstream = await self._daemons.rejoin(self)
        except Exception as error:
            self._log(f"{_why(error)}, so this editor is served without a daemon")
            upstream = InProcess(self)
        self._joined(upstream)

    def _joined(self, upstream: Upstream) -> None:
        if self.ended.done() or self._session.down:
            upstream.close()
            return
        self._upstream, self._frames_above = upstream, Frames()
        if self._unread:
            upstream.pause()
        post = self._session.joined()
        self._send(post.up)
        self._tell(post.down)
        self._hold("kept", False)
        self._watch_editor()
        if self._input_over:
            upstream.end_input()

    def _replace(self) -> None:
        """Another server takes the place of the one that has died."""
        now = monotonic()
        self._deaths.append(now)
        if len(self._deaths) < MOST_DEATHS or now - self._deaths[0] > WITHIN:
            self._warn("the connection to the daemon has ended; another server takes its place")
            self._joining = self._loop.create_task(self._rejoin())
        else:
            self._warn(
                f"{MOST_DEATHS} daemons have ended within {WITHIN:g} s, so this editor is served "
                "without one until it starts Goldlens again; “goldlens daemon logs” may say why"
            )
            self._joined(InProcess(self))

    # What goes out

    def _send(self, bodies: Iterable[bytes]) -> None:
        if self._upstream is not None and (data := b"".join(map(frame, bodies))):
            self._upstream.send(data)

    def _tell(self, bodies: Iterable[bytes]) -> None:
        if self.sink is not None and (data := b"".join(map(frame, bodies))):
            self.sink.write(data)

    def _log(self, text: str) -> None:
        log.warning("%s", text)
        self._tell((messages.logged(text),))

    def _warn(self, text: str) -> None:
        self._log(text)
        self._tell((messages.shown(text),))

    def _hold(self, reason: str, held: bool) -> None:
        """Reads nothing of the editor as long as there is a reason."""
        before = bool(self._held_by)
        if held:
            self._held_by.add(reason)
        else:
            self._held_by.discard(reason)
        if self.source is not None and before != bool(self._held_by):
            if held:
                self.source.pause_reading()
            else:
                self.source.resume_reading()

    # The end

    def _watch_editor(self) -> None:
        """Notices that the editor's process is gone, once it is known which that is."""
        if self._watch is None and (process := self._session.process) is not None:
            self._watch = Watch(process, self._finish)

    def _leave(self, seconds: float) -> None:
        """The editor has left: a server that is there may finish what it does."""
        if self._upstream is None and (self._session.left or self._joining.done()):
            self._finish()
        else:
            self._loop.call_later(seconds, self._finish)

    def _finish(self) -> None:
        """Ends all. A second time: nothing."""
        if self.ended.done():
            return
        self.ended.set_result(0 if self._session.down else 1)
        self._joining.cancel()
        if self._watch is not None:
            self._watch.stop()
        if self._upstream is not None:
            self.working = self._upstream.working
            self._upstream.close()
        if self.sink is not None:
            self.sink.close()


def _why(error: Exception) -> str:
    if isinstance(error, ClientError):
        return str(error)
    log.error("no daemon could be joined", exc_info=error)
    return f"no daemon could be joined ({type(error).__name__}: {error})"
