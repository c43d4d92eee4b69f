"""Why the official policy refuses a pair: every cause, with its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldlens.scoring.problems import CODES, Problem, Severity
from goldlens.scoring.task import GOLD, PRED
from goldlens.server.engine.document import Document
from goldlens.server.engine.flaws import REFUSING
from goldlens.server.engine.pair import Pair


@dataclass(frozen=True, slots=True)
class Refusal:
    """A problem that refuses: its side, and the number of the unit it is in."""

    side: int
    unit: int
    problem: Problem


def refusals(pair: Pair) -> Iterator[Refusal]:
    """Every cause for refusal: those of gold, those of the prediction, those of both."""
    yield from _own(GOLD, pair.gold)
    yield from _own(PRED, pair.pred)
    for number in pair.pairing.uncompared():
        start = pair.pairing.starts(number)[1]
        for problem in pair.problems_of(number):
            if problem.refuses:
                yield Refusal(PRED, start + problem.place.unit, problem)


def _own(side: int, document: Document) -> Iterator[Refusal]:
    excused = document.format.excused(document.facts.tolist())
    for unit in document.flaws.rows[:, REFUSING].nonzero()[0].tolist():
        for problem in document.units[unit].problems:
            if problem.refuses and problem.code not in excused:
                yield Refusal(side, unit + problem.place.unit, problem)
    duplicates = document.duplicates()
    if duplicates is not None and CODES[document.format.duplicate_code].refuses:
        for unit in duplicates.numbers():
            if duplicates.severities[unit] == Severity.ERROR:
                problem = duplicates.problem(unit)
                yield Refusal(side, problem.place.unit, problem)
