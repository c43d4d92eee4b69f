"""A prediction held against its gold, kept up to date as either changes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from goldlens.scoring.problems import Problem
from goldlens.scoring.sample import Sample
from goldlens.scoring.segment import Kind
from goldlens.scoring.task import GOLD, PRED, Pairing, Task
from goldlens.server.engine.document import Document, Splice
from goldlens.server.engine.memo import Memo

_COMPARED: Final = 128
_TOLD: Final = 512
"""So many comparisons and lists of problems are kept: of the latter more than a file shows, since
an edit that moves all segments must not have them made again.
"""

_NUMBERED: Final = 4096
_APART: Final = 8


class Memos:
    """What was computed of segments a moment ago, for one pair or for all of a process.

    One for all has the same size however many pairs there are.
    """

    def __init__(self, compared: int = _COMPARED, told: int = _TOLD) -> None:
        self.comparisons: Memo[Any] = Memo(compared)
        self.problems: Memo[list[Problem]] = Memo(told)


class Pair:
    """Segments, their comparisons and their problems.

    `sums` is what all comparisons add up to (see `Task.sums`). `tallies` has the problems of the
    comparison by segment and code: segments x `task.codes`, `tally_sums` their sums; they are
    counted when first asked for, since who wants scores alone has no use for them.
    Documents change first, then `apply` is told.
    """

    def __init__(
        self,
        task: Task,
        gold: Document,
        pred: Document,
        match: str = "auto",
        known: Any = None,
        pairing: Pairing[Any] | None = None,
        comparisons: list[Any] | None = None,
    ) -> None:
        """Compares everything but what is `known` (see `Task.open_both`).

        `pairing`, and the `comparisons` of its segments, come from who has them already. Raises
        what the task's `compare` raises.
        """
        self.task, self.gold, self.pred, self.match = task, gold, pred, match
        self._memos = Memos()
        # The same by the number of the segment, as long as the segments stay what they are.
        self._numbered: dict[int, list[Problem]] = {}
        self.pairing: Pairing[Any] = (
            task.pair(gold.units, pred.units, match) if pairing is None else pairing
        )
        if comparisons is None:
            comparisons = task.compare(gold.units, pred.units, list(self.pairing), known)
        self.comparisons = comparisons
        self._tallied: tuple[np.ndarray, np.ndarray] | None = None
        self.sums = task.sums()
        self.sums.add(self.comparisons)

    def forget(self) -> None:
        """From now on what is edited away is not kept: nobody is going to undo it."""
        self._memos = Memos(0, 0)

    def share(self, memos: Memos) -> None:
        """From now on what is edited away is kept with what other pairs keep."""
        self._memos = memos

    @property
    def tallies(self) -> np.ndarray:
        """How many problems the comparison of each segment has, by code."""
        return self._tallies()[0]

    @property
    def tally_sums(self) -> np.ndarray:
        """How many problems the comparison has, by code."""
        return self._tallies()[1]

    def _tallies(self) -> tuple[np.ndarray, np.ndarray]:
        if self._tallied is None:
            segments = list(self.pairing)
            gold, pred = self.gold.units, self.pred.units
            counted = self.task.tallies(gold, pred, segments, self.comparisons)
            self._tallied = counted, counted.sum(axis=0, dtype=np.int64)
        return self._tallied

    @property
    def tally(self) -> dict[str, int]:
        """How many problems of each code the comparison has; codes without any left out."""
        pairs = zip(self.task.codes, self.tally_sums.tolist(), strict=True)
        return {code: count for code, count in pairs if count}

    def apply(self, side: int, splice: Splice) -> None:
        """Takes over a change of one of the documents."""
        changes = self.pairing.update(side, splice.start, splice.removed, splice.added)
        for change in changes:
            stop = change.at + change.removed
            self.sums.remove(self.comparisons[change.at : stop])
            segments = [self.pairing[change.at + k] for k in range(change.added)]
            if change.alike and change.added == len(splice.removed) == 1:
                # What this segment was is worth keeping: undoing the edit brings it back.
                was = self._key(segments[0], side, splice)
                self._memos.comparisons.put(was, self.comparisons[change.at])
            new = self._compare(segments)
            if self._tallied is not None:
                tallies = self.task.tallies(self.gold.units, self.pred.units, segments, new)
                self._tallied = self._with(change.at, stop, tallies)
            self.comparisons[change.at : stop] = new
            if change.added == change.removed:
                for number in range(change.at, stop):
                    self._numbered.pop(number, None)
            else:
                self._numbered.clear()
            self.sums.add(new)

    def _with(self, at: int, stop: int, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The tallies with those of segments `at` to `stop` replaced."""
        tallies, sums = self._tallies()
        sums += new.sum(axis=0) - tallies[at:stop].sum(axis=0)
        if len(new) == stop - at:
            tallies[at:stop] = new
            return tallies, sums
        return np.concatenate([tallies[:at], new, tallies[stop:]]), sums

    def _compare(self, segments: Sequence[Any]) -> list[Any]:
        """Comparisons of segments, from the memo where it has them all or there are few."""
        gold, pred = self.gold.units, self.pred.units
        if len(segments) > _COMPARED:
            return self.task.compare(gold, pred, segments)
        return [
            self._memos.comparisons.get(self._key(segment), partial(self._compare_one, segment))
            for segment in segments
        ]

    def _compare_one(self, segment: Any) -> Any:
        return self.task.compare(self.gold.units, self.pred.units, [segment])[0]

    def _key(self, segment: Any, side: int = PRED, before: Splice | None = None) -> tuple[Any, ...]:
        """The content of a segment, or what it was `before` a unit of a side was replaced.

        (A bytes object keeps its hash, so this hashes little.)
        """
        texts = [
            [unit.text for unit in self.gold.units[_slice(segment.gold)]],
            [unit.text for unit in self.pred.units[_slice(segment.pred)]],
        ]
        if before is not None:
            first = (segment.gold, segment.pred)[side].start
            texts[side][before.start - first] = before.removed[0].text
        regimes = self.gold.regime, self.pred.regime
        how = (self.task, self.match, segment.kind, segment.detail, *regimes)
        return (*how, *texts[GOLD], None, *texts[PRED])

    def segment_of(self, side: int, unit: int) -> int:
        """The number of the segment that holds a unit."""
        return self.pairing.segments_of(side, unit, unit + 1).start

    @property
    def size(self) -> int:
        """How much of gold there is to be scored."""
        return self.task.size(self.sums, self.gold.facts.tolist())

    def notices(self) -> list[Problem]:
        """What is to be said once of the prediction against gold."""
        return self.task.pair_notices(self.sums, self.gold.units, self.pred.units)

    def sample(self) -> Sample | None:
        """Counts by what gold's bootstrap draws, in gold's order; None if nothing adds up so."""
        size = self.gold.format.facts
        first = np.zeros(len(self.gold.units) + 1, np.int64)
        np.cumsum([size(unit)[0] for unit in self.gold.units], out=first[1:])
        at, starts = first.tolist(), []
        last = 0
        for segment in self.pairing:
            # What gold lacks counts for what stands before it.
            starts.append(at[segment.gold.start] if segment.gold else last)
            if segment.gold:
                last = max(0, at[segment.gold.stop] - 1)
        return self.task.sample(self.comparisons, starts, at[-1])

    def problems_of(self, number: int) -> list[Problem]:
        """The problems of the prediction in a segment; units count from the segment's first."""
        kept = self._numbered.get(number)
        if kept is not None:
            return kept
        segment = self.pairing[number]
        # What is said of a mismatch may be a cause for refusal that is not to be shown.
        if segment.kind is not Kind.MISMATCH and not self.tallies[number].any():
            return []
        if segment.kind is Kind.MISMATCH or not segment.pred:
            # What is said of a mismatch depends on what stands before it: not kept.
            offset = self.pairing.offset(segment.pred.start)
            return self.task.problems(self.gold.units, self.pred.units, segment, offset)
        find = partial(self.task.problems, self.gold.units, self.pred.units, segment, 0)
        return self._keep(number, self._memos.problems.get(self._key(segment), find))

    def _keep(self, number: int, problems: list[Problem]) -> list[Problem]:
        if len(self._numbered) > _NUMBERED:
            self._numbered.clear()
        self._numbered[number] = problems
        return problems

    def make_problems(self, numbers: Sequence[int]) -> None:
        """Makes the problems of several segments at once, so that `problems_of` finds them."""
        missing = [k for k in numbers if k not in self._numbered]
        if len(missing) < 2:
            return
        known = self._memos.problems
        missing = [k for k in missing if known.find(self._key(self.pairing[k])) is None]
        if len(missing) < 2:
            return
        first, last = min(missing), max(missing)
        if last - first > _APART * len(missing):
            return
        # Those in between are made again: one stretch is cheaper than many.
        stretch = [(k, self.pairing[k]) for k in range(first, last + 1)]
        stretch = [(k, segment) for k, segment in stretch if segment.kind.compared]
        segments = [segment for _, segment in stretch]
        made = self.task.problems_of_many(self.gold.units, self.pred.units, segments)
        for (number, segment), problems in zip(stretch, made, strict=True):
            if problems:
                self._keep(number, known.put(self._key(segment), problems))


def _slice(units: range) -> slice:
    return slice(units.start, units.stop)
