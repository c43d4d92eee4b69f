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

    def gains(self, metric: str, kinds: Iterable[Sequence[Error]]) -> list[float]:
        """The points that a metric would gain if gold's item stood in place of each predicted one.

        For each kind of errors by itself. Raises KeyError for another metric.
        """
        before = self.score(metric)
        if metric == "Accuracy":
            alone = [sum([error.alone for error in errors]) for errors in kinds]
            return [Count(self.right + n, self.documents, 0).recall - before for n in alone]
        # There may be as many labels as items: only those that a kind touches are counted again.
        parts = {label: _part(metric, counts) for label, counts in self.labels.items()}
        above, below = _sum(parts.values())
        found = []
        for errors in kinds:
            changed = self._without(errors)
            old = _sum([parts[label] for label in changed])
            new = _sum([_part(metric, counts) for counts in changed.values()])
            under = below + new[1] - old[1]
            found.append(((above + (new[0] - old[0])) / under if under else 0.0) - before)
        return found

    def _without(self, errors: Iterable[Error]) -> dict[bytes, tuple[int, int, int]]:
        """What would be counted of the labels of these errors."""
        labels: dict[bytes, list[int]] = {}
        for error in errors:
            for label, correct, predicted in ((error.pred, 0, -1), (error.gold, 1, 1)):
                if label is not None:
                    counts = labels.setdefault(label, [*self.labels[label]])
                    counts[0] += correct
                    counts[2] += predicted
        return {label: (c, g, p) for label, (c, g, p) in labels.items()}


def _part(metric: str, counts: tuple[int, int, int]) -> tuple[float, int]:
    """What a label adds above and below the line of Micro, or of Macro."""
    correct, gold, predicted = counts
    if metric == "Micro":
        return 200.0 * correct, gold + predicted
    return Count(*counts).f1, int(bool(gold or predicted))


def _sum(parts: Iterable[tuple[float, int]]) -> tuple[float, int]:
    above, below = 0.0, 0
    for part in parts:
        above += part[0]
        below += part[1]
    return above, below


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
    shown = order[:top]
    gains = tally.gains(metric, [kinds[each] for each in shown])
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
                gain,
                None,
                tuple(error.place() for error in kinds[each][:examples]),
            )
            for each, gain in zip(shown, gains, strict=True)
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
    gold, pred = (np.array([codes[pair[side]] for pair in counts], np.int64) for side in (0, 1))
    times = np.array(list(counts.values()), np.int64)
    return matrix_of("label", [named(label) for label in codes], gold, pred, most, times)


def named(label: bytes | None) -> str | None:
    """A label as text; bytes that are not UTF-8 are written as `\\xff`."""
    return None if label is None else label.decode("utf-8", "backslashreplace")
