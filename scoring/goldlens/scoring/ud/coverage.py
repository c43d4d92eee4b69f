"""What of two files was compared, and what was not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from goldlens.scoring.ud.segment import Kind
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.unit import Unit


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
