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

from goldlens.scoring.counts import Figure
from goldlens.scoring.segment import Segment
from goldlens.scoring.signature import Signature
from goldlens.scoring.ud import groups, metrics
from goldlens.scoring.ud.cells import LOW, Bools, Ints
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import (
    by_sentence,
    in_total,
    sentence_at,
    uncompared,
    word_sentences,
)
from goldlens.scoring.ud.enhanced import EdgeColumn
from goldlens.scoring.ud.profile import NONE, Profile
from goldlens.scoring.ud.relations import CONTENT, relations
from goldlens.scoring.ud.table import DEPREL, LEMMA, UPOS, Table, table_of
from goldlens.scoring.ud.task import UD, Counts, CountSums, UniversalDependencies
from goldlens.scoring.ud.unit import Unit

_END: Final = b"\n\n"
"""What ends a sentence of canonical text, and is nowhere else in it."""

_MANY: Final = 1000
"""So many units are rewritten at once, for speed."""

_ZERO, _NINE, _ASCII = b"09\x7f"


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
        theirs, ours = groups.table(gold), groups.table(pred)
        there, here = self._under(theirs), self._under(ours)
        if not compared:
            # No problems are counted of what is not compared.
            counts = uncompared(there, here)
            if self.profile.exclude:
                counts -= self._left_out_apart(there, here, len(counts))
            return counts
        assert theirs is not None and ours is not None and there is not None and here is not None
        comparison = Comparison(theirs, ours)
        counts = by_sentence(comparison)
        if _rewrites(self.profile):
            comparison = Comparison(there, here)
            counts[:, : metrics.PROBLEM] = by_sentence(comparison)[:, : metrics.PROBLEM]
        if self.profile.exclude:
            counts -= self._left_out(comparison, len(counts))
        return counts

    def totals(self, gold: Table, pred: Table) -> Counts:
        """The sum of the counts of two tables with equal streams; problems are left at zero."""
        theirs, ours = self._under(gold), self._under(pred)
        assert theirs is not None and ours is not None
        comparison = Comparison(theirs, ours)
        total = in_total(comparison)
        if self.profile.exclude:
            total -= self._left_out(comparison, len(theirs.block)).sum(axis=0)
        total[metrics.PROBLEM :] = 0
        return total

    def _under(self, table: Table | None) -> Table | None:
        """A table of the same sentences as they are compared."""
        if table is None or not _rewrites(self.profile):
            return table
        return table_of(rewritten(self.profile, table), canonical=True)

    def _left_out(self, found: Comparison, size: int) -> Counts:
        """What words that are left out add to the counts of a comparison."""
        gold, pred = found.gold, found.pred
        there = _tagged(gold, *self.profile.exclude)
        here = _tagged(pred, *self.profile.exclude)
        pair = there[found.gold_word]
        here[found.pred_word] = pair
        word_of = word_sentences(found, sentence_at(gold, pred.token_start))
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
            _items(out, 0, gold, _tagged(gold, *self.profile.exclude), gold.word_sentence)
        if pred is not None and len(pred.block):
            first = np.zeros(len(pred.word_sentence), np.int64)
            _items(out, metrics.PREDICTED, pred, _tagged(pred, *self.profile.exclude), first)
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
    if not _rewrites(profile):
        return list(units)
    texts: list[bytes] = []
    for first in range(0, len(units), _MANY):
        found = groups.table(units[first : first + _MANY])
        if found is not None:
            texts += rewritten(profile, found).split(_END)[:-1]
    new = iter(texts)
    return [replace(unit, canonical=next(new) + _END) if unit.canonical else unit for unit in units]


def _rewrites(profile: Profile) -> bool:
    return bool(profile.upos or profile.form or profile.homograph)


def rewritten(profile: Profile, table: Table) -> bytes:
    """The text of a table's sentences with the UPOS and LEMMA of words as compared.

    The table is of well-formed or canonical text (see `conllu.reading`).
    """
    text, cells = table.text, table.word_cells
    changed: list[tuple[int, int, bytes]] = []
    for tag, other in profile.upos:
        rows = cells[_tagged(table, tag)]
        new = other.encode()
        changed += [(at, at + len(tag), new) for at in rows[:, UPOS].tolist()]
    rows = cells[_doubtful(profile, table)]
    for at, behind in rows[:, [LEMMA, LEMMA + 1]].tolist():
        lemma = text[at : behind - 1]
        new = _compared(profile, lemma)
        if new != lemma:
            changed.append((at, behind - 1, new))
    changed.sort()
    parts: list[bytes] = []
    at = 0
    for start, stop, new in changed:
        parts += (text[at:start], new)
        at = stop
    return b"".join([*parts, text[at : int(table.block_end[table.block[-1]])]])


def _doubtful(profile: Profile, table: Table) -> Bools:
    """Over words: whose lemma the profile may make another. ASCII is the same in every form."""
    byte = table.buffer.byte
    start, stop = table.word_cells[:, LEMMA], table.word_cells[:, LEMMA + 1] - 1
    found: Bools = np.zeros(len(start), bool)
    if profile.form is not None and not table.text.isascii():
        beyond = (byte > _ASCII).nonzero()[0]
        found |= beyond.searchsorted(start) < beyond.searchsorted(stop)
    if profile.homograph is not None:
        last = byte[stop - 1]
        found |= (last >= _ZERO) & (last <= _NINE)
    return found


def _compared(profile: Profile, lemma: bytes) -> bytes:
    """A lemma's cell as it is compared; what is no text stays as it is."""
    try:
        return profile.lemma(lemma.decode()).encode()
    except UnicodeDecodeError:
        return lemma


def _tagged(table: Table, *tags: str) -> Bools:
    """Over words: which have one of some universal tags, of eight bytes at most each."""
    start = table.word_cells[:, UPOS]
    length = table.word_cells[:, UPOS + 1] - 1 - start
    cells = table.buffer.eight[start] & LOW[np.minimum(length, 8)]
    found: Bools = np.zeros(len(start), bool)
    for tag in tags:
        found |= (cells == int.from_bytes(tag.encode(), "little")) & (length == len(tag))
    return found


def _items(out: Counts, first: int, table: Table, words: Bools, sentence: Ints) -> None:
    """Counts some `words` of a side into the columns of its items, which begin at `first`."""
    start = table.word_cells[:, DEPREL]
    _, classes = relations(table.buffer, start, table.word_cells[:, DEPREL + 1] - 1 - start)
    size = len(out)
    at, content = sentence[words], classes[words] == CONTENT
    out[:, first + 2] = np.bincount(at, minlength=size)
    out[:, first + 3] = np.bincount(at[content], minlength=size)
    out[:, first + 4] = np.bincount(at, EdgeColumn(table).count[words], minlength=size)
