"""A text as stretches that are found again in a text that was made from it.

A stretch is some hundred kilobytes of whole blocks, and ends where what follows is split and
parsed apart from it. So whatever was found out about its blocks holds wherever the same bytes
stand again between two such borders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from goldlens.server.cache.columns import Unusable

SIZE: Final = 1 << 18
"""How many bytes a stretch has at least: an edit costs one to be read again."""

_HEAD: Final = 64
_AHEAD: Final = 16
"""How many stretches may have changed in one place before the rest is looked for at the end."""
_SLACK: Final = 4
"""How much longer, in stretches, a text may have become in one place."""
_TRIES: Final = 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many `units` in so many bytes (`size`), the first bytes, and the SHA-256 of all."""

    units: int
    size: int
    head: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Again:
    """A stretch, by its number, that stands at an offset of another text."""

    number: int
    at: int


def cut(
    blocks: Sequence[bytes], is_border: Callable[[bytes], bool], size: int | None = None
) -> Iterator[Stretch]:
    """The stretches of a text, of `SIZE` bytes unless told otherwise.

    `is_border` says whether what follows a block is split and parsed apart from it; the last
    stretch ends where the text does, border or not.
    """
    least = SIZE if size is None else size
    first = stop = 0
    while first < len(blocks):
        length = 0
        while stop < len(blocks) and (length < least or not is_border(blocks[stop - 1])):
            length += len(blocks[stop])
            stop += 1
        text = b"".join(blocks[first:stop])
        yield Stretch(stop - first, length, text[:_HEAD], _digest(memoryview(text)))
        first = stop


def found_again(stretches: Sequence[Stretch], body: bytes) -> list[Again]:
    """The stretches that stand in a text, in their order and apart; not always all of them."""
    view = memoryview(body)
    found: list[Again] = []
    number = at = 0
    while number < len(stretches):
        if not _is_at(stretches[number], view, at):
            ahead = _next(stretches, number, body, at)
            if ahead is None:
                break
            number, at = ahead.number, ahead.at
        found.append(Again(number, at))
        at += stretches[number].size
        number += 1
    behind: list[Again] = []
    end, last = len(body), len(stretches)
    while last > number and end - stretches[last - 1].size >= at:
        last -= 1
        end -= stretches[last].size
        if not _is_at(stretches[last], view, end):
            break
        behind.append(Again(last, end))
    return found + behind[::-1]


def packed(stretches: Sequence[Stretch]) -> list[list[Any]]:
    """Plain values that say the same."""
    return [[each.units, each.size, each.head, each.digest] for each in stretches]


def unpacked(values: Any, units: int, size: int) -> list[Stretch]:
    """The stretches of a text of so many units and bytes. Raises Unusable."""
    try:
        found = [Stretch(int(u), int(s), bytes(head), bytes(d)) for u, s, head, d in values]
    except (TypeError, ValueError) as error:
        raise Unusable(f"stretches are none: {error}") from error
    if sum(each.units for each in found) != units or sum(each.size for each in found) != size:
        raise Unusable("stretches are not of this text")
    return found


def _next(stretches: Sequence[Stretch], number: int, body: bytes, at: int) -> Again | None:
    """The first of the next stretches that stands in a text behind an offset, but near it."""
    stop = at + _SLACK * SIZE
    for k in range(number, min(number + _AHEAD, len(stretches))):
        stretch = stretches[k]
        stop += stretch.size
        start = at
        for _ in range(_TRIES):
            start = body.find(stretch.head, start, stop)
            if start < 0:
                break
            at_line = not start or body[start - 1 : start] == b"\n"
            if at_line and _is_at(stretch, memoryview(body), start):
                return Again(k, start)
            start += 1
    return None


def _is_at(stretch: Stretch, view: memoryview, at: int) -> bool:
    text = view[at : at + stretch.size]
    return (
        len(text) == stretch.size
        and text[:_HEAD] == stretch.head
        and _digest(text) == stretch.digest
    )


def _digest(text: memoryview) -> bytes:
    return hashlib.sha256(text).digest()
