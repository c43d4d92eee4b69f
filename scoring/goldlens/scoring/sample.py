"""What a test set is drawn from: counts by unit, and how figures come from their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Statistic: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""From sums of counts (... x columns) to a figure in points each (...)."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What a test set has to be drawn from: integer counts, units x columns.

    `statistics`: for each metric by name (`Micro`, `LAS.precision`), how it comes from the sums
    of the columns.
    """

    counts: np.ndarray
    statistics: Mapping[str, Statistic]


def f1(correct: int, gold: int, predicted: int) -> Statistic:
    """F1 from the columns of those numbers; 0 where undefined."""

    def statistic(sums: np.ndarray) -> np.ndarray:
        return share(2 * sums[..., correct], sums[..., gold] + sums[..., predicted])

    return statistic


def ratio(part: int, whole: int) -> Statistic:
    """One column over another; 0 where undefined."""

    def statistic(sums: np.ndarray) -> np.ndarray:
        return share(sums[..., part], sums[..., whole])

    return statistic


def share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Points: 100 part / whole, 0 where whole is 0. As `counts` computes them, to the last bit."""
    zero = whole == 0
    return np.where(zero, 0.0, 100.0 * part / np.where(zero, 1, whole))
