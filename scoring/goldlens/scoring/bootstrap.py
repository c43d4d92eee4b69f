"""The percentile bootstrap over counts (Efron and Tibshirani 1993, section 13.3).

Counts add up over the units of a test set (sentences, documents). A resample draws as many units
as there are, with replacement, and adds up their counts; each statistic is computed from those
sums, and nothing is scored again. Draw j of resample r is output r * units + j of one stream (see
`draws`), so that a seed gives the same resamples everywhere, and all systems the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, TypeAlias

import numpy as np

from goldlens.scoring.draws import indexes
from goldlens.scoring.sample import Sample
from goldlens.scoring.weighted import fitting, weighing

FEWEST: Final = 100
"""Resamples below which there is no interval worth the name."""

MOST: Final = 1_000_000
"""Resamples above which nothing is gained, and the sums of them all do not fit into memory."""

SEEDS: Final = 1 << 64
"""So many seeds there are, from 0."""

_DRAWN: Final = 1 << 15
"""Draws counted at a time where units are few."""

_MULTIPLIED: Final = 1 << 21
"""Multiplicities (resamples x units) multiplied with the counts at a time."""


Told: TypeAlias = Callable[[int, int], None]
"""Is told, again and again, how many resamples of how many are drawn; what it raises ends the
draw."""


def nobody(drawn: int, of: int) -> None:
    """Who is told where nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How often to draw, how wide an interval is, and the seed. Raises ValueError if senseless."""

    resamples: int = 1000
    level: float = 0.95
    seed: int = 20260101

    def __post_init__(self) -> None:
        if self.resamples < FEWEST:
            message = f"{self.resamples} resamples are too few; there must be at least {FEWEST}"
            raise ValueError(message)
        if self.resamples > MOST:
            raise ValueError(f"{self.resamples} resamples are too many; {MOST} are enough")
        if not 0 < self.level < 1:
            raise ValueError(f"the level {self.level} is none; give one between 0 and 1, as 0.95")
        if not 0 <= self.seed < SEEDS:
            raise ValueError(f"the seed {self.seed} is none; give one from 0 to {SEEDS - 1}")


@dataclass(frozen=True, slots=True)
class Interval:
    """What lies between two figures, both included."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def overlaps(self, other: Interval) -> bool:
        """Whether the two have a figure in common."""
        return self.low <= other.high and other.low <= self.high


def resampled(
    samples: Sequence[Sample], seed: int, resamples: int, told: Told = nobody
) -> list[np.ndarray]:
    """The sums of each sample's counts in every resample: resamples x columns each, int64.

    All samples are about the same units and drawn alike. Without units the sums are 0.
    Raises ValueError where samples have different numbers of units, and what `told` raises.
    """
    sizes = {len(sample.counts) for sample in samples}
    if len(sizes) > 1:
        listed = " and ".join(map(str, sorted(sizes)))
        raise ValueError(f"systems have {listed} units; compare them on the same test set")
    sums = [np.zeros((resamples, sample.counts.shape[1]), np.int64) for sample in samples]
    units = sizes.pop() if sizes else 0
    if units:
        dtype = fitting([sample.counts for sample in samples], units)
        weighings = [weighing(sample.counts, dtype) for sample in samples]
        at_once = max(1, _MULTIPLIED // units)
        for first in range(0, resamples, at_once):
            last = min(first + at_once, resamples)
            told(first, resamples)
            times = _multiplicities(seed, first, last, units, dtype)
            for part, weigh in zip(sums, weighings, strict=True):
                part[first:last] = weigh(times)
    return sums


def _multiplicities(
    seed: int, first: int, last: int, units: int, dtype: np.dtype[np.generic]
) -> np.ndarray:
    """How often each unit comes in resamples `first` to `last`: resamples x units."""
    times = np.empty((last - first, units), dtype)
    at_once = max(1, _DRAWN // units)
    for start in range(first, last, at_once):
        rows = min(at_once, last - start)
        drawn = indexes(seed, start * units, rows * units, units).reshape(rows, units)
        drawn += np.arange(rows)[:, None] * units
        counted = np.bincount(drawn.ravel(), minlength=rows * units)
        times[start - first : start - first + rows] = counted.reshape(rows, units)
    return times


def interval(values: np.ndarray, level: float) -> Interval:
    """The percentile interval of resampled figures.

    With a = (1 - level) / 2 it goes from entry floor(aB) to entry ceil((1 - a)B) - 1 of the B
    sorted values: at 0.95, of a thousand, from entry 25 to entry 974. Raises ValueError without
    values.
    """
    # Only here: the module costs a start that wants no interval some milliseconds.
    from fractions import Fraction

    size = len(values)
    if not size:
        raise ValueError("no resampled figures; an interval needs some")
    # The level as it was written: in binary, 0.025 x 1000 is not always 25.
    outside = (1 - Fraction(repr(float(level)))) / 2
    ordered = np.sort(values)
    low, high = floor(outside * size), ceil((1 - outside) * size) - 1
    return Interval(float(ordered[low]), float(ordered[high]))
