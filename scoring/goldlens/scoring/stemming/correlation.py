"""Pearson's correlation, and Spearman's: that of ranks, ties having the mean of their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Final

TOO_FEW: Final = "fewer than three observations"
UNDEFINED: Final = "undefined input"
NO_VARIANCE: Final = "no variance"


@dataclass(frozen=True, slots=True)
class Correlation:
    """Two indices over rows of a mode and a policy; -1 to 1.

    Where there is no correlation both are None, and `missing` says why, else it is empty.
    """

    mode: str
    policy: str
    a: str
    b: str
    observations: int
    pearson: float | None
    spearman: float | None
    missing: str = ""

    def as_dict(self) -> dict[str, object]:
        """The correlation for JSON."""
        return {
            "mode": self.mode,
            "policy": self.policy,
            "a": self.a,
            "b": self.b,
            "observations": self.observations,
            "pearson": self.pearson,
            "spearman": self.spearman,
            "missing": self.missing or None,
        }


def correlation(
    mode: str, policy: str, a: str, b: str, values: Sequence[tuple[float | None, float | None]]
) -> Correlation:
    """The correlations of two indices, from their unrounded values a row."""
    size = len(values)
    defined = [(x, y) for x, y in values if x is not None and y is not None]
    xs, ys = [x for x, _ in defined], [y for _, y in defined]
    missing = ""
    if size < 3:
        missing = TOO_FEW
    elif len(defined) < size:
        missing = UNDEFINED
    elif len(set(xs)) == 1 or len(set(ys)) == 1:
        missing = NO_VARIANCE
    if missing:
        return Correlation(mode, policy, a, b, size, None, None, missing)
    return Correlation(mode, policy, a, b, size, pearson(xs, ys), pearson(ranks(xs), ranks(ys)))


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The correlation of values that vary, -1 to 1. Raises ZeroDivisionError if some do not.

    Sums are exact, so that values that hardly differ do not drown in rounding.
    """
    size, x, y = len(xs), _whole(xs), _whole(ys)
    together = size * sum(a * b for a, b in zip(x, y, strict=True)) - sum(x) * sum(y)
    apart = [size * sum(a * a for a in each) - sum(each) ** 2 for each in (x, y)]
    found = sqrt(Fraction(together * together, apart[0] * apart[1]))
    return found if together >= 0 else -found


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1; equal ones have the mean of theirs."""
    order = sorted(values)
    first = {value: k for k, value in reversed(list(enumerate(order, 1)))}
    last = {value: k for k, value in enumerate(order, 1)}
    return [(first[value] + last[value]) / 2 for value in values]


def _whole(values: Sequence[float]) -> list[int]:
    """Whole numbers in the same proportion: a float is one over a power of two."""
    ratios = [value.as_integer_ratio() for value in values]
    most = max(below for _, below in ratios)
    return [above * (most // below) for above, below in ratios]
