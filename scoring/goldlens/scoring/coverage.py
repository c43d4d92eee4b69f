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
    pairing: Pairing[Any],
    sides: tuple[Sequence[Any], Sequence[Any]],
    size: int,
    counts: tuple[Callable[[Any], int], Callable[[Any], int]],
) -> Coverage:
    """What of gold a pairing compares: `size` items in all.

    `sides` are the units of gold and of the prediction, `counts` say how many items each has.

    Costs what does not match.
    """
    found = Coverage(size)
    (gold, pred), (count, count_pred) = sides, counts
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
            found.extra += [unit for unit in segment.pred if count_pred(pred[unit])]
        elif segment.kind is Kind.MISMATCH:
            found.mismatch.append((segment.gold, segment.pred))
    return found
