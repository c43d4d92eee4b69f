"""Counts of items and what is computed from them: precision, recall, F1, aligned accuracy.

All figures are points, 0 to 100. Where a denominator is 0 they are 0, except aligned accuracy,
which is undefined (None) for metrics that know no alignment.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


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

    @property
    def score(self) -> float | None:
        """The figure that is quoted: F1."""
        return self.f1

    def part(self, name: str) -> float | None:
        """Its precision or recall. Raises KeyError for another name."""
        return {"precision": self.precision, "recall": self.recall}[name]

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
class Value:
    """A figure that is no precision and recall: accuracy, ROC-AUC, an index. None is undefined."""

    value: float | None

    @property
    def score(self) -> float | None:
        """The figure that is quoted."""
        return self.value

    def part(self, name: str) -> float | None:
        """Nothing: there is no precision or recall. Raises KeyError."""
        raise KeyError(name)

    def as_dict(self) -> dict[str, int | float | None]:
        """The figure as the interfaces have it."""
        return {"value": self.value}


@dataclass(frozen=True, slots=True)
class Mean:
    """The unweighted mean of the precision, recall and F1 of several labels, in points."""

    precision: float
    recall: float
    f1: float

    @property
    def score(self) -> float | None:
        """The figure that is quoted."""
        return self.f1

    def part(self, name: str) -> float | None:
        """The mean precision or recall. Raises KeyError for another name."""
        return {"precision": self.precision, "recall": self.recall}[name]

    def as_dict(self) -> dict[str, int | float | None]:
        """The figures under the names the interfaces give them; a mean has no counts."""
        return {
            "correct": None,
            "gold": None,
            "predicted": None,
            "aligned": None,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aligned_accuracy": None,
            "value": self.f1,
        }


Figure: TypeAlias = Count | Mean | Value
"""What a metric comes to: `score` is what is quoted, `part` its precision or recall."""


def mean_of(counts: Collection[Count]) -> Mean:
    """The macro average of some labels' counts; 0 where there are none."""
    size = len(counts) or 1
    return Mean(
        sum(count.precision for count in counts) / size,
        sum(count.recall for count in counts) / size,
        sum(count.f1 for count in counts) / size,
    )


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
