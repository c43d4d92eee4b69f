"""Documents by the labels that were taken for one another."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

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
from goldlens.scoring.classification.comparison import Comparison, compare
from goldlens.scoring.classification.unit import Unit
from goldlens.scoring.segment import Segment


class ClassPair:
    """Two sides, and where their labels differ.

    tally   the counts by label, and of documents
    errors  one where a document has one label of gold for another; else one for each label that it
            lacks and for each that it has besides
    single  whether every document has one label, so that there is an Accuracy
    """

    def __init__(self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]):
        self._lines = (Lines(gold), Lines(pred))
        found: list[Comparison] = compare(gold, pred, segments)
        self.errors: list[Error] = []
        for segment, comparison in zip(segments, found, strict=True):
            if comparison.documents and not comparison.right:
                self._differ(gold, pred, segment, comparison)
        self.tally: Tally = tally_of(
            chain.from_iterable([each.entries for each in found]),
            sum([each.documents for each in found]),
            sum([each.right for each in found]),
        )
        self.single = not any(unit.facts[1] for side in (gold, pred) for unit in side)

    def confusions(self, metric: str, top: int | None = None, examples: int = 3) -> Confusions:
        """The errors by gold's label and the predicted one.

        `gain` is what the metric would gain if each of these labels were gold's. Raises KeyError
        for another metric.
        """
        return confusions_of("label", self.errors, _kind, self.tally, metric, top, examples)

    def matrix(self, most: int) -> Matrix:
        """Labels of gold by predicted ones; None where a document has nothing in its place."""
        return label_matrix(self.tally, self.errors, lambda error: True, most)

    def _differ(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segment: Segment,
        comparison: Comparison,
    ) -> None:
        missed = [label for label, correct, there, _ in comparison.entries if there > correct]
        extra = [label for label, correct, _, here in comparison.entries if here > correct]
        pairs: list[tuple[bytes | None, bytes | None]]
        if len(missed) == len(extra) == 1:
            pairs = [(missed[0], extra[0])]
        else:
            pairs = [*((label, None) for label in missed), *((None, label) for label in extra)]
        place = partial(self._place, gold, pred, segment)
        alone = len(pairs) == 1
        self.errors += [Error(None, theirs, ours, place, alone) for theirs, ours in pairs]

    def _place(self, gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment) -> Location:
        there = segment.gold.start
        here = segment.pred.start if segment.pred else None
        labels = b"" if here is None else b", ".join(pred[here].labels)
        return Location(
            named(gold[there].id),
            None if here is None else self._lines[1].line(here, 0),
            self._lines[0].line(there, 0),
            named(labels) or "",
        )


def _kind(error: Error) -> Kind:
    return error.of, named(error.gold), named(error.pred)
