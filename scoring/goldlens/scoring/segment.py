"""Segments: gold units and predicted units that face each other."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """What a segment is."""

    STREAM = 0
    """Units that face each other by their place in the two texts."""
    PAIR = 1
    """Two units of the same name (a sent_id, a document's id)."""
    MISMATCH = 2
    """Units that differ so much, or cannot be read, that nothing is compared."""
    MISSING = 3
    """A gold unit that the prediction lacks."""
    EXTRA = 4
    """A predicted unit that gold lacks."""
    BLANK = 5
    """Nothing that counts, on either side."""
    REPEATED = 6
    """A predicted unit whose name stood before."""
    GOLD = 7
    """A gold unit that counts by itself, whatever the prediction has."""

    @property
    def compared(self) -> bool:
        """Whether the two sides are compared item by item."""
        return self <= Kind.PAIR


@dataclass(frozen=True, slots=True)
class Segment:
    """Gold units `gold` and predicted units `pred` (index ranges) that face each other.

    `detail`: what the kind and the units alone do not say of it.
    """

    kind: Kind
    gold: range
    pred: range
    detail: Hashable = None


@dataclass(frozen=True, slots=True)
class Change:
    """Segments `at` to `at + removed` were replaced by `added` new ones.

    `alike`: they are the same segments, of the same kind, with other contents.
    """

    at: int
    removed: int
    added: int
    alike: bool = False
