"""What is computed from pairs: under- and over-stemming indices, and those of a confusion matrix.

A related pair that is kept together is a true positive. The indices UI and OI are those of Paice
(1994, "An evaluation method for stemming algorithms"), on pairs of forms.

All are points, 0 to 100, except the Matthews correlation, which is -100 to 100. None where the
denominator is 0.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Final

from goldlens.scoring.stemming.policies import ANY_CANDIDATE, Pairs

INDICES: Final = {
    "UI": "UI",
    "OI": "OI",
    "precision": "Precision",
    "recall": "Recall",
    "specificity": "Specificity",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced-Accuracy",
    "F0.5": "F0.5",
    "F1": "F1",
    "F2": "F2",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "matthews": "Matthews",
    "pairwise_error_rate": "Pairwise-Error-Rate",
}
"""Every index, by the key it has in JSON and CSV, and its name as a metric."""

LOW_IS_GOOD: Final = frozenset(("UI", "OI", "pairwise_error_rate"))
"""Indices of which less is better."""


def metrics(policy: str) -> tuple[str, ...]:
    """The keys of the indices that a policy has."""
    return ("UI", "OI") if policy == ANY_CANDIDATE else tuple(INDICES)


def indices(pairs: Pairs, policy: str) -> dict[str, float | None]:
    """The indices by key. ANY_CANDIDATE, which is no confusion matrix, has UI and OI alone."""
    fn, fp = pairs.under_error, pairs.over_error
    tp, tn = pairs.under_possible - fn, pairs.over_possible - fp
    found: dict[str, float | None] = dict.fromkeys(INDICES)
    found["UI"] = points(fn, tp + fn)
    found["OI"] = points(fp, tn + fp)
    if policy == ANY_CANDIDATE:
        return found
    predicted, related, unrelated = tp + fp, tp + fn, tn + fp
    every = related + unrelated
    found |= {
        "precision": points(tp, predicted),
        "recall": points(tp, related),
        "specificity": points(tn, unrelated),
        "accuracy": points(tp + tn, every),
        "balanced_accuracy": points(tp * unrelated + tn * related, 2 * related * unrelated),
        "F0.5": points(5 * tp, 5 * tp + fn + 4 * fp),
        "F1": points(2 * tp, 2 * tp + fn + fp),
        "F2": points(5 * tp, 5 * tp + 4 * fn + fp),
        "jaccard": points(tp, tp + fn + fp),
        "fowlkes_mallows": _over_root(tp, predicted * related),
        "matthews": _over_root(tp * tn - fp * fn, predicted * related * unrelated * (tn + fn)),
        "pairwise_error_rate": points(fn + fp, every),
    }
    return found


def points(part: int, whole: int) -> float | None:
    """100 part / whole, rounded once; None if `whole` is 0."""
    return 100 * part / whole if whole else None


def _over_root(part: int, square: int) -> float | None:
    """100 part / √square, the same for the same proportions; None if `square` is 0."""
    if not square:
        return None
    root = 100 * sqrt(Fraction(part * part, square))
    return root if part >= 0 else -root
