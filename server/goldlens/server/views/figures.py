"""The figures of one sentence against gold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from goldlens.scoring.counts import Count
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair

_SHOWN: Final = ("LAS", "UAS", "UPOS", "XPOS", "UFeats", "Lemmas", "Micro", "Accuracy")


@dataclass(frozen=True, slots=True)
class Figure:
    """How many of gold's are right, and how many were predicted."""

    name: str
    correct: int
    total: int
    predicted: int

    @property
    def said(self) -> str:
        """The figure for people, as `LAS 7/9`; of what there is too much, it says how much."""
        more = self.predicted - self.total
        return f"{self.name} {self.correct}/{self.total}" + (f" (+{more})" if more > 0 else "")


def figures_of(pair: Pair, unit: int, side: int = PRED) -> list[Figure]:
    """The figures of the segment that a unit is in; none where nothing is compared.

    A segment is one sentence nearly always; where sentences end elsewhere in gold it is several.
    """
    number = pair.segment_of(side, unit)
    segment = pair.pairing[number]
    if not segment.kind.compared:
        return []
    sums = pair.task.sums()
    sums.add(pair.comparisons[number : number + 1])
    sides = (pair.gold, segment.gold), (pair.pred, segment.pred)
    gold, pred = (
        [sum(column) for column in zip(*facts, strict=True)]
        for facts in (
            [document.format.facts(document.units[k]) for k in units] for document, units in sides
        )
    )
    found = pair.task.figures(sums, gold, pred, strict=False)
    return [
        Figure(name, figure.correct, figure.gold, figure.predicted)
        for name in _SHOWN
        if isinstance(figure := found.get(name), Count)
    ]
