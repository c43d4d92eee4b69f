"""Which problems of a file to show: all of them, or as many as one may.

Errors come first, then what is nearest the last edit. What is looked at is what is shown: problem
lists of sentences far away are not made.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

import numpy as np

from goldlens.scoring.problems import Place, Problem, Severity, Side
from goldlens.scoring.task import PRED
from goldlens.server.engine.document import Document
from goldlens.server.engine.flaws import ERRORS, OTHERS, WARNINGS
from goldlens.server.engine.pair import Pair

Judge = Callable[[Problem], Severity | None]

_WINDOW: Final = 256
"""How far on either side of the last edit is looked first for what to show."""


@dataclass(frozen=True, slots=True)
class Located:
    """A problem and where it is in its file.

    `here` and `there` are the numbers of the units that places of the problem count from, in the
    prediction and in gold; `line` is the line of the problem itself, from 0. `order` puts
    problems in the order of the text.
    """

    problem: Problem
    severity: Severity
    line: int
    here: int
    there: int
    order: int = 0

    def unit(self, place: Place) -> int:
        """The number of the unit a place is in, in the document of its side."""
        return place.unit + (self.here if place.side is Side.HERE else self.there)


@dataclass(frozen=True, slots=True)
class Listing:
    """The problems shown, in order of line and column, and how many more there are."""

    shown: Sequence[Located]
    more: int


_Found = list[Located]
_Where = tuple[int, int, int]
"""Where a list of located problems holds: the units counted from, and the line of the first."""


class Lister:
    """Lists the problems of a document, alone or as the prediction of a pair.

    It may be kept from one listing to the next, as long as `judge` says the same of the same
    problem; what has not moved is then not located again.
    """

    def __init__(self, document: Document, pair: Pair | None, judge: Judge) -> None:
        self.document, self.pair, self.judge = document, pair, judge
        task = pair.task if pair is not None else None
        told = zip(task.codes, task.severities, strict=True) if task is not None else ()
        severities = [self._judged(code, severity) for code, severity in told]
        self._columns = [
            [
                k
                for k, s in enumerate(severities)
                if s is not None and (s is Severity.ERROR) is errors
            ]
            for errors in (False, True)
        ]
        # Of each default severity (0: no duplicate), whether it shows as an Error, or else.
        code = document.format.duplicate_code
        judged = [None, *(self._judged(code, s) if code else None for s in Severity)]
        self._duplicates = (
            np.array([s is not None and s is not Severity.ERROR for s in judged]),
            np.array([s is Severity.ERROR for s in judged]),
        )
        self._located: dict[int, tuple[Sequence[Problem], _Where, _Found]] = {}

    def list(self, extra: Sequence[Problem], limit: int | None, near: int) -> Listing:
        """At most `limit` problems (all, if None), the nearest to unit `near` after the Errors.

        `extra`: problems of the whole file, whose places count units from the file's first.
        """
        errors, others = (int(n) for n in self.document.flaws.sums[:2])
        more_errors, more_others = self._counted_by_code()
        errors, others = errors + more_errors, others + more_others
        whole = [found for problem in extra if (found := self._locate(problem, 0, 0))]
        total = errors + others + len(whole)
        # Where not all can be shown, one place is kept for the summary of how many more there are.
        limit = max(1, limit - 1) if limit is not None and total > limit else total
        first = [found for found in whole if found.severity is Severity.ERROR]
        rest = [found for found in whole if found.severity is not Severity.ERROR]
        if len(first) < limit and errors:
            first += self._nearest(near, limit - len(first), errors_only=True)
        shown = (first + rest)[:limit]
        if len(shown) < limit and others:
            shown += self._nearest(near, limit - len(shown), errors_only=False)
        shown.sort(key=attrgetter("order"))
        return Listing(shown, total - len(shown))

    def by_unit(self) -> np.ndarray:
        """How many problems there are in each unit: all, but Hints and asides of its own.

        What is told of several units, as of a stretch that is not compared, counts for the first.
        """
        flaws = self.document.flaws.rows
        counts: np.ndarray = flaws[:, ERRORS] + flaws[:, WARNINGS]
        duplicates = self.document.duplicates()
        if duplicates is not None:
            told = self._duplicates[0] | self._duplicates[1]
            counts = counts + told[duplicates.severities]
        if self.pair is not None and len(counts):
            told_of = self.pair.tallies[:, [*self._columns[0], *self._columns[1]]].sum(axis=1)
            first = np.array([segment.pred.start for segment in self.pair.pairing], np.int64)
            np.add.at(counts, np.minimum(first, len(counts) - 1), told_of)
        return counts

    def of_unit(self, unit: int) -> Sequence[Located]:
        """The problems of one unit, in order of line and column."""
        found = self._own(unit)
        if self.pair is not None:
            for segment in self.pair.pairing.segments_of(PRED, unit, unit + 1):
                found = found + self._compared(segment)
        inside = [each for each in found if self.document.unit_at(each.line) == unit]
        return sorted(inside, key=attrgetter("order"))

    def _counted_by_code(self) -> tuple[int, int]:
        """Errors and others among what is counted by code, and made only to be shown."""
        others = errors = 0
        if self.pair is not None:
            sums = self.pair.tally_sums
            others, errors = (int(sums[columns].sum()) for columns in self._columns)
        duplicates = self.document.duplicates()
        if duplicates is not None:
            others += int(self._duplicates[0][duplicates.severities].sum())
            errors += int(self._duplicates[1][duplicates.severities].sum())
        return errors, others

    def _judged(self, code: str, severity: Severity) -> Severity | None:
        """How severe the problems of a code are that have this severity by default."""
        return self.judge(Problem(code, Place(0, 0, 0, 0), "", severity))

    def _nearest(self, near: int, wanted: int, *, errors_only: bool) -> _Found:
        """Up to `wanted` problems, Errors or others, from `near` outwards."""
        places = heapq.merge(self._units(near, errors_only), self._segments(near, errors_only))
        chosen: list[tuple[bool, int]] = []
        count = 0
        for _, is_segment, number, problems in places:
            chosen.append((is_segment, number))
            count += problems
            if count >= wanted:
                break
        if self.pair is not None:
            self.pair.make_problems([number for is_segment, number in chosen if is_segment])
        found: _Found = []
        for is_segment, number in chosen:
            made = self._compared(number) if is_segment else self._own(number)
            found += [p for p in made if (p.severity is Severity.ERROR) is errors_only]
        return found[:wanted]

    def _units(self, near: int, errors_only: bool) -> Iterator[tuple[int, bool, int, int]]:
        """Units with such problems of their own, nearest first.

        As (distance, False, unit, how many).
        """
        flaws = self.document.flaws.rows[:, ERRORS if errors_only else OTHERS]
        duplicates = self.document.duplicates()

        def counts(start: int, stop: int) -> np.ndarray[Any, Any]:
            if duplicates is None:
                return flaws[start:stop]
            shown = self._duplicates[errors_only][duplicates.severities[start:stop]]
            both: np.ndarray[Any, Any] = flaws[start:stop] + shown
            return both

        for unit, count in _outwards(len(flaws), near, counts):
            yield abs(unit - near), False, unit, count

    def _segments(self, near: int, errors_only: bool) -> Iterator[tuple[int, bool, int, int]]:
        """Segments with such problems, nearest first, as (distance, True, segment, how many)."""
        pair = self.pair
        columns = self._columns[errors_only]
        if pair is None or not columns or not pair.tally_sums[columns].any():
            return
        units = len(self.document.units)
        at = pair.segment_of(PRED, min(max(near, 0), units - 1)) if units else 0
        tallies = pair.tallies

        def counts(start: int, stop: int) -> np.ndarray[Any, Any]:
            found: np.ndarray[Any, Any] = tallies[start:stop, columns].sum(axis=1)
            return found

        # Distances count segments here and units there; one is about the other.
        for segment, count in _outwards(len(tallies), at, counts):
            yield abs(segment - at), True, segment, count

    def _own(self, unit: int) -> _Found:
        problems = self.document.units[unit].problems
        found = [located for p in problems if (located := self._locate(p, unit, 0))]
        duplicates = self.document.duplicates()
        if duplicates is not None and duplicates.severities[unit]:
            located = self._locate(duplicates.problem(unit), 0, 0)
            found += [located] if located else []
        return found

    def _compared(self, segment: int) -> _Found:
        assert self.pair is not None
        problems = self.pair.problems_of(segment)
        there, here = self.pair.pairing.starts(segment)
        starts = self.document.line_starts
        where = (here, there, starts.item(min(here, len(starts) - 1)))
        kept = self._located.get(segment)
        if kept is not None and kept[0] is problems and kept[1] == where:
            return kept[2]
        found = [located for p in problems if (located := self._locate(p, here, there))]
        if len(self._located) > _KEPT:
            self._located.clear()
        self._located[segment] = problems, where, found
        return found

    def _locate(self, problem: Problem, here: int, there: int) -> Located | None:
        severity = self.judge(problem) if problem.shown else None
        if severity is None:
            return None
        place = problem.place
        unit = here + place.unit
        starts = self.document.line_starts
        line = starts.item(min(max(unit, 0), len(starts) - 1)) + place.line
        return Located(problem, severity, line, here, there, line << 24 | place.start)


_KEPT: Final = 4096


def _outwards(
    size: int, near: int, counts: Callable[[int, int], np.ndarray[Any, Any]]
) -> Iterator[tuple[int, int]]:
    """Numbers below `size` whose count is not 0, and the count, nearest to `near` first.

    `counts` gives the counts of a range. It is asked of wider and wider ranges, so that in a
    large file little is looked at.
    """
    near = min(max(near, 0), max(size - 1, 0))
    low = high = near
    reach = _WINDOW
    while low > 0 or high < size:
        start, stop = max(0, near - reach), min(size, near + reach)
        below, above = counts(start, low), counts(high, stop)
        left = [(near - start - int(k), start + int(k)) for k in below.nonzero()[0][::-1]]
        right = [(high + int(k) - near, high + int(k)) for k in above.nonzero()[0]]
        for _, number in heapq.merge(right, left, key=lambda pair: pair[0]):
            count = below[number - start] if number < low else above[number - high]
            yield number, int(count)
        low, high, reach = start, stop, reach * 8
