"""Every prediction that a configuration names, scored, and scored again as files change.

Without a configuration that has pairs it is those that face a gold by their names. Nothing here
watches: `interest` says what to watch, and `changed` is told what has become something else. Only
that is read again, and compared as far as it differs. Whatever is wrong with a file is the
`trouble` of the systems it belongs to, and never an exception.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from goldlens.scoring.task import GOLD, Format
from goldlens.server import config as configuration
from goldlens.server.buffers import LARGE, no_collection
from goldlens.server.config import Config, Settings, lexical
from goldlens.server.engine.document import Splice
from goldlens.server.kinds import EXTENSIONS
from goldlens.server.ondisk import OnDisk
from goldlens.server.pairing import Pairing, expand, gold_for, gold_of
from goldlens.server.sources import Stamp, Unreadable, read, stamp
from goldlens.server.system import Gold, Key, System, key_of
from goldlens.server.watching.interest import Interest

_NAMES: Final = (configuration.FILE, configuration.PYPROJECT)
_WILD: Final = frozenset("*?[")


class Event(StrEnum):
    """What has happened to a system."""

    NEW = "new"
    """It was not there before."""
    SCORE = "score"
    """It scores anew, or can be believed again."""
    TROUBLE = "trouble"
    """What its files hold cannot be scored; the score it has is stale."""
    GONE = "gone"
    """There is no such prediction any more, or nothing names it."""


@dataclass(frozen=True, slots=True)
class Change:
    """An event, and the system that it happened to."""

    event: Event
    system: System


class Systems:
    """The systems that belong to a path.

    `trouble` says what is wrong with the configuration, and where. `all` has the systems in the
    order of its pairs, those of a pair by their paths.
    """

    def __init__(
        self,
        path: Path,
        metrics: Sequence[str] = (),
        clock: Callable[[], float] = time.time,
        *,
        by_name: bool = True,
    ) -> None:
        """`path`: a configuration, or a folder or a prediction that one is looked for above.

        Below a folder only its predictions are systems. `metrics` are names that will be wanted.
        Without `by_name` only what a configuration names is a system. Nothing is read before
        `open`.
        """
        self.path = lexical(path)
        self.config: Config | None = None
        self.trouble: str | None = None
        self._metrics, self._clock, self._named = tuple(metrics), clock, by_name
        self._config_read: tuple[Path | None, Stamp | None] = None, None
        self._systems: dict[Key, System] = {}
        self._gone: dict[Key, System] = {}
        self._golds: dict[tuple[Path, Format], Gold] = {}

    @property
    def all(self) -> list[System]:
        """The systems there are."""
        return list(self._systems.values())

    def unknown(self, names: Iterable[str]) -> tuple[str, list[str]] | None:
        """The first of some names that is no metric of any system, and the metrics there are.

        None if all are, or if no system has been scored yet.
        """
        known = {name for system in self.all if system.score for name in system.score.figures}
        for name in names:
            base, dot, part = name.rpartition(".")
            is_part = bool(dot) and base in known and part in ("precision", "recall")
            if known and name not in known and not is_part:
                return name, sorted(known)
        return None

    def at(self, path: Path) -> System | None:
        """The first system whose prediction is at a path."""
        return next((system for system in self.all if system.pairing.pred == path), None)

    @property
    def pending(self) -> bool:
        """Whether a file looks unfinished, and is waited for."""
        return any(source.unfinished for source in self._sources())

    def open(self) -> Iterator[Change]:
        """Finds and reads everything, and tells of each system as soon as it is scored."""
        self._configure()
        yield from self._find()

    def interest(self) -> Interest:
        """What is to be watched: predictions, those that come too, golds, what configures them."""
        files = {system.pairing.pred for system in self.all}
        files.update(system.profile for system in self.all if system.profile)
        files.update(pairing.pred for pairing in self._pairings())
        files.update(
            system.pairing.gold for system in self.all if system.pairing.gold.is_absolute()
        )
        folders = {self.path, *self.path.parents} if self.path.name not in _NAMES else set()
        files.update(folder / name for folder in folders for name in _NAMES)
        if self.path.name in _NAMES:
            files.add(self.path)
        polling = self.config is not None and self.config.settings.watch == "poll"
        return Interest(frozenset(files), frozenset(self._roots()), polling)

    def changed(self, paths: Iterable[Path]) -> list[Change]:
        """What has happened to systems, now that these files have become others, came or went.

        A system that has got other settings and another text has one change.
        """
        return list({change.system: change for change in self.changing(paths)}.values())

    def changing(self, paths: Iterable[Path]) -> Iterator[Change]:
        """The same, told of each system as soon as it is scored.

        Nothing else may be asked of the systems but what they score until it has come to its end.
        """
        told = set(paths)
        fresh: set[System] = set()
        found: Iterator[Change] = iter(())
        if any(path.name in _NAMES for path in told):
            self._configure()
            found = self._find()
        elif any(self._is_news(path) for path in told):
            found = self._find()
        for change in found:
            if change.event is Event.NEW:
                fresh.add(change.system)
            yield change
        yield from self._look(told, fresh)

    def tick(self) -> list[Change]:
        """What has happened because time went by; to be called about twice a second.

        A file that is not there is left to `changed`: who watches tells whether it has gone.
        """
        now = self._clock()
        due = {s.path for s in self._sources() if s.again is not None and s.again <= now}
        due = {path for path in due if stamp(path) is not None}
        return list(self._look(due, set())) if due else []

    def outdated(self) -> list[Path]:
        """The files that are not what was read of them any more, and those nobody has read."""
        found = [source.path for source in self._sources() if source.stamp != stamp(source.path)]
        found += [s.profile for s in self.all if s.profile and not s.follows_profile]
        known = {system.pairing.pred for system in self.all}
        found += [each.pred for each in self._pairings() if each.pred not in known]
        config = self._config_path()
        if (config, stamp(config) if config else None) != self._config_read:
            found.append(config or self._config_read[0] or self.path / configuration.FILE)
        return found

    # Reading

    def _sources(self) -> Iterator[OnDisk]:
        yield from (system.source for system in self.all)
        yield from (gold.source for gold in self._golds.values())

    def _look(self, paths: set[Path], done: set[System]) -> Iterator[Change]:
        """Reads files again, if they are known and their systems not `done`.

        Golds first: a system is told of once, when all of its files have been read.
        """
        affected = dict.fromkeys(s for s in self.all if s.profile in paths and s not in done)
        for (path, _), gold in list(self._golds.items()):
            if path in paths:
                facing = [system for system in self.all if system.gold is gold]

                def tell(splice: Splice, facing: list[System] = facing) -> None:
                    for system in facing:
                        system.told(GOLD, splice)

                gold.look(self._clock(), tell)
                affected |= dict.fromkeys(facing)
        changed = {s for s in self.all if s.pairing.pred in paths and s not in done}
        for system in [s for s in self.all if s in affected or s in changed]:
            now = self._clock()
            if system in changed:
                with no_collection(_is_large(system.pairing.pred)):
                    system.look(now, self._gold_of(system, now))
            if system.settle(now):
                event = Event.SCORE if system.trouble is None else Event.TROUBLE
                yield Change(event, system)

    def _gold_of(self, system: System, now: float) -> Callable[[Format], Gold]:
        def gold(format: Format) -> Gold:
            path = system.pairing.gold
            known = self._golds.get((path, format))
            if known is None:
                known = self._golds[path, format] = Gold(OnDisk(path), format)
                known.look(now, lambda splice: None)
            return known

        return gold

    # Finding

    def _is_news(self, path: Path) -> bool:
        """Whether a file has come, or has gone, that may be a prediction."""
        known = any(system.pairing.pred == path for system in self.all)
        if known:
            return not path.is_file()
        golds = {gold for gold, _ in self._golds}
        return path not in golds and all(system.profile != path for system in self.all)

    def _configure(self) -> None:
        """Reads the configuration; one that is broken leaves what was known."""
        before, self.trouble = self.config, None
        found = self._config_path()
        self._config_read = found, stamp(found) if found else None
        if found is None:
            self.config = None
            return
        try:
            config = configuration.parse(read(found).decode("utf-8-sig", "replace"), found)
        except Unreadable as error:
            self.trouble = f"{found}:1:1: error[file]: {error}"
            return
        for problem in config.problems[:1]:
            line, column = problem.place.line + 1, problem.place.start + 1
            said = f"{problem.severity.label}[{problem.code}]: {problem.message}"
            self.trouble = f"{found}:{line}:{column}: {said}"
        if config.problems and not config.pairs and before is not None and before.pairs:
            return
        self.config = config

    def _config_path(self) -> Path | None:
        """Where the configuration is now."""
        return self.path if self.path.name in _NAMES else configuration.find(self.path, None)

    def _find(self) -> Iterator[Change]:
        """Finds the systems there are now; those that are known are kept."""
        settings = self.config.settings if self.config is not None else Settings()
        before = self._systems
        wanted: dict[Key, Pairing] = {}
        for pairing in self._pairings():
            wanted.setdefault(key_of(pairing), pairing)
        for key, system in before.items():
            if key not in wanted:
                # Its scores are remembered, should it come back; what was read is not.
                self._gone[key], system.at = system, self._clock()
                yield Change(Event.GONE, system)
        self._systems = {key: before[key] for key in wanted if key in before}
        for key, pairing in wanted.items():
            now = self._clock()
            if key in before:
                system = before[key]
                system.pairing = pairing
                system.rejudge(settings)
                if system.source.sha256 is None:
                    system.look(now, self._gold_of(system, now))
                if system.settle(now):
                    event = Event.SCORE if system.trouble is None else Event.TROUBLE
                    yield Change(event, system)
                continue
            system = System(pairing, settings, self._metrics)
            if (gone := self._gone.pop(key, None)) is not None:
                system.start, system.before, system.score = gone.start, gone.before, gone.score
            self._systems[key] = system
            with no_collection(_is_large(pairing.pred)):
                system.look(now, self._gold_of(system, now))
                system.settle(now)
            system.at = now
            yield Change(Event.NEW, system)
        self._systems = {key: self._systems[key] for key in wanted}
        self._forget()

    def _forget(self) -> None:
        """Lets go of golds that nobody faces, and of what is held of systems that have gone."""
        facing = {id(system.gold) for system in self.all}
        self._golds = {key: gold for key, gold in self._golds.items() if id(gold) in facing}
        for system in self._gone.values():
            system.document = system.gold = system.pair = None

    def _pairings(self) -> list[Pairing]:
        """What is on disk now that faces a gold."""
        config = self.config
        if config is None or not config.pairs:
            return self._by_name() if self._named and self.path.name not in _NAMES else []
        found = []
        whole = self.path in (config.path, config.folder) or not self._is_below(config.folder)
        for pair, path, system in expand(config):
            if not whole and not path.is_relative_to(self.path):
                continue
            found.append(Pairing(path, gold_of(pair, config), pair, system, "config"))
        return found

    def _is_below(self, folder: Path) -> bool:
        return self.path.is_relative_to(folder)

    def _by_name(self) -> list[Pairing]:
        """The predictions at the path that face a gold by their names, called by their paths."""
        if self.path.is_file():
            candidates = [self.path]
        else:
            candidates = []
            for folder, folders, names in os.walk(self.path):
                folders[:] = sorted(name for name in folders if not name.startswith("."))
                paths = [Path(folder) / name for name in sorted(names)]
                candidates += [path for path in paths if path.suffix in EXTENSIONS]
        found = []
        for path in candidates:
            facing = gold_for(path, None)
            if facing is not None:
                name = str(path.relative_to(self.path)) if path != self.path else path.name
                found.append(Pairing(path, facing.gold, facing.pair, name, "name"))
        return found

    def _roots(self) -> Iterator[Path]:
        """The folders in which predictions may come, as far as they are no whole project."""
        if self.config is None:
            return
        for pair in self.config.pairs:
            parts = lexical(self.config.folder / pair.pred).parts
            wild = next((k for k, part in enumerate(parts) if _WILD & set(part)), None)
            if wild is not None:
                root = Path(*parts[:wild])
                if root != self.config.folder and root.is_relative_to(self.config.folder):
                    yield root


def _is_large(path: Path) -> bool:
    found = stamp(path)
    return found is not None and found.size > LARGE
