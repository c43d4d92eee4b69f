"""Watches files: the system's events say at once where to look, and looking finds the truth.

Events get lost (queues overflow, links are turned, network file systems send none), so nothing
depends on them: whatever is of interest is also looked at every second. Events only make it
sooner.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from goldlens.server.sources import stamp
from goldlens.server.watching.interest import Interest
from goldlens.server.watching.settling import Limits, Settling

log = logging.getLogger(__name__)

EVERY: Final = 0.9
"""Seconds between two looks at everything."""

SHARE: Final = 20
"""Looking takes at most one part in so many of the time."""

REST: Final = 4
"""After a look at where events were, the next one waits so many times as long as it took: beside
what is watched somebody may write a log without cease.
"""

_NO_NEWS: Final = frozenset(("opened", "closed_no_write"))


class Watcher:
    """Tells of changed files, in the event loop."""

    def __init__(
        self,
        interest: Callable[[], Interest],
        tell: Callable[[list[Path]], None],
        *,
        polling: bool = False,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`interest` is asked, in the loop, what is of interest now; `tell` is told of files that
        have become others, have come or gone. `polling`: no events are asked for.

        To be made in the event loop.
        """
        self._interest, self._tell, self._clock = interest, tell, clock
        self._loop = asyncio.get_running_loop()
        self._settling = Settling(limits)
        self._folders: frozenset[Path] = frozenset()
        self._observer: BaseObserver | None = None
        self._watches: dict[str, tuple[ObservedWatch | None, object]] = {}
        self._polling = polling
        self._events: set[str] = set()
        self._rested = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._scan: asyncio.TimerHandle | None = None
        self._stopped = False

    def start(self) -> None:
        """Begins; files are known as they are now."""
        interest = self._interest()
        for path in interest.files:
            self._settling.know(path, stamp(path))
        self._folders = interest.folders
        self._observe(interest)
        self._scan = self._loop.call_later(EVERY, self._look_everywhere)

    def stop(self) -> None:
        """Ends. A second time: nothing."""
        self._stopped = True
        for timer in (self._timer, self._scan):
            if timer is not None:
                timer.cancel()
        observer, self._observer = self._observer, None
        if observer is not None:
            # Its thread ends by itself; nobody waits for it.
            observer.stop()

    def refresh(self) -> None:
        """What is of interest may be something else now; what is new is known as it is."""
        interest = self._interest()
        for path in interest.files:
            if path not in self._settling:
                self._settling.know(path, stamp(path))
        self._settling.keep(interest.files)
        self._folders = interest.folders
        self._observe(interest)

    def hint(self, paths: Iterable[Path]) -> None:
        """Somebody says that these files have changed."""
        now = self._clock()
        for path in paths:
            if path in self._settling:
                self._settling.look(path, stamp(path), now)
        self._plan()

    # Looking

    def _look_everywhere(self) -> None:
        began = time.perf_counter()
        interest = self._interest()
        now = self._clock()
        for path in interest.files:
            if path in self._settling:
                self._settling.look(path, stamp(path), now)
            else:
                self._settling.appear(path, stamp(path), now)
        self._settling.keep(interest.files)
        self._folders = interest.folders
        self._observe(interest)
        self._plan()
        took = time.perf_counter() - began
        self._scan = self._loop.call_later(max(EVERY, SHARE * took), self._look_everywhere)

    def _plan(self) -> None:
        wait = self._settling.next(self._clock())
        if wait is None or self._stopped:
            self._unplan()
        elif self._timer is None or self._loop.time() + wait < self._timer.when():
            # One that is due sooner stays: events that never cease must not put it off for ever.
            self._unplan()
            self._timer = self._loop.call_later(wait, self._settle)

    def _unplan(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _settle(self) -> None:
        self._timer = None
        now = self._clock()
        # What has happened up to this moment counts.
        for path in self._settling.files if self._settling.busy else ():
            self._settling.look(path, stamp(path), now)
        due = self._settling.due(now, is_whole)
        self._plan()
        if due:
            self._tell(due)

    # Events

    def _observe(self, interest: Interest) -> None:
        """Asks for the events of all folders in which something of interest is."""
        if self._polling or interest.polling or self._stopped:
            for name in list(self._watches):
                self._unwatch(name)
            return
        wanted = {str(folder): True for folder in interest.folders if folder.is_dir()}
        roots = [Path(os.path.realpath(name)) for name in wanted]
        real = (Path(os.path.realpath(path)) for path in interest.files)
        for folder in {path.parent for path in (*interest.files, *real)}:
            # Each watch costs threads and one of the few that the system lets a user have: none
            # for what is heard of anyhow.
            if folder.is_dir() and not _within(folder, roots):
                wanted.setdefault(str(folder), False)
        if self._observer is None:
            self._observer = Observer()
            self._observer.daemon = True
            self._observer.start()
        for name in [name for name in self._watches if name not in wanted]:
            self._unwatch(name)
        for name, recursive in wanted.items():
            known = self._watches.get(name)
            # A folder that was taken away and made again is another one.
            which = _identity(name), recursive
            if known is None or known[1] != which:
                if known is not None:
                    self._unwatch(name)
                self._watch(name, recursive, which)

    def _watch(self, name: str, recursive: bool, which: object) -> None:
        assert self._observer is not None
        watch = None
        try:
            watch = self._observer.schedule(_Handler(self._seen), name, recursive=recursive)
        except OSError as error:
            # No more watches to be had, or no such thing here: looking goes on all the same.
            log.info("no events of %s: %s", name, error)
        self._watches[name] = watch, which

    def _unwatch(self, name: str) -> None:
        watch, _ = self._watches.pop(name)
        if self._observer is not None and watch is not None:
            try:
                self._observer.unschedule(watch)
            except (KeyError, OSError) as error:
                log.info("events of %s had ended: %s", name, error)

    def _seen(self, paths: list[str]) -> None:
        """Events, in the observer's thread."""
        first = not self._events
        self._events.update(paths)
        if first and not self._stopped:
            try:
                self._loop.call_soon_threadsafe(self._look_at_events)
            except RuntimeError:
                # The loop has ended meanwhile.
                self._stopped = True

    def _look_at_events(self) -> None:
        if self._stopped:
            return
        began = self._loop.time()
        if began < self._rested:
            self._loop.call_at(self._rested, self._look_at_events)
            return
        events, self._events = self._events, set()
        now = self._clock()
        settling = self._settling
        unknown = False
        for name in events:
            path = Path(name)
            if path in settling:
                settling.look(path, stamp(path), now)
            else:
                unknown = True
        if unknown:
            # A folder that was moved, the target of a link, or a new file that may be of interest.
            for path in settling.files:
                settling.look(path, stamp(path), now)
            if self._folders:
                for path in self._interest().files:
                    if path not in settling:
                        settling.appear(path, stamp(path), now)
        self._plan()
        ended = self._loop.time()
        self._rested = ended + REST * (ended - began)


def _within(folder: Path, roots: Iterable[Path]) -> bool:
    """Whether a folder really is one of the `roots`, or below it."""
    real = Path(os.path.realpath(folder))
    return any(real.is_relative_to(root) for root in roots)


def _identity(name: str) -> tuple[int, int] | None:
    try:
        found = Path(name).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class _Handler(FileSystemEventHandler):
    """Passes on the paths of events that may be news."""

    def __init__(self, seen: Callable[[list[str]], None]) -> None:
        self._seen = seen

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _NO_NEWS:
            return
        paths = (event.src_path, getattr(event, "dest_path", ""))
        self._seen([os.fsdecode(path) for path in paths if path])


def is_whole(path: Path) -> bool:
    """Whether a text file ends as one that has been written to its end does.

    What is no file, such as a pipe, has no end to be waited for, and is not opened.
    """
    try:
        if not path.is_file():
            return True
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            if not size:
                return False
            file.seek(size - 1)
            return file.read(1) in (b"\n", b"\r")
    except OSError:
        return True
