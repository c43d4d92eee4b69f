"""What the connections of one process share: golds, turns, and one look at the disk.

Each connection is a member with a workspace of its own. A file that has changed is read once, and
every member is told; calls of all their workspaces wait for one another in one queue, since what
they share belongs to one caller at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from goldlens.server import config as configuration
from goldlens.server.buffers import LARGE
from goldlens.server.library import Library
from goldlens.server.sources import size_of
from goldlens.server.turns import Turns
from goldlens.server.watching.interest import Interest

if TYPE_CHECKING:
    from goldlens.server.watched import Watched
    from goldlens.server.watching.watcher import Watcher

log = logging.getLogger(__name__)


class Member(Protocol):
    """Who shares. All of it is called in the event loop."""

    @property
    def generation(self) -> int:
        """Another number whenever `interest` may be something else."""

    def interest(self) -> Interest:
        """The files whose changes matter; called only while nobody uses the workspaces."""

    def changed(self, paths: list[Path]) -> None:
        """Files have changed on disk. Golds among them have been read again."""

    def rested(self) -> None:
        """Nothing runs on the workspaces any more."""


class Shared:
    """The library, the turns and the watcher of a process. To be made in the event loop."""

    def __init__(self) -> None:
        self.library = Library()
        self.turns = Turns(self._rested)
        self._members: list[Member] = []
        self._watching: list[Member] = []
        self._watcher: Watcher | None = None
        self._interest = Interest()
        self._generations: list[int] = []
        # Once for each that needs them.
        self._watched: list[Watched] = []

    def join(self, member: Member) -> None:
        """From now on a member is told when all rest."""
        self._members.append(member)

    def leave(self, member: Member) -> None:
        """A member is told nothing more. A second time: nothing."""
        if member in self._members:
            self._members.remove(member)
        self.unwatch(member)
        self.library.tidy()

    def watch(self, member: Member) -> None:
        """From now on the files that a member is interested in are watched."""
        # Only now: importing watchdog takes a while, and a client waits for initialize.
        from goldlens.server.watching.watcher import Watcher

        if member not in self._watching:
            self._watching.append(member)
        if self._watcher is None:
            self._watcher = Watcher(self._ask, self._changed)
            self._watcher.start()
        self._refresh()

    def unwatch(self, member: Member) -> None:
        """The files of a member need not be watched any more."""
        if member in self._watching:
            self._watching.remove(member)
        if self._watching:
            self._refresh()
            return
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.stop()

    def hint(self, paths: Iterable[Path]) -> None:
        """Somebody says that files have changed."""
        if self._watcher is not None:
            self._watcher.hint(paths)

    def predictions(self, folder: Path) -> Watched:
        """The predictions that the configuration of a folder names, from now on watched.

        Whoever asked says when it is `done_with` them.
        """
        from goldlens.server.watched import Watched

        config = configuration.find(folder, None)
        for watched in self._watched:
            same = configuration.find(watched.root, None) == config
            if folder.is_relative_to(watched.root) and same:
                break
        else:
            watched = Watched(folder, self)
            watched.start()
        self._watched.append(watched)
        return watched

    def done_with(self, watched: Watched) -> None:
        """Somebody who asked for predictions needs them no more."""
        self._watched.remove(watched)
        if watched not in self._watched:
            watched.stop()

    def share(self, watched: Watched) -> None:
        """Predictions that are watched anyhow, and may be used by all."""
        self._watched.append(watched)

    def _rested(self) -> None:
        for member in list(self._members):
            member.rested()
        self._refresh()

    def _refresh(self) -> None:
        """Other documents may be open now, and other files of interest."""
        generations = [member.generation for member in self._watching]
        if self._watcher is None or self.turns.busy or generations == self._generations:
            return
        self._generations = generations
        before = self._interest
        if self._ask() != before:
            self._watcher.refresh()

    def _ask(self) -> Interest:
        # While something runs on a workspace in a thread, what was of interest still is.
        if not self.turns.busy:
            interests = [member.interest() for member in self._watching]
            self._interest = Interest(
                frozenset().union(*(interest.files for interest in interests)),
                frozenset().union(*(interest.folders for interest in interests)),
                any(interest.polling for interest in interests),
            )
        return self._interest

    def _changed(self, paths: list[Path]) -> None:
        slow = any(size_of(path) > LARGE for path in paths)
        self.turns.do(lambda: self.library.look_again(paths), slow=slow)
        for member in list(self._watching):
            member.changed(paths)
