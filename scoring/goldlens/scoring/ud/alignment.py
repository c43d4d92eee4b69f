"""Which predicted word corresponds to which gold word (CoNLL 2018 shared task, section 5).

Words align through the character stream both sides share: plain words where their spans are
equal, words of multiword tokens by the longest common subsequence of their forms. `align_words`
is that rule as it is defined, word by word. `align` gives the same pairs for whole tables: it
cuts both sides into islands over which the rule cannot reach, pairs the plain ones and the
identical multiword tokens as columns, and leaves to `align_words` only the islands that are left.

An island ends at a common token end if no multiword token comes next on either side, or if the
last tokens before it have the same span on both sides.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from goldlens.scoring.task import Incomparable
from goldlens.scoring.ud.cells import (
    Bools,
    Ints,
    equal,
    every,
    followed,
    increments,
    preceded,
    some,
    spread,
)
from goldlens.scoring.ud.table import FORM, SPACE, Table

GROUP_LIMIT: Final = 64_000_000
"""The most word pairs a group may have; see `GroupTooLarge`."""


class GroupTooLarge(Incomparable):
    """A group of overlapping multiword tokens has too many word pairs to be aligned."""

    def __init__(self, gold: int, pred: int) -> None:
        super().__init__(
            f"overlapping multiword tokens group {gold} gold words with {pred} predicted ones: "
            f"more than {GROUP_LIMIT:,} pairs; split the sentences or repair the ranges"
        )


class Word(NamedTuple):
    """A word as the rule sees it: its token's span, whether that has several words, its form."""

    start: int
    end: int
    multi: bool
    form: str


def align_words(gold: list[Word], pred: list[Word]) -> list[tuple[int, int]]:
    """The aligned pairs (gold index, predicted index), in order. Raises GroupTooLarge."""
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(gold) and j < len(pred):
        a, b = gold[i], pred[j]
        if not a.multi and not b.multi:
            if a[:2] == b[:2]:
                pairs.append((i, j))
                i, j = i + 1, j + 1
            elif a.start <= b.start:
                i += 1
            else:
                j += 1
            continue
        end = a.end if a.multi else b.end
        if a.multi and not b.multi and b.start < a.start:
            j += 1
        elif not a.multi and a.start < b.start:
            i += 1
        first_i, first_j = i, j
        while _belongs(gold, i, end) or _belongs(pred, j, end):
            if i < len(gold) and (j >= len(pred) or gold[i].start <= pred[j].start):
                taken, i = gold[i], i + 1
            else:
                taken, j = pred[j], j + 1
            if taken.multi and taken.end > end:
                end = taken.end
        pairs += [
            (first_i + g, first_j + p)
            for g, p in common_subsequence(
                [word.form.lower() for word in gold[first_i:i]],
                [word.form.lower() for word in pred[first_j:j]],
            )
        ]
    return pairs


def _belongs(words: list[Word], k: int, end: int) -> bool:
    if k >= len(words):
        return False
    word = words[k]
    return word.start < end if word.multi else word.end <= end


def common_subsequence(gold: list[str], pred: list[str]) -> list[tuple[int, int]]:
    """Index pairs of a longest common subsequence, taken from the left.

    Equal forms are taken; else gold's is passed over if that keeps the length, else the
    prediction's. Raises GroupTooLarge beyond `GROUP_LIMIT` pairs.
    """
    if gold == pred:
        return [(k, k) for k in range(len(gold))]
    if len(gold) * len(pred) > GROUP_LIMIT:
        raise GroupTooLarge(len(gold), len(pred))
    left = _lengths(gold, pred)
    pairs: list[tuple[int, int]] = []
    g = p = 0
    while g < len(gold) and p < len(pred):
        if gold[g] == pred[p]:
            pairs.append((g, p))
            g, p = g + 1, p + 1
        elif left[g][p] == left[g + 1][p]:
            g += 1
        else:
            p += 1
    return pairs


def _lengths(gold: list[str], pred: list[str]) -> list[list[int]] | np.ndarray:
    """left[g][p]: the length of the longest common subsequence of gold[g:] and pred[p:]."""
    if len(gold) * len(pred) < 400:
        rows = [[0] * (len(pred) + 1)]
        for form in reversed(gold):
            below, row = rows[-1], [0] * (len(pred) + 1)
            for p in range(len(pred) - 1, -1, -1):
                row[p] = below[p + 1] + 1 if form == pred[p] else max(below[p], row[p + 1])
            rows.append(row)
        rows.reverse()
        return rows
    number = {form: k for k, form in enumerate({*gold, *pred})}
    forms = np.array([number[form] for form in pred], np.int32)
    kind = np.int16 if min(len(gold), len(pred)) < 32_000 else np.int32
    left = np.zeros((len(gold) + 1, len(pred) + 1), kind)
    for g in range(len(gold) - 1, -1, -1):
        step = np.where(forms == number[gold[g]], left[g + 1, 1:] + 1, left[g + 1, :-1])
        left[g, :-1] = np.maximum.accumulate(step[::-1])[::-1]
    return left


def align(gold: Table, pred: Table) -> tuple[Ints, Ints]:
    """Indices of the aligned words, gold's and the prediction's, both ascending.

    The tables must have equal streams and begin and end at a cut. Raises GroupTooLarge.
    """
    if not some(gold.multiword) and not some(pred.multiword):
        return same_spans(gold.token_start, gold.token_end, pred.token_start, pred.token_end)
    return _Islands(gold, pred).pairs()


