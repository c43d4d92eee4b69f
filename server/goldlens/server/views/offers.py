"""The problems of a stretch of a file, for which something may be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from goldlens.scoring.problems import Place, Problem
from goldlens.server.engine.document import Document
from goldlens.server.engine.flaws import ERRORS, OTHERS
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.spot import character
from goldlens.server.views import whole
from goldlens.server.views.lacking import beside
from goldlens.server.views.repairing import ALONE

_MOST_UNITS: Final = 64


@dataclass(frozen=True, slots=True)
class Stretch:
    """Units `first` to `stop`, which hold what lies between two positions of a client."""

    first: int
    stop: int
    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A problem, the number of its unit (which may be one that is not there) and its line."""

    problem: Problem
    unit: int
    line: int

    @property
    def code(self) -> str:
        """Its code."""
        return self.problem.code

    @property
    def place(self) -> Place:
        """Its place."""
        return self.problem.place


def stretch(
    document: Document, pair: Pair | None, start: tuple[int, int], end: tuple[int, int]
) -> Stretch:
    """The units between two positions, in either order; not more than a screen or two has."""
    start, end = min(start, end), max(start, end)
    size = len(document.units)
    first = min(document.unit_at(start[0]), max(size - 1, 0))
    last = document.unit_at(end[0])
    if last > first and end[1] == 0 and end[0] == int(document.line_starts[min(last, size)]):
        # A selection of whole lines ends before the line that it ends in.
        last -= 1
    return Stretch(first, min(last + 1, first + _MOST_UNITS, size), start, end)


def problems(document: Document, pair: Pair | None, where: Stretch) -> Iterator[Found]:
    """What is wrong with the units of a stretch, by themselves and against gold."""
    for problem in file_problems(document):
        number = problem.place.unit
        if problem.code in whole.CODES and where.first <= number < max(where.stop, 1):
            yield _found(document, problem, number)
    duplicates = document.duplicates()
    for unit in range(where.first, where.stop):
        for problem in document.units[unit].problems:
            if problem.shown:
                yield _found(document, problem, unit)
        if duplicates is not None and duplicates.severities[unit]:
            yield _found(document, duplicates.problem(unit), unit)
    if pair is None:
        return
    for number in beside(pair, where.first, where.stop):
        here = pair.pairing.starts(number)[1]
        for problem in pair.problems_of(number):
            if problem.shown:
                yield _found(document, problem, here + problem.place.unit)


def _found(document: Document, problem: Problem, unit: int) -> Found:
    starts = document.line_starts
    line = int(starts[min(max(unit, 0), len(starts) - 1)]) + problem.place.line
    return Found(problem, unit, line)


def touches(found: Found, where: Stretch, encoding: Encoding, document: Document) -> bool:
    """Whether the place of a problem and a stretch of a client have a point in common."""
    place = found.place
    start = found.line, character(document, found.line, place.start, encoding)
    end = found.line, character(document, found.line, place.end, encoding)
    return start <= where.end and where.start <= end


def with_problems(document: Document) -> list[int]:
    """The units that have problems of which all may be repaired at once."""
    flawed = document.flaws.rows[:, [ERRORS, OTHERS]].any(axis=1)
    duplicates = document.duplicates()
    if duplicates is not None and document.format.duplicate_code not in ALONE:
        flawed = flawed | (duplicates.severities > 0)
    found: list[int] = np.flatnonzero(flawed).tolist()
    return found
