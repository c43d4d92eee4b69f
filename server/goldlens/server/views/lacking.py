"""What of gold the prediction lacks, found from the problem that says so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from goldlens.scoring.problems import Problem
from goldlens.scoring.segment import Segment
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair

NEAR: Final = 64
"""How many segments on either side are looked at."""


def beside(pair: Pair, first: int, stop: int) -> range:
    """The segments of predicted units `first` to `stop`, and those of gold alone next to them."""
    pairing = pair.pairing
    size = len(pair.pred.units)
    held = pairing.segments_of(PRED, first, min(stop, size)) if first < size else range(0)
    low, high = (held.start, held.stop) if held else (len(pairing), len(pairing))
    least, most = max(0, low - NEAR), min(len(pairing), high + NEAR)
    while low > least and not pairing[low - 1].pred:
        low -= 1
    while high < most and not pairing[high].pred:
        high += 1
    return range(low, high)


def lacking(pair: Pair, unit: int, problem: Problem) -> Iterator[Segment]:
    """The segments of gold alone near a unit that have this problem."""
    for number in beside(pair, max(0, unit), max(0, unit) + 1):
        segment = pair.pairing[number]
        if segment.gold and not segment.pred and problem in pair.problems_of(number):
            yield segment
