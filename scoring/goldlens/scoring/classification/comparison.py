"""Two documents compared, and what comparisons add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from goldlens.scoring.classification.ranks import Ranks
from goldlens.scoring.classification.unit import Labels, Unit
from goldlens.scoring.labels import Entries, LabelSums
from goldlens.scoring.segment import Kind, Segment


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a segment counts: `documents` is 1 or 0, of which `right` have exactly gold's labels.

    `wrong`: whether the prediction's labels, which can be read, differ from gold's. `positives`
    are gold's labels where there are `scores`; these belong to the labels `scored`.
    """

    entries: Entries = ()
    documents: int = 0
    right: int = 0
    wrong: bool = False
    positives: Labels = ()
    scored: Labels = ()
    scores: tuple[float, ...] = ()


NOTHING: Final = Comparison()
"""What is not compared: blank lines, documents that gold lacks or does not say anything of."""


def compare(
    gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]
) -> list[Comparison]:
    """The comparison of each segment.

    A document that is missing, or whose prediction cannot be read, has gold's labels, none of
    them found. A gold row that cannot be read says nothing of its document: nothing is counted.
    """
    found = []
    for segment in segments:
        kind = segment.kind
        if kind is not Kind.PAIR and kind is not Kind.MISSING:
            found.append(NOTHING)
            continue
        theirs = gold[segment.gold.start]
        if theirs.problems:
            found.append(NOTHING)
            continue
        ours = pred[segment.pred.start] if kind is Kind.PAIR else None
        if ours is None or ours.problems:
            found.append(_counted(theirs.labels, None))
        elif not ours.scores:
            found.append(_counted(theirs.labels, ours.labels))
        else:
            found.append(_with_scores(theirs.labels, ours))
    return found


@lru_cache(maxsize=1 << 14)
def _counted(gold: Labels, pred: Labels | None) -> Comparison:
    """The comparison of two sets of labels; None if there is no prediction."""
    theirs, ours = set(gold), set(pred or ())
    entries = tuple(
        [
            (label, int(here and there), int(there), int(here))
            for label in sorted(theirs | ours)
            for here, there in [(label in ours, label in theirs)]
        ]
    )
    right = gold == pred
    return Comparison(entries, 1, int(right), pred is not None and not right)


def _with_scores(gold: Labels, ours: Unit) -> Comparison:
    same = _counted(gold, ours.labels)
    return Comparison(same.entries, 1, same.right, same.wrong, gold, ours.scored, ours.scores)


class ClassSums:
    """Sums of comparisons: `documents`, `right`, counts by label, ranks of scores by label."""

    def __init__(self) -> None:
        self.documents = self.right = 0
        self.counts = LabelSums()
        self._ranks: dict[bytes, Ranks] = {}

    def add(self, comparisons: Sequence[Comparison]) -> None:
        """Takes comparisons in."""
        self._put(comparisons, 1)
        for label, (positives, negatives) in _by_label(comparisons).items():
            self._ranks.setdefault(label, Ranks()).add(positives, negatives)

    def remove(self, comparisons: Sequence[Comparison]) -> None:
        """Takes out comparisons that were added before."""
        self._put(comparisons, -1)
        for label, (positives, negatives) in _by_label(comparisons).items():
            ranks = self._ranks[label]
            ranks.remove(positives, negatives)
            if not ranks:
                del self._ranks[label]

    def _put(self, comparisons: Sequence[Comparison], sign: int) -> None:
        self.documents += sign * sum([c.documents for c in comparisons])
        self.right += sign * sum([c.right for c in comparisons])
        for entries, times in Counter([c.entries for c in comparisons]).items():
            self.counts.put(entries, sign * times)

    def areas(self) -> dict[bytes, float | None]:
        """ROC-AUC of each label that has scores, in points, in the order of the labels.

        None where all its documents are positive, or all negative.
        """
        return {label: self._ranks[label].area for label in sorted(self._ranks)}

    def mean_area(self) -> float | None:
        """The mean ROC-AUC over the labels that have one; None if none has."""
        areas = [area for area in self.areas().values() if area is not None]
        return sum(areas) / len(areas) if areas else None


def _by_label(
    comparisons: Sequence[Comparison],
) -> dict[bytes, tuple[list[float], list[float]]]:
    """The scores of each label, of documents that have it in gold, and of those that don't."""
    found: dict[bytes, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for comparison in comparisons:
        if comparison.scores:
            positives = set(comparison.positives)
            for label, score in zip(comparison.scored, comparison.scores, strict=True):
                found[label][label not in positives].append(score)
    return found
