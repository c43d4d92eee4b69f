"""How many problems each unit of a text has, by what they amount to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from goldlens.scoring.problems import Problem, Severity

ERRORS: Final = 0
OTHERS: Final = 1
REFUSING: Final = 2
SCRIPT: Final = 3
WARNINGS: Final = 4
"""Columns of `Flaws.rows`."""

Judge: TypeAlias = Callable[[Problem], Severity | None]
"""How severe a problem is to be taken; None leaves it out."""


class Flaws:
    """The problems of a list of units, counted.

    `rows` has a row for each unit: Errors, other problems, problems that refuse, problems for
    which the official scorer would refuse, and those of the other problems that are Warnings.
    `sums` is their sum. `waiting` says of which units problems that do not touch the score are
    still to be looked for.
    """

    def __init__(
        self,
        units: int,
        problems: Iterable[tuple[int, tuple[Problem, ...]]],
        judge: Judge,
        *,
        waiting: bool,
    ) -> None:
        """`problems`: those of the units that have any, by number."""
        self.judge = judge
        self.rows = self._counted(units, problems)
        self.sums = self.rows.sum(axis=0, dtype=np.int64)
        self.waiting = np.full(units, waiting)

    def replace(self, first: int, stop: int, units: Sequence[Any]) -> None:
        """Takes in that units `first` to `stop` have become others, which wait for nothing."""
        rows = self._counted(len(units), problems_of(units))
        self.sums += rows.sum(axis=0) - self.rows[first:stop].sum(axis=0)
        if len(units) == stop - first:
            self.rows[first:stop] = rows
            self.waiting[first:stop] = False
            return
        self.rows = np.concatenate([self.rows[:first], rows, self.rows[stop:]])
        fresh = np.zeros(len(units), bool)
        self.waiting = np.concatenate([self.waiting[:first], fresh, self.waiting[stop:]])

    def rejudge(self, units: Sequence[Any], judge: Judge) -> None:
        """Takes severities from somewhere else."""
        self.judge = judge
        self.rows = self._counted(len(units), problems_of(units))
        self.sums = self.rows.sum(axis=0, dtype=np.int64)

    def _counted(
        self, units: int, problems: Iterable[tuple[int, tuple[Problem, ...]]]
    ) -> np.ndarray:
        rows = np.zeros((units, 5), np.int32)
        for k, found in problems:
            for problem in found:
                severity = self.judge(problem) if problem.shown else None
                if severity is not None:
                    rows[k, ERRORS if severity is Severity.ERROR else OTHERS] += 1
                    rows[k, WARNINGS] += severity is Severity.WARNING
                rows[k, REFUSING] += problem.refuses
                rows[k, SCRIPT] += problem.script
        return rows


def problems_of(units: Iterable[Any]) -> Iterable[tuple[int, tuple[Problem, ...]]]:
    """The problems of the units that have any, by number."""
    return ((k, unit.problems) for k, unit in enumerate(units) if unit.problems)
