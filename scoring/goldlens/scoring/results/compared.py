"""Two systems compared on one test set, metric by metric, paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goldlens.scoring.bootstrap import Interval, Resampling, Told, nobody
from goldlens.scoring.results.formats import UNDEFINED, interval_cell, points_cell
from goldlens.scoring.results.rows import pair_of
from goldlens.scoring.results.systems import Difference, Estimates, System


@dataclass(frozen=True, slots=True)
class Compared:
    """One metric of two systems, in points; None is undefined. `difference` is A less B."""

    metric: str
    a: float | None
    a_ci: Interval | None
    b: float | None
    b_ci: Interval | None
    difference: Difference | None

    def as_dict(self) -> dict[str, Any]:
        """All fields, as the JSON form has them."""
        difference = self.difference
        return {
            "metric": self.metric,
            "a": self.a,
            "a_ci": pair_of(self.a_ci),
            "b": self.b,
            "b_ci": pair_of(self.b_ci),
            "difference": None if difference is None else difference.points,
            "difference_ci": None if difference is None else pair_of(difference.ci),
            "differ": None if difference is None else difference.differ,
        }

    def cells(self) -> tuple[str, ...]:
        """The cells of the printed table."""
        difference, differ = self.difference, None
        if difference is not None:
            differ = difference.differ
        return (
            self.metric,
            points_cell(self.a),
            interval_cell(self.a_ci),
            points_cell(self.b),
            interval_cell(self.b_ci),
            points_cell(None if difference is None else difference.points),
            interval_cell(None if difference is None else difference.ci),
            {None: UNDEFINED, True: "yes", False: "no"}[differ],
        )


def compared(
    a: System,
    b: System,
    names: Sequence[str] = (),
    resampling: Resampling | None = None,
    *,
    told: Told = nobody,
) -> list[Compared]:
    """The metrics `names` (all that both have, if empty) of two systems, from the same draws.

    `told` is told how the draw gets on, and may end it.
    Raises UnknownMetric for what neither has, and ValueError where the two were scored on
    different units.
    """
    asked = list(dict.fromkeys(names)) or [name for name in a.figures if name in b.figures]
    estimates = Estimates([a, b], resampling or Resampling(), told)
    return [
        Compared(
            name,
            estimates.score(0, name),
            estimates.ci(0, name),
            estimates.score(1, name),
            estimates.ci(1, name),
            estimates.difference(name),
        )
        for name in asked
    ]
