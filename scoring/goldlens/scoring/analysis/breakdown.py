"""Figures by group: of a part of speech, a relation, a length, a document, each by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from goldlens.scoring.counts import Count


@dataclass(frozen=True, slots=True)
class Group:
    """Items that have something in common.

    name       what they have in common; None: that they have none of it
    gold       how many items of gold
    predicted  how many items of the prediction; None where only gold's say in which group they are
    correct    how many are correct, by metric
    """

    name: str | None
    gold: int
    predicted: int | None
    correct: Mapping[str, int]

    def recall(self, metric: str) -> float:
        """Of gold's items the points that are correct. Raises KeyError for a metric it has not."""
        return Count(self.correct[metric], self.gold, 0).recall

    def count(self, metric: str) -> Count:
        """The counts of a metric that has a precision here, too (see `Breakdown.both`)."""
        return Count(self.correct[metric], self.gold, self.predicted or 0)


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The items of a pair by group.

    All groups together have all items of gold, those that face nothing or were not compared too,
    so that the sums of each column are the counts of the score. (But features: a word may have
    many, or none.)

    by       upos, relation, length, distance, depth, document, genre, form; feature; of spans
             and classification label, length
    metrics  what is counted, in order
    both     the metric whose correct items are in the same group on both sides, so that there are
             precision and F1; None where there is no such metric
    groups   in the order in which they are shown
    """

    by: str
    metrics: tuple[str, ...]
    both: str | None
    groups: tuple[Group, ...]

    def as_dict(self) -> dict[str, object]:
        """The figures as JSON has them."""
        return {
            "by": self.by,
            "metrics": list(self.metrics),
            "both": self.both,
            "groups": [self._group(group) for group in self.groups],
        }

    def _group(self, group: Group) -> dict[str, object]:
        found: dict[str, object] = {
            "name": group.name,
            "gold": group.gold,
            "predicted": group.predicted,
            "correct": dict(group.correct),
            "recall": {metric: group.recall(metric) for metric in self.metrics},
        }
        if self.both is not None:
            count = group.count(self.both)
            found |= {"precision": count.precision, "f1": count.f1}
        return found


def binned(bounds: Sequence[int]) -> list[str]:
    """The names of the bins that begin at these numbers, the last of which has no end."""
    names = []
    for first, behind in zip(bounds, [*bounds[1:], None], strict=True):
        if behind is None:
            names.append(f"{first}+")
        else:
            names.append(str(first) if behind == first + 1 else f"{first}-{behind - 1}")
    return names
