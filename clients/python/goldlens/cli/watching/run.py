"""The loop of a watch: files are watched, and what comes of it is told, until something ends it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from goldlens.server.systems import Change, Systems
from goldlens.server.watching.watcher import Watcher

_TICK: Final = 0.5
_ENDING: Final = ("SIGTERM", "SIGHUP")


class Run:
    """A watch from its beginning to its end.

    `tell` is given changes, all in the event loop. `attach`, if there is one, is called in it
    when it has begun, and `opened` when all has been read; what that raises ends the watch.
    """

    def __init__(
        self,
        systems: Systems,
        tell: Callable[[Sequence[Change]], None],
        attach: Callable[[asyncio.AbstractEventLoop], None] = lambda loop: None,
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        self._systems, self._tell = systems, tell
        self._attach, self._opened = attach, opened
        self._status = 0
        self._error: BaseException | None = None
        self._ended: asyncio.Event | None = None

    def start(self, *, poll: bool) -> int:
        """Watches until it is to end; the exit status.

        Raises what goes wrong in telling, and KeyboardInterrupt.
        """
        asyncio.run(self._watch(poll))
        if self._error is not None:
            raise self._error
        return self._status

    def end(self, status: int = 0) -> None:
        """Ends it, from within the loop."""
        self._status = status
        if self._ended is not None:
            self._ended.set()

    async def _watch(self, poll: bool) -> None:
        loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        loop.set_exception_handler(self._failed)
        for name in _ENDING:
            if number := getattr(signal, name, None):
                with contextlib.suppress(NotImplementedError, RuntimeError):
                    loop.add_signal_handler(number, self.end, 128 + number)
        self._attach(loop)
        for change in self._systems.open():
            self._tell([change])
            await asyncio.sleep(0)
            if self._ended.is_set():
                return
        self._opened()
        self._tell([])
        watcher = Watcher(self._systems.interest, self._changed, polling=poll)
        watcher.start()
        try:
            # What changed while all was read, before anybody watched.
            self._changed(self._systems.outdated())
            while not self._ended.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._ended.wait(), _TICK)
                self._told(self._systems.tick())
        finally:
            watcher.stop()

    def _changed(self, paths: list[Path]) -> None:
        if not self._ended or self._ended.is_set():
            return
        before = self._systems.trouble
        changes = self._systems.changed(paths) if paths else []
        self._told(changes, always=self._systems.trouble != before)

    def _told(self, changes: Sequence[Change], *, always: bool = False) -> None:
        if changes or always:
            self._tell(changes)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Something was raised in a callback: it ends the watch, which raises it."""
        self._error = self._error or context.get("exception") or RuntimeError(context["message"])
        self.end(2)
