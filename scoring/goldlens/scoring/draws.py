"""Random numbers that are the same everywhere: SplitMix64, and how a unit is drawn with it.

Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Output k of
a stream is a function of the seed and k alone, so that any part of it can be computed by itself.
From the seed 1234567 the stream begins 6457827717110365317, 3203168211198807973,
9817491932198370423, 4593380528125082431, 16408922859458223821.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

MOST_UNITS: Final = 1 << 32
"""An index is made of 32 random bits: there can be no more units than these tell apart."""

_WORD: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_BLOCK: Final = 1 << 15
"""Outputs made at a time: they and a copy of them fit in a core's own cache."""


def outputs(seed: int, first: int, count: int) -> np.ndarray:
    """Outputs `first` to `first + count` of the stream of a seed (modulo 2^64), as uint64."""
    x = np.arange(count, dtype=np.uint64)
    x *= np.uint64(_GAMMA)
    x += np.uint64((seed + (first + 1) * _GAMMA) & _WORD)
    shifted = x >> np.uint64(30)
    x ^= shifted
    x *= _FIRST
    np.right_shift(x, np.uint64(27), out=shifted)
    x ^= shifted
    x *= _SECOND
    np.right_shift(x, np.uint64(31), out=shifted)
    x ^= shifted
    return x


def indexes(seed: int, first: int, count: int, units: int) -> np.ndarray:
    """Outputs `first` to `first + count`, each as the index of one of so many units: int64.

    Output x gives ((x >> 32) * units) >> 32. Raises ValueError for more units than MOST_UNITS.
    """
    if not 0 < units <= MOST_UNITS:
        raise ValueError(f"{units} units cannot be drawn from; there must be 1 to {MOST_UNITS}")
    found = np.empty(count, np.int64)
    for start in range(0, count, _BLOCK):
        x = outputs(seed, first + start, min(_BLOCK, count - start))
        x >>= np.uint64(32)
        x *= np.uint64(units)
        x >>= np.uint64(32)
        found[start : start + _BLOCK] = x.view(np.int64)
    return found


class Dice:
    """The outputs of a seed, one after the other, for decisions that depend on what came before."""

    def __init__(self, seed: int) -> None:
        self._left = self._stream(seed)

    @staticmethod
    def _stream(seed: int) -> Iterator[int]:
        first = 0
        while True:
            yield from outputs(seed, first, 4096).tolist()
            first += 4096

    def below(self, units: int) -> int:
        """One of 0 to units - 1, by the rule of `indexes`."""
        return ((next(self._left) >> 32) * units) >> 32

    def happens(self, rate: float) -> bool:
        """Whether something of this probability happens."""
        return (next(self._left) >> 11) * 2.0**-53 < rate
