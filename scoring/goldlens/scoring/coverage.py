"""What of two files was compared, and what was not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from goldlens.scoring.segment import Kind
from goldlens.scoring.task import Pairing


@dataclass(slots=True)
class Coverage:
    """What was compared: `compared` counts what gold has (sentences, documents, forms).

    `missing`: gold units, each with the names of what is missing of it (none: the unit itself);
    `extra`: predicted units; `mismatch`: (gold units, predicted units).
    """

    compared: int = 0
    missing: list[tuple[int, tuple[Any, ...]]] = field(default_factory=list)
    extra: list[int] = field(default_factory=list)
    mismatch: list[tuple[range, range]] = field(default_factory=list)


def coverage(
    pairing: Pairing[Any], gold: Sequence[Any], size: int, count: Callable[[Any], int]
) -> Coverage:
    """What of gold a pairing compares: `size` items in all, `count` of them in a unit.

    Costs what does not match.
    """
    found = Coverage(size)
    for k in pairing.uncompared():
        segment = pairing[k]
        names = segment.detail if isinstance(segment.detail, tuple) else ()
        found.compared -= len(names) or sum(
            [count(unit) for unit in gold[segment.gold.start : segment.gold.stop]]
        )
        if segment.kind is Kind.MISSING:
            if names:
                found.missing.append((segment.gold.start, names))
            else:
                found.missing += [(unit, ()) for unit in segment.gold if count(gold[unit])]
        elif segment.kind is Kind.EXTRA:
            found.extra += segment.pred
        elif segment.kind is Kind.MISMATCH:
            found.mismatch.append((segment.gold, segment.pred))
    return found
