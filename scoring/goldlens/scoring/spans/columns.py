"""The tags of many sentences at once, where token and tag are the first and the last column.

White space is looked at, and nothing else: in a plain row the tag is what stands between the last
separator and the line's end. Whatever may be anything else than a plain row makes its block one
to be read line by line (see `unit.parse`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.spans.tags import OUTSIDE
from goldlens.scoring.text import is_utf8

Ints: TypeAlias = npt.NDArray[np.int64]

_TAB, _LF, _CR, _SPACE = 9, 10, 13, 32
_HASH, _HYPHEN = b"#-"
_NOT_PLAIN: Final = np.zeros(256, bool)
_NOT_PLAIN[[_TAB, 11, 12]] = True
"""White space that parts columns as a space does."""

_MASKS: Final = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)
_MANY: Final = 64

WIDTH: Final = 4
"""How many bytes the number of a tag takes in `TagNumbers.every`."""


@dataclass(frozen=True, slots=True)
class TagNumbers:
    """The tags of some blocks as numbers.

    `names` has the tag of each number, `every` the numbers of all lines, WIDTH bytes each. The
    tokens of block k are lines `first[k]` to `last[k]`, if it is `plain[k]`.
    """

    names: list[bytes]
    every: bytes
    first: list[int]
    last: list[int]
    plain: list[bool]

    def tags(self, numbers: bytes) -> tuple[bytes, ...]:
        """The tags of numbers as they stand in `every`."""
        return tuple([self.names[k] for k in np.frombuffer(numbers, np.uint32).tolist()])


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of a text: where each starts and where its LF is, and the number of its tag.

    `names` has the tag of each number. Lines that may be no plain row are `odd`, and have 0.
    """

    starts: Ints
    ends: Ints
    odd: npt.NDArray[np.bool_]
    names: list[bytes]
    numbers: npt.NDArray[np.uint32]


def tag_numbers(blocks: Sequence[bytes], *, tabs: bool) -> TagNumbers | None:
    """The tags of blocks, each of which ends with its only blank line or `-DOCSTART-`.

    None if the blocks are not UTF-8, or have line ends other than LF and CR LF.
    """
    lines = lines_of(b"".join(blocks), tabs=tabs)
    if lines is None:
        return None
    ends, odd = lines.ends, lines.odd
    sizes = np.fromiter(map(len, blocks), np.int64, len(blocks)).cumsum()
    last = ends.searchsorted(sizes - 1)
    first = np.append(0, last[:-1] + 1)
    many = np.append(0, odd.cumsum())
    plain = many[first] == many[last]
    every = lines.numbers.tobytes()
    return TagNumbers(lines.names, every, first.tolist(), last.tolist(), plain.tolist())


def lines_of(text: bytes, *, tabs: bool) -> Lines | None:
    """The lines of a text that ends with a line end.

    None if the text is not UTF-8, or has line ends other than LF and CR LF.
    """
    has_cr = b"\r" in text
    if (has_cr and text.count(b"\r") != text.count(b"\r\n")) or not is_utf8(text):
        return None
    byte = np.frombuffer(text, np.uint8)
    gaps = (byte <= _SPACE).nonzero()[0]
    kinds = byte[gaps]
    at = (kinds == _LF).nonzero()[0]
    ends = gaps[at]
    starts = np.append(0, ends[:-1] + 1)
    before, kind = _gap_before(gaps, kinds, at, 1)
    tag_ends = ends
    if has_cr:
        carriage = kind == _CR
        further, other = _gap_before(gaps, kinds, at, 2)
        tag_ends = ends - carriage
        before, kind = np.where(carriage, further, before), np.where(carriage, other, kind)
    odd = (kind != (_TAB if tabs else _SPACE)) | (before <= starts) | (before + 1 >= tag_ends)
    odd |= _may_be_no_row(byte, starts)
    if not tabs:
        odd[ends.searchsorted(gaps[_NOT_PLAIN[kinds]])] = True
    names, numbers = _numbered(text, before + 1, tag_ends, odd)
    return Lines(starts, ends, odd, names, numbers)


def _gap_before(
    gaps: Ints, kinds: npt.NDArray[np.uint8], at: Ints, back: int
) -> tuple[Ints, npt.NDArray[np.uint8]]:
    """The white space (or control character) so many before each line end, and its byte."""
    there = at - back
    missing = there < 0
    there[missing] = 0
    found = gaps[there]
    found[missing] = -1
    return found, kinds[there]


def _may_be_no_row(byte: npt.NDArray[np.uint8], starts: Ints) -> npt.NDArray[np.bool_]:
    """Which lines begin like a comment, like `-DOCSTART-` or `TOKEN`, or with white space."""
    head = byte[starts]
    second = byte[np.minimum(starts + 1, len(byte) - 1)]
    found: npt.NDArray[np.bool_] = (head == _HASH) | (head <= _SPACE)
    found |= (head == _HYPHEN) & (second == ord("D"))
    found |= (head == ord("T")) & (second == ord("O"))
    return found


def _numbered(
    text: bytes, starts: Ints, ends: Ints, odd: npt.NDArray[np.bool_]
) -> tuple[list[bytes], npt.NDArray[np.uint32]]:
    """The tags by number, and the number of each line's tag; `O`, and odd lines, have 0."""
    byte = np.frombuffer(text, np.uint8)
    numbers = np.zeros(len(starts), np.uint32)
    outside = (ends - starts == 1) & (byte[np.maximum(starts, 0)] == OUTSIDE[0])
    left = (~(outside | odd)).nonzero()[0]
    known = {OUTSIDE: 0}
    # Eight bytes from any place on, as one number; what is behind the tag is masked away.
    eights = np.ndarray(len(text), np.dtype("<u8"), text + bytes(8), strides=(1,))
    width = ends[left] - starts[left]
    words = eights[starts[left]] & _MASKS[np.minimum(width, 8)]
    words[width > 8] = 0
    while len(left) and words.any() and len(known) < _MANY:
        at = int(words.argmax())
        same = words == words[at]
        number = known.setdefault(text[starts[left[at]] : ends[left[at]]], len(known))
        numbers[left[same]] = number
        left, words = left[~same], words[~same]
    # Long tags, and those of a file that has very many.
    pairs = zip(left.tolist(), starts[left].tolist(), ends[left].tolist(), strict=True)
    for line, start, end in pairs:
        numbers[line] = known.setdefault(text[start:end], len(known))
    return list(known), numbers
