"""ROC-AUC: how often a positive is ranked above a negative (Hanley and McNeil 1982).

The Mann-Whitney statistic U counts the pairs of a positive and a negative document whose scores
are in the right order, a tie being half a pair; ROC-AUC is U over the number of pairs. Twice U is
a whole number, so that the order in which documents come and go leaves no trace.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

_MANY: Final = 64
"""So many scores at once are sorted in, not put in one by one."""


class Ranks:
    """The scores of one label's positive and negative documents, and twice their U."""

    def __init__(self) -> None:
        self._negatives: list[float] = []
        self._positives: list[float] = []
        self._twice = 0

    def __bool__(self) -> bool:
        """Whether any document has a score."""
        return bool(self._positives or self._negatives)

    def add(self, positives: Sequence[float], negatives: Sequence[float]) -> None:
        """Takes scores in."""
        if len(positives) + len(negatives) >= _MANY:
            self._positives += positives
            self._negatives += negatives
            self._sort()
            return
        for positive, scores in ((True, positives), (False, negatives)):
            for score in scores:
                insort(self._positives if positive else self._negatives, score)
                self._twice += self._twice_u_of(score, positive)

    def remove(self, positives: Sequence[float], negatives: Sequence[float]) -> None:
        """Takes out scores that were added before."""
        if len(positives) + len(negatives) >= _MANY:
            self._positives = _without(self._positives, positives)
            self._negatives = _without(self._negatives, negatives)
            self._sort()
            return
        for positive, scores in ((True, positives), (False, negatives)):
            for score in scores:
                kept = self._positives if positive else self._negatives
                del kept[bisect_left(kept, score)]
                self._twice -= self._twice_u_of(score, positive)

    def _sort(self) -> None:
        self._positives.sort()
        self._negatives.sort()
        negatives, positives = np.array(self._negatives), np.array(self._positives)
        below = negatives.searchsorted(positives, "left")
        self._twice = int((below + negatives.searchsorted(positives, "right")).sum())

    def _twice_u_of(self, score: float, positive: bool) -> int:
        """What one document has to do with twice U: 2 for a pair in order, 1 for a tie."""
        if positive:
            others = self._negatives
            return bisect_left(others, score) + bisect_right(others, score)
        others = self._positives
        return 2 * len(others) - bisect_left(others, score) - bisect_right(others, score)

    @property
    def area(self) -> float | None:
        """ROC-AUC in points; None where all documents are positive, or all negative."""
        pairs = len(self._positives) * len(self._negatives)
        return 100.0 * self._twice / (2 * pairs) if pairs else None


def _without(scores: list[float], removed: Sequence[float]) -> list[float]:
    kept = Counter(scores)
    kept.subtract(removed)
    return list(kept.elements())
