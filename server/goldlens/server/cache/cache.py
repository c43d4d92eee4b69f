"""Large treebanks and their comparisons, opened from what an earlier run found out about them.

What is opened so is what it would be without: the same units, sums, segments and counts. What is
known of a text is known by the SHA-256 of its bytes. Of a text that has changed the stretches
that have not are known, by theirs; its path says which earlier text it may be made from.

Spans, classes and stems are opened without a cache.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from weakref import WeakKeyDictionary

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import GOLD, PRED, Format, Task
from goldlens.scoring.text import BOM
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.task import UD
from goldlens.server.cache import comparisons
from goldlens.server.cache.columns import Unusable
from goldlens.server.cache.comparisons import Compared, same_segments
from goldlens.server.cache.reading import Opened, Reading, known_of, open_again, packed, unpacked
from goldlens.server.cache.store import Store, log
from goldlens.server.cache.writer import Writer
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.sources import sha256

SMALL: Final = 1 << 20
"""A text of fewer bytes is opened sooner than it is looked for."""

_SOON: Final = 1.0
"""Seconds before anything is written: a score that is about to be told comes first."""
_QUIET: Final = 30.0
"""Seconds for which a text that changes is to stay as it is before it is written again."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is to be opened, and how (see `Document`).

    `path` is where it is on disk, `sha256` that of its bytes, if they are known.
    """

    data: bytes
    path: Path | None = None
    sha256: str | None = None
    checks: bool = True
    later: bool = False
    extra: Collection[str] = ()
    judge: Callable[[Problem], Severity | None] = lambda problem: problem.severity


@dataclass(slots=True)
class _Origin:
    """What is known of an open document.

    `sha256`: of its text, as it was opened; `base`: that of the text it was made from, which is
    the same one if nothing has changed, None if all of it was read. `kept`: whether its entry is
    on disk, or will be.
    """

    sha256: str
    reading: Reading
    path: Path | None
    base: str | None = None
    opened: Opened | None = None
    kept: bool = False

    @property
    def unchanged(self) -> bool:
        """Whether all of it was known."""
        return self.base == self.sha256


class Cache:
    """Opens documents and pairs, and keeps what was found out about them."""

    def __init__(self, store: Store | None, version: Callable[[], str], small: int = SMALL) -> None:
        """Without a store nothing is kept. What another `version` kept is not looked at."""
        self._store, self._version, self._small = store, version, small
        self._writer = Writer()
        self._origins: WeakKeyDictionary[Document, _Origin] = WeakKeyDictionary()
        self._kept: WeakKeyDictionary[Pair, tuple[str, str]] = WeakKeyDictionary()

    def document(self, format: Format, text: Text) -> Document:
        """A document of a text."""
        reading = Reading(text.checks and not text.later, tuple(sorted(text.extra)))
        origin = self._find(format, text, reading)
        return self._open(format, text, origin)

    def both(self, task: Task, gold: Text, pred: Text, match: str) -> Pair | None:
        """The pair of two large texts, opened in one pass where they are not known.

        None if the task has no such pass. Raises Incomparable (see `scoring.task`).
        """
        texts, reading = (gold, pred), Reading(False, ())
        formats = task.format(GOLD), task.format(PRED)
        origins = [self._find(f, text, reading) for f, text in zip(formats, texts, strict=True)]
        units: tuple[list[Any] | None, ...] = (None, None)
        counts = None
        if not all(origin and origin.opened for origin in origins):
            opened = task.open_both(*(text.data.removeprefix(BOM) for text in texts))
            if opened is None:
                return None
            units, counts = (opened.gold, opened.pred), opened.counts
            for origin in origins:
                if origin is not None:
                    origin.base = origin.opened = None
                    origin.kept = False
        documents = [self._open(formats[k], texts[k], origins[k], units[k]) for k in (GOLD, PRED)]
        return self.pair(task, documents[GOLD], documents[PRED], match, counts)

    def pair(
        self, task: Task, gold: Document, pred: Document, match: str = "auto", known: Any = None
    ) -> Pair:
        """A pair of two documents (see `Pair`). Raises what that raises."""
        theirs, ours = self._origins.get(gold), self._origins.get(pred)
        as_opened = gold.as_opened and pred.as_opened
        if theirs is None or ours is None or not as_opened or task is not UD:
            # What was counted is kept of trees as they are written, not under a profile.
            return Pair(task, gold, pred, match, known)
        before = self._compared(match, theirs, ours)
        if before is None:
            pair = Pair(task, gold, pred, match, known)
        elif theirs.unchanged and ours.unchanged:
            return _as_it_was(task, gold, pred, match, ours, before)
        else:
            pair = _with_what_is_left(task, gold, pred, match, (theirs, ours), before)
        self._keep(pair, theirs, ours)
        return pair

    def finish(self) -> None:
        """Writes what is yet to be written."""
        self._writer.finish()

    # Texts

    def _open(
        self,
        format: Format,
        text: Text,
        origin: _Origin | None,
        units: list[Any] | None = None,
    ) -> Document:
        known = None
        if origin is not None and origin.opened is not None:
            body = text.data.removeprefix(BOM)
            known = known_of(origin.opened.sentences, body, later=origin.unchanged)
        document = Document(
            format,
            text.data,
            checks=text.checks,
            later=text.later,
            units=units,
            known=known,
            extra=text.extra,
            judge=text.judge,
        )
        if origin is not None:
            self._origins[document] = origin
        return document

    def _find(self, format: Format, text: Text, reading: Reading) -> _Origin | None:
        """What is known of a text; None if it is none to keep anything of."""
        if self._store is None or format is not UD or len(text.data) < self._small:
            return None
        origin = _Origin(text.sha256 or sha256(text.data), reading, text.path)
        body = text.data.removeprefix(BOM)
        latest = self._store.get(self._latest(origin)) if text.path else None
        for base in (origin.sha256, latest):
            values = self._store.get(self._key("text", *reading.parts, base)) if base else None
            if values is None:
                continue
            try:
                origin.opened = open_again(unpacked(values), body, reading, base == origin.sha256)
            except Unusable as error:
                log.info("cache: what was kept of %s is of no use: %s", text.path, error)
            if origin.opened is not None:
                origin.base, origin.kept = base, base == origin.sha256
                break
        if origin.kept and text.path and latest != origin.sha256:
            self._store.put(self._latest(origin), origin.sha256)
        return origin

    # Pairs

    def _compared(self, match: str, theirs: _Origin, ours: _Origin) -> Compared | None:
        if theirs.opened is None or ours.opened is None or self._store is None:
            return None
        values = self._store.get(self._key("pair", match, theirs.base, ours.base))
        try:
            units = theirs.opened.units_before, ours.opened.units_before
            return None if values is None else comparisons.unpacked(values, *units)
        except Unusable as error:
            log.info("cache: what was kept of %s is of no use: %s", ours.path, error)
        return None

    # Keeping

    def renew(self, pair: Pair, gold: str, pred: str) -> None:
        """The texts of a pair have become others, of these SHA-256, by edits to its documents.

        What is known of them is kept, unless they change again soon.
        """
        theirs, ours = self._origins.get(pair.gold), self._origins.get(pair.pred)
        if theirs is None or ours is None or self._kept.get(pair) == (gold, pred):
            return
        if pair.task is not UD:
            return
        for origin, digest in ((theirs, gold), (ours, pred)):
            if origin.sha256 != digest:
                origin.sha256, origin.kept = digest, False
                origin.base = origin.opened = None
        self._keep(pair, theirs, ours, _QUIET)

    def _keep(self, pair: Pair, theirs: _Origin, ours: _Origin, wait: float = _SOON) -> None:
        """Has all written that is not there yet, of what these are at this moment."""
        pairing = pair.pairing
        if not isinstance(pairing, Pairing):
            return
        self._kept[pair] = theirs.sha256, ours.sha256
        middle = pairing.middle.start, pairing.middle.stop
        compared = Compared(pairing.rows, middle, list(pair.comparisons))
        names = [self._latest(origin) for origin in (theirs, ours)]
        key = self._key("pair", pair.match, theirs.sha256, ours.sha256)
        values = comparisons.packed(compared)
        self._writer.add((*names, pair.match), self._written(key, values), wait)
        for name, origin, document in zip(
            names, (theirs, ours), (pair.gold, pair.pred), strict=True
        ):
            if not origin.kept:
                origin.kept = True
                sentences = None if origin.opened is None else origin.opened.sentences
                key = self._key("text", *origin.reading.parts, origin.sha256)
                values = packed(list(document.units), sentences)
                latest = name if origin.path else None
                self._writer.add(name, self._written(key, values, latest, origin.sha256), wait)

    def _written(
        self, key: str, values: Iterator[Any], latest: str | None = None, sha256: str = ""
    ) -> Iterator[None]:
        assert self._store is not None
        last: Any = None
        for value in values:
            last = value
            yield
        self._store.put(key, last)
        if latest is not None:
            self._store.put(latest, sha256)

    def _latest(self, origin: _Origin) -> str:
        """What names a text whatever it says: its path, or else its SHA-256."""
        return self._key("latest", *origin.reading.parts, origin.path or origin.sha256)

    def _key(self, *parts: object) -> str:
        return "\0".join(map(str, (self._version(), *parts)))


def _as_it_was(
    task: Task, gold: Document, pred: Document, match: str, ours: _Origin, before: Compared
) -> Pair:
    """A pair of two texts of which all is known."""
    assert ours.opened is not None
    ids: tuple[Counter[Any], Counter[Any]] = Counter(gold.keys), Counter(pred.keys)
    characters = ours.opened.sentences.columns["characters"].copy()
    pairing = Pairing.known(
        gold.units, pred.units, match, (before.rows, before.middle), ids, characters
    )
    return Pair(task, gold, pred, match, pairing=pairing, comparisons=list(before.comparisons))


def _with_what_is_left(
    task: Task,
    gold: Document,
    pred: Document,
    match: str,
    origins: tuple[_Origin, _Origin],
    before: Compared,
) -> Pair:
    """A pair of which those segments are known that have not changed."""
    pairing = task.pair(gold.units, pred.units, match)
    assert isinstance(pairing, Pairing)
    theirs, ours = (origin.opened.numbers for origin in origins if origin.opened is not None)
    same = same_segments(before.rows, pairing.rows, theirs, ours).tolist()
    found: list[Any] = []
    while len(found) < len(same):
        first = stop = len(found)
        while stop < len(same) and same[stop] < 0:
            stop += 1
        if stop > first:
            segments = [pairing[number] for number in range(first, stop)]
            found += task.compare(gold.units, pred.units, segments)
            continue
        while stop < len(same) and same[stop] >= 0:
            stop += 1
        found += [before.comparisons[number] for number in same[first:stop]]
    return Pair(task, gold, pred, match, pairing=pairing, comparisons=found)
