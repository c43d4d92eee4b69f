"""From sums of counts to the figures that are shown."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldlens.scoring.counts import Count
from goldlens.scoring.ud import metrics


def figures(
    vector: Sequence[int] | np.ndarray, *, tagging: bool, strict: bool
) -> dict[str, Count | None]:
    """The metrics of a vector of counts, in the usual order.

    `tagging`: the prediction has no HEAD at all, so attachment is undefined (None). ELAS and
    EULAS are left out where gold has no enhanced dependencies; the strict metrics unless asked
    for.
    """
    names = [*metrics.OFFICIAL]
    if int(vector[metrics.METRICS["ELAS"].gold]):
        names += metrics.ENHANCED
    if strict:
        names += metrics.STRICT
    return {
        name: None
        if tagging and name in metrics.ATTACHMENT
        else metrics.METRICS[name].count(vector)
        for name in names
    }
