"""Whether a prediction is as often right as it says: accuracy by confidence.

The cells are those of aligned words: UPOS, XPOS, LEMMA, FEATS, HEAD and DEPREL, each that has a
confidence in MISC (see `confidence`). A cell is right as the metrics have it: UPOS, XPOS, UFeats
and Lemmas (so that a gold lemma of `_` accepts any), HEAD as UAS, DEPREL by the relation alone,
without its subtype and whatever the head is.

Bins hold confidences from their lower bound to just below their upper one, the last one 1 too, so
that the cells of some bins and all above them are those that a threshold keeps. The expected
calibration error is that of Naeini et al. 2015 and Guo et al. 2017, over these bins: the sum over
bins of their share of the cells times the difference between their accuracy and their mean
confidence.

All figures are points, 0 to 100; bounds and thresholds are confidences as MISC has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from goldlens.scoring.analysis.confidence import COLUMNS, confidences
from goldlens.scoring.ud.aligned import Aligned
from goldlens.scoring.ud.cells import Bools
from goldlens.scoring.ud.table import MISC

BOUNDS: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)
"""Where bins begin and end. Each is a threshold too."""

ATTACHED: Final = frozenset(("HEAD", "DEPREL"))
"""Columns without cells where a side has no HEAD at all."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The cells whose confidence is from `low` to below `high` (with 1, if that is `high`).

    `confidence` is their mean confidence in points, None without cells.
    """

    low: float
    high: float
    cells: int
    correct: int
    confidence: float | None

    @property
    def accuracy(self) -> float | None:
        """Points of the cells that are right; None without cells."""
        return _points(self.correct, self.cells)

    def as_dict(self) -> dict[str, float | int | None]:
        """The bin as JSON has it."""
        return {
            "low": self.low,
            "high": self.high,
            "cells": self.cells,
            "correct": self.correct,
            "confidence": self.confidence,
            "accuracy": self.accuracy,
        }


@dataclass(frozen=True, slots=True)
class Threshold:
    """What is kept if only cells with at least a confidence of `at` are: `cells` of `all`."""

    at: float
    cells: int
    correct: int
    all: int

    @property
    def kept(self) -> float | None:
        """Points of the cells that are kept; None where there are none at all."""
        return _points(self.cells, self.all)

    @property
    def accuracy(self) -> float | None:
        """Points of those kept that are right; None where none is kept."""
        return _points(self.correct, self.cells)

    def as_dict(self) -> dict[str, float | int | None]:
        """The threshold as JSON has it."""
        return {
            "at": self.at,
            "cells": self.cells,
            "correct": self.correct,
            "kept": self.kept,
            "accuracy": self.accuracy,
        }


@dataclass(frozen=True, slots=True)
class Curve:
    """Some cells by their confidence. `without`: cells that have none, and are left out.

    `confidence`: their mean confidence, `error`: the expected calibration error, both in points
    and None without cells.
    """

    bins: tuple[Bin, ...]
    thresholds: tuple[Threshold, ...]
    confidence: float | None
    error: float | None
    without: int

    @property
    def cells(self) -> int:
        """How many cells have a confidence."""
        return sum(each.cells for each in self.bins)

    @property
    def correct(self) -> int:
        """How many of them are right."""
        return sum(each.correct for each in self.bins)

    @property
    def accuracy(self) -> float | None:
        """Points of them that are right; None without cells."""
        return _points(self.correct, self.cells)

    def as_dict(self) -> dict[str, object]:
        """The curve as JSON has it."""
        return {
            "cells": self.cells,
            "correct": self.correct,
            "confidence": self.confidence,
            "accuracy": self.accuracy,
            "error": self.error,
            "without": self.without,
            "bins": [each.as_dict() for each in self.bins],
            "thresholds": [each.as_dict() for each in self.thresholds],
        }


@dataclass(frozen=True, slots=True)
class Calibration:
    """All cells pooled, and those of each column.

    `columns` has those of `confidence.COLUMNS` that have cells: without any HEAD on a side, there
    are none of HEAD and DEPREL. `unaligned`: predicted words that no word of gold faces, whose
    cells are left out.
    """

    pooled: Curve
    columns: Mapping[str, Curve]
    unaligned: int

    @property
    def bins(self) -> tuple[Bin, ...]:
        """The bins of all cells."""
        return self.pooled.bins

    @property
    def thresholds(self) -> tuple[Threshold, ...]:
        """The thresholds over all cells."""
        return self.pooled.thresholds

    @property
    def error(self) -> float | None:
        """The expected calibration error over all cells, in points; None without cells."""
        return self.pooled.error

    def as_dict(self) -> dict[str, object]:
        """The calibration as JSON has it."""
        columns = {name: curve.as_dict() for name, curve in self.columns.items()}
        return {**self.pooled.as_dict(), "columns": columns, "unaligned": self.unaligned}


def calibration(found: Aligned, *, tagging: bool = False) -> Calibration:
    """How far the confidences of a prediction can be trusted.

    `tagging`: a side has no HEAD at all, so that there are no cells of HEAD and DEPREL.
    Confidences that are wrong (see `confidence.faults`) count as not there.
    """
    misc = found.pred.column(MISC)
    given = [confidences(misc[word]) for word in found.pred_word.tolist()]
    confidence = np.array(given, np.float64).reshape(len(given), len(COLUMNS))
    right: dict[str, Bools] = {
        "UPOS": found.correct["UPOS"],
        "XPOS": found.correct["XPOS"],
        "LEMMA": found.correct["Lemmas"],
        "FEATS": found.correct["UFeats"],
        "HEAD": found.correct["UAS"],
        "DEPREL": found.relation,
    }
    kept = [k for k, name in enumerate(COLUMNS) if not (tagging and name in ATTACHED)]
    columns = {COLUMNS[k]: _curve(confidence[:, k], right[COLUMNS[k]]) for k in kept}
    pooled = _curve(
        confidence[:, kept].T.ravel(), np.concatenate([right[COLUMNS[k]] for k in kept])
    )
    return Calibration(pooled, columns, found.count("Words").predicted - len(given))


def _curve(confidence: np.ndarray, right: Bools) -> Curve:
    """The curve of cells, of which those without a confidence have a NaN."""
    given = ~np.isnan(confidence)
    confidence, right = confidence[given], right[given]
    size = len(confidence)
    which = np.minimum(np.searchsorted(BOUNDS, confidence, side="right") - 1, len(BOUNDS) - 2)
    bins = []
    error = 0.0
    for k, (low, high) in enumerate(pairwise(BOUNDS)):
        here = which == k
        cells, correct = int(here.sum()), int(right[here].sum())
        total = float(confidence[here].sum())
        bins.append(Bin(low, high, cells, correct, _points(total, cells)))
        error += abs(correct - total)
    thresholds = []
    for at in BOUNDS:
        kept = confidence >= at
        thresholds.append(Threshold(at, int(kept.sum()), int(right[kept].sum()), size))
    return Curve(
        tuple(bins),
        tuple(thresholds),
        _points(float(confidence.sum()), size),
        _points(error, size),
        int((~given).sum()),
    )


def _points(part: float, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None
