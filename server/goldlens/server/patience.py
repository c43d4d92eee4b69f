"""How long a client may leave unread what waits for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger(__name__)


class Outlet(Protocol):
    """Where bytes wait to go out."""

    def get_write_buffer_size(self) -> int:
        """How many wait."""

    def abort(self) -> None:
        """Lets them go, and ends it."""


class Patience:
    """Waits for a client that does not read as fast as it is written to.

    However much waits, the client has time as long as the system takes bytes off our hands. If
    it takes none for `seconds`, the client is cut off.
    """

    def __init__(self, seconds: float | None) -> None:
        """`seconds`: None for ever."""
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._written = 0

    def wrote(self, size: int) -> None:
        """So many bytes have been handed to the outlet."""
        self._written += size

    def begin(self, outlet: Outlet, cut_off: Callable[[], None]) -> None:
        """Too much waits to be read. `cut_off` ends it with a client that reads nothing."""
        # Not kept: a client that is gone is to be freed without the garbage collector.
        self._call_later(self._look, outlet, cut_off, self._gone(outlet))

    def outlast(self, outlet: Outlet) -> None:
        """The outlet has been closed: it is when its bytes are out, and nobody may read them."""
        self._call_later(outlet.abort)

    def end(self) -> None:
        """All has been read, or nobody is there any more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self, outlet: Outlet, cut_off: Callable[[], None], before: int) -> None:
        gone = self._gone(outlet)
        if gone > before:
            self._call_later(self._look, outlet, cut_off, gone)
            return
        log.warning("a client that read nothing for %g seconds is cut off", self._seconds)
        cut_off()

    def _gone(self, outlet: Outlet) -> int:
        """So many bytes the system has taken off our hands."""
        return self._written - outlet.get_write_buffer_size()

    def _call_later(self, call: Callable[..., None], *arguments: object) -> None:
        self.end()
        if self._seconds is not None:
            self._timer = self._loop.call_later(self._seconds, call, *arguments)
