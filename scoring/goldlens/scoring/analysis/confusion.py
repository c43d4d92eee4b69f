"""Confusions: what gold has, what the prediction has instead, how often, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

from goldlens.scoring.analysis.places import Location


@dataclass(frozen=True, slots=True)
class Confusion:
    """One kind of error.

    of      what it is a confusion of, besides its column: the name of a feature, the class of an
            error in spans; None where the column says it all
    gold    what gold has; None: nothing (a feature that is absent, a span that is spurious)
    pred    what the prediction has instead; None: nothing
    count   how often
    share   of all errors of the column, in points
    gain    the points by which the metric would be higher if these cells had gold's value and all
            else stayed as it is; None where it is not computed
    bound   the points by which it would be higher if these words were right in all that the
            metric looks at; None where it is not computed
    places  the first examples, in the order of the text
    """

    of: str | None
    gold: str | None
    pred: str | None
    count: int
    share: float
    gain: float | None = None
    bound: float | None = None
    places: tuple[Location, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The confusion as JSON has it."""
        return {
            "of": self.of,
            "gold": self.gold,
            "pred": self.pred,
            "count": self.count,
            "share": self.share,
            "gain": self.gain,
            "bound": self.bound,
            "places": [place.as_dict() for place in self.places],
        }


@dataclass(frozen=True, slots=True)
class Confusions:
    """The errors of a column.

    column    upos, xpos, deprel, deprel-full, feats, lemma, heads; of spans: class, label; of
              classification: label
    items     how many items were looked at: aligned words; of spans and labels those of gold
    errors    how many errors there are; of FEATS one for each feature that differs
    distinct  how many kinds of errors there are, listed or not
    metric    what `gain` and `bound` are points of
    listed    the confusions, the most frequent first (among equals by name)
    gain      the points by which the metric would be higher if all errors of the column were gone;
              None where it is not computed
    lasting   how many of them could not be gone: wrong heads, where gold's has no counterpart
    """

    column: str
    items: int
    errors: int
    distinct: int
    metric: str
    listed: tuple[Confusion, ...]
    gain: float | None = None
    lasting: int = 0

    def as_dict(self) -> dict[str, object]:
        """The confusions as JSON has them."""
        return {
            "column": self.column,
            "items": self.items,
            "errors": self.errors,
            "distinct": self.distinct,
            "metric": self.metric,
            "gain": self.gain,
            "lasting": self.lasting,
            "listed": [confusion.as_dict() for confusion in self.listed],
        }
