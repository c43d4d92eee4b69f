"""Which unit of a document has most problems, and which of those that have any comes next."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

import numpy as np

Which: TypeAlias = Literal["worst", "next", "previous"]
EVERY: Final[tuple[Which, ...]] = get_args(Which)


def sought(counts: np.ndarray, which: Which, at: int | None) -> int | None:
    """The number of a unit with problems, seen from unit `at`; None if no unit has any.

    From nowhere (None) the next is the first of all, and the previous the last.
    `counts`: how many problems each unit has. The worst is the first of those with most. Behind
    the last unit comes the first: who is in the only one that has problems is led to it again.
    """
    some = counts.nonzero()[0]
    if not some.size:
        return None
    if which == "worst":
        return int(counts.argmax())
    if at is None:
        at = -1 if which == "next" else len(counts)
    if which == "next":
        return int(some[some.searchsorted(at, side="right") % some.size])
    return int(some[some.searchsorted(at, side="left") - 1])
