"""The segments of a pair of treebanks with their counts, kept, and found again after a change.

Nothing reaches out of a segment: what was counted of it holds as long as it has the same
sentences on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goldlens.scoring.segment import Kind
from goldlens.scoring.ud import metrics
from goldlens.server.cache import columns
from goldlens.server.cache.columns import Ints, Unusable

_ROW: Final = ("kind", "gold", "golds", "pred", "preds", "counted")
_COUNTS: Final = tuple(map(str, range(metrics.WIDTH)))
_PIECE: Final = 4096


@dataclass(frozen=True, slots=True)
class Compared:
    """Segments, as `Pairing.rows` has them, which of them are the middle, and their counts."""

    rows: Ints
    middle: tuple[int, int]
    comparisons: Sequence[np.ndarray[Any, Any]]


def packed(compared: Compared) -> Iterator[list[Any] | None]:
    """Plain values that say the same, at last; None before that, so that others have a turn."""
    every = compared.comparisons
    pieces = []
    for first in range(0, len(every), _PIECE):
        pieces.append(np.concatenate(every[first : first + _PIECE]))
        yield None
    counts = np.concatenate([np.zeros((0, metrics.WIDTH), np.int32), *pieces])
    table = np.column_stack([compared.rows, np.array(list(map(len, every)), np.int64)])
    yield [
        columns.packed(dict(zip(_ROW, table.T, strict=True))),
        list(compared.middle),
        columns.packed(dict(zip(_COUNTS, counts.T, strict=True))),
    ]


def unpacked(values: Any, gold: int, pred: int) -> Compared:
    """What plain values say of a pair of so many units. Raises Unusable."""
    try:
        rows, (low, high), counts = values
    except (TypeError, ValueError) as error:
        raise Unusable(f"comparisons are none: {error}") from error
    row = columns.unpacked(rows, _ROW)
    count = columns.unpacked(counts, _COUNTS)
    ends = row["counted"].cumsum()
    table = np.empty((int(row["counted"].sum()), metrics.WIDTH), np.int32)
    if (
        int(row["golds"].sum()) != gold
        or int(row["preds"].sum()) != pred
        or any(len(column) != len(table) for column in count.values())
        or not (type(low) is type(high) is int and 0 <= low <= high <= len(ends))
    ):
        raise Unusable("comparisons are not of this pair")
    for k, name in enumerate(_COUNTS):
        table[:, k] = count[name]
    stops = ends.tolist()
    found = [table[a:b] for a, b in zip([0, *stops], stops, strict=False)]
    return Compared(np.column_stack([row[name] for name in _ROW[:-1]]), (low, high), found)


def same_segments(old: Ints, new: Ints, gold: Ints, pred: Ints) -> Ints:
    """For each new segment the number of the old one that is the same, or -1.

    `old` and `new` are rows. `gold` and `pred` have, for each unit of now, the number it had; -1
    for one that was not there. Only segments that are compared are looked for.
    """
    found = np.full(len(new), -1, np.int64)
    if not len(old):
        return found
    wanted = (new[:, 0] <= Kind.PAIR) & (new[:, 2] > 0) & (new[:, 4] > 0)
    here = wanted.nonzero()[0]
    rows = new[here]
    kept = _unbroken(gold, rows[:, 1], rows[:, 2]) & _unbroken(pred, rows[:, 3], rows[:, 4])
    here, rows = here[kept], rows[kept]
    # Every predicted unit is in one segment alone, so that its first one names it.
    first = np.full(int(old[:, 3:5].sum(axis=1).max()) + 1, -1, np.int64)
    some = (old[:, 4] > 0).nonzero()[0]
    first[old[some, 3]] = some
    before = rows.copy()
    before[:, 1], before[:, 3] = gold[rows[:, 1]], pred[rows[:, 3]]
    # A number that is not there any more in the old rows is none of theirs.
    inside = before[:, 3] < len(first)
    here, before = here[inside], before[inside]
    number = first[before[:, 3]]
    same = (number >= 0) & (old[number] == before).all(axis=1)
    found[here[same]] = number[same]
    return found


def _unbroken(numbers: Ints, start: Ints, size: Ints) -> Ints:
    """Which ranges of units were there before, one after the other."""
    fresh = np.append(True, numbers[1:] != numbers[:-1] + 1) | (numbers < 0)
    breaks = fresh[: len(numbers)].cumsum()
    whole: Ints = (numbers[start] >= 0) & (breaks[start] == breaks[start + size - 1])
    return whole
