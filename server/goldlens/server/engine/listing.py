"""Which problems of a file to show: all of them, or as many as one may.

Errors come first, then what is nearest the last edit. What is looked at is what is shown: problem
lists of sentences far away are not made.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goldlens.scoring.problems import CODES, Place, Problem, Severity, Side
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair

Judge = Callable[[Problem], Severity | None]


@dataclass(frozen=True, slots=True)
class Located:
    """A problem and where it is in its file.

    `here` and `there` are the numbers of the units that places of the problem count from, in the
    prediction and in gold; `line` is the line of the problem itself, from 0.
    """

    problem: Problem
    severity: Severity
    line: int
    here: int
    there: int

    def unit(self, place: Place) -> int:
        """The number of the unit a place is in, in the document of its side."""
        return place.unit + (self.here if place.side is Side.HERE else self.there)


@dataclass(frozen=True, slots=True)
class Listing:
    """The problems shown, in order of line and column, and how many more there are."""

    shown: Sequence[Located]
    more: int


class Lister:
    """Lists the problems of a document, alone or as the prediction of a pair."""

    def __init__(self, document: Document, pair: Pair | None, judge: Judge) -> None:
        self.document, self.pair, self.judge = document, pair, judge

    def list(self, extra: Sequence[Problem], limit: int | None, near: int) -> Listing:
        """At most `limit` problems (all, if None), the nearest to unit `near` after the Errors.

        `extra`: problems of the whole file, whose places count units from the file's first.
        """
        own = self.document.flaws
        errors, others = (int(n) for n in own[:, :2].sum(axis=0)) if len(own) else (0, 0)
        compared = self._compared_by_severity()
        whole = [found for problem in extra if (found := self._locate(problem, 0, 0))]
        total = errors + others + sum(compared.values()) + len(whole)
        if limit is not None and total > limit:
            # One place is kept for the summary that says how many more there are.
            limit = max(1, limit - 1)
        else:
            limit = total
        first = [found for found in whole if found.severity is Severity.ERROR]
        rest = [found for found in whole if found.severity is not Severity.ERROR]
        with_errors = errors + compared[Severity.ERROR]
        if with_errors and len(first) < limit:
            wanted = limit - len(first)
            first += self._nearest(near, wanted, lambda s: s is Severity.ERROR)
        shown = (first + rest)[:limit]
        if len(shown) < limit:
            wanted = limit - len(shown)
            shown += self._nearest(near, wanted, lambda s: s is not Severity.ERROR)
        shown.sort(key=lambda found: (found.line, found.problem.place.start))
        return Listing(shown, total - len(shown))

    def _compared_by_severity(self) -> dict[Severity, int]:
        counts = dict.fromkeys(Severity, 0)
        if self.pair is not None:
            for code, n in self.pair.tally.items():
                severity = self.severity_of(code)
                if severity is not None:
                    counts[severity] += n
        return counts

    def severity_of(self, code: str) -> Severity | None:
        """How severe problems of a code are that always have their default severity."""
        return self.judge(Problem(code, Place(0, 0, 0, 0), "", CODES[code].severity))

    def _nearest(self, near: int, wanted: int, fits: Callable[[Severity], bool]) -> list[Located]:
        found: list[Located] = []
        for _, unit, segment in heapq.merge(self._units(near), self._segments(near)):
            if segment < 0:
                problems = self._own(unit)
            else:
                problems = self._compared(segment)
            found += [p for p in problems if fits(p.severity)]
            if len(found) >= wanted:
                return found[:wanted]
        return found

    def _units(self, near: int) -> Iterator[tuple[int, int, int]]:
        """Units that have problems of their own, as (distance, unit, -1), nearest first."""
        flawed = self.document.flaws[:, :2].any(axis=1).nonzero()[0]
        for unit in _outwards(flawed, near):
            yield abs(unit - near), unit, -1

    def _segments(self, near: int) -> Iterator[tuple[int, int, int]]:
        """Segments that have problems, as (distance, unit, segment), nearest first."""
        pair = self.pair
        if pair is None or not len(pair.weights):
            return
        units = len(self.document.units)
        at = 0
        if units:
            at = pair.segment_of(1, min(max(near, 0), units - 1))
        for segment in _outwards(pair.weights.nonzero()[0], at):
            # Distances count segments here and units there; one is about the other.
            yield abs(segment - at), segment, segment

    def _own(self, unit: int) -> list[Located]:
        problems = self.document.units[unit].problems
        return [found for p in problems if (found := self._locate(p, unit, 0))]

    def _compared(self, segment: int) -> list[Located]:
        assert self.pair is not None
        place = self.pair.pairing[segment]
        here, there = place.pred.start, place.gold.start
        problems = self.pair.problems_of(segment)
        return [found for p in problems if (found := self._locate(p, here, there))]

    def _locate(self, problem: Problem, here: int, there: int) -> Located | None:
        severity = self.judge(problem)
        if severity is None:
            return None
        unit = here + problem.place.unit
        starts = self.document.line_starts
        line = int(starts[min(max(unit, 0), len(starts) - 1)]) + problem.place.line
        return Located(problem, severity, line, here, there)


def _outwards(numbers: np.ndarray[Any, Any], near: int) -> Iterator[int]:
    """Ascending numbers, nearest to `near` first."""
    right = int(numbers.searchsorted(near))
    left = right - 1
    size = len(numbers)
    while left >= 0 or right < size:
        if right < size and (left < 0 or numbers[right] - near <= near - numbers[left]):
            yield int(numbers[right])
            right += 1
        else:
            yield int(numbers[left])
            left -= 1
