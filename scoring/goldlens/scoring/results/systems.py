"""Systems scored on one test set, with intervals for their figures and for what divides them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

import numpy as np

from goldlens.scoring.bootstrap import Interval, Resampling, Told, interval, nobody, resampled
from goldlens.scoring.counts import Figure, Value
from goldlens.scoring.sample import Sample

PARTS: Final = ("precision", "recall")
"""What `NAME.precision` and `NAME.recall` ask for."""

SPAN_NAMES: Final = {"F1": "Micro", "precision": "Micro.precision", "recall": "Micro.recall"}
"""What papers on spans call the figures of all labels together."""

_ZERO: Final = 1e-9
"""A difference of less than this is what binary fractions leave of nothing."""


class UnknownMetric(ValueError):
    """A metric was asked for that the task does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        names = list(known)
        lower = {each.lower().replace("_", "-"): each for each in names}
        near = get_close_matches(name.lower().replace("_", "-"), lower, n=1)
        said = f"did you mean {lower[near[0]]}? " if near else ""
        listed = ", ".join(names) or "none"
        super().__init__(f"unknown metric {name!r}; {said}this task has {listed}")
        self.name = name


@dataclass(frozen=True, slots=True)
class System:
    """What one system scores: its figures by metric, and the counts that can be drawn from.

    `task`: the name of the task, on which depends what else its metrics may be called.
    """

    figures: Mapping[str, Figure | None]
    sample: Sample | None = None
    task: str = ""

    def resolved(self, name: str) -> str:
        """The name of a figure, or `NAME.precision` or `NAME.recall` of one, as it is kept.

        Raises UnknownMetric if the task has no such metric.
        """
        spans = SPAN_NAMES if self.task == "span" else {}
        found = spans.get(name, name)
        base, part = self._split(found)
        if base not in self.figures or (part and isinstance(self.figures[base], Value)):
            raise UnknownMetric(name, [*self.figures, *spans])
        return found

    def figure(self, name: str) -> Figure | None:
        """What a metric, or a part of one, comes from. Raises UnknownMetric."""
        return self.figures[self._split(self.resolved(name))[0]]

    def score(self, name: str) -> float | None:
        """The points of a metric, or of a part of one; None where undefined.

        Raises UnknownMetric.
        """
        part = self._split(self.resolved(name))[1]
        figure = self.figure(name)
        if figure is None:
            return None
        return figure.part(part) if part else figure.score

    def _split(self, name: str) -> tuple[str, str]:
        base, _, part = name.rpartition(".")
        # A name may have a dot of its own: F0.5.
        return (base, part) if name not in self.figures and part in PARTS else (name, "")


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more points one system has than another one, and the interval of that."""

    points: float
    ci: Interval | None

    @property
    def differ(self) -> bool | None:
        """Whether the interval excludes 0; None without one."""
        return None if self.ci is None else 0.0 not in self.ci


@dataclass(slots=True)
class Estimates:
    """Figures of systems with their intervals, all from the same draws, made when first needed.

    `told` is told how the draw gets on. Raises ValueError where the systems were not scored on
    the same units.
    """

    systems: Sequence[System]
    resampling: Resampling = field(default_factory=Resampling)
    told: Told = nobody
    _sums: list[np.ndarray | None] | None = None

    def score(self, system: int, name: str) -> float | None:
        """The points of a metric of a system; None where undefined, or only other systems have it.

        (That every document has one label, that there are scores: of some a system's output alone
        decides whether it has them.) Raises UnknownMetric for what none of the systems has.
        """
        try:
            return self.systems[system].score(name)
        except UnknownMetric:
            for other in self.systems:
                with suppress(UnknownMetric):
                    other.resolved(name)
                    return None
            raise

    def ci(self, system: int, name: str) -> Interval | None:
        """The interval of a metric of a system; None where nothing adds up to it.

        Raises UnknownMetric.
        """
        values = self._values(system, name)
        return None if values is None else interval(values, self.resampling.level)

    def difference(self, name: str, one: int = 0, other: int = 1) -> Difference | None:
        """`one` less `other`, paired; None where either is undefined. Raises UnknownMetric."""
        scores = [self.score(k, name) for k in (one, other)]
        if scores[0] is None or scores[1] is None:
            return None
        values = [self._values(k, name) for k in (one, other)]
        points = float(_unless_nothing(np.asarray(scores[0] - scores[1])))
        if values[0] is None or values[1] is None:
            return Difference(points, None)
        differences = _unless_nothing(values[0] - values[1])
        return Difference(points, interval(differences, self.resampling.level))

    def _values(self, number: int, name: str) -> np.ndarray | None:
        """A metric of a system in each resample."""
        system = self.systems[number]
        sample = system.sample
        if self.score(number, name) is None or sample is None or not len(sample.counts):
            return None
        resolved = system.resolved(name)
        if resolved not in sample.statistics:
            return None
        if self._sums is None:
            self._sums = self._resampled()
        sums = self._sums[number]
        assert sums is not None
        return sample.statistics[resolved](sums)

    def _resampled(self) -> list[np.ndarray | None]:
        samples = [system.sample for system in self.systems if system.sample is not None]
        drawn = resampled(samples, self.resampling.seed, self.resampling.resamples, self.told)
        sums = iter(drawn)
        return [None if system.sample is None else next(sums) for system in self.systems]


def _unless_nothing(differences: np.ndarray) -> np.ndarray:
    return np.where(np.abs(differences) < _ZERO, 0.0, differences)
