"""A progress display in the editor, for work that takes long."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

log = logging.getLogger(__name__)

EVERY: Final = 0.5
"""Seconds between reports."""

_numbers = count(1)


class Progress:
    """One display, from `start` to `end`; nothing at all for a client that has no such thing."""

    def __init__(
        self,
        ls: GoldlensServer,
        title: str,
        on_cancel: Callable[[], None],
        token: int | str | None = None,
    ) -> None:
        """`on_cancel` is called if the user ends the work.

        `token`: the client has a display under this name; without one it is asked for one.
        """
        self._ls, self._title, self._on_cancel = ls, title, on_cancel
        self._loop = asyncio.get_running_loop()
        self._given = token is not None
        self._token = token if token is not None else f"goldlens-{next(_numbers)}"
        self._percent: int | None = None
        self._since = time.monotonic()
        self._tick: asyncio.TimerHandle | None = None
        self._begun = self._ended = False

    def start(self) -> None:
        """Asks the client for a display; it begins when the client has agreed."""
        if self._given:
            self._ls.progress[self._token] = self
            self._percent = 0
            self._begin()
        elif self._ls.client.progress:
            self._ls.progress[self._token] = self
            params = types.WorkDoneProgressCreateParams(token=self._token)
            asked = self._ls.protocol.send_request(types.WINDOW_WORK_DONE_PROGRESS_CREATE, params)
            asked.add_done_callback(self._agreed)

    def _agreed(self, asked: Future[Any]) -> None:
        if asked.cancelled() or asked.exception() is not None:
            log.info("the client wants no progress display: %s", asked)
        elif not self._ended:
            self._begin()

    def _begin(self) -> None:
        self._begun = True
        self._send(
            types.WorkDoneProgressBegin(
                title=self._title, percentage=self._percent, cancellable=True
            )
        )
        self._tick = self._loop.call_later(EVERY, self._report)

    def told(self, done: int, of: int) -> None:
        """So much of the work is done; the next report says it. From any thread."""
        self._percent = 100 * done // of

    def _report(self) -> None:
        seconds, percent = time.monotonic() - self._since, self._percent
        message = f"{seconds:.0f} s" if percent is None else f"{percent} %"
        self._send(
            types.WorkDoneProgressReport(message=message, percentage=percent, cancellable=True)
        )
        self._tick = self._loop.call_later(EVERY, self._report)

    def cancel(self) -> None:
        """The user has had enough."""
        if not self._ended:
            self._on_cancel()
            self.end("cancelled")

    def end(self, message: str | None = None) -> None:
        """Takes the display away. A second time: nothing."""
        self._ls.progress.pop(self._token, None)
        if self._tick is not None:
            self._tick.cancel()
        if self._begun and not self._ended and self._ls.running:
            self._send(types.WorkDoneProgressEnd(message=message))
        self._ended = True

    def _send(self, value: Any) -> None:
        self._ls.protocol.notify(
            types.PROGRESS, types.ProgressParams(token=self._token, value=value)
        )


def cancelled(ls: GoldlensServer, params: Any) -> None:
    """window/workDoneProgress/cancel."""
    token = params.get("token") if isinstance(params, dict) else None
    shown = ls.progress.get(token) if isinstance(token, int | str) else None
    if shown is None:
        log.info("no progress to cancel under %r", token)
    else:
        shown.cancel()
