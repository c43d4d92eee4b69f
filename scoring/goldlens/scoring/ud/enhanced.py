"""Edges of enhanced dependencies: the items of ELAS and EULAS (IWPT 2020).

An edge counts unless its head is an empty node. Of an aligned word, each pair of a gold edge and
a predicted edge with matching heads and labels counts as correct, as udtools' `udeval` counts
them (with enhancements 0).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from goldlens.scoring.ud.cells import Bools, Ints, equal, increments, is_in, some, spread
from goldlens.scoring.ud.table import DEPS, Table

Edge = tuple[int, tuple[bytes, ...], tuple[bytes, ...]]
"""Head (an ID in the sentence, 0 the root), label steps, label steps without subtypes."""

_PIPE, _DOT, _BLANK = 124, 46, 95


@lru_cache(maxsize=1 << 15)
def edges(cell: bytes) -> tuple[Edge, ...]:
    """The edges of a DEPS cell that count. What is not `head:label` is passed over."""
    found: list[Edge] = []
    if cell not in (b"", b"_"):
        for part in cell.split(b"|"):
            head, colon, label = part.partition(b":")
            if not colon or b"." in head:
                continue
            try:
                number = int(head)
            except ValueError:
                continue
            if number >= 0:
                steps = tuple(label.split(b">"))
                found.append((number, steps, tuple(step.partition(b":")[0] for step in steps)))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _agreement_with_itself(cell: bytes) -> tuple[int, int, int]:
    every = edges(cell)
    full = sum(a[:2] == b[:2] for a in every for b in every)
    plain = sum(a[0] == b[0] and a[2] == b[2] for a in every for b in every)
    return len(every), full, plain


class EdgeColumn:
    """The DEPS cells of a table: `start` and `length`, and `count` of edges a word."""

    __slots__ = ("count", "length", "simple", "some", "start", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.start: Ints = table.word_cells[:, DEPS]
        self.length: Ints = table.word_cells[:, DEPS + 1] - 1 - self.start
        byte = table.buffer.byte
        filled = (self.length > 1) | ((self.length == 1) & (byte[self.start] != _BLANK))
        self.some = some(filled)
        self.count = filled.astype(np.int64)
        self.simple: Bools = filled
        if self.some:
            at = filled.nonzero()[0]
            length = self.length[at]
            text = byte[spread(self.start[at], length)]
            special = (text == _PIPE) | (text == _DOT)
            several = np.add.reduceat(special, length.cumsum() - length, dtype=np.int64) > 0
            # One edge and no dot: the usual cell, which needs no reading (if it has a colon).
            colons = np.add.reduceat(text == 58, length.cumsum() - length, dtype=np.int64) > 0
            hard = at[several | ~colons | (byte[self.start[at]] - 48 > 9)]
            self.simple = filled.copy()
            self.simple[hard] = False
            for k in hard.tolist():
                self.count[k] = len(edges(self.cell(k)))

    @property
    def total(self) -> int:
        """All edges of the column."""
        return int(self.count.sum()) if self.some else 0

    def cell(self, word: int) -> bytes:
        """The text of one word's cell."""
        start = int(self.start[word])
        return self.table.buffer.cell(start, start + int(self.length[word]))


def correct_edges(
    gold: EdgeColumn, pred: EdgeColumn, gold_word: Ints, pred_word: Ints, gold_of: Ints
) -> tuple[Ints, Ints]:
    """Correct pairs of edges for each aligned pair of words: with full labels, without subtypes.

    `gold_of` maps predicted words to gold words (-1: none).
    """
    full = np.zeros(len(gold_word), np.int64)
    plain = np.zeros(len(gold_word), np.int64)
    both = (gold.count[gold_word] > 0) & (pred.count[pred_word] > 0)
    if not some(both):
        return full, plain
    at = both.nonzero()[0]
    g, p = gold_word[at], pred_word[at]
    same = equal(
        gold.table.buffer,
        gold.start[g],
        gold.length[g],
        pred.table.buffer,
        pred.start[p],
        pred.length[p],
    )
    straight = same & _in_step(gold.table, pred.table, gold_word, pred_word, g)
    easy = straight & gold.simple[g]
    full[at[easy]] = plain[at[easy]] = 1
    for k in (straight & ~easy).nonzero()[0].tolist():
        _, full[at[k]], plain[at[k]] = _agreement_with_itself(gold.cell(int(g[k])))
    for k in (~straight).nonzero()[0].tolist():
        full[at[k]], plain[at[k]] = _compare(gold, pred, int(g[k]), int(p[k]), gold_of)
    return full, plain


def _in_step(gold: Table, pred: Table, gold_word: Ints, pred_word: Ints, g: Ints) -> Bools:
    """Which of gold words `g` stand in sentences whose words face each other one by one.

    There equal cells mean equal heads, so that they need not be read.
    """
    size = increments(gold.sentence_word)
    aligned = np.bincount(gold.word_sentence[gold_word], minlength=len(size))
    facing = np.full(len(gold.word_sentence), -1)
    facing[gold_word] = pred_word
    first, last = facing[gold.sentence_word[:-1]], facing[gold.sentence_word[1:] - 1]
    begins = is_in(first, pred.sentence_word)
    ends = is_in(last + 1, pred.sentence_word)
    whole: Bools = (aligned == size) & (last - first == size - 1) & begins & ends & (first >= 0)
    # The prediction must not have a sentence end in between.
    whole &= pred.word_sentence[first] == pred.word_sentence[last]
    found: Bools = whole[gold.word_sentence[g]]
    return found


def _compare(gold: EdgeColumn, pred: EdgeColumn, g: int, p: int, gold_of: Ints) -> tuple[int, int]:
    full = plain = 0
    gold_first, gold_end = _sentence(gold.table, g)
    pred_first, pred_end = _sentence(pred.table, p)
    theirs = [
        (gold_first + head - 1 if head else -1, steps, bases)
        for head, steps, bases in edges(gold.cell(g))
        if gold_first + head <= gold_end
    ]
    for head, steps, bases in edges(pred.cell(p)):
        if pred_first + head > pred_end:
            continue
        facing = int(gold_of[pred_first + head - 1]) if head else -1
        if head and facing < 0:
            continue
        for gold_head, gold_steps, gold_bases in theirs:
            if gold_head == facing and gold_bases == bases:
                plain += 1
                full += gold_steps == steps
    return full, plain


def _sentence(table: Table, word: int) -> tuple[int, int]:
    sentence = int(table.word_sentence[word])
    return int(table.sentence_word[sentence]), int(table.sentence_word[sentence + 1])
