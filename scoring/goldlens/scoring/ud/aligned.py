"""All words of a pair, gold's beside the prediction's: what an analysis looks at.

The words are those of the segments that are compared, in the order of the segments; what could
not be compared shows in `total` alone. All of it comes from the `Comparison` that scores come
from, so that an analysis counts what the score counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from goldlens.scoring.counts import Count
from goldlens.scoring.segment import Segment
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.cells import Bools, Ints
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import in_total, uncompared
from goldlens.scoring.ud.groups import groups, slice_of, table
from goldlens.scoring.ud.table import ROOT, Table
from goldlens.scoring.ud.unit import Unit


@dataclass(slots=True, eq=False)
class Words:
    """The words of one side, n of them.

    unit       n; the unit each is in
    number     n; its ID in its sentence, from 1
    head       n; the ID of its head, 0 for a root, -1 where HEAD cannot be right
    head_word  n; the index of its head among these words, `table.ROOT` or `table.WRONG`
    """

    unit: Ints
    number: Ints
    head: Ints
    head_word: Ints
    _tables: list[Table]
    _columns: dict[int, list[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.unit)

    def column(self, column: int) -> list[str]:
        """The cells of a column (see `table`: LEMMA, UPOS, …), as texts."""
        if column not in self._columns:
            self._columns[column] = [
                cell for table in self._tables for cell in _cells(table, column)
            ]
        return self._columns[column]


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Two sides, and which words of theirs face each other.

    gold_word, pred_word   a; the indices of aligned words, in order
    relation   a; whether the relations agree, subtypes apart, whatever the heads are
    correct    metric → a; which aligned words are correct by it (all from UPOS on but those of
               enhanced dependencies, which count edges)
    total      the counts of the whole pair (see `metrics.COLUMNS`), what is not compared too
    """

    gold: Words
    pred: Words
    gold_word: Ints
    pred_word: Ints
    relation: Bools
    correct: dict[str, Bools]
    total: Ints

    def count(self, metric: str) -> Count:
        """The counts of a metric over the whole pair. Raises KeyError for an unknown name."""
        return metrics.count(metric, self.total)

    def facing(self, column: int) -> tuple[list[str], list[str]]:
        """The cells of a column of all aligned words: gold's, and the prediction's."""
        theirs, ours = self.gold.column(column), self.pred.column(column)
        return (
            [theirs[k] for k in self.gold_word.tolist()],
            [ours[k] for k in self.pred_word.tolist()],
        )


def aligned(gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]) -> Aligned:
    """The words of two lists of units that face each other by `segments`.

    Raises GroupTooLarge (see `alignment`).
    """
    total = np.zeros(metrics.WIDTH, np.int64)
    sides = (_Gathered(), _Gathered())
    pieces: list[tuple[Ints, Ints, Comparison]] = []
    for group in groups(gold, pred, segments):
        theirs = range(group[0].gold.start, group[-1].gold.stop)
        ours = range(group[0].pred.start, group[-1].pred.stop)
        gold_table, pred_table = table(gold[slice_of(theirs)]), table(pred[slice_of(ours)])
        if not group[0].kind.compared:
            total += uncompared(gold_table, pred_table).sum(axis=0)
            continue
        assert gold_table is not None and pred_table is not None
        comparison = Comparison(gold_table, pred_table)
        total += in_total(comparison)
        before = [side.words for side in sides]
        pieces.append(
            (comparison.gold_word + before[0], comparison.pred_word + before[1], comparison)
        )
        sides[0].add(gold_table, gold, theirs)
        sides[1].add(pred_table, pred, ours)
    empty = np.empty(0, np.int64)
    correct = [comparison.correct() for _, _, comparison in pieces]
    return Aligned(
        sides[0].done(),
        sides[1].done(),
        np.concatenate([empty, *[piece[0] for piece in pieces]]),
        np.concatenate([empty, *[piece[1] for piece in pieces]]),
        np.concatenate([empty, *[found.relation_agrees for _, _, found in pieces]]).astype(bool),
        {
            name: np.concatenate([empty, *[columns[name] for columns in correct]]).astype(bool)
            for name in metrics.NAMES[3:]
            if name not in metrics.ENHANCED
        },
        total,
    )


class _Gathered:
    """The words of one side, piece after piece."""

    def __init__(self) -> None:
        self.words = 0
        self._tables: list[Table] = []
        empty = np.empty(0, np.int64)
        self._columns: list[list[Ints]] = [[empty], [empty], [empty], [empty]]

    def add(self, table: Table, units: Sequence[Unit], numbers: range) -> None:
        """Adds the words of a piece, which is made of the units of these `numbers`."""
        held = np.array([k for k in numbers if units[k].canonical], np.int64)
        first = table.sentence_word[table.word_sentence]
        inside = table.head_of >= 0
        number = np.arange(len(first)) - first + 1
        head = np.where(inside, table.head_of - first + 1, np.where(table.head_of == ROOT, 0, -1))
        above = np.where(inside, table.head_of + self.words, table.head_of)
        found = (held[table.word_sentence], number, head, above)
        for column, more in zip(self._columns, found, strict=True):
            column.append(more)
        self._tables.append(table)
        self.words += len(first)

    def done(self) -> Words:
        """All of them."""
        unit, number, head, above = map(np.concatenate, self._columns)
        return Words(unit, number, head, above, self._tables)


def _cells(table: Table, column: int) -> list[str]:
    text = table.text
    starts = table.word_cells[:, column].tolist()
    ends = (table.word_cells[:, column + 1] - 1).tolist()
    return [
        text[start:end].decode("utf-8", "replace") for start, end in zip(starts, ends, strict=True)
    ]
