"""Pairing by name: predicted units face the gold units of the same key, in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.task import GOLD, PRED

_MANY: Final = 64
"""More look-ups than that are worth a dictionary of a whole list."""


class KeyedPairing:
    """One segment for each predicted unit, in order, then one for each gold unit.

    A predicted unit without a key is BLANK; REPEATED if its key stood before; EXTRA if gold lacks
    it; else PAIR, with the first gold unit that has the key. A gold unit is MISSING if it is the
    first to have keys that the prediction lacks (`Segment.detail` has them, in the unit's order);
    else BLANK, or GOLD if gold units count `by_itself`.

    The lists are the caller's: it changes them, then calls `update`.
    """

    def __init__(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        *,
        keys: Callable[[Any], Sequence[Hashable]],
        key: Callable[[Any], Hashable | None],
        by_itself: bool = False,
    ) -> None:
        """`keys`: what a gold unit is called; `key`: what a predicted one is, None for nothing."""
        self._gold, self._pred, self._key = gold, pred, key
        self._rest = Kind.GOLD if by_itself else Kind.BLANK

        def names(unit: Any) -> Sequence[Hashable]:
            name = key(unit)
            return () if name is None else (name,)

        self._names = (keys, names)
        self._places = (Places(gold, keys), Places(pred, names))
        there: Counter[Hashable] = Counter(k for unit in gold for k in keys(unit))
        here: Counter[Hashable] = Counter(map(key, pred))
        del here[None]
        self._known = (there, here)
        self._missing = {k for k in there if k not in here}
        self._extra = {k for k in here if k not in there}
        self._doubled = {k for k, count in here.items() if count > 1}

    def __len__(self) -> int:
        return len(self._pred) + len(self._gold)

    def __getitem__(self, index: int) -> Segment:
        before = len(self._pred)
        return self._of_pred(index) if index < before else self._of_gold(index - before)

    def __iter__(self) -> Iterator[Segment]:
        gold, pred = self._places
        gold.expect(len(self._pred))
        pred.expect(len(self._pred))
        key, plain, pair = self._key, self._plain(), Kind.PAIR
        for index, unit in enumerate(self._pred):
            if (name := key(unit)) in plain:
                at = gold.first(name)
                yield Segment(pair, range(at, at + 1), range(index, index + 1))
            else:
                yield self[index]
        before = len(self._pred)
        if self._missing:
            yield from (self[before + index] for index in range(len(self._gold)))
            return
        rest, there = self._rest, range(before, before)
        for index in range(len(self._gold)):
            yield Segment(rest, range(index, index + 1), there)

    def _plain(self) -> Collection[Hashable | None]:
        """The keys that stand on both sides, in the prediction once."""
        there, here = self._known
        return {k for k, count in here.items() if count == 1 and k in there}

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        segment = self[index]
        return segment.gold.start, segment.pred.start

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side.

        A gold unit that is compared is also in the segment of the predicted unit it faces.
        """
        shift = 0 if side == PRED else len(self._pred)
        return range(start + shift, stop + shift)

    @property
    def agrees(self) -> bool:
        """Always: order means nothing here."""
        return True

    def uncompared(self) -> Iterator[int]:
        """The segments that are not compared and not blank, ascending.

        Gold units that count by themselves are no part of it, unless they miss something.
        """
        gold, pred = self._places
        gold.expect(len(self._missing))
        pred.expect(len(self._extra) + len(self._doubled))
        numbers = {pred.first(key) for key in self._extra}
        for key in self._doubled:
            numbers.update(pred.every(key)[1:])
        before = len(self._pred)
        numbers.update([before + gold.first(key) for key in self._missing])
        return iter(sorted(numbers))

    def offset(self, unit: int) -> int:
        """Nothing precedes a unit that its problems would count."""
        return 0

    def _of_pred(self, index: int) -> Segment:
        gold, pred = self._places
        here, there = range(index, index + 1), range(0)
        key = self._key(self._pred[index])
        if key is None:
            return Segment(Kind.BLANK, there, here)
        if key in self._doubled and pred.first(key) != index:
            return Segment(Kind.REPEATED, there, here)
        if key in self._extra:
            return Segment(Kind.EXTRA, there, here)
        at = gold.first(key)
        return Segment(Kind.PAIR, range(at, at + 1), here)

    def _of_gold(self, index: int) -> Segment:
        there, here = range(index, index + 1), range(len(self._pred), len(self._pred))
        if self._missing:
            names, missing = self._names[GOLD](self._gold[index]), self._missing
            lacking = [key for key in dict.fromkeys(names) if key in missing]
            self._places[GOLD].expect(len(lacking))
            lacking = [key for key in lacking if self._places[GOLD].first(key) == index]
            if lacking:
                return Segment(Kind.MISSING, there, here, tuple(lacking))
        return Segment(self._rest, there, here)

    def update(
        self, side: int, start: int, removed: Sequence[Any], added: Sequence[Any]
    ) -> list[Change]:
        """Units `removed` of a side, from `start`, have become `added`.

        Returns the changes to the segments, one after the other: first of those units, then of
        others of the same keys, whose kind or content may be another now.
        """
        names = self._names[side]
        before = [tuple(names(unit)) for unit in removed]
        after = [tuple(names(unit)) for unit in added]
        at = start + (0 if side == PRED else len(self._pred))
        same = before == after
        affected = dict.fromkeys(key for keys in (*before, *after) for key in keys)
        others = self._elsewhere(side, affected)
        if not same:
            self._places[side].changed(start, len(removed), after)
            self._count(side, before, after, affected)
            others |= self._elsewhere(side, affected)
        elif side == PRED:
            # Under the same keys a predicted unit is nobody's business but its own.
            others = {}
        for places in self._places:
            places.expect(len(others))
        inside = range(at, at + len(added))
        touched = {index for key in others for index in self._segments_with(key)}
        main = Change(at, len(removed), len(added), alike=same)
        return [main, *_runs(sorted(k for k in touched if k not in inside))]

    def _elsewhere(self, side: int, keys: Iterable[Hashable]) -> dict[Hashable, None]:
        """Those of a side's keys that may stand in segments of other units, too."""
        there, here = self._known
        if side != PRED:
            return {key: None for key in keys if key in here or there[key] > 1}
        return {key: None for key in keys if key in there or here[key] > 1}

    def _count(
        self,
        side: int,
        before: Sequence[Sequence[Hashable]],
        after: Sequence[Sequence[Hashable]],
        affected: Iterable[Hashable],
    ) -> None:
        counter = self._known[side]
        counter.subtract(key for keys in before for key in keys)
        counter.update(key for keys in after for key in keys)
        there, here = self._known
        for key in affected:
            if not counter[key]:
                del counter[key]
            for keys, holds in (
                (self._missing, key in there and key not in here),
                (self._extra, key in here and key not in there),
                (self._doubled, here[key] > 1),
            ):
                (keys.add if holds else keys.discard)(key)

    def _segments_with(self, key: Hashable) -> list[int]:
        """All segments that what is said of a key may change."""
        gold, pred = self._places
        there, here = self._known
        found = pred.every(key) if key in here else []
        if key in there:
            found = found + [len(self._pred) + index for index in gold.every(key)]
        return found


class Places:
    """The units of a list that have a key. The list is the caller's, who says when it changes.

    Many keys are looked up in a dictionary, which the next change makes useless; a few are found
    by their hashes, which move along with what changes, so that an edit need not read the list.
    """

    def __init__(self, units: Sequence[Any], names: Callable[[Any], Sequence[Hashable]]) -> None:
        """`names`: the keys of a unit."""
        self._units, self._names = units, names
        self._first: dict[Hashable, int] | None = None
        self._every: dict[Hashable, list[int]] = {}
        self._hashes: np.ndarray | None = None
        self._owners = np.zeros(0, np.int64)

    def expect(self, many: int) -> None:
        """Gets ready for so many look-ups."""
        if self._first is not None or many <= _MANY:
            return
        first: dict[Hashable, int] = {}
        every: dict[Hashable, list[int]] = {}
        names = self._names
        for index, unit in enumerate(self._units):
            for key in names(unit):
                if (before := first.setdefault(key, index)) != index:
                    numbers = every.setdefault(key, [before])
                    if numbers[-1] != index:
                        numbers.append(index)
        self._first, self._every = first, every

    def first(self, key: Hashable) -> int:
        """The number of the first unit that has a key. Raises LookupError if none has."""
        return self._first[key] if self._first is not None else self.every(key)[0]

    def every(self, key: Hashable) -> list[int]:
        """The numbers of all units that have a key, ascending."""
        if self._first is not None:
            one = self._first.get(key)
            return [] if one is None else self._every.get(key) or [one]
        if self._hashes is None:
            self._hashes, self._owners = _hashed([self._names(unit) for unit in self._units])
        numbers = dict.fromkeys(self._owners[self._hashes == hash(key)].tolist())
        # Another key may have the same hash.
        return [index for index in numbers if key in self._names(self._units[index])]

    def changed(self, start: int, removed: int, added: Sequence[Sequence[Hashable]]) -> None:
        """So many units from `start` on are now others, which have these keys."""
        self._first, self._every = None, {}
        if self._hashes is None:
            return
        low, high = np.searchsorted(self._owners, (start, start + removed)).tolist()
        hashes, owners = _hashed(added)
        behind = self._owners[high:] + (len(added) - removed)
        self._hashes = np.concatenate([self._hashes[:low], hashes, self._hashes[high:]])
        self._owners = np.concatenate([self._owners[:low], owners + start, behind])


def _hashed(names: Sequence[Sequence[Hashable]]) -> tuple[np.ndarray, np.ndarray]:
    """The hash of each key, and the number of the unit that has it."""
    sizes = np.fromiter(map(len, names), np.int64, len(names))
    hashes = np.fromiter(map(hash, chain.from_iterable(names)), np.int64, int(sizes.sum()))
    return hashes, np.arange(len(names)).repeat(sizes)


def _runs(numbers: Iterable[int]) -> list[Change]:
    """Segments that stay where they are and have new contents, neighbours together."""
    found: list[Change] = []
    for number in numbers:
        if found and number == found[-1].at + found[-1].removed:
            size = found[-1].removed + 1
            found[-1] = Change(found[-1].at, size, size)
        else:
            found.append(Change(number, 1, 1))
    return found
