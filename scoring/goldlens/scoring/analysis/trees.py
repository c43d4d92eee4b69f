"""A pair of treebank files as an analysis looks at it: aligned words, coded columns, places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from goldlens.scoring.analysis.places import Lines, Location
from goldlens.scoring.conllu.blocks import lines, with_lf
from goldlens.scoring.segment import Segment
from goldlens.scoring.ud.aligned import Aligned, Words, aligned
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.table import DEPREL, FORM, ROOT, UPOS, WRONG
from goldlens.scoring.ud.unit import Unit, row_lines

TOP: Final = "ROOT"
"""What stands for the tag of a head where a word is a root."""

NO_HEAD: Final = None
"""What stands for the tag of a head where HEAD cannot be right."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of both sides as numbers: `names[gold[w]]` is what gold's word w has."""

    names: list[str | None]
    gold: Ints
    pred: Ints


class TreePair:
    """Two sides whose words are aligned, each column read once, when it is asked for.

    `untreed`: gold has no HEAD at all; `tagging`: one of the sides has none, so that there are no
    attachments to look at.
    """

    def __init__(self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]):
        """Aligns the words. Raises GroupTooLarge (see `ud.alignment`)."""
        self.gold_units, self.pred_units = gold, pred
        self.aligned: Aligned = aligned(gold, pred, segments)
        self.untreed = _headless(gold)
        self.tagging = self.untreed or _headless(pred)
        self._coded: dict[int, Coded] = {}
        self._standing = _Standing(self.aligned.gold, gold), _Standing(self.aligned.pred, pred)

    @property
    def gold_word(self) -> Ints:
        """Of each aligned pair, the index of gold's word."""
        return self.aligned.gold_word

    @property
    def pred_word(self) -> Ints:
        """Of each aligned pair, the index of the predicted word."""
        return self.aligned.pred_word

    def coded(self, column: int) -> Coded:
        """The cells of a column (see `ud.table`)."""
        found = self._coded.get(column)
        if found is None:
            codes: dict[str, int] = {}
            sides = [
                _numbered(side.column(column), codes)
                for side in (self.aligned.gold, self.aligned.pred)
            ]
            found = self._coded[column] = Coded(list(codes), *sides)
        return found

    @cached_property
    def relations(self) -> Coded:
        """DEPREL without its subtypes."""
        return renamed(self.coded(DEPREL), lambda name: (name or "").partition(":")[0])

    @cached_property
    def heads(self) -> Coded:
        """The UPOS of the head of each word, as its own side has it."""
        tags = self.coded(UPOS)
        names = [*tags.names, TOP, NO_HEAD]
        sides = [
            _head_codes(words, tag, len(tags.names))
            for words, tag in ((self.aligned.gold, tags.gold), (self.aligned.pred, tags.pred))
        ]
        return Coded(names, *sides)

    @cached_property
    def gold_head(self) -> Ints:
        """Of each aligned pair, the predicted word that faces gold's head; `ROOT` for a root.

        `WRONG` where no predicted word does.
        """
        counterpart = np.full(len(self.aligned.gold) + 1, WRONG)
        counterpart[self.gold_word] = self.pred_word
        heads = self.aligned.gold.head_word[self.gold_word]
        return np.where(heads == ROOT, ROOT, counterpart[np.where(heads < 0, -1, heads)])

    def place(self, pair: int) -> Location:
        """Where the words of an aligned pair stand."""
        theirs, ours = int(self.gold_word[pair]), int(self.pred_word[pair])
        gold, pred = self._standing
        name = pred.sent_id(ours) or gold.sent_id(theirs)
        form = self.aligned.pred.column(FORM)[ours]
        return Location(name, pred.line(ours), gold.line(theirs), form)


class _Standing:
    """Where the words of one side stand in its file."""

    def __init__(self, words: Words, units: Sequence[Unit]) -> None:
        self._words, self._units = words, units
        self._lines = Lines(units)
        # A file may be one sentence of everything: it is looked through once.
        self._inside: dict[int, list[int]] = {}

    def line(self, word: int) -> int:
        """The line of a word in the file, from 1."""
        unit = int(self._words.unit[word])
        if unit not in self._inside:
            self._inside[unit] = _word_lines(self._units[unit])
        return self._lines.line(unit, self._inside[unit][int(self._words.number[word]) - 1])

    def sent_id(self, word: int) -> str | None:
        """The sent_id of a word's sentence, if it has one."""
        name = self._units[int(self._words.unit[word])].sent_id
        return None if name is None else name.decode("utf-8", "replace")


def renamed(coded: Coded, name: Callable[[str | None], str | None]) -> Coded:
    """The column with other names, those that are equal now being one."""
    codes: dict[str | None, int] = {}
    of = np.array([codes.setdefault(name(each), len(codes)) for each in coded.names], np.int64)
    return Coded(list(codes), of[coded.gold], of[coded.pred])


def _numbered(cells: Sequence[str], codes: dict[str, int]) -> Ints:
    for cell in dict.fromkeys(cells):
        codes.setdefault(cell, len(codes))
    return np.fromiter(map(codes.__getitem__, cells), np.int64, len(cells))


def _head_codes(words: Words, tags: Ints, top: int) -> Ints:
    head = words.head_word
    if not len(head):
        return tags
    return np.where(head >= 0, tags[np.maximum(head, 0)], np.where(head == ROOT, top, top + 1))


def _headless(units: Sequence[Unit]) -> bool:
    words = sum([unit.words for unit in units])
    return bool(words) and words == sum([unit.unheaded for unit in units])


def _word_lines(unit: Unit) -> list[int]:
    """The lines of a unit, from 0, on which its words stand."""
    text = unit.canonical
    rows = [
        (k, line.partition(b"\t")[0])
        for k, line in enumerate(lines(text))
        if line.strip() and not line.startswith(b"#")
    ]
    if text == with_lf(unit.text):
        return [k for k, name in rows if name.isdigit()]
    kept = [name for _, name in rows if b"." not in name]
    return [line for line, name in zip(row_lines(unit), kept, strict=True) if name.isdigit()]
