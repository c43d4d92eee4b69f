"""The figures of two scorers side by side, and where they differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from goldlens.scoring.counts import Count

COUNTS: Final = ("correct", "gold", "predicted", "aligned")
FIGURES: Final = ("precision", "recall", "f1", "aligned_accuracy")
DECIMALS: Final = 4
"""Figures that agree to so many decimals, in points, are equal."""

_LARGEST: Final = 1e15
"""What is larger is no count of words; and a whole number can be too large to be shown."""

Figures = dict[str, int | float | None]
"""Counts and figures of a metric by the names of the interfaces; figures are points."""


class Garbage(Exception):
    """What was printed is no table of figures."""


class Difference(NamedTuple):
    """A figure that is not the same for both, in points."""

    metric: str
    figure: str
    ours: float | None
    official: float | None


@dataclass(frozen=True, slots=True)
class Beside:
    """Each metric with our figures and theirs, where both have it; `lacking`: theirs have not.

    A metric of which we have none (attachment, where there are no heads) is None on both sides.
    """

    ours: Mapping[str, Figures | None]
    official: Mapping[str, Figures | None]
    lacking: tuple[str, ...]

    @property
    def compared(self) -> int:
        """How many figures are compared: those that at least one of the two has."""
        pairs = [
            (ours[figure], theirs[figure])
            for ours, theirs in zip(self.ours.values(), self.official.values(), strict=True)
            if ours is not None and theirs is not None
            for figure in FIGURES
        ]
        return sum(pair != (None, None) for pair in pairs)

    @property
    def differences(self) -> list[Difference]:
        """The figures that differ, in the order of the table."""
        found = []
        for name, ours in self.ours.items():
            theirs = self.official[name]
            if ours is None or theirs is None:
                continue
            for figure in FIGURES:
                a, b = ours[figure], theirs[figure]
                if not equal(a, b):
                    found.append(Difference(name, figure, a, b))
        return found


def equal(a: float | None, b: float | None) -> bool:
    """Whether two figures are the same to four decimals; undefined equals only undefined."""
    if a is None or b is None:
        return a is b
    return abs(a - b) <= 0.5 * 10**-DECIMALS


def beside(ours: Mapping[str, Count | None], official: Mapping[str, Figures]) -> Beside:
    """Our figures and the official ones, for the metrics that both have."""
    named = [name for name in ours if name in official]
    return Beside(
        {name: None if (count := ours[name]) is None else count.as_dict() for name in named},
        {name: None if ours[name] is None else official[name] for name in named},
        tuple([name for name in ours if name not in official]),
    )


def read(printed: bytes) -> dict[str, Figures]:
    """What the script printed (see `inside`), figures in points. Raises Garbage."""
    try:
        told: Any = json.loads(printed)
    except (ValueError, RecursionError) as error:
        raise Garbage("what it printed is no table of figures") from error
    if not isinstance(told, dict) or not told:
        raise Garbage("what it printed is no table of figures")
    return {name: _figures(name, score) for name, score in told.items()}


def _figures(name: str, score: Any) -> Figures:
    if not isinstance(score, dict) or set(score) != {*COUNTS, *FIGURES}:
        raise Garbage(f"what it printed of {name} is no score")
    for what, number in score.items():
        given = number is not None or what in ("aligned", "aligned_accuracy")
        sound = number is None or (type(number) in (int, float) and abs(number) < _LARGEST)
        if not (given and sound):
            raise Garbage(f"the {what} that it printed of {name} is no number")
    points = {figure: score[figure] for figure in FIGURES}
    return {
        **{count: score[count] for count in COUNTS},
        **{k: None if value is None else 100 * value for k, value in points.items()},
    }
