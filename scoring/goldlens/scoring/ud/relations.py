"""DEPREL cells as small numbers: the relation without its subtype, and its class.

A process-wide table that only grows: looking up a cell that it knows takes a few array
operations; one that it does not is looked at once, in Python. Each slot is verified against the
cell's bytes, so a lookup is exact.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from goldlens.scoring.conllu.inventory import (
    CONTENT_RELATIONS,
    FUNCTIONAL_RELATIONS,
    UNIVERSAL_RELATIONS,
)
from goldlens.scoring.ud.cells import LOW, Bools, Buffer, Ints, Words, every

OTHER: Final = 0
CONTENT: Final = 1
FUNCTIONAL: Final = 2

_SLOTS: Final = 1 << 12
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX_MORE: Final = np.uint64(0xC2B2AE3D27D4EB4F)
_SHIFT: Final = np.uint64(52)
_LONGEST: Final = 16


class _Relations:
    def __init__(self) -> None:
        self._low = np.zeros(_SLOTS, np.uint64)
        self._high = np.zeros(_SLOTS, np.uint64)
        self._length = np.zeros(_SLOTS, np.int64)
        self._number = np.full(_SLOTS, -1)
        self._numbers: dict[bytes, int] = {}
        self._classes = np.zeros(0, np.int64)
        self._known = np.zeros(0, bool)

    def number(self, relation: bytes) -> int:
        """The number of a relation without subtype."""
        known = self._numbers.get(relation)
        if known is None:
            known = self._numbers[relation] = len(self._classes)
            kind = OTHER
            if relation in CONTENT_RELATIONS:
                kind = CONTENT
            elif relation in FUNCTIONAL_RELATIONS:
                kind = FUNCTIONAL
            self._classes = np.append(self._classes, kind)
            self._known = np.append(self._known, relation in UNIVERSAL_RELATIONS)
        return known

    def look_up(self, buffer: Buffer, start: Ints, length: Ints) -> tuple[Ints, Ints]:
        low = buffer.eight[start] & LOW[np.minimum(length, 8)]
        high = buffer.eight[start + 8] & LOW[np.minimum(np.maximum(length - 8, 0), 8)]
        slot = ((low * _MIX ^ high * _MIX_MORE) >> _SHIFT).astype(np.int64)
        numbers, known = self._get(slot, low, high, length)
        if not every(known):
            # Learn a cell for each slot that missed; what shares its slot misses for good.
            missed = (~known).nonzero()[0]
            some = dict(zip(slot[missed].tolist(), missed.tolist(), strict=True))
            for k in some.values():
                self._learn(buffer, start, length, k, slot, low, high)
            numbers, known = self._get(slot, low, high, length)
            for k in (~known).nonzero()[0].tolist():
                numbers[k] = self._read(buffer, start, length, k)
        return numbers, self._classes[numbers]

    def _get(self, slot: Ints, low: Words, high: Words, length: Ints) -> tuple[Ints, Bools]:
        numbers = self._number[slot]
        known = (
            (numbers >= 0)
            & (self._low[slot] == low)
            & (self._high[slot] == high)
            & (self._length[slot] == length)
        )
        return numbers, known

    def _read(self, buffer: Buffer, start: Ints, length: Ints, k: int) -> int:
        begin = int(start[k])
        cell = buffer.cell(begin, begin + int(length[k]))
        return self.number(cell.partition(b":")[0])

    def _learn(
        self,
        buffer: Buffer,
        start: Ints,
        length: Ints,
        k: int,
        slot: Ints,
        low: Words,
        high: Words,
    ) -> None:
        """Puts cell k into its slot, if that is free."""
        at = slot[k]
        if self._number[at] < 0 and length[k] <= _LONGEST:
            self._low[at], self._high[at], self._length[at] = low[k], high[k], length[k]
            self._number[at] = self._read(buffer, start, length, k)

    def known(self, numbers: Ints) -> Bools:
        return self._known[numbers]


_table = _Relations()


def relations(buffer: Buffer, start: Ints, length: Ints) -> tuple[Ints, Ints]:
    """For DEPREL cells: equal numbers for equal relations (subtypes apart), and the classes."""
    return _table.look_up(buffer, start, length)


def universal(numbers: Ints) -> Bools:
    """Which numbers stand for universal relations."""
    return _table.known(numbers)


def relation_number(relation: bytes) -> int:
    """The number that `relations` gives to this relation (without subtype)."""
    return _table.number(relation)
