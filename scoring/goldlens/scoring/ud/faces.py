"""What of a unit decides which unit it faces: its stream, and whether a cut lies beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.unit import Unit

# Bytes that UTF-8 never has: they end the stream of a sentence that could not be read, so that
# it equals nothing on the other side.
_UNREADABLE: Final = (b"\xfe", b"\xff")


def is_cut(g_last: Unit, p_last: Unit, g_next: Unit, p_next: Unit) -> bool:
    """Whether no alignment reaches over a common sentence end between these sentences.

    So it is if no multiword token comes next on either side, or if the last tokens before the
    end have the same span on both.
    """
    return not (g_next.opens_multi or p_next.opens_multi) or g_last.tail == p_last.tail


def equal_streams(gold: Unit, pred: Unit) -> bool:
    """Whether two sentences can be compared by themselves."""
    return gold.readable and pred.readable and gold.stream == pred.stream


def stream(units: Sequence[Unit], side: int) -> bytes:
    """The characters of consecutive sentences; one that cannot be read equals nothing."""
    if all(unit.readable for unit in units):
        return b"".join([unit.stream for unit in units])
    mark = _UNREADABLE[side]
    return b"".join([u.stream if u.readable else u.stream + mark for u in units])


def characters(units: Sequence[Unit]) -> Ints:
    """The length of each unit's stream in code points."""
    streams = [unit.stream for unit in units]
    return np.array([len(s) if s.isascii() else len(s.decode()) for s in streams], np.int64)


def ends_of(units: Sequence[Unit], side: int) -> list[tuple[int, int]]:
    """Of each sentence its number in the list and its end in `_stream`."""
    ends = []
    end = 0
    for k, unit in enumerate(units):
        if unit.sentence:
            end += len(unit.stream) + (not unit.readable)
            ends.append((k, end))
    return ends


def common_prefix(a: bytes, b: bytes) -> int:
    """How many bytes two texts have in common from the start."""
    size = min(len(a), len(b))
    if a[:size] == b[:size]:
        return size
    low, high = 0, size
    while high - low > 4096:
        half = (low + high) // 2
        if a[low:half] == b[low:half]:
            low = half
        else:
            high = half
    differ = np.frombuffer(a[low:high], np.uint8) != np.frombuffer(b[low:high], np.uint8)
    return low + int(differ.argmax())


def common_suffix(a: bytes, b: bytes) -> int:
    """How many bytes two texts have in common from the end."""
    return common_prefix(a[::-1], b[::-1])
