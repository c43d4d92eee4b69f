"""Trees compared under a reconciliation profile: the task `UD` with other figures.

Both sides are rewritten before they are compared: UPOS and LEMMA cells of words as the profile
has them. Then words that are left out are taken from the counts: gold words with a class that the
profile excludes, with what faces them, and predicted words with such a class that face nothing.
They count in no metric of words or edges; their heads and dependents stay what they are, and so
do tokens and sentences.

What is said of single places (problems, their numbers) is about the texts as they are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from goldlens.scoring.analysis.profile import NONE, Profile, compared_lemma
from goldlens.scoring.counts import Figure
from goldlens.scoring.segment import Segment
from goldlens.scoring.signature import Signature
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.cells import Bools, Ints
from goldlens.scoring.ud.compare import Comparison, uncompared
from goldlens.scoring.ud.enhanced import EdgeColumn
from goldlens.scoring.ud.relations import CONTENT, relations
from goldlens.scoring.ud.table import DEPREL, LEMMA, UPOS, Table, table_of
from goldlens.scoring.ud.task import UD, Counts, CountSums, UniversalDependencies
from goldlens.scoring.ud.unit import Unit

_END: Final = b"\n\n"
"""What ends a sentence of canonical text, and is nowhere else in it."""

_MANY: Final = 1000
"""So many units are rewritten at once, for speed."""


def task_of(profile: Profile) -> UniversalDependencies:
    """The task under a profile: `UD` itself where there is nothing to reconcile."""
    return UD if profile == NONE else Reconciled(profile)


class Reconciled(UniversalDependencies):
    """The `ud` task under a profile. Two of one profile are equal."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reconciled) and self.profile == other.profile

    def __hash__(self) -> int:
        return hash(self.profile)

    def format(self, side: int) -> UniversalDependencies:
        """`UD`: files are read as they always are."""
        return UD

    def compare(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        known: Counts | None = None,
    ) -> list[Counts]:
        """Counts of each segment. What is `known` is not: it is of the texts as written."""
        return super().compare(gold, pred, segments)

    def counts(self, gold: Sequence[Unit], pred: Sequence[Unit], *, compared: bool) -> Counts:
        """Items under the profile, problems as the texts are written."""
        written = super().counts(gold, pred, compared=compared)
        under = self._items(gold, pred, compared=compared)
        return np.concatenate([under[:, : metrics.PROBLEM], written[:, metrics.PROBLEM :]], axis=1)

    def _items(self, gold: Sequence[Unit], pred: Sequence[Unit], *, compared: bool) -> Counts:
        """The counts under the profile, of which problems are not to be looked at."""
        theirs, ours = _table(self.profile, gold), _table(self.profile, pred)
        if not compared:
            counts = uncompared(theirs, ours)
            if self.profile.exclude:
                counts -= self._left_out_apart(theirs, ours, len(counts))
            return counts
        assert theirs is not None and ours is not None
        comparison = Comparison(theirs, ours)
        counts = comparison.counts()
        if self.profile.exclude:
            counts -= self._left_out(comparison, len(counts))
        return counts

    def _left_out(self, found: Comparison, size: int) -> Counts:
        """What words that are left out add to the counts of a comparison."""
        gold, pred = found.gold, found.pred
        there = excluded(self.profile, gold)
        here = excluded(self.profile, pred)
        pair = there[found.gold_word]
        here[found.pred_word] = pair
        sentence_of = gold.sentence_end.searchsorted(pred.token_start, side="right")
        word_of = sentence_of[pred.word_token]
        word_of[found.pred_word] = gold.word_sentence[found.gold_word]
        out = np.zeros((size, metrics.WIDTH), np.int32)
        _items(out, 0, gold, there, gold.word_sentence)
        _items(out, metrics.PREDICTED, pred, here, word_of)
        of_pair = gold.word_sentence[found.gold_word][pair]
        aligned = np.ones(len(pair), bool)
        columns = [aligned, found.content, aligned, *found.correct().values()]
        places = [
            metrics.ALIGNED,
            metrics.ALIGNED + 1,
            *range(metrics.CORRECT + 2, metrics.PROBLEM),
        ]
        for place, column in zip(places, columns, strict=True):
            out[:, place] = np.bincount(of_pair, column[pair], minlength=size)
        return out

    def _left_out_apart(self, gold: Table | None, pred: Table | None, size: int) -> Counts:
        """What words that are left out add to the counts of what cannot be compared."""
        out = np.zeros((size, metrics.WIDTH), np.int32)
        if gold is not None and len(gold.block):
            _items(out, 0, gold, excluded(self.profile, gold), gold.word_sentence)
        if pred is not None and len(pred.block):
            first = np.zeros(len(pred.word_sentence), np.int64)
            _items(out, metrics.PREDICTED, pred, excluded(self.profile, pred), first)
        return out

    def figures(
        self, sums: CountSums, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """The metrics by name; None also for those that the profile says cannot be compared."""
        found = super().figures(sums, gold, pred, strict=strict)
        dropped = self.profile.incomparable
        return {name: None if name in dropped else each for name, each in found.items()}

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What figures are computed with: it names the profile."""
        return replace(super().signature(match, policy, strict=strict), profile=self.profile.name)


def reconciled(profile: Profile, units: Sequence[Unit]) -> list[Unit]:
    """Units whose canonical text is rewritten as a profile has it."""
    texts: list[bytes] = []
    for first in range(0, len(units), _MANY):
        some = b"".join([unit.canonical for unit in units[first : first + _MANY]])
        texts += rewritten(profile, some).split(_END)[:-1]
    new = iter(texts)
    return [replace(unit, canonical=next(new) + _END) if unit.canonical else unit for unit in units]


def rewritten(profile: Profile, text: bytes) -> bytes:
    """Canonical text (see `conllu.reading`) with the UPOS and LEMMA of words as compared."""
    if not text or not (profile.upos or profile.form or profile.homograph):
        return text
    cells = table_of(text, canonical=True).word_cells
    tags = {tag.encode(): other.encode() for tag, other in profile.upos}
    borders = cells[:, [LEMMA, LEMMA + 1, UPOS, UPOS + 1]].tolist()
    parts: list[bytes] = []
    at = 0
    for lemma_start, lemma_end, tag_start, tag_end in borders:
        lemma, tag = text[lemma_start : lemma_end - 1], text[tag_start : tag_end - 1]
        new = compared_lemma(profile, lemma)
        if new is not lemma and new != lemma:
            parts += (text[at:lemma_start], new)
            at = lemma_end - 1
        if tag in tags:
            parts += (text[at:tag_start], tags[tag])
            at = tag_end - 1
    return b"".join([*parts, text[at:]])


def excluded(profile: Profile, table: Table) -> Bools:
    """Over the words of a table made of rewritten text: whose class is one to be left out."""
    classes = {name.encode() for name in profile.exclude}
    text = table.text
    starts, ends = table.word_cells[:, UPOS].tolist(), table.word_cells[:, UPOS + 1].tolist()
    found = [text[a : b - 1] in classes for a, b in zip(starts, ends, strict=True)]
    return np.array(found, bool)


def _table(profile: Profile, units: Sequence[Unit]) -> Table | None:
    text = b"".join([unit.canonical for unit in units])
    return table_of(rewritten(profile, text), canonical=True) if text else None


def _items(out: Counts, first: int, table: Table, words: Bools, sentence: Ints) -> None:
    """Counts some `words` of a side into the columns of its items, which begin at `first`."""
    start = table.word_cells[:, DEPREL]
    _, classes = relations(table.buffer, start, table.word_cells[:, DEPREL + 1] - 1 - start)
    size = len(out)
    at, content = sentence[words], classes[words] == CONTENT
    out[:, first + 2] = np.bincount(at, minlength=size)
    out[:, first + 3] = np.bincount(at[content], minlength=size)
    out[:, first + 4] = np.bincount(at, EdgeColumn(table).count[words], minlength=size)
