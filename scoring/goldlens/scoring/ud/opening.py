"""Two large texts opened in one pass: their units, and the counts of what agrees.

The same as parsing each and comparing the two, in less time: every piece of text is made a table
once, and both its units and its comparison come from that table.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import by_sentence
from goldlens.scoring.ud.stream import Diverged, SideReader, pieces
from goldlens.scoring.ud.table import Table
from goldlens.scoring.ud.unit import Unit, of_table, parse


@dataclass(frozen=True, slots=True)
class Opened:
    """The units of two texts (without checks), and the counts of their first gold sentences.

    `counts`: gold sentences x WIDTH, from the first sentence up to a common cut.
    """

    gold: list[Unit]
    pred: list[Unit]
    counts: np.ndarray


def open_both(gold: bytes, pred: bytes) -> Opened:
    """Opens gold and prediction (without byte order marks). Raises GroupTooLarge."""
    theirs, ours = _Collector("gold", gold), _Collector("pred", pred)
    counts: list[np.ndarray] = []
    try:
        for there, here in pieces(theirs, ours):
            counts.append(by_sentence(Comparison(there, here)))
    except Diverged:
        pass
    known = np.concatenate(counts) if counts else np.zeros((0, metrics.WIDTH), np.int32)
    return Opened(theirs.all_units(), ours.all_units(), known)


class _Collector(SideReader):
    """A side that makes units of all that it reads."""

    def __init__(self, side: Literal["gold", "pred"], text: bytes) -> None:
        # Larger pieces than when memory counts: the texts are in memory anyway.
        super().__init__(side, io.BytesIO(text), piece=1 << 20)
        # What looks like a mark within the text is none: the caller has taken the mark away.
        self._first = False
        self._units: list[Unit] = []

    def _take(self, table: Table, carried: int, raw: bytes) -> None:
        if b"\r" in raw:
            self._units += parse(split(raw), checks=False)
            return
        text, ends = table.text, table.block_end.tolist()
        blocks = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        old = int(table.block_end.searchsorted(carried, side="right"))
        # A table that nothing is faulty in has a sentence for every block.
        self._units += of_table(table, blocks, blocks, {})[old:]

    def _take_units(self, units: Sequence[Unit]) -> None:
        self._units += units

    def all_units(self) -> list[Unit]:
        """The units of the whole text."""
        rest = self.rest()
        return self._units + parse(split(rest), checks=False) if rest else self._units
