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


_Found = list[Located]


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
        compared = self._counted_by_severity()
        whole = [found for problem in extra if (found := self._locate(problem, 0, 0))]
        total = errors + others + sum(compared.values()) + len(whole)
        # Where not all can be shown, one place is kept for the summary of how many more there are.
        limit = max(1, limit - 1) if limit is not None and total > limit else total
        first = [found for found in whole if found.severity is Severity.ERROR]
        rest = [found for found in whole if found.severity is not Severity.ERROR]
        if len(first) < limit and errors + compared[Severity.ERROR]:
            first += self._nearest(near, limit - len(first), errors_only=True)
        shown = (first + rest)[:limit]
        if len(shown) < limit:
            shown += self._nearest(near, limit - len(shown), errors_only=False)
        shown.sort(key=lambda found: (found.line, found.problem.place.start))
        return Listing(shown, total - len(shown))

    def _counted_by_severity(self) -> dict[Severity, int]:
        """How many problems there are that are counted by code, and made only to be shown."""
        counts = dict.fromkeys(Severity, 0)
        tally = dict(self.pair.tally) if self.pair is not None else {}
        if (duplicates := self.document.duplicates()) is not None:
            tally[self.document.task.duplicate_code] = int(duplicates.mask.sum())
        for code, n in tally.items():
            severity = self.severity_of(code)
            if severity is not None:
                counts[severity] += n
        return counts

    def severity_of(self, code: str) -> Severity | None:
        """How severe problems of a code are that always have their default severity."""
        return self.judge(Problem(code, Place(0, 0, 0, 0), "", CODES[code].severity))

    def _nearest(self, near: int, wanted: int, *, errors_only: bool) -> _Found:
        """Up to `wanted` problems, Errors or others, from `near` outwards."""
        found: _Found = []
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
        for is_segment, number in chosen:
            made = self._compared(number) if is_segment else self._own(number)
            found += [p for p in made if (p.severity is Severity.ERROR) is errors_only]
        return found[:wanted]

    def _units(self, near: int, errors_only: bool) -> Iterator[tuple[int, bool, int, int]]:
        """Units with such problems of their own, nearest first.

        As (distance, False, unit, how many).
        """
        flawed = self.document.flaws[:, 0 if errors_only else 1]
        if (duplicates := self.document.duplicates()) is not None:
            severity = self.severity_of(self.document.task.duplicate_code)
            if severity is not None and (severity is Severity.ERROR) is errors_only:
                flawed = flawed + duplicates.mask
        for unit in _outwards(flawed.nonzero()[0], near):
            yield abs(unit - near), False, unit, int(flawed[unit])

    def _segments(self, near: int, errors_only: bool) -> Iterator[tuple[int, bool, int, int]]:
        """Segments with such problems, nearest first, as (distance, True, segment, how many)."""
        pair = self.pair
        if pair is None or not len(pair.tallies):
            return
        columns = [
            k
            for k, code in enumerate(pair.task.codes)
            if (severity := self.severity_of(code)) is not None
            and (severity is Severity.ERROR) is errors_only
        ]
        units = len(self.document.units)
        at = pair.segment_of(1, min(max(near, 0), units - 1)) if units else 0
        # Distances count segments here and units there; one is about the other.
        sums = pair.tallies[:, columns].sum(axis=1)
        for segment in _outwards(sums.nonzero()[0], at):
            yield abs(segment - at), True, segment, int(sums[segment])

    def _own(self, unit: int) -> _Found:
        problems = self.document.units[unit].problems
        found = [located for p in problems if (located := self._locate(p, unit, 0))]
        duplicates = self.document.duplicates()
        if duplicates is not None and duplicates.mask[unit]:
            located = self._locate(duplicates.problem(unit), 0, 0)
            found += [located] if located else []
        return found

    def _compared(self, segment: int) -> _Found:
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
