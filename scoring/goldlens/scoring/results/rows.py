"""Results rows: what goes into the table of a paper."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from goldlens.scoring.bootstrap import Interval, Resampling, Told, nobody
from goldlens.scoring.counts import Count, Figure, Mean
from goldlens.scoring.results.noise import within_noise
from goldlens.scoring.results.systems import Difference, Estimates, System
from goldlens.scoring.signature import goldlens_version


@dataclass(frozen=True, slots=True)
class Labels:
    """What a row says besides its numbers.

    `references`: published points by metric, `reference_source` where they come from.
    `reference_system` is what to call the system that a prediction is held beside.
    `pred_sha256` may be "unsaved buffer".
    """

    component: str = ""
    language: str = ""
    dataset: str = ""
    reference_source: str = ""
    references: Mapping[str, float] = field(default_factory=dict)
    signature: str = ""
    gold_sha256: str = ""
    pred_sha256: str = ""
    task: str = ""
    reference_system: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric of one system. `score` and `reference` are points; None is undefined.

    `reference_ci` is there where the reference is a system scored on the same test set, and
    `difference` is then paired: ours less the system's.
    """

    labels: Labels
    metric: str
    score: float | None
    ci: Interval | None
    figure: Figure | None
    reference: float | None
    reference_ci: Interval | None
    difference: Difference | None
    resampling: Resampling
    units: int

    @property
    def within_noise(self) -> bool | None:
        """Whether the reference is within noise of the score (see `noise`)."""
        return within_noise(self.score, self.ci, self.reference, self.reference_ci)

    def as_dict(self) -> dict[str, Any]:
        """All fields, as the JSON form has them."""
        labels, difference = self.labels, self.difference
        count = self.figure if isinstance(self.figure, Count) else None
        parts = self.figure if isinstance(self.figure, Count | Mean) else None
        return {
            "component": labels.component,
            "language": labels.language,
            "dataset": labels.dataset,
            "metric": self.metric,
            "score": self.score,
            "ci": pair_of(self.ci),
            "reference": self.reference,
            "reference_ci": pair_of(self.reference_ci),
            "reference_source": labels.reference_source,
            "within_noise": self.within_noise,
            "resamples": self.resampling.resamples,
            "level": self.resampling.level,
            "seed": self.resampling.seed,
            "units": self.units,
            "precision": None if parts is None else parts.precision,
            "recall": None if parts is None else parts.recall,
            "correct": None if count is None else count.correct,
            "gold": None if count is None else count.gold,
            "predicted": None if count is None else count.predicted,
            "difference": None if difference is None else difference.points,
            "difference_ci": None if difference is None else pair_of(difference.ci),
            "differ": None if difference is None else difference.differ,
            "signature": labels.signature,
            "versions": versions(),
            "gold_sha256": labels.gold_sha256,
            "pred_sha256": labels.pred_sha256,
        }


def pair_of(interval: Interval | None) -> list[float] | None:
    """An interval as JSON has it: [low, high], or null."""
    return None if interval is None else [interval.low, interval.high]


def versions() -> dict[str, str]:
    """What computed the figures, by name."""
    return {
        "goldlens": goldlens_version(),
        "numpy": np.__version__,
        "python": ".".join(map(str, sys.version_info[:3])),
    }


def rows(
    system: System,
    names: Sequence[str],
    labels: Labels,
    units: int,
    resampling: Resampling | None = None,
    against: System | None = None,
    *,
    told: Told = nobody,
) -> list[Row]:
    """The rows of the metrics `names` (all that the system has, if empty).

    `against`: the reference's own output, scored on the same test set. Where a metric has a
    published reference, that one is the row's reference; the paired difference is given besides.
    `told` is told how the draw gets on, and may end it.
    Raises UnknownMetric for a metric, or a reference's metric, that the task does not have, and
    ValueError for a reference that is no number, or one scored on another test set.
    """
    published = _published(system, labels.references)
    resampling = resampling or Resampling()
    systems = [system] if against is None else [system, against]
    estimates = Estimates(systems, resampling, told)
    asked = list(dict.fromkeys(names)) or list(system.figures)
    for name in asked:
        system.resolved(name)
    found = []
    for name in asked:
        reference, reference_ci = published.get(system.resolved(name)), None
        difference = None
        source = "" if reference is None else labels.reference_source
        if against is not None:
            difference = estimates.difference(name)
            if reference is None:
                reference, reference_ci = estimates.score(1, name), estimates.ci(1, name)
                source = "" if reference is None else labels.reference_system
        found.append(
            Row(
                replace(labels, reference_source=source),
                name,
                system.score(name),
                estimates.ci(0, name),
                system.figure(name),
                reference,
                reference_ci,
                difference,
                resampling,
                units,
            )
        )
    return found


def _published(system: System, references: Mapping[str, float]) -> dict[str, float]:
    """Published references by the names under which the system keeps its metrics."""
    found: dict[str, float] = {}
    for name, points in references.items():
        # A correlation may be below zero; what is not a number is in no range.
        if not -100 <= points <= 100:
            raise ValueError(f"the reference {name} is {points}; give points, 0 to 100")
        kept = system.resolved(name)
        if found.setdefault(kept, float(points)) != points:
            message = f"two references for {kept}, {found[kept]:g} and {points:g}; give one"
            raise ValueError(message)
    return found
