"""Which gold sentences face which predicted ones: the segments that are compared.

Two files are cut into segments by a rule that depends on their two texts alone (see
`segmentation`). The rule is global, and an edit is local: `Pairing.update` finds again only what
an edit can have changed, and ends where a fresh `Pairing` of the same texts would begin.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.faces import characters, common_prefix, stream
from goldlens.scoring.ud.segmentation import Row, Rule
from goldlens.scoring.ud.unit import Unit

_KINDS: Final = tuple(Kind)


class Pairing:
    """The segments of two lists of units, in order of the prediction.

    `match` as in `segmentation`. The lists are the caller's: it changes them, then calls
    `update`.
    """

    def __init__(self, gold: Sequence[Unit], pred: Sequence[Unit], match: str = "auto") -> None:
        self.units = (gold, pred)
        self.match = match
        self._ids = _ids(gold), _ids(pred)
        self._rule = Rule(gold, pred, match, self._ids)
        self._characters = characters(pred)
        rows, middle = self._rule.segments(0, len(gold), 0, len(pred))
        self._rows = _as_array(rows)
        self._middle = middle

    @classmethod
    def known(
        cls,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        match: str,
        found: tuple[Ints, tuple[int, int]],
        ids: tuple[Counter[bytes], Counter[bytes]],
        characters: Ints,
    ) -> Pairing:
        """The pairing of which all is known, so that no unit need be looked at.

        `found`: its rows, and which of them are the middle (see `rows`). `ids`: how often each
        sent_id stands on a side; `characters`: the length of each predicted sentence's stream
        in code points.
        """
        pairing = cls([], [], match)
        pairing.units = (gold, pred)
        pairing._rows, pairing._middle = found
        pairing._ids, pairing._characters = ids, characters
        pairing._rule = Rule(gold, pred, match, ids)
        return pairing

    @property
    def rows(self) -> Ints:
        """Of each segment its kind, first gold unit, gold units, first and number of predicted.

        A copy.
        """
        return self._rows.copy()

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, index: int) -> Segment:
        kind, g, gn, p, pn = self._rows[index].tolist()
        return Segment(Kind(kind), range(g, g + gn), range(p, p + pn))

    def __iter__(self) -> Iterator[Segment]:
        kinds = _KINDS
        for kind, g, gn, p, pn in self._rows.tolist():
            yield Segment(kinds[kind], range(g, g + gn), range(p, p + pn))

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        rows = self._rows
        return rows.item(index, 1), rows.item(index, 3)

    @property
    def agrees(self) -> bool:
        """Whether the two streams agree from start to end, with every sentence readable."""
        if self.match != "sent_id":
            return self._middle[0] == self._middle[1]
        kinds, gold = self._rows[:, 0], self._rows[:, 1]
        paired = kinds <= Kind.PAIR
        return bool((paired | (kinds == Kind.BLANK)).all() and (gold[1:] >= gold[:-1]).all())

    @property
    def middle(self) -> range:
        """The segments between the common prefix and the common suffix."""
        return range(*self._middle)

    def uncompared(self) -> Iterator[int]:
        """The segments that are not compared and not blank: all lie in the middle."""
        low, high = self._middle
        kinds = self._rows[low:high, 0]
        return iter((low + ((kinds > Kind.PAIR) & (kinds != Kind.BLANK)).nonzero()[0]).tolist())

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` (exclusive, at least one) of a side.

        In the middle gold's order may be another; then the whole middle is meant.
        """
        first = self._find(side, start)
        last = self._find(side, stop - 1) if stop - 1 > start else first
        low, high = self._middle
        if side == GOLD and first != last and (low <= first < high or low <= last < high):
            return range(min(first, low), max(last + 1, high))
        return range(first, last + 1)

    def _find(self, side: int, unit: int) -> int:
        """The segment that holds a unit."""
        begin, size = self._rows[:, 1 + 2 * side], self._rows[:, 2 + 2 * side]
        low, high = self._middle
        if side == GOLD and low < high:
            # Only outside the middle is gold in order.
            for a, b in ((0, low), (high, len(begin))):
                if a < b and begin[a] <= unit < begin[b - 1] + size[b - 1]:
                    return bisect_right(begin, unit, a, b) - 1
            inside = (begin[low:high] <= unit) & (unit < begin[low:high] + size[low:high])
            return low + int(inside.argmax())
        # (numpy's own search would first copy the column, which is not in one piece.)
        return bisect_right(begin, unit) - 1

    def update(
        self, side: int, start: int, removed: Sequence[Unit], added: Sequence[Unit]
    ) -> list[Change]:
        """Tells that units `removed` of a side, from `start` on, have become `added`.

        Returns the changes to the list of segments, to be applied one after the other. A segment
        that is replaced by an equal one has new contents.
        """
        if side == PRED:
            self._count_characters(start, removed, added)
        if len(removed) == len(added) and all(
            a.same_face(b) for a, b in zip(removed, added, strict=True)
        ):
            if not added:
                return []
            touched = self.segments_of(side, start, start + len(added))
            return [Change(touched.start, len(touched), len(touched), alike=True)]
        ids_changed = self._count_ids(side, removed, added)
        shift = len(added) - len(removed)
        if not len(self._rows):
            low, high = 0, 0
        else:
            low, high = self._hull(side, start, len(removed), len(added))
        before = self._middle
        change = self._rebuild(side, low, high, shift)
        changes = [change]
        lo, hi = self._middle
        kept_middle = lo < hi and before[0] < before[1]
        done = change.at <= lo and hi <= change.at + change.added
        if ids_changed and kept_middle and not done and self.match == "auto":
            changes.append(self._pair_middle_again())
        return changes

    def offset(self, unit: int) -> int:
        """How many characters (code points) of the prediction's stream precede a unit."""
        return int(self._characters[:unit].sum())

    def _count_characters(self, start: int, removed: Sequence[Unit], added: Sequence[Unit]) -> None:
        sizes = self._characters
        if len(removed) == len(added):
            sizes[start : start + len(added)] = characters(added)
        else:
            rest = sizes[start + len(removed) :]
            self._characters = np.concatenate([sizes[:start], characters(added), rest])

    def _count_ids(self, side: int, removed: Sequence[Unit], added: Sequence[Unit]) -> bool:
        old, new = _ids(removed), _ids(added)
        if old == new:
            return False
        ids = self._ids[side]
        ids.subtract(old)
        ids.update(new)
        for key in old:
            if not ids[key]:
                del ids[key]
        return True

    def _hull(self, side: int, start: int, removed: int, added: int) -> tuple[int, int]:
        """The segments that the edit may concern: from the sentence before it to the one after.

        What lies at their outer borders is untouched, so these stay cuts. Asked before the rows
        know of the edit: unit numbers behind it are the old ones.
        """
        units = self.units[side]
        first = start - 1
        while first >= 0 and not units[first].sentence:
            first -= 1
        after = start + added
        while after < len(units) and not units[after].sentence:
            after += 1
        old_after = after - added + removed
        old_size = len(units) - added + removed
        low = self._find(side, first) if first >= 0 else 0
        high = self._find(side, old_after) + 1 if old_after < old_size else len(self._rows)
        a, b = self._middle
        if self.match == "sent_id":
            return 0, len(self._rows)
        if low < b and high > a:
            return self._with_middle(low, high)
        return min(low, high), max(low, high)

    def _with_middle(self, low: int, high: int) -> tuple[int, int]:
        """Segments low to high, the middle and its neighbours, whose outer borders are cuts.

        The middle's own borders need not be any.
        """
        a, b = self._middle
        return max(0, min(low, a - 1)), min(len(self._rows), max(high, b + 1))

    def _borders(self, low: int, high: int) -> tuple[int, int, int, int]:
        """Unit ranges (gold begin, end, pred begin, end) of segments low to high, as rows say.

        `low` and `high` are not inside the middle.
        """
        rows = self._rows
        found = []
        for side in (GOLD, PRED):
            begin, size = 1 + 2 * side, 2 + 2 * side
            if low == 0:
                a = 0
            elif low == self._middle[1]:
                a = self._end_of_middle(side)
            else:
                a = int(rows[low - 1, begin] + rows[low - 1, size])
            if high == len(rows):
                b = int(rows[:, size].sum())
            elif high == self._middle[0] and high > 0:
                b = int(rows[high - 1, begin] + rows[high - 1, size])
            elif high == 0:
                b = 0
            else:
                b = int(rows[high, begin])
            found += [a, b]
        return found[0], found[1], found[2], found[3]

    def _end_of_middle(self, side: int) -> int:
        high = self._middle[1]
        rows, begin, size = self._rows, 1 + 2 * side, 2 + 2 * side
        if high < len(rows):
            return int(rows[high, begin])
        return int(rows[:, size].sum())

    def _rebuild(self, side: int, low: int, high: int, shift: int) -> Change:
        """Pairs segments low to high again, and more where the texts ask for it."""
        a, b = self._middle
        grow = (shift if side == GOLD else 0, shift if side == PRED else 0)
        gold, pred = self.units
        while True:
            g0, g1, p0, p1 = self._borders(low, high)
            g1, p1 = g1 + grow[0], p1 + grow[1]
            apart = a < b and (high <= a or low >= b)
            ours = stream(gold[g0:g1], GOLD), stream(pred[p0:p1], PRED)
            if apart and ours[0] != ours[1]:
                low, high = self._with_middle(low, high)
                continue
            common = common_prefix(*ours)
            exhausted = common == min(map(len, ours)) and ours[0] != ours[1]
            if exhausted and high < len(self._rows) and self.match != "sent_id":
                # One side ran out while still equal: the prefix may go on behind the hull.
                high = min(len(self._rows), high + max(1, high - low))
                if low < b and high > a:
                    low, high = self._with_middle(low, high)
                continue
            break
        rows, middle = self._rule.segments(g0, g1, p0, p1)
        tail = self._rows[high:].copy()
        tail[:, 1] += grow[0]
        tail[:, 3] += grow[1]
        new = _as_array(rows)
        head = self._rows[:low]
        self._rows = np.concatenate([head, new, tail])
        if not apart:
            self._middle = (low + middle[0], low + middle[1])
        elif high <= a:
            change = len(new) - (high - low)
            self._middle = (a + change, b + change)
        return Change(low, high - low, len(new))

    def _pair_middle_again(self) -> Change:
        low, high = self._middle
        g0, g1, p0, p1 = self._borders(low, high)
        new = _as_array(self._rule.by_sent_id(g0, g1, p0, p1))
        self._rows = np.concatenate([self._rows[:low], new, self._rows[high:]])
        self._middle = (low, low + len(new))
        return Change(low, high - low, len(new))


def _ids(units: Sequence[Unit]) -> Counter[bytes]:
    """How often each sent_id stands."""
    return Counter(unit.sent_id for unit in units if unit.sent_id)


def _as_array(rows: list[Row]) -> Ints:
    return np.array(rows, np.int64).reshape(-1, 5)
