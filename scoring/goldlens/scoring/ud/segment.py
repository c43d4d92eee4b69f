"""Segments: gold units and predicted units that face each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Kind(IntEnum):
    """What a segment is."""

    STREAM = 0
    """Equal streams, between two cuts."""
    PAIR = 1
    """Two sentences with the same sent_id and equal streams, where the files' streams differ."""
    MISMATCH = 2
    """Sentences whose streams differ, or that cannot be read: nothing is compared."""
    MISSING = 3
    """A gold sentence that the prediction lacks (match by sent_id)."""
    EXTRA = 4
    """A predicted sentence that gold lacks (match by sent_id)."""
    BLANK = 5
    """No sentence on either side."""

    @property
    def compared(self) -> bool:
        """Whether the two sides are compared word by word."""
        return self <= Kind.PAIR


@dataclass(frozen=True, slots=True)
class Segment:
    """Gold units `gold` and predicted units `pred` (index ranges) that face each other."""

    kind: Kind
    gold: range
    pred: range


@dataclass(frozen=True, slots=True)
class Change:
    """Segments `at` to `at + removed` were replaced by `added` new ones.

    `alike`: they are the same segments, of the same kind, with other contents.
    """

    at: int
    removed: int
    added: int
    alike: bool = False
