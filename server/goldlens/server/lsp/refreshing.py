"""Asking the client to ask again, for what it shows of a document whose text is the same.

Lenses, hints and colours depend on gold, and some on what was saved. The client is asked once at
a time: while it has not answered, changes wait. (Diagnostics have the publisher.)
"""

from __future__ import annotations

import asyncio
from collections.abc import Set
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

EVERY: Final = 0.3
"""Seconds at least between two times; who types in gold sees what comes of it no sooner."""


class Refresher:
    """Knows that the client's picture of something is out of date, and says so."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._waiting: set[str] = set()
        self._due: frozenset[str] = frozenset()
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, methods: Set[str] | None = None) -> None:
        """Asks the client to ask again, now or as soon as it may be asked.

        `methods` are those by which it is to be asked, as far as it knows them; None: all.
        """
        can = self._ls.client.refreshes
        self._due |= can if methods is None else can & methods
        self._go_on()

    def _go_on(self) -> None:
        if not self._due or self._waiting or self._timer is not None or not self._ls.running:
            return
        due, self._due = self._due, frozenset()
        self._waiting.update(due)
        self._timer = self._loop.call_later(EVERY, self._again)
        for method in sorted(due):
            asked = self._ls.protocol.send_request(method)
            asked.add_done_callback(partial(self._answered, method))

    def _answered(self, method: str, done: Future[Any]) -> None:
        if not done.cancelled():
            # An error says the client does not care; that is its business.
            done.exception()
        self._waiting.discard(method)
        self._go_on()

    def _again(self) -> None:
        self._timer = None
        self._go_on()

    def end(self) -> None:
        """Asks nothing more."""
        self._due = frozenset()
        if self._timer is not None:
            self._timer.cancel()
