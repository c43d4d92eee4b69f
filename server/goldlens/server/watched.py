"""The predictions that a workspace's configuration names, scored while nobody looks.

Scores come from `systems`; here they get their turns among everybody else's calls, and whoever
listens is told of each change.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from goldlens.server.buffers import LARGE
from goldlens.server.history import Notes
from goldlens.server.memory import freeze
from goldlens.server.noted import note
from goldlens.server.shared import Shared
from goldlens.server.sources import Stamp, size_of, stamp
from goldlens.server.systems import Change, Event, Systems
from goldlens.server.watching.interest import Interest

log = logging.getLogger(__name__)

TICK: Final = 0.5
"""Seconds between two looks at what only time brings about."""

_FEW: Final = 4
"""More files than this that change at once are read in a thread, one at a time."""

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
        # What is read now, step by step, and what is to be read after it.
        self._reading: Iterator[Change] | None = None
        self._waiting: deque[Callable[[], Iterator[Change]]] = deque()
        self._due: set[Path] = set()
        self._stopped = self._late = False
        self._tick: asyncio.TimerHandle | None = None
        self._generation = self._told_generation = self._sure = 0
        self._doubtful: tuple[int, dict[Path, Stamp | None]] | None = None
        self._interest = Interest()
        self._trouble: str | None = None

    def start(self) -> None:
        """Begins to read and to watch; `opened` is done when all have been read once."""
        self._read(self.systems.open)

    def stop(self) -> None:
        """Ends."""
        self._stopped = True
        self._waiting.clear()
        if self._tick is not None:
            self._tick.cancel()
        self._shared.leave(self)

    def _read(self, what: Callable[[], Iterator[Change]]) -> None:
        self._waiting.append(what)
        if self._reading is None:
            self._go_on()

    def _go_on(self) -> None:
        """Reads one more. Between two, others have their turns."""
        if self._stopped:
            return
        if self._reading is None:
            if not self._waiting:
                return
            self._reading = self._waiting.popleft()()
        reading = self._reading
        step = self._shared.turns.take(lambda: next(reading, None), slow=True)
        step.add_done_callback(self._went_on)

    def _went_on(self, step: asyncio.Future[Change | None]) -> None:
        if self._stopped:
            return
        change: Change | None = None
        if (error := step.exception()) is not None:
            log.error("a prediction could not be read", exc_info=error)
        else:
            change = step.result()
        if change is not None:
            self._tell([change])
            # Not at once: who listens is told while nothing is read, and where files never cease
            # to change that is only now.
            self._loop.call_soon(self._go_on)
            return
        self._reading = None
        if not self.opened.done():
            self._begin_to_watch()
        elif self._told_generation != self._generation:
            # All are asked anew what is of interest, now that all is known.
            self._told_generation = self._generation = self._generation + 1
            self._shared.turns.do(lambda: None)
        if self._reading is None:
            self._go_on()

    def _begin_to_watch(self) -> None:
        freeze()
        self.opened.set_result(None)
        self._shared.join(self)
        self._shared.watch(self)
        self._tick = self._loop.call_later(TICK, self._time_goes_by)
        # What has changed between reading and watching.
        self.changed(self.systems.outdated())

    def _time_goes_by(self) -> None:
        self._tick = self._loop.call_later(TICK, self._time_goes_by)
        if self._late:
            return
        if self._reading is None and not self._shared.turns.busy:
            self._tell(self.systems.tick())
            self._look_back()
        else:
            self._late = True
            self._read(self._catch_up)

    def _look_back(self) -> None:
        """What was found may have become something else, or gone, before it was watched.

        Twice, so that what is being changed at this moment is left to those who watch.
        """
        if self._sure == self._generation:
            return
        outdated = {path: stamp(path) for path in self.systems.outdated()}
        before, self._doubtful = self._doubtful, (self._generation, outdated)
        if before is not None and before[0] == self._generation:
            self._sure, self._doubtful = self._generation, None
            known = before[1]
            self.changed(
                [path for path in outdated.keys() & known if outdated[path] == known[path]]
            )

    def _catch_up(self) -> Iterator[Change]:
        """What time has brought about while something was read."""
        self._late = False
        yield from self.systems.tick()

    # A member

    @property
    def generation(self) -> int:
        """Another number whenever other files may be of interest."""
        return self._generation

    def interest(self) -> Interest:
        """Predictions, also those that may come, golds and configurations."""
        # While they are being found not all are known.
        if self._reading is None:
            self._interest = self.systems.interest()
        return self._interest

    def changed(self, paths: list[Path]) -> None:
        """Files have changed on disk."""
        if not paths:
            return
        if self._reading is None and not self._shared.turns.busy and self._is_little(paths):
            self._shared.turns.do(lambda: self._tell(self.systems.changed(paths)))
            return
        waiting = bool(self._due)
        self._due.update(paths)
        if not waiting:
            self._read(self._changing)

    def _changing(self) -> Iterator[Change]:
        """What has changed while others were read: all at once, and each file once."""
        due, self._due = self._due, set()
        return self.systems.changing(due)

    def _is_little(self, paths: list[Path]) -> bool:
        return len(paths) <= _FEW and all(size_of(path) <= LARGE for path in paths)

    def rested(self) -> None:
        """Nothing runs on what is shared."""

    def _tell(self, changes: list[Change]) -> None:
        if self.systems.trouble != self._trouble:
            self._trouble = self.systems.trouble
            if self._trouble is not None:
                log.warning("the configuration is wrong: %s", self._trouble)
        for change in changes:
            if change.event in (Event.NEW, Event.GONE):
                self._generation += 1
            if self._history is not None:
                note(self._history, change)
            for listener in list(self.listeners):
                listener(change)
