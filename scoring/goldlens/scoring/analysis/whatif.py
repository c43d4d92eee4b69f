"""What the points of a metric would be if an error were gone: for each kind of error, exactly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from goldlens.scoring.analysis.agreement import CONTENT_METRICS, NEEDS, Agreement
from goldlens.scoring.analysis.confusion import Confusion, Confusions
from goldlens.scoring.analysis.differences import differences
from goldlens.scoring.counts import Count
from goldlens.scoring.ud.cells import Bools, Ints

EXAMPLES: Final = 3
"""How many places are given for each kind of error."""


def confusions(
    agreement: Agreement,
    column: str,
    metric: str,
    top: int | None = None,
    examples: int = EXAMPLES,
) -> Confusions:
    """The confusions of a column, the `top` most frequent of them (all, if None).

    `gain` is exact: what comparing again would give after the predicted cells of all these words
    had been given gold's value. A feature is changed by itself, a relation with its subtype, and
    a head to the counterpart of gold's head, whether or not a tree results. Raises KeyError for
    another column (see `differences.COLUMNS`) or metric (see `agreement.NEEDS`).
    """
    return Priced(agreement, column, metric).listed(top, examples)


class Priced:
    """The errors of a column by kind, and what each kind costs by a metric."""

    def __init__(self, agreement: Agreement, column: str, metric: str) -> None:
        """Raises KeyError for another column or metric."""
        self._agreement, self.column, self.metric = agreement, column, metric
        self._found = found = differences(agreement, column)
        size = len(found.kinds)
        self._counts: list[int] = np.bincount(found.kind, minlength=size).tolist()
        self._by_kind = found.kind.argsort(kind="stable")
        self._ends: list[int] = np.cumsum(self._counts).tolist()
        self._before = agreement.count(metric)
        self._right, self._wrong, self._content = self._changes()
        self._order = sorted(
            range(size), key=lambda k: (-self._counts[k], [n or "" for n in found.kinds[k]])
        )

    def listed(self, top: int | None = None, examples: int = EXAMPLES) -> Confusions:
        """The most frequent kinds."""
        return Confusions(
            self.column,
            len(self._agreement.pair.gold_word),
            len(self._found.kind),
            len(self._counts),
            self.metric,
            tuple(self.confusion(kind, examples) for kind in self._order[:top]),
            self.whole_gain(),
            int((~self._found.mended["head"]).sum()) if self.column == "heads" else 0,
        )

    def whole_gain(self) -> float:
        """The points that the metric would gain if all errors of the column were gone."""
        found = self._found
        words, first = np.unique(found.pair, return_index=True)
        mended = self._agreement.mended(
            words,
            {name: holds[first] for name, holds in (found.whole or found.mended).items()},
            relabelled=found.relabelled,
        )
        return mended.count(self.metric).f1 - self._before.f1

    def costly(self, top: int) -> list[tuple[float, float, int, int]]:
        """Gain, bound, count and number of the `top` kinds that cost most.

        Of MLAS only among the `top` most frequent ones, since each has to be compared again.
        """
        kinds = self._order[:top] if self.metric == "MLAS" else self._order
        priced = [(self.gain(k), self.bound(k), self._counts[k], k) for k in kinds]
        return sorted(priced, key=lambda one: (-one[0], -one[1], -one[2]))[:top]

    def confusion(self, kind: int, examples: int = EXAMPLES) -> Confusion:
        """A kind, by its number."""
        pairs = self._found.pair[self._errors(kind)[:examples]].tolist()
        return Confusion(
            *self._found.kinds[kind],
            self._counts[kind],
            100.0 * self._counts[kind] / len(self._found.kind),
            self.gain(kind),
            self.bound(kind),
            tuple(self._agreement.pair.place(pair) for pair in pairs),
        )

    def gain(self, kind: int) -> float:
        """The points that the metric would gain if the errors of a kind were gone."""
        if self.metric == "MLAS":
            # It looks at other words, too.
            return self._compared_again(self._errors(kind)).f1 - self._before.f1
        moved = self._content[kind] if self._found.relabelled else 0
        return self._points(self._right[kind], moved)

    def bound(self, kind: int) -> float:
        """The points that it would gain if the words were right in all that it looks at."""
        return self._points(self._wrong[kind], self._content[kind])

    def _points(self, right: int, predicted: int) -> float:
        before = self._before
        after = Count(before.correct + right, before.gold, before.predicted + predicted)
        return after.f1 - before.f1

    def _errors(self, kind: int) -> Ints:
        return self._by_kind[self._ends[kind] - self._counts[kind] : self._ends[kind]]

    def _changes(self) -> tuple[list[int], list[int], list[int]]:
        """By kind: how many words would be right besides, how many are wrong, and how many more
        would have a content relation if their relation were gold's.

        Of all kinds at once, by looking at one word after the other; of MLAS the first is not
        all that changes.
        """
        agreement, found, size = self._agreement, self._found, len(self._found.kinds)
        theirs = agreement.pair.gold_word[found.pair]
        wrong: Bools = ~agreement.right(self.metric)[found.pair]
        moved = np.zeros(len(found.pair), np.int64)
        if self.metric in CONTENT_METRICS:
            content = agreement.gold_content[theirs]
            wrong &= content
            moved = content - agreement.pred_content[agreement.pair.pred_word[found.pair]].astype(
                np.int64
            )
        right = wrong.copy()
        for name in NEEDS[self.metric]:
            right &= agreement.agrees[name][found.pair] | found.mended.get(name, False)
        return (
            np.bincount(found.kind[right], minlength=size).tolist(),
            np.bincount(found.kind[wrong], minlength=size).tolist(),
            np.bincount(found.kind, moved, minlength=size).astype(np.int64).tolist(),
        )

    def _compared_again(self, errors: Ints) -> Count:
        """The counts of the metric without some errors, by comparing once more."""
        found = self._found
        mended = self._agreement.mended(
            found.pair[errors],
            {name: holds[errors] for name, holds in found.mended.items()},
            relabelled=found.relabelled,
        )
        return mended.count(self.metric)


def costliest(
    every: Iterable[Priced], most: int, examples: int = EXAMPLES
) -> tuple[tuple[str, Confusion], ...]:
    """The kinds of errors of several columns that cost most, each with its column.

    By gain, then by bound, then by count: a confusion of tags adds nothing to LAS by itself, but
    stands for words that LAS loses.
    """
    found = [(one, priced) for priced in every for one in priced.costly(most)]
    found.sort(key=lambda each: (-each[0][0], -each[0][1], -each[0][2]))
    return tuple(
        (priced.column, priced.confusion(one[3], examples)) for one, priced in found[:most]
    )
