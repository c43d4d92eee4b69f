"""Problems as lists of plain values, and back again."""

from __future__ import annotations

from typing import Any

from goldlens.scoring.problems import Place, Problem, Related, Repair, Severity, Side
from goldlens.server.cache.columns import Unusable


def packed(problem: Problem) -> list[Any]:
    """All that a problem says."""
    repair = problem.repair
    return [
        problem.code,
        _place(problem.place),
        problem.message,
        int(problem.severity),
        problem.refuses,
        problem.script,
        [[_place(related.place), related.message] for related in problem.related],
        problem.shown,
        None if repair is None else [repair.title, repair.new],
    ]


def unpacked(values: Any) -> Problem:
    """The problem that says so. Raises Unusable."""
    try:
        code, place, message, severity, refuses, script, related, shown, repair = values
        return Problem(
            str(code),
            _placed(place),
            str(message),
            Severity(severity),
            bool(refuses),
            bool(script),
            tuple(Related(_placed(where), str(said)) for where, said in related),
            bool(shown),
            None if repair is None else Repair(*map(str, repair)),
        )
    except (TypeError, ValueError) as error:
        raise Unusable(f"a problem is none: {error}") from error


def _place(place: Place) -> list[int]:
    return [place.unit, place.line, place.start, place.end, int(place.side)]


def _placed(values: Any) -> Place:
    unit, line, start, end, side = map(int, values)
    return Place(unit, line, start, end, Side(side))
