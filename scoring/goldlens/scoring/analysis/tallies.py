"""Confusions of labelled items, spans or documents, and what the figures would be without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goldlens.scoring.analysis.breakdown import Breakdown, Group
from goldlens.scoring.analysis.confusion import Confusion, Confusions
from goldlens.scoring.analysis.matrix import Matrix, matrix_of
from goldlens.scoring.analysis.places import Location
from goldlens.scoring.counts import Count, mean_of
from goldlens.scoring.labels import Entry

Kind = tuple[str | None, str | None, str | None]
"""What an error is of, what gold has, what the prediction has (see `confusion.Confusion`)."""


@dataclass(frozen=True, slots=True)
class Error:
    """An error: an item of gold that was not found, a superfluous one of the prediction, or both.

    `gold` and `pred` are labels, None where that side has nothing. `alone`: there is no other
    error in the same document, so that all of it would be right without this one.
    """

    of: str | None
    gold: bytes | None
    pred: bytes | None
    place: Callable[[], Location]
    alone: bool = True


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted: correct, gold and predicted items by label; documents and right ones."""

    labels: Mapping[bytes, tuple[int, int, int]]
    documents: int = 0
    right: int = 0

    def score(self, metric: str) -> float:
        """The points of Micro, Macro or Accuracy. Raises KeyError for another metric."""
        counts = [Count(*each) for each in self.labels.values() if each[1] or each[2]]
        match metric:
            case "Micro":
                sums = [sum(each) for each in zip(*self.labels.values(), strict=True)]
                return Count(*(sums or (0, 0, 0))).f1
            case "Macro":
                return mean_of(counts).f1
            case "Accuracy":
                return Count(self.right, self.documents, 0).recall
        raise KeyError(metric)

    def without(self, errors: Iterable[Error]) -> Tally:
        """What would be counted if gold's item stood in place of each predicted one."""
        labels = {label: list(counts) for label, counts in self.labels.items()}
        right = self.right
        for error in errors:
            if error.pred is not None:
                labels[error.pred][2] -= 1
            if error.gold is not None:
                labels[error.gold][0] += 1
                labels[error.gold][2] += 1
            right += error.alone
        changed = {label: (c, g, p) for label, (c, g, p) in labels.items()}
        return Tally(changed, self.documents, right)


def tally_of(entries: Iterable[Entry], documents: int = 0, right: int = 0) -> Tally:
    """The sums of entries."""
    sums: dict[bytes, tuple[int, int, int]] = {}
    for label, correct, gold, predicted in entries:
        c, g, p = sums.get(label, (0, 0, 0))
        sums[label] = c + correct, g + gold, p + predicted
    return Tally(sums, documents, right)


def confusions_of(
    column: str,
    errors: Sequence[Error],
    kind: Callable[[Error], Kind],
    tally: Tally,
    metric: str,
    top: int | None,
    examples: int,
) -> Confusions:
    """The errors by kind, the `top` most frequent kinds of them, and what each of these costs."""
    kinds: dict[Kind, list[Error]] = {}
    for error in errors:
        kinds.setdefault(kind(error), []).append(error)
    order = sorted(kinds, key=lambda k: (-len(kinds[k]), [name or "" for name in k]))
    before = tally.score(metric)
    return Confusions(
        column,
        sum(gold for _, gold, _ in tally.labels.values()),
        len(errors),
        len(kinds),
        metric,
        tuple(
            Confusion(
                *each,
                len(kinds[each]),
                100.0 * len(kinds[each]) / len(errors),
                tally.without(kinds[each]).score(metric) - before,
                None,
                tuple(error.place() for error in kinds[each][:examples]),
            )
            for each in order[:top]
        ),
    )


def by_label(tally: Tally) -> Breakdown:
    """The items by label, the most frequent in gold first."""
    groups = [
        Group(named(label), gold, predicted, {"Micro": correct})
        for label, (correct, gold, predicted) in tally.labels.items()
    ]
    groups.sort(key=lambda group: (-group.gold, group.name or ""))
    return Breakdown("label", ("Micro",), "Micro", tuple(groups))


def label_matrix(
    tally: Tally, errors: Iterable[Error], faces: Callable[[Error], bool], most: int
) -> Matrix:
    """How often each label of gold was predicted as each label; None: as none at all.

    `faces` says of an error with both sides whether one stands in the other's place; if it does
    not, the two count by themselves.
    """
    counts: Counter[tuple[bytes | None, bytes | None]] = Counter()
    for known, (correct, _, _) in tally.labels.items():
        counts[known, known] += correct
    for error in errors:
        if error.gold is not None and error.pred is not None and not faces(error):
            counts[error.gold, None] += 1
            counts[None, error.pred] += 1
        else:
            counts[error.gold, error.pred] += 1
    codes: dict[bytes | None, int] = {}
    for pair in counts:
        for label in pair:
            codes.setdefault(label, len(codes))
    sides = ([codes[pair[side]] for pair in counts for _ in range(counts[pair])] for side in (0, 1))
    gold, pred = (np.array(side, np.int64) for side in sides)
    return matrix_of("label", [named(label) for label in codes], gold, pred, most)


def named(label: bytes | None) -> str | None:
    """A label as text; bytes that are not UTF-8 are written as `\\xff`."""
    return None if label is None else label.decode("utf-8", "backslashreplace")
