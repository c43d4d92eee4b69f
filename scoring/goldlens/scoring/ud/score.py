"""From sums of counts to the figures that are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldlens.scoring.counts import Count
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.segments import Kind, Pairing
from goldlens.scoring.ud.unit import Unit


def figures(vector: Sequence[int], *, tagging: bool, strict: bool) -> dict[str, Count | None]:
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


@dataclass(slots=True)
class Coverage:
    """What was compared: `compared` counts gold sentences, the lists name unit numbers.

    `missing`: gold units; `extra`: predicted units; `mismatch`: (gold units, predicted units).
    """

    compared: int = 0
    missing: list[int] = field(default_factory=list)
    extra: list[int] = field(default_factory=list)
    mismatch: list[tuple[range, range]] = field(default_factory=list)


def coverage(pairing: Pairing, gold: Sequence[Unit], sentences: int) -> Coverage:
    """What of `sentences` gold sentences a pairing compares. Costs what does not match."""
    found = Coverage(sentences)
    for k in pairing.middle:
        segment = pairing[k]
        if segment.kind.compared:
            continue
        found.compared -= sum(
            [unit.sentence for unit in gold[segment.gold.start : segment.gold.stop]]
        )
        if segment.kind is Kind.MISSING:
            found.missing.append(segment.gold.start)
        elif segment.kind is Kind.EXTRA:
            found.extra.append(segment.pred.start)
        elif segment.kind is Kind.MISMATCH:
            found.mismatch.append((segment.gold, segment.pred))
    return found
