"""The pairing of two files of sentences: by order.

If the files have equally many sentences, the first faces the first, and so on; two that face each
other and have another number of tokens are a mismatch. If not, sentences face each other from the
front and from the back while their tokens' texts are equal; inside what is left, from its front
and its back while the numbers of tokens are equal. What is left then is one run: a mismatch, or,
if only one side has any of it, missing or extra.

Blocks without a sentence go with the sentence before them, those at the start with the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.spans.rows import Forms
from goldlens.scoring.spans.unit import Unit

Ints: TypeAlias = npt.NDArray[np.int64]

_STREAM: Final = int(Kind.STREAM)
_MISMATCH: Final = int(Kind.MISMATCH)


class _Sentences:
    """The sentences of a side: which units they are and how many tokens they have.

    `names` has a number for the texts of the tokens, 0 where that is not known yet.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self.all = units
        tokens = np.array([len(unit.reading.tags) for unit in units], np.int64)
        self.units: Ints = tokens.nonzero()[0].astype(np.int64)
        self.tokens: Ints = tokens[self.units]
        self.names: Ints = np.zeros(len(self.units), np.int64)

    def __len__(self) -> int:
        return len(self.units)

    def learn_names(self, start: int, stop: int) -> None:
        """Finds the numbers of sentences `start` to `stop` that are not known yet."""
        unknown = (self.names[start:stop] == 0).nonzero()[0] + start
        forms: dict[bool, Forms] = {}
        for sentence, unit in zip(unknown.tolist(), self.units[unknown].tolist(), strict=True):
            held = self.all[unit]
            tabs = held.layout.tabs
            if tabs not in forms:
                forms[tabs] = Forms(held.layout)
            texts = tuple(map(forms[tabs].__getitem__, held.rows()))
            self.names[sentence] = hash(texts) or 1

    def inside(self, start: int, stop: int) -> tuple[int, int]:
        """The sentences among units `start` to `stop`, as the list was before a change."""
        low, high = self.units.searchsorted((start, stop))
        return int(low), int(high)

    def splice(self, start: int, removed: int, added: Sequence[Unit]) -> None:
        """Takes in that `removed` units from `start` have become `added`."""
        low, high = self.inside(start, start + removed)
        tokens = np.array([len(unit.reading.tags) for unit in added], np.int64)
        new = tokens.nonzero()[0]
        shift = len(added) - removed
        self.units = np.concatenate([self.units[:low], start + new, self.units[high:] + shift])
        self.tokens = np.concatenate([self.tokens[:low], tokens[new], self.tokens[high:]])
        unknown = np.zeros(len(new), np.int64)
        self.names = np.concatenate([self.names[:low], unknown, self.names[high:]])


