"""Sums of counts in which each unit comes so often: the product that a bootstrap is made of.

Not by numpy's matrix product: BLAS would do it in threads of its own, which on busy cores takes
up to fifty times as long, and integers it does not have. What is here runs in the thread that
asks, and is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import numpy as np

Weighing: TypeAlias = Callable[[np.ndarray], np.ndarray]
"""From multiplicities (resamples x units) to sums (resamples x columns)."""

_SPARSE: Final = 16
"""Cells an entry from which on the entries alone are looked at: a gather costs so much more."""

_SMALL: Final = 1 << 16
"""Cells below which nothing is worth a second thought."""


def fitting(counts: list[np.ndarray], units: int) -> np.dtype[np.generic]:
    """The smallest integers that hold any sum of so many draws of these counts."""
    largest = max((int(np.abs(each).max()) for each in counts if each.size), default=0)
    return np.dtype(np.int32 if largest * units <= np.iinfo(np.int32).max else np.int64)


def weighing(counts: np.ndarray, dtype: np.dtype[np.generic]) -> Weighing:
    """How counts (units x columns) are summed, in integers of a type that fits the sums."""
    entries = int(np.count_nonzero(counts)) if counts.size > _SMALL else counts.size
    return (_sparse if entries * _SPARSE < counts.size else _dense)(counts, dtype)


def _dense(counts: np.ndarray, dtype: np.dtype[np.generic]) -> Weighing:
    columns = counts.T.astype(dtype, order="C")

    def sums(times: np.ndarray) -> np.ndarray:
        product: np.ndarray = np.einsum("ru,cu->rc", times, columns)
        return product

    return sums


def _sparse(counts: np.ndarray, dtype: np.dtype[np.generic]) -> Weighing:
    """As labels are: hundreds of columns, of which a unit has a few."""
    column, unit = counts.T.nonzero()
    values = counts[unit, column].astype(dtype)
    starts = np.flatnonzero(np.diff(column, prepend=-1))
    present, width = column[starts], counts.shape[1]

    def sums(times: np.ndarray) -> np.ndarray:
        found = np.zeros((len(times), width), np.int64)
        if len(starts):
            for row, each in zip(found, times, strict=True):
                row[present] = np.add.reduceat(each[unit] * values, starts)
        return found

    return sums
