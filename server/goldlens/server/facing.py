"""Which word of gold a predicted word stands for, and the other way round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from goldlens.scoring.problems import Side
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.places import Rows
from goldlens.server.engine.pair import Pair

NONE: Final = -1


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the other side: the number of its unit, and its ID there."""

    unit: int
    number: int


@dataclass(frozen=True, slots=True)
class Facing:
    """The words that those of one unit face.

    `words` has the counterpart of each ID of the unit that has one; `units` the numbers of the
    units of the other side in the same segment. `compared` is False where nothing can be told: the
    texts differ there, or one of them cannot be read.
    """

    words: dict[int, Word]
    units: range
    compared: bool


def facing(pair: Pair, side: int, number: int) -> Facing:
    """What the words of unit `number` of a side face. Only for trees."""
    at = pair.segment_of(side, number)
    segment = pair.pairing[at]
    ours, theirs = (segment.gold, segment.pred) if side == GOLD else (segment.pred, segment.gold)
    if not segment.kind.compared:
        return Facing({}, theirs, False)
    gold = Rows(pair.gold.units[segment.gold.start : segment.gold.stop], Side.THERE)
    pred = Rows(pair.pred.units[segment.pred.start : segment.pred.stop], Side.HERE)
    gold_of = Comparison(gold.table, pred.table).gold_of.tolist()
    here, there = (gold, pred) if side == GOLD else (pred, gold)
    found: dict[int, Word] = {}
    for p, g in enumerate(gold_of):
        if g == NONE:
            continue
        mine, other = (g, p) if side == GOLD else (p, g)
        if ours.start + here.unit_of(mine) == number:
            unit = theirs.start + there.unit_of(other)
            found[here.number(mine)] = Word(unit, there.number(other))
    return Facing(found, theirs, True)


__all__ = ["GOLD", "PRED", "Facing", "Word", "facing"]
