"""Counts by label: what spans and classes add up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np

from goldlens.scoring.counts import Count, Mean, mean_of
from goldlens.scoring.sample import Sample, Statistic, f1, ratio, share

Entry: TypeAlias = tuple[bytes, int, int, int]
"""Of one label: how many items are correct, in gold, predicted."""

Entries: TypeAlias = tuple[Entry, ...]
"""What one bootstrap unit (a sentence, a document) counts: each label once, none with zeros."""

_CELLS: Final = 25_000_000
"""Units times labels up to which the counts of every label are kept by unit (300 MB)."""


class LabelSums:
    """Sums of entries: correct, gold and predicted by label, and all together."""

    def __init__(self) -> None:
        self._counts: dict[bytes, list[int]] = {}
        self._all = [0, 0, 0]

    def put(self, entries: Iterable[Entry], times: int = 1) -> None:
        """Adds entries so many times, or takes them away where that is below 0."""
        total = self._all
        for label, correct, gold, predicted in entries:
            counts = self._counts.get(label)
            if counts is None:
                counts = self._counts[label] = [0, 0, 0]
            for sums in (counts, total):
                sums[0] += times * correct
                sums[1] += times * gold
                sums[2] += times * predicted
            if not (counts[1] or counts[2]):
                del self._counts[label]

    def micro(self) -> Count:
        """All labels together."""
        return Count(*self._all)

    def by_label(self) -> dict[str, Count]:
        """Each label in gold or prediction, in alphabetical order.

        Bytes that are not UTF-8 are written as `\\xff`, so that two labels keep two names.
        """
        return {
            label.decode("utf-8", "backslashreplace"): Count(*self._counts[label])
            for label in sorted(self._counts)
        }

    def only_predicted(self) -> list[bytes]:
        """The labels that gold does not have, in alphabetical order."""
        return sorted(label for label, counts in self._counts.items() if not counts[1])

    def macro(self) -> Mean:
        """The mean over the labels in gold or prediction."""
        return mean_of([Count(*self._counts[label]) for label in sorted(self._counts)])


def sample_of(
    rows: Iterable[tuple[int, Entries]], units: int, parts: Sequence[str] = ("Micro", "Macro")
) -> Sample:
    """The sample of some units: (number of the unit, its entries), in any order.

    Columns: correct, gold and predicted of all labels, then of each; more columns may be put
    behind them. Where there are too many labels to keep them by unit, there is no Macro.
    """
    placed = [(unit, entry) for unit, entries in rows for entry in entries]
    labels = sorted({entry[0] for _, entry in placed})
    number = {label: k for k, label in enumerate(labels)}
    every = units * len(labels) <= _CELLS and "Macro" in parts
    counts = np.zeros((units, 3 + 3 * len(labels) * every), np.int32)
    if placed:
        at = np.array([unit for unit, _ in placed])
        values = np.array([entry[1:] for _, entry in placed], np.int32)
        np.add.at(counts[:, :3], at, values)
        if every:
            first = 3 + 3 * np.array([number[entry[0]] for _, entry in placed])
            for k in range(3):
                np.add.at(counts, (at, first + k), values[:, k])
    statistics: dict[str, Statistic] = {}
    if "Micro" in parts:
        statistics |= {
            "Micro": f1(0, 1, 2),
            "Micro.precision": ratio(0, 2),
            "Micro.recall": ratio(0, 1),
        }
    if every:
        statistics |= {
            "Macro": _macro("f1", len(labels)),
            "Macro.precision": _macro("precision", len(labels)),
            "Macro.recall": _macro("recall", len(labels)),
        }
    return Sample(counts, statistics)


def _macro(part: str, labels: int) -> Statistic:
    """The mean over those of so many labels that are in gold or prediction of what is drawn."""
    stop = 3 + 3 * labels

    def statistic(sums: np.ndarray) -> np.ndarray:
        correct, gold, predicted = (sums[..., 3 + k : stop : 3] for k in range(3))
        present = (gold + predicted > 0).sum(axis=-1)
        points = {
            "f1": lambda: share(2 * correct, gold + predicted),
            "precision": lambda: share(correct, predicted),
            "recall": lambda: share(correct, gold),
        }[part]()
        mean: np.ndarray = points.sum(axis=-1) / np.where(present == 0, 1, present)
        return mean

    return statistic