def same_spans(a_start: Ints, a_end: Ints, b_start: Ints, b_end: Ints) -> tuple[Ints, Ints]:
    """Indices of the spans that stand on both sides. Each side's spans follow one another."""
    if len(a_end) == len(b_end) and every(a_end == b_end) and every(a_start == b_start):
        all_of_them = np.arange(len(a_end))
        return all_of_them, all_of_them
    size = int(max(a_end[-1:].sum(), b_end[-1:].sum())) + 1
    at = np.full(size, -1)
    at[b_start] = np.arange(len(b_start))
    facing = at[a_start]
    same = (facing >= 0) & (b_end[facing] == a_end)
    found = same.nonzero()[0]
    return found, facing[found]


class _Side:
    """The tokens of one side that hold words."""

    __slots__ = ("count", "end", "first", "gaps", "multi", "start", "table")

    def __init__(self, table: Table) -> None:
        count = increments(table.token_word)
        held = count > 0
        # Tokens without words leave gaps: their neighbours do not follow one another.
        self.gaps = not every(held)
        if not self.gaps:
            self.start, self.end = table.token_start, table.token_end
            self.first, self.multi, self.count = table.token_word[:-1], table.multiword, count
        else:
            self.start, self.end = table.token_start[held], table.token_end[held]
            self.first, self.multi = table.token_word[:-1][held], table.multiword[held]
            self.count = count[held]
        self.table = table

    def words(self, first: int, last: int) -> list[Word]:
        """The words of tokens first to last (exclusive)."""
        table, words = self.table, []
        for token in range(first, last):
            start, end, multi = int(self.start[token]), int(self.end[token]), self.multi[token]
            begin = int(self.first[token])
            for low, high in table.word_cells[
                begin : begin + int(self.count[token]), FORM : FORM + 2
            ].tolist():
                form = table.buffer.cell(low, high - 1)
                if not multi:
                    # A plain word is its token, which has no white space.
                    form = SPACE.sub(b"", form)
                words.append(Word(start, end, bool(multi), form.decode("utf-8", "replace")))
        return words


class _Islands:
    """Both sides cut into pieces that no alignment reaches over."""

    def __init__(self, gold: Table, pred: Table) -> None:
        self.gold, self.pred = g, p = _Side(gold), _Side(pred)
        size = int(max(g.end[-1:].sum(), p.end[-1:].sum())) + 1
        ends = np.zeros(size, np.int8)
        ends[g.end] = 1
        ends[p.end] += 2
        last_g = (ends[g.end] == 3).nonzero()[0]
        last_p = (ends[p.end] == 3).nonzero()[0]
        next_multi = np.append(g.multi, False)[last_g + 1] | np.append(p.multi, False)[last_p + 1]
        cut = ~next_multi | (g.start[last_g] == p.start[last_p])
        # What follows the last cut is an island, too: one side may have tokens left over.
        self.g_end = followed(last_g[cut] + 1, len(g.end))
        self.p_end = followed(last_p[cut] + 1, len(p.end))
        self.g_begin = preceded(0, self.g_end[:-1])
        self.p_begin = preceded(0, self.p_end[:-1])

    def pairs(self) -> tuple[Ints, Ints]:
        g, p = self.gold, self.pred
        single = (self.g_end - self.g_begin == 1) & (self.p_end - self.p_begin == 1)
        at = single.nonzero()[0]
        a, b = self.g_begin[at], self.p_begin[at]
        same = (g.start[a] == p.start[b]) & (g.end[a] == p.end[b])
        plain = same & ~g.multi[a] & ~p.multi[b]
        gold_words, pred_words = [g.first[a[plain]]], [p.first[b[plain]]]

        twin = (same & g.multi[a] & p.multi[b] & (g.count[a] == p.count[b])).nonzero()[0]
        twin = twin[self._same_forms(a[twin], b[twin])]
        gold_words.append(spread(g.first[a[twin]], g.count[a[twin]]))
        pred_words.append(spread(p.first[b[twin]], p.count[b[twin]]))

        multi_before_g = preceded(0, g.multi.cumsum())
        multi_before_p = preceded(0, p.multi.cumsum())
        left = (
            multi_before_g[self.g_end]
            - multi_before_g[self.g_begin]
            + multi_before_p[self.p_end]
            - multi_before_p[self.p_begin]
        ) > 0
        if g.gaps or p.gaps:
            left |= ~single
        left[at[twin]] = False
        for island in left.nonzero()[0].tolist():
            g_begin, p_begin = int(self.g_begin[island]), int(self.p_begin[island])
            found = align_words(
                g.words(g_begin, int(self.g_end[island])),
                p.words(p_begin, int(self.p_end[island])),
            )
            if found:
                # The words of an island follow one another: tokens without words hold none.
                pairs = np.array(found, np.int64)
                gold_words.append(pairs[:, 0] + g.first[g_begin])
                pred_words.append(pairs[:, 1] + p.first[p_begin])
        gold_all, pred_all = np.concatenate(gold_words), np.concatenate(pred_words)
        order = gold_all.argsort(kind="stable")
        return gold_all[order], pred_all[order]

    def _same_forms(self, a: Ints, b: Ints) -> Bools:
        """For pairs of tokens with as many words: whether all their words have the same forms."""
        g, p = self.gold, self.pred
        if not len(a):
            return np.zeros(0, bool)
        counts = g.count[a]
        gold_cells = g.table.word_cells[spread(g.first[a], counts)]
        pred_cells = p.table.word_cells[spread(p.first[b], counts)]
        same = equal(
            g.table.buffer,
            gold_cells[:, FORM],
            gold_cells[:, FORM + 1] - 1 - gold_cells[:, FORM],
            p.table.buffer,
            pred_cells[:, FORM],
            pred_cells[:, FORM + 1] - 1 - pred_cells[:, FORM],
        )
        return np.logical_and.reduceat(same, counts.cumsum() - counts)
