"""When a score is not told apart from a reference.

Points are 0 to 100, and all bounds are closed. Figures are quotients in binary and references are
typed in decimal, so that bounds are compared with a millionth of a thousandth of a point to spare.
"""

from __future__ import annotations

from typing import Final

from goldlens.scoring.bootstrap import Interval

NOISE: Final = 0.5
"""Points within which a figure without an interval is not told apart from ours."""

_BINARY: Final = 1e-9


def within_noise(
    score: float | None,
    ci: Interval | None,
    reference: float | None,
    reference_ci: Interval | None = None,
) -> bool | None:
    """Whether a reference is within the noise of a score; None where either is missing.

    Two intervals: whether they overlap. Only ours: whether the reference lies in it, or within
    NOISE points of the score. None: the latter alone.
    """
    if score is None or reference is None:
        return None
    if ci is not None and reference_ci is not None:
        return _wider(ci).overlaps(reference_ci)
    return abs(reference - score) <= NOISE + _BINARY or (ci is not None and reference in _wider(ci))


def _wider(interval: Interval) -> Interval:
    return Interval(interval.low - _BINARY, interval.high + _BINARY)