class SpanPairing:
    """The segments of two lists of units; see the module's docstring.

    The lists are the caller's: it changes them, then calls `update`.
    """

    def __init__(self, gold: Sequence[Unit], pred: Sequence[Unit]) -> None:
        self._sides = _Sentences(gold), _Sentences(pred)
        self._lay()

    def _lay(self) -> None:
        """Finds all segments: their kinds, and the units they begin at on either side."""
        gold, pred = self._sides
        size, other = len(gold), len(pred)
        if size == other:
            self._kinds = np.where(gold.tokens == pred.tokens, _STREAM, _MISMATCH)
            starts = [gold.units, pred.units]
            if not size and (gold.all or pred.all):
                self._kinds = np.array([int(Kind.BLANK)])
                starts = [np.zeros(1, np.int64), np.zeros(1, np.int64)]
        else:
            front, back = _facing(gold, pred)
            kind = _MISMATCH
            if front + back == min(size, other):
                kind = int(Kind.EXTRA if size < other else Kind.MISSING)
            self._kinds = np.full(front + back + 1, _STREAM)
            self._kinds[front] = kind
            starts = [
                np.concatenate(
                    [side.units[:front], _begin(side, front), side.units[len(side) - back :]]
                )
                for side in (gold, pred)
            ]
        self._bounds = [
            np.append(begins, len(side.all))
            for begins, side in zip(starts, self._sides, strict=True)
        ]
        if len(self._kinds):
            for bounds in self._bounds:
                bounds[0] = 0

    def __len__(self) -> int:
        return len(self._kinds)

    def __getitem__(self, index: int) -> Segment:
        if not 0 <= index < len(self._kinds):
            raise IndexError(index)
        gold, pred = (bounds[index : index + 2].tolist() for bounds in self._bounds)
        return Segment(Kind(self._kinds.item(index)), range(*gold), range(*pred))

    def __iter__(self) -> Iterator[Segment]:
        kinds = [Kind(kind) for kind in range(max(Kind) + 1)]
        gold, pred = (bounds.tolist() for bounds in self._bounds)
        there = map(range, gold, gold[1:])
        here = map(range, pred, pred[1:])
        return map(Segment, [kinds[k] for k in self._kinds.tolist()], there, here)

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        gold, pred = self._bounds
        return gold.item(index), pred.item(index)

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side."""
        bounds = self._bounds[side]
        if start >= stop:
            at = int(bounds[:-1].searchsorted(start, side="right")) - 1
            return range(max(at, 0), max(at, 0))
        low, high = bounds[:-1].searchsorted((start, stop - 1), side="right").tolist()
        return range(low - 1, high)

    @property
    def agrees(self) -> bool:
        """Whether all of gold faces all of the prediction."""
        return not len(self._other())

    def uncompared(self) -> Iterator[int]:
        """The numbers, ascending, of segments that are not compared and not blank."""
        return iter(self._other().tolist())

    def _other(self) -> Ints:
        kinds = self._kinds
        found: Ints = ((kinds != _STREAM) & (kinds != int(Kind.BLANK))).nonzero()[0]
        return found

    def offset(self, unit: int) -> int:
        """Nothing precedes a unit that its problems would count."""
        return 0

    def update(
        self, side: int, start: int, removed: Sequence[Unit], added: Sequence[Unit]
    ) -> list[Change]:
        """Units `removed` of a side, from `start`, have become `added`.

        Returns the changes to the segments, one after the other.
        """
        ours = self._sides[side]
        if len(removed) == len(added) and all(
            bool(a.reading.tags) == bool(b.reading.tags)
            for a, b in zip(removed, added, strict=True)
        ):
            counted = len(self._sides[0]) == len(self._sides[1])
            if counted or all(map(_same_forms, removed, added)):
                return self._in_place(ours, side, start, added)
        stop = start + len(removed)
        old = self._kinds, self._bounds
        touched = self.segments_of(side, start, stop)
        ours.splice(start, len(removed), added)
        self._lay()
        fresh = self.segments_of(side, start, start + len(added))
        before = _same(old, (self._kinds, self._bounds), front=True)
        behind = _same(old, (self._kinds, self._bounds), front=False)
        if touched:
            before = min(before, touched.start)
            behind = min(behind, len(old[0]) - touched.stop)
        if fresh:
            before = min(before, fresh.start)
            behind = min(behind, len(self) - fresh.stop)
        behind = min(behind, min(len(old[0]), len(self)) - before)
        change = Change(before, len(old[0]) - before - behind, len(self) - before - behind)
        return [change] if change.removed or change.added else []

    def _in_place(
        self, ours: _Sentences, side: int, start: int, added: Sequence[Unit]
    ) -> list[Change]:
        """The change where every unit has stayed what it was for the pairing, or nearly so."""
        low, high = ours.inside(start, start + len(added))
        tokens = [len(unit.reading.tags) for unit in added if unit.reading.tags]
        ours.tokens[low:high] = tokens
        ours.names[low:high] = 0
        segments = self.segments_of(side, start, start + len(added))
        if not segments:
            return []
        alike = True
        gold, pred = self._sides
        if len(gold) == len(pred) and low < high:
            kinds = np.where(gold.tokens[low:high] == pred.tokens[low:high], _STREAM, _MISMATCH)
            alike = bool((kinds == self._kinds[low:high]).all())
            self._kinds[low:high] = kinds
        return [Change(segments.start, len(segments), len(segments), alike)]


def _begin(side: _Sentences, sentence: int) -> Ints:
    """The unit at which a sentence begins, the number of units for one behind them all."""
    if sentence < len(side):
        return side.units[sentence : sentence + 1]
    return np.array([len(side.all)])


def _facing(gold: _Sentences, pred: _Sentences) -> tuple[int, int]:
    """How many sentences face each other from the front, and how many from the back."""
    most = min(len(gold), len(pred))
    front = _alike(gold, pred, most, front=True)
    back = _alike(gold, pred, most - front, front=False)
    rest = most - front - back
    front += _equal(gold.tokens[front : front + rest], pred.tokens[front : front + rest])
    rest = most - front - back
    there = gold.tokens[len(gold) - back - rest : len(gold) - back]
    here = pred.tokens[len(pred) - back - rest : len(pred) - back]
    return front, back + _equal(there[::-1], here[::-1])


def _alike(gold: _Sentences, pred: _Sentences, most: int, *, front: bool) -> int:
    """How many sentences, `most` at most, have the same texts, from the front or from the back."""
    found, size = 0, 64
    while found < most:
        # Names cost something the first time: no more of them are found than are looked at.
        size = min(size, most - found)
        stretches = []
        for side in (gold, pred):
            start = found if front else len(side) - found - size
            side.learn_names(start, start + size)
            stretch = slice(start, start + size)
            stretches.append((side.names[stretch], side.tokens[stretch]))
        (theirs, counts), (ours, others) = stretches
        same = (theirs == ours) & (counts == others)
        same = same if front else same[::-1]
        if not same.all():
            return found + int((~same).argmax())
        found += size
        size *= 4
    return found


def _equal(a: Ints, b: Ints) -> int:
    """How many numbers at the start of two equally long arrays are equal."""
    differ = a != b
    return int(differ.argmax()) if differ.any() else len(a)


def _same_forms(a: Unit, b: Unit) -> bool:
    return len(a.reading.tags) == len(b.reading.tags) and a.forms() == b.forms()


_Laid: TypeAlias = tuple[npt.NDArray[np.int64], list[Ints]]


def _same(old: _Laid, new: _Laid, *, front: bool) -> int:
    """How many segments are the same at the front, or at the back, counted from there."""
    size = min(len(old[0]), len(new[0]))
    same = np.ones(size, bool)
    for before, after in zip([old[0]], [new[0]], strict=True):
        same &= (
            before[:size] == after[:size] if front else _tail(before, size) == _tail(after, size)
        )
    for before, after in zip(old[1], new[1], strict=True):
        if front:
            equal = before[: size + 1] == after[: size + 1]
        else:
            equal = _tail(before - before[-1], size + 1) == _tail(after - after[-1], size + 1)
        same &= equal[1:] & equal[:-1]
    if not front:
        same = same[::-1]
    return size if same.all() else int((~same).argmax())


def _tail(array: Ints, size: int) -> Ints:
    return array[len(array) - size :]
