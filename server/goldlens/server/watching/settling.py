"""When what happens to a file is over.

Editors write a new file and rename it, programs write in pieces, version control takes files away
and puts others back. What is told of a file is told once it has been left alone for a while; of
one that never is, after so long at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from goldlens.server.sources import Stamp


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds. A change is over when nothing has happened for `quiet`; a file is gone when it has
    been `absent` so long; one that breaks off in the middle of a line may go on for `unfinished`.
    Whatever happens, a change is told after `latest`.
    """

    quiet: float = 0.2
    absent: float = 0.5
    unfinished: float = 0.9
    latest: float = 1.1


@dataclass(slots=True)
class _Pending:
    stamp: Stamp | None
    first: float
    last: float


class Settling:
    """Files, what was told of each last, and what has happened since.

    It looks at no clock and no disk: it is given times, stamps, and whether a file ends as a whole
    one does.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._told: dict[Path, Stamp | None] = {}
        self._pending: dict[Path, _Pending] = {}

    def __contains__(self, path: Path) -> bool:
        return path in self._told

    @property
    def files(self) -> list[Path]:
        """The files that are looked after."""
        return list(self._told)

    @property
    def busy(self) -> bool:
        """Whether something happens that has not been told."""
        return bool(self._pending)

    def know(self, path: Path, stamp: Stamp | None) -> None:
        """A file that is known as it is now."""
        self._told[path] = stamp
        self._pending.pop(path, None)

    def keep(self, paths: Iterable[Path]) -> None:
        """Forgets all files but these."""
        kept = set(paths)
        for path in [path for path in self._told if path not in kept]:
            del self._told[path]
            self._pending.pop(path, None)

    def look(self, path: Path, stamp: Stamp | None, now: float) -> None:
        """A file that is looked after was found like this."""
        if self._told[path] == stamp:
            self._pending.pop(path, None)
            return
        pending = self._pending.get(path)
        if pending is None:
            self._pending[path] = _Pending(stamp, now, now)
        elif pending.stamp != stamp:
            pending.stamp, pending.last = stamp, now

    def appear(self, path: Path, stamp: Stamp | None, now: float) -> None:
        """A file that nobody knew of: all of it is news."""
        self._told[path] = None
        self.look(path, stamp, now)

    def due(self, now: float, is_whole: Callable[[Path], bool]) -> list[Path]:
        """The files to be told of now; they are known as they are from then on."""
        found = []
        for path, pending in list(self._pending.items()):
            if now >= self._when(pending, path, is_whole, now):
                self.know(path, pending.stamp)
                found.append(path)
        return found

    def next(self, now: float) -> float | None:
        """Seconds until it is worth asking again; None if nothing happens."""
        if not self._pending:
            return None
        times = [self._earliest(pending) for pending in self._pending.values()]
        return max(0.01, min(times) - now)

    def _earliest(self, pending: _Pending) -> float:
        limits = self._limits
        quiet = limits.absent if pending.stamp is None else limits.quiet
        return min(pending.last + quiet, pending.first + limits.latest)

    def _when(
        self, pending: _Pending, path: Path, is_whole: Callable[[Path], bool], now: float
    ) -> float:
        earliest = self._earliest(pending)
        if earliest > now or pending.stamp is None or is_whole(path):
            return earliest
        limits = self._limits
        return min(pending.last + limits.unfinished, pending.first + limits.latest)
