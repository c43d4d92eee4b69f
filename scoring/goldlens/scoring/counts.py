"""Counts of items and what is computed from them: precision, recall, F1, aligned accuracy.

All figures are points, 0 to 100. Where a denominator is 0 they are 0, except aligned accuracy,
which is undefined (None) for metrics that know no alignment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Count:
    """How many items are correct, in gold, predicted, and (where it makes sense) aligned."""

    correct: int
    gold: int
    predicted: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Of what was predicted, the points that are correct."""
        return _points(self.correct, self.predicted)

    @property
    def recall(self) -> float:
        """Of what gold has, the points that were found."""
        return _points(self.correct, self.gold)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall: 2 correct / (gold + predicted)."""
        return _points(2 * self.correct, self.gold + self.predicted)

    @property
    def aligned_accuracy(self) -> float | None:
        """Of the aligned gold items, the points that are correct; None where undefined."""
        return None if self.aligned is None else _points(self.correct, self.aligned)

    def as_dict(self) -> dict[str, int | float | None]:
        """The counts and figures under the names the interfaces give them."""
        return {
            "correct": self.correct,
            "gold": self.gold,
            "predicted": self.predicted,
            "aligned": self.aligned,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aligned_accuracy": self.aligned_accuracy,
        }


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its name, and the columns of a vector of counts that it is made of."""

    name: str
    correct: int
    gold: int
    predicted: int
    aligned: int | None = None

    def count(self, vector: Sequence[int] | Any) -> Count:
        """The counts of this metric in a vector (any sequence of integers)."""
        aligned = None if self.aligned is None else int(vector[self.aligned])
        return Count(
            int(vector[self.correct]), int(vector[self.gold]), int(vector[self.predicted]), aligned
        )


def _points(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 0.0
