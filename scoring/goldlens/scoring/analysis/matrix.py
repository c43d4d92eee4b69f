"""Confusion matrices: how often each label of gold was predicted as each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from goldlens.scoring.analysis.features import features
from goldlens.scoring.analysis.trees import Coded, TreePair, renamed
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.table import DEPREL, FEATS, LEMMA, UPOS, XPOS

OTHER: Final = "(other)"
"""The name of the labels that are not shown one by one."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """How often each label of gold (a row) was predicted as each label (a column).

    column  what the labels are of: upos, deprel, a feature's name, …
    labels  of the rows and, in the same order, of the columns: the most frequent first; None is
            a feature that is absent, `OTHER` at the end what stands for all labels not named
    counts  counts[gold][predicted], the right ones on the diagonal (what `OTHER` has there may be
            right or wrong)
    """

    column: str
    labels: tuple[str | None, ...]
    counts: tuple[tuple[int, ...], ...]

    def cut(self, most: int) -> Matrix:
        """The matrix with at most so many labels: the others go to `OTHER`."""
        size = len(self.labels)
        if size <= most:
            return self
        rank = np.minimum(np.arange(size), most - 1)
        counts = np.zeros((most, most), np.int64)
        np.add.at(counts, (rank[:, np.newaxis], rank), np.array(self.counts, np.int64))
        labels = (*self.labels[: most - 1], OTHER)
        return Matrix(self.column, labels, tuple(tuple(row) for row in counts.tolist()))

    def as_dict(self) -> dict[str, object]:
        """The matrix as JSON has it."""
        return {
            "column": self.column,
            "labels": list(self.labels),
            "counts": [list(row) for row in self.counts],
        }


def matrix_of(
    column: str,
    names: Sequence[str | None],
    gold: Ints,
    pred: Ints,
    most: int | None = None,
    times: Ints | None = None,
) -> Matrix:
    """The matrix of pairs of labels, each an index into `names`, with at most `most` labels.

    `times`: how often there is each pair; once, if None. Labels that are on neither side are left
    out.
    """
    size = len(names)
    there, here = (np.bincount(side, times, size).astype(np.int64) for side in (gold, pred))
    used = (there + here).nonzero()[0].tolist()
    order = sorted(used, key=lambda k: (-int(there[k]), -int(here[k]), names[k] or ""))
    shown = order if most is None or len(order) <= most else order[: max(0, most - 1)]
    rank = np.full(size, len(shown))
    rank[shown] = np.arange(len(shown))
    width = len(shown) + (len(shown) < len(order))
    pairs = rank[gold] * width + rank[pred]
    counts = np.bincount(pairs, times, width * width).astype(np.int64)
    labels = tuple(names[k] for k in shown)
    return Matrix(
        column,
        labels if width == len(shown) else (*labels, OTHER),
        tuple(tuple(row) for row in counts.reshape(width, width).tolist()),
    )


def tree_matrix(pair: TreePair, column: str, most: int | None = None) -> Matrix:
    """The matrix of all aligned words, right and wrong ones, for a column or a universal feature.

    Columns are upos, xpos, lemma, deprel, deprel-full and heads; any other name is a feature's,
    as in "Number". The diagonal is what is the same on both sides: of heads, words whose heads have
    one tag, which may be wrong all the same.
    """
    coded = _coded(pair, column)
    gold, pred = coded.gold[pair.gold_word], coded.pred[pair.pred_word]
    return matrix_of(column, coded.names, gold, pred, most)


def _coded(pair: TreePair, column: str) -> Coded:
    match column:
        case "deprel":
            return pair.relations
        case "heads":
            return pair.heads
    if column in _COLUMNS:
        return pair.coded(_COLUMNS[column])
    return renamed(pair.coded(FEATS), lambda cell: features(cell or "")[0].get(column))


_COLUMNS: Final = {"upos": UPOS, "xpos": XPOS, "lemma": LEMMA, "deprel-full": DEPREL}
