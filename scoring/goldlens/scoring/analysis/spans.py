"""Spans by class of error, by label and by length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from goldlens.scoring.analysis.breakdown import Breakdown, Group, binned
from goldlens.scoring.analysis.confusion import Confusions
from goldlens.scoring.analysis.matrix import Matrix
from goldlens.scoring.analysis.places import Lines, Location
from goldlens.scoring.analysis.tallies import (
    Error,
    Kind,
    Tally,
    confusions_of,
    label_matrix,
    named,
    tally_of,
)
from goldlens.scoring.labels import Entry
from goldlens.scoring.segment import Kind as Segmented
from goldlens.scoring.segment import Segment
from goldlens.scoring.spans.errors import Class, compared, errors
from goldlens.scoring.spans.schemes import Span
from goldlens.scoring.spans.sentence import shown
from goldlens.scoring.spans.task import SPANS
from goldlens.scoring.spans.unit import Unit

UNCOMPARED: Final = "not compared"
"""The class of the spans of sentences that are not compared."""

LENGTHS: Final = (1, 2, 3, 4, 6)
"""Where the bins of span length begin, in tokens."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence: the number of its unit, and the unit; None where a side has none."""

    number: int
    unit: Unit


class SpanPair:
    """Two sides, their errors, and the spans of each.

    tally   the counts by label
    errors  every span that is not found and every one that is superfluous is part of one: errors
            of a class that has both sides are counted on both
    """

    def __init__(self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]):
        self._lines = (Lines(gold), Lines(pred))
        self.errors: list[Error] = []
        self._lengths: dict[int, list[int]] = {}
        entries: list[Entry] = []
        for segment in segments:
            theirs, ours = (
                [Placed(k, side[k]) for k in units if side[k].reading.tags]
                for side, units in ((gold, segment.gold), (pred, segment.pred))
            )
            if segment.kind is Segmented.STREAM:
                there, here = theirs[0].unit.reading.spans, ours[0].unit.reading.spans
                entries += compared(there, here)
                if there != here:
                    self._differ(theirs[0], ours[0])
                self._measure(there, here)
                continue
            for side, sentences in enumerate((theirs, ours)):
                for each in sentences:
                    spans = each.unit.reading.spans
                    there, here = (spans, ()) if side == 0 else ((), spans)
                    entries += compared(there, here)
                    self._measure(there, here)
                    self._apart(side, each)
        self.tally: Tally = tally_of(entries)

    def confusions(
        self, column: str, metric: str, top: int | None = None, examples: int = 3
    ) -> Confusions:
        """The errors by `class`, or by `label`: class, gold's label and the predicted one.

        `gain` is what the metric would gain if gold's span stood in place of each predicted one.
        Raises KeyError for another column or metric.
        """
        kind = {"class": _class, "label": _labels}[column]
        return confusions_of(column, self.errors, kind, self.tally, metric, top, examples)

    def matrix(self, most: int) -> Matrix:
        """Labels of gold by labels of spans over the same tokens; None where there is no such."""
        same = Class.TYPE.value
        return label_matrix(self.tally, self.errors, lambda error: error.of == same, most)

    def by_length(self) -> Breakdown:
        """By the number of tokens of a span."""
        names = binned(LENGTHS)
        sums = [[0, 0, 0] for _ in names]
        for length, counts in self._lengths.items():
            at = max(k for k, first in enumerate(LENGTHS) if first <= length)
            sums[at] = [a + b for a, b in zip(sums[at], counts, strict=True)]
        groups = tuple(
            Group(name, gold, predicted, {"Micro": correct})
            for name, (correct, gold, predicted) in zip(names, sums, strict=True)
            if gold or predicted
        )
        return Breakdown("length", ("Micro",), "Micro", groups)

    def _measure(self, gold: Sequence[Span], pred: Sequence[Span]) -> None:
        both = set(gold).intersection(pred)
        for at, spans in enumerate((both, gold, pred)):
            for start, end, _ in spans:
                self._lengths.setdefault(end - start, [0, 0, 0])[at] += 1

    def _differ(self, gold: Placed, pred: Placed) -> None:
        for error in errors(gold.unit.reading.spans, pred.unit.reading.spans):
            place = partial(self._place, gold, pred, error.gold, error.pred)
            labels = [span[2] if span else None for span in (error.gold, error.pred)]
            self.errors.append(Error(error.kind.value, labels[0], labels[1], place))

    def _apart(self, side: int, sentence: Placed) -> None:
        """Every span of a sentence that is not compared is an error by itself."""
        for span in sentence.unit.reading.spans:
            if side == 0:
                place = partial(self._place, sentence, None, span, None)
                self.errors.append(Error(UNCOMPARED, span[2], None, place))
            else:
                place = partial(self._place, None, sentence, None, span)
                self.errors.append(Error(UNCOMPARED, None, span[2], place))

    def _place(
        self, gold: Placed | None, pred: Placed | None, there: Span | None, here: Span | None
    ) -> Location:
        """Where a span stands: on both sides, as far as they are compared."""
        at = [
            None if sentence is None else lines.line(sentence.number, sentence.unit.line(span[0]))
            for lines, sentence, span in (
                (self._lines[1], pred, here or there or (0, 0, b"")),
                (self._lines[0], gold, there or here or (0, 0, b"")),
            )
        ]
        held = pred if here is not None else gold
        span = here if here is not None else there
        assert held is not None and span is not None
        forms = held.unit.forms()[span[0] : span[1]]
        name = SPANS.title(held.unit)
        if name is None and gold is not None:
            name = SPANS.title(gold.unit)
        return Location(name, at[0], at[1], shown(b" ".join(forms)))


def _class(error: Error) -> Kind:
    return error.of, None, None


def _labels(error: Error) -> Kind:
    return error.of, named(error.gold), named(error.pred)
