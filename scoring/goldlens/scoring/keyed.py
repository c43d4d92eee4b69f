"""Pairing by name: predicted units face the gold units of the same key, in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any

from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.task import PRED


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
        self._gold, self._pred = gold, pred
        self._keys, self._key = keys, key
        self._rest = Kind.GOLD if by_itself else Kind.BLANK
        self._known: tuple[Counter[Hashable], Counter[Hashable]] = (
            Counter(k for unit in gold for k in keys(unit)),
            Counter(k for unit in pred if (k := key(unit)) is not None),
        )
        there, here = self._known
        self._missing = {k for k in there if k not in here}
        self._extra = {k for k in here if k not in there}
        self._doubled = {k for k, count in here.items() if count > 1}
        self._first: list[dict[Hashable, int] | None] = [None, None]
        self._repeats: dict[Hashable, list[int]] | None = None

    def __len__(self) -> int:
        return len(self._pred) + len(self._gold)

    def __getitem__(self, index: int) -> Segment:
        before = len(self._pred)
        return self._of_pred(index) if index < before else self._of_gold(index - before)

    def __iter__(self) -> Iterator[Segment]:
        return (self[index] for index in range(len(self)))

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        segment = self[index]
        return segment.gold.start, segment.pred.start

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side."""
        shift = 0 if side == PRED else len(self._pred)
        return range(start + shift, stop + shift)

    @property
    def agrees(self) -> bool:
        """Always: order means nothing here."""
        return True

    def uncompared(self) -> Iterator[int]:
        """The segments that are not compared and not blank, ascending."""
        numbers = {self._firsts(PRED)[key] for key in self._extra}
        for positions in self._repeated().values():
            numbers.update(positions[1:])
        before = len(self._pred)
        numbers.update(before + self._firsts(0)[key] for key in self._missing)
        return iter(sorted(numbers))

    def offset(self, unit: int) -> int:
        """Nothing precedes a unit that its problems would count."""
        return 0

    def _of_pred(self, index: int) -> Segment:
        here, there = range(index, index + 1), range(0)
        key = self._key(self._pred[index])
        if key is None:
            return Segment(Kind.BLANK, there, here)
        if key in self._doubled and self._repeated()[key][0] != index:
            return Segment(Kind.REPEATED, there, here)
        if key in self._extra:
            return Segment(Kind.EXTRA, there, here)
        at = self._firsts(0)[key]
        return Segment(Kind.PAIR, range(at, at + 1), here)

    def _of_gold(self, index: int) -> Segment:
        there, here = range(index, index + 1), range(len(self._pred), len(self._pred))
        if self._missing:
            keys = dict.fromkeys(self._keys(self._gold[index]))
            lacking = tuple(
                key for key in keys if key in self._missing and self._firsts(0)[key] == index
            )
            if lacking:
                return Segment(Kind.MISSING, there, here, lacking)
        return Segment(self._rest, there, here)

    def _firsts(self, side: int) -> dict[Hashable, int]:
        """The first unit of a side that has each key; found again after the side has changed."""
        found = self._first[side]
        if found is None:
            found = {}
            for index, unit in enumerate((self._gold, self._pred)[side]):
                for key in self._names(side, unit):
                    found.setdefault(key, index)
            self._first[side] = found
        return found

    def _repeated(self) -> dict[Hashable, list[int]]:
        """Of each key that the prediction has more than once, all its units."""
        if self._repeats is None:
            self._repeats = {key: [] for key in self._doubled}
            if self._doubled:
                for index, unit in enumerate(self._pred):
                    key = self._key(unit)
                    if key in self._doubled:
                        self._repeats[key].append(index)
        return self._repeats

    def _names(self, side: int, unit: Any) -> Sequence[Hashable]:
        if side != PRED:
            return self._keys(unit)
        key = self._key(unit)
        return () if key is None else (key,)

    def update(
        self, side: int, start: int, removed: Sequence[Any], added: Sequence[Any]
    ) -> list[Change]:
        """Units `removed` of a side, from `start`, have become `added`.

        Returns the changes to the segments, one after the other.
        """
        before = [tuple(self._names(side, unit)) for unit in removed]
        after = [tuple(self._names(side, unit)) for unit in added]
        shift = 0 if side == PRED else len(self._pred)
        at = start + shift
        same = before == after
        main = Change(at, len(removed), len(added), alike=same)
        affected = dict.fromkeys(key for names in (*before, *after) for key in names)
        if not same:
            others = self._others(side, affected)
            self._count(side, before, after, affected)
            others |= self._others(side, affected)
        else:
            others = affected if side != PRED else {}
        inside = range(at, at + len(added))
        touched = {index for key in others for index in self._segments_with(key)}
        return [main, *(Change(k, 1, 1) for k in sorted(touched) if k not in inside)]

    def _others(self, side: int, keys: Iterable[Hashable]) -> dict[Hashable, None]:
        """Those of the keys that stand in other segments too."""
        there, here = self._known
        if side != PRED:
            return dict.fromkeys(keys)
        return {key: None for key in keys if key in there or here[key] > 1}

    def _count(
        self,
        side: int,
        before: Sequence[Sequence[Hashable]],
        after: Sequence[Sequence[Hashable]],
        affected: Iterable[Hashable],
    ) -> None:
        counter = self._known[side]
        counter.subtract(key for names in before for key in names)
        counter.update(key for names in after for key in names)
        self._first[side] = None
        if side == PRED:
            self._repeats = None
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
            if not here[key]:
                del here[key]

    def _segments_with(self, key: Hashable) -> list[int]:
        """All segments that what is said of a key may change."""
        there, here = self._known
        found = []
        if key in self._doubled:
            found += self._repeated()[key]
        elif key in here:
            found.append(self._firsts(PRED)[key])
        if key in there:
            at = self._firsts(0)[key]
            if there[key] == 1:
                found.append(len(self._pred) + at)
            else:
                found += [
                    len(self._pred) + index
                    for index in range(at, len(self._gold))
                    if key in self._keys(self._gold[index])
                ]
        return found
