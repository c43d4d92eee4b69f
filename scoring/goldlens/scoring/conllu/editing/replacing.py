"""Replacements of stretches of a block: what every change of a text comes down to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.sentence import Row
from goldlens.scoring.problems import Place


@dataclass(frozen=True, slots=True, order=True)
class Replacement:
    """Bytes `start` to `end` of a block become `new`."""

    start: int
    end: int
    new: bytes


Replacements = tuple[Replacement, ...]


def applied(block: bytes, replacements: Iterable[Replacement]) -> bytes:
    """A block with replacements made; several insertions at one place keep their order.

    Raises ValueError if two of them overlap.
    """
    parts = []
    done = 0
    for each in sorted(replacements, key=lambda r: (r.start, r.end)):
        if each.start < done:
            raise ValueError(f"two replacements overlap at byte {each.start}")
        parts += [block[done : each.start], each.new]
        done = each.end
    return b"".join([*parts, block[done:]])


def overlap(some: Sequence[Replacement], others: Sequence[Replacement]) -> bool:
    """Whether replacements of one lot and of another touch the same bytes or the same gap."""
    return any(
        (a.start < b.end and b.start < a.end) or a.start == b.start for a in some for b in others
    )


@lru_cache(maxsize=64)
def line_offsets(block: bytes) -> tuple[int, ...]:
    """Where each line of a block begins, and at last where the block ends."""
    offsets = [0]
    for line in lines(block):
        offsets.append(offsets[-1] + len(line))
    return tuple(offsets)


def line_end(block: bytes) -> bytes:
    """What ends the lines of a block: that of its first; LF if it has none."""
    for line in lines(block)[:1]:
        if line.endswith(b"\r\n"):
            return b"\r\n"
        if line.endswith(b"\r"):
            return b"\r"
    return b"\n"


def at(block: bytes, place: Place, new: bytes) -> Replacement:
    """The stretch of a place, within its line, replaced."""
    start = line_offsets(block)[place.line]
    return Replacement(start + place.start, start + place.end, new)


def cell(block: bytes, row: Row, column: int, new: str) -> Replacement:
    """A cell replaced."""
    start, end = row.span(column)
    begin = line_offsets(block)[row.line]
    return Replacement(begin + start, begin + end, new.encode("utf-8", "surrogateescape"))


def without_line(block: bytes, line: int) -> Replacement:
    """A line taken out, with its end."""
    offsets = line_offsets(block)
    return Replacement(offsets[line], offsets[line + 1], b"")


def new_line(block: bytes, line: int, text: bytes) -> Replacement:
    """A line put in before line `line` (the number of lines: behind the last)."""
    start, end = line_offsets(block)[line], line_end(block)
    if start and not block[:start].endswith((b"\n", b"\r")):
        return Replacement(start, start, end + text)
    return Replacement(start, start, text + end)
