"""The sentences of two files that are compared, as two texts that the official script accepts.

Both texts hold the same sentences in the same order: those that face each other, in canonical
form where they are not well-formed, with trees mended. What the script would have refused in the
files is listed, and what became of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.text import BOM
from goldlens.scoring.ud.evaluate import Cause, Evaluation, Side
from goldlens.scoring.ud.held import left_out
from goldlens.scoring.ud.official.mending import Mended, depth, mended
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.unit import Unit, parse, row_lines

_NO_NUMBER: Final = frozenset(
    ("head-missing", "head-not-a-number", "head-out-of-range", "empty-cell")
)
"""Codes of words whose HEAD says nothing."""

_OF_TREES: Final = _NO_NUMBER | {"head-cycle", "multiple-roots"}

_DONE: Final[Mapping[str, str]] = {
    "bom": "the byte order mark left out",
    "blank-line": "one empty line put where a sentence ends, and no other",
    "missing-blank-line": "an empty line put in",
    "comment-position": "its comments left out",
    "encoding": "its comments left out",
    "id-sequence": "its words numbered from 1, empty nodes left out",
    "id-range": "the ranges numbered as their words stand",
}
"""What was done about a fault of a sentence that is in the texts all the same."""

_REWRITTEN: Final = "rewritten in canonical form"
_LEFT_OUT: Final = "left out: it is not compared"


@dataclass(frozen=True, slots=True)
class Repair:
    """What the script would have refused, and what was done about it for its run only.

    Line and column count from 1, in the file as it stands. `tree` says that heads were mended.
    """

    side: Side
    sent_id: str | None
    line: int
    column: int
    code: str
    repair: str
    tree: bool


@dataclass(frozen=True, slots=True)
class Handed:
    """The two texts and what was done to have them.

    gold and prediction, in this order, are the `texts`, the line (from 1) where each `sentence`
    of a text begins in its file, and how many sentences were `mended`.
    """

    texts: tuple[bytes, bytes]
    sentences: tuple[tuple[int, ...], tuple[int, ...]]
    mended: tuple[int, int]
    repairs: tuple[Repair, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """A sentence in whose tree a word has `depth` words from itself up to the root."""

    side: Side
    line: int
    depth: int


class _File:
    """One side: its units, where they begin, and those that are handed over, mended or not."""

    def __init__(self, side: Side, data: bytes) -> None:
        self.side: Side = side
        self.units: list[Unit] = parse(split(data.removeprefix(BOM)), checks=False)
        self.starts: list[int] = []
        line = 0
        for unit in self.units:
            self.starts.append(line)
            line += unit.lines
        self.texts: dict[int, bytes] = {}
        self.mended: dict[int, Mended] = {}

    def hand(self, units: range) -> None:
        """Takes sentences into the text."""
        for k in units:
            unit = self.units[k]
            if not unit.canonical:
                continue
            # Only careful reading leaves marks, and it makes a canonical text of its own.
            found = None
            if unit.canonical is not unit.text:
                found = mended(unit.canonical, _headless(unit))
            if found:
                self.mended[k] = found
            self.texts[k] = found.text if found else unit.canonical

    @property
    def text(self) -> bytes:
        """The sentences that were handed over, one after the other."""
        return b"".join(self.texts.values())

    def repair(self, cause: Cause) -> Repair:
        """What was done about a cause for refusal."""
        k = bisect_right(self.starts, cause.line - 1) - 1
        done, tree = _DONE.get(cause.code, _REWRITTEN), False
        if cause.code in _OF_TREES and k in self.mended:
            done, tree = str(self.mended[k]), True
        elif cause.code == "stream-mismatch" or (cause.code != "bom" and self._lacks(k)):
            done = _LEFT_OUT
        at = cause.line, cause.column
        return Repair(self.side, cause.sent_id, *at, cause.code, done, tree)

    def _lacks(self, unit: int) -> bool:
        """Whether a sentence is not handed over."""
        return self.units[unit].sentence and unit not in self.texts

    @property
    def lines(self) -> tuple[int, ...]:
        """Where the sentences that were handed over begin, in lines from 1."""
        return tuple([self.starts[k] + 1 for k in self.texts])


def handed(gold_data: bytes, pred_data: bytes, found: Evaluation) -> Handed:
    """The sentences that `found`, an evaluation of the two files, has compared."""
    gold, pred = _File("gold", gold_data), _File("pred", pred_data)
    for segment in Pairing(gold.units, pred.units, found.options.match):
        if segment.kind.compared and not left_out(segment, pred.units, found.options.only):
            gold.hand(segment.gold)
            pred.hand(segment.pred)
    sides = {"gold": gold, "pred": pred}
    causes = sorted(
        (cause for cause in found.causes if cause.script),
        key=lambda cause: (cause.side != "gold", cause.line, cause.column),
    )
    return Handed(
        (gold.text, pred.text),
        (gold.lines, pred.lines),
        (len(gold.mended), len(pred.mended)),
        tuple([sides[cause.side].repair(cause) for cause in causes]),
    )


def deepest(texts: Handed) -> Chain | None:
    """The sentence with the longest way up to its root; None if there is no sentence."""
    sides: tuple[Side, Side] = ("gold", "pred")
    chains = [
        Chain(side, line, depth(sentence))
        for side, text, lines in zip(sides, texts.texts, texts.sentences, strict=True)
        for sentence, line in zip(text.split(b"\n\n"), lines, strict=False)
    ]
    return max(chains, key=lambda chain: chain.depth, default=None)


def _headless(unit: Unit) -> set[int]:
    """The words whose HEAD says nothing, as far as the sentence's problems tell."""
    at = {found.place.line for found in unit.problems if found.code in _NO_NUMBER}
    if not at:
        return set()
    names = [row.partition(b"\t")[0] for row in unit.canonical.split(b"\n")]
    rows = zip(names, row_lines(unit), strict=False)
    return {int(name) for name, line in rows if line in at and name.isdigit()}
