"""The predictions that a workspace's configuration names, scored while nobody looks.

Scores come from `systems`; here they get their turns among everybody else's calls, and whoever
listens is told of each change.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from goldlens.server.buffers import LARGE
from goldlens.server.history import Notes
from goldlens.server.memory import freeze
from goldlens.server.noted import note
from goldlens.server.shared import Shared
from goldlens.server.sources import size_of
from goldlens.server.systems import Change, Event, Systems
from goldlens.server.watching.interest import Interest

log = logging.getLogger(__name__)

TICK: Final = 0.5
"""Seconds between two looks at what only time brings about."""

_FEW: Final = 4
"""More files than this that change at once are read in a thread."""

Listener: TypeAlias = Callable[[Change], None]


class Watched:
    """A member of what is shared that has no client of its own. In the event loop."""

    def __init__(self, root: Path, shared: Shared, history: Notes | None = None) -> None:
        self.root = root
        self.systems = Systems(root, by_name=False)
        self.listeners: list[Listener] = []
        self.opened = asyncio.get_running_loop().create_future()
        self._shared, self._history = shared, history
        self._loop = asyncio.get_running_loop()
        self._opening: Iterator[Change] = iter(())
        self._tick: asyncio.TimerHandle | None = None
        self._generation = 0

    def start(self) -> None:
        """Begins to read and to watch; `opened` is done when all have been read once."""
        self._opening = self.systems.open()
        self._open_next()

    def stop(self) -> None:
        """Ends."""
        if self._tick is not None:
            self._tick.cancel()
        self._shared.leave(self)

    def _open_next(self) -> None:
        # One at a time: between two, others have their turn.
        step = self._shared.turns.take(lambda: next(self._opening, None), slow=True)
        step.add_done_callback(self._opened_one)

    def _opened_one(self, step: asyncio.Future[Change | None]) -> None:
        error = step.exception()
        if error is not None:
            log.error("a prediction could not be opened", exc_info=error)
        change = None if error is not None else step.result()
        if change is not None:
            self._tell([change])
            self._open_next()
            return
        freeze()
        self._shared.join(self)
        self._shared.watch(self)
        self._tick = self._loop.call_later(TICK, self._time_goes_by)
        # What has changed between reading and watching.
        self.changed(self.systems.outdated())
        if not self.opened.done():
            self.opened.set_result(None)

    def _time_goes_by(self) -> None:
        self._tick = self._loop.call_later(TICK, self._time_goes_by)
        if not self._shared.turns.busy:
            self._shared.turns.do(lambda: self._tell_soon(self.systems.tick()))

    # A member

    @property
    def generation(self) -> int:
        """Another number whenever other files may be of interest."""
        return self._generation

    def interest(self) -> Interest:
        """Predictions, also those that may come, golds and configurations."""
        return self.systems.interest()

    def changed(self, paths: list[Path]) -> None:
        """Files have changed on disk."""
        if paths:
            slow = len(paths) > _FEW or any(size_of(path) > LARGE for path in paths)
            self._shared.turns.do(lambda: self._take_over(paths), slow=slow)

    def rested(self) -> None:
        """Nothing runs on what is shared."""

    def _take_over(self, paths: list[Path]) -> None:
        self._tell_soon(self.systems.changed(paths))

    def _tell_soon(self, changes: list[Change]) -> None:
        """Tells in the event loop, wherever this runs."""
        if changes:
            self._loop.call_soon_threadsafe(self._tell, changes)

    def _tell(self, changes: list[Change]) -> None:
        for change in changes:
            if change.event in (Event.NEW, Event.GONE):
                self._generation += 1
            if self._history is not None:
                note(self._history, change)
            for listener in list(self.listeners):
                listener(change)
