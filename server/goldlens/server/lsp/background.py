"""Checks that were put off when a large file was opened, done while nothing else waits."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from goldlens.server.memory import freeze

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

log = logging.getLogger(__name__)

QUIET: Final = 0.2
"""Seconds after the last use of the workspace before work begins: nobody types that slowly."""

BREATH: Final = 0.002
"""Seconds between two pieces of work, in which messages and other connections come first."""


class Background:
    """Does the workspace's idle work, a little at a time."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._next: asyncio.TimerHandle | None = None

    def wake(self) -> None:
        """Begins in a while, if there is something to do; what has begun pauses until then."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if not self._ls.turns.busy and self._ls.workspace.busy:
            self._next = self._loop.call_later(QUIET, self._step)

    def _step(self) -> None:
        self._next = None
        ls = self._ls
        # What runs in a thread has the workspace to itself; its end wakes this again.
        if ls.turns.busy or not ls.running:
            return
        try:
            done = ls.workspace.idle()
        except Exception:
            # Tried again and again it would fail again and again.
            log.exception("checks in the background failed")
            return
        if done:
            freeze()
            ls.publisher.mark(done)
            ls.publisher.wake()
        if ls.workspace.busy:
            self._next = self._loop.call_later(BREATH, self._step)
