"""Cells of a byte buffer, many at a time: gathered, compared, read as numbers.

A cell is a stretch [start, end) of a buffer of UTF-8 bytes. All functions work on arrays of
starts and lengths, and are exact: cells are compared byte by byte, eight at a step, never by a
hash. The buffer is padded so that eight bytes can be read from any place in it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint64]

PAD: Final = b"\0" * 32
LOW: Final[Words] = np.array([(1 << 8 * k) - 1 for k in range(9)], np.uint64)
"""LOW[k] keeps the first k bytes of eight read in little-endian order."""

_ZEROS: Final = np.uint64(0x3030303030303030)
_HIGH: Final = np.uint64(0xF0F0F0F0F0F0F0F0)
_SIXES: Final = np.uint64(0x0606060606060606)


class Buffer:
    """Bytes that can be looked at one by one (`byte`) or eight from any place on (`eight`)."""

    __slots__ = ("byte", "eight", "size")

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        self.byte: Bytes = np.frombuffer(data + PAD, np.uint8)
        self.eight: Words = np.ndarray(
            (self.size + len(PAD) - 8,), "<u8", buffer=self.byte, strides=(1,)
        )

    def cell(self, start: int, end: int) -> bytes:
        """The bytes of one cell."""
        return self.byte[start:end].tobytes()


def decimal(buffer: Buffer, start: Ints, length: Ints) -> tuple[Ints, Bools]:
    """The cells read as decimal numbers, and which of them are one: 1 to 8 ASCII digits.

    Where a cell is no number its value is arbitrary.
    """
    longest = int(length.max()) if len(length) else 0
    if longest == 1:
        value = buffer.byte[start].astype(np.int64) - 48
        return value, (value >= 0) & (value <= 9) & (length == 1)
    if longest == 2:
        first, second = buffer.byte[start], buffer.byte[start + 1]
        alone = length == 1
        tens = np.where(alone, 48, first).astype(np.int64) - 48
        ones = np.where(alone, first, second).astype(np.int64) - 48
        fine = (length > 0) & (tens >= 0) & (tens <= 9) & (ones >= 0) & (ones <= 9)
        return tens * 10 + ones, fine
    width = np.minimum(length, 8)
    mask = LOW[width]
    text = buffer.eight[start] & mask
    # A byte is a digit if its high half is 3 and stays so when 6 is added to its low half.
    wrong = ((text & _HIGH) ^ (_ZEROS & mask)) | (
        ((text + (_SIXES & mask)) & _HIGH) ^ (_ZEROS & mask)
    )
    fine = (wrong == 0) & (length > 0) & (length <= 8)
    value = np.zeros(len(start), np.int64)
    for k in range(min(longest, 8)):
        digit = (text >> np.uint64(8 * k)).astype(np.int64) & 255
        value = np.where(k < width, value * 10 + digit - 48, value)
    return value, fine


def equal(
    a: Buffer, a_start: Ints, a_length: Ints, b: Buffer, b_start: Ints, b_length: Ints
) -> Bools:
    """Which cells of `a` are the same bytes as those of `b` that face them."""
    same: Bools = a_length == b_length
    mask = LOW[np.minimum(a_length, 8)]
    same &= ((a.eight[a_start] ^ b.eight[b_start]) & mask) == 0
    rest = (same & (a_length > 8)).nonzero()[0]
    offset = 8
    while rest.size:
        left = a_length[rest] - offset
        mask = LOW[np.minimum(left, 8)]
        step = ((a.eight[a_start[rest] + offset] ^ b.eight[b_start[rest] + offset]) & mask) == 0
        same[rest] = step
        rest = rest[step & (left > 8)]
        offset += 8
    return same


def some(choice: Bools) -> bool:
    """Whether any is true (numpy's own `any` takes four times as long for a sentence)."""
    return bool(np.count_nonzero(choice))


def every(choice: Bools) -> bool:
    """Whether all are true."""
    return bool(np.count_nonzero(choice) == choice.size)


def followed(numbers: Ints, last: int) -> Ints:
    """The numbers with one more behind them (as numpy.append, which takes five times as long)."""
    found = np.empty(len(numbers) + 1, numbers.dtype)
    found[:-1] = numbers
    found[-1] = last
    return found


def preceded(first: int, numbers: Ints) -> Ints:
    """The numbers with one more before them."""
    found = np.empty(len(numbers) + 1, numbers.dtype)
    found[0] = first
    found[1:] = numbers
    return found


def increments(numbers: Ints) -> Ints:
    """The differences of neighbours."""
    found: Ints = numbers[1:] - numbers[:-1]
    return found


def spread(start: Ints, length: Ints) -> Ints:
    """The places of all bytes of the cells, one cell after the other."""
    total = int(length.sum())
    before = length.cumsum() - length
    return np.arange(total) + np.repeat(start - before, length)


def is_in(a: Ints, b: Ints) -> Bools:
    """Which numbers of `a` stand in `b`, which must be ascending.

    (numpy's own set routines import its masked arrays, which a short run has no time for.)
    """
    if not len(b):
        return np.zeros(len(a), bool)
    at = np.minimum(b.searchsorted(a), len(b) - 1)
    found: Bools = b[at] == a
    return found
