"""A treebank's text read again: what of it stood in an earlier text is known, the rest parsed."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from goldlens.scoring.conllu.blocks import is_closed
from goldlens.scoring.problems import CODES
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import Unit
from goldlens.server.cache import sentences as sentence_columns
from goldlens.server.cache import stretches as stretch_list
from goldlens.server.cache.columns import Ints, Unusable
from goldlens.server.cache.sentences import Sentences, joined, of_units
from goldlens.server.cache.stretches import Again, Stretch, cut, found_again
from goldlens.server.engine.known import Known, Units

_PIECE: Final = 2048


@dataclass(frozen=True, slots=True)
class Reading:
    """How a text is parsed: with checks or without, and which codes are wanted besides."""

    checks: bool
    extra: tuple[str, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """What names it."""
        return "checked" if self.checks else "unchecked", *self.extra

    def parse(self, blocks: Sequence[bytes]) -> list[Unit]:
        """The units of blocks from one border, or end of the text, to another."""
        return UD.parse(blocks, checks=self.checks, extra=self.extra)


@dataclass(frozen=True, slots=True)
class Entry:
    """What is kept of a text; `closed`: whether what might follow it would be apart from it."""

    stretches: Sequence[Stretch]
    sentences: Sentences
    closed: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """All sentences of a text.

    `numbers` has for each the number it had in the earlier text, -1 for one that was parsed;
    `units_before` is how many there were.
    """

    sentences: Sentences
    numbers: Ints
    units_before: int


def open_again(entry: Entry, body: bytes, reading: Reading, same: bool) -> Opened | None:
    """A text (without its mark) by what is kept of an earlier one, or of the same.

    None if no more than half of it stood there.
    """
    before = entry.sentences
    if same:
        if int(before.columns["size"].sum()) != len(body):
            raise Unusable("it is of a text of another length")
        return Opened(before, np.arange(len(before)), len(before))
    again = found_again(entry.stretches, body)
    if 2 * sum(entry.stretches[each.number].size for each in again) <= len(body):
        return None
    parts, numbers = [], []
    for first, stop, fresh in _parts(entry, again, body, reading):
        if fresh:
            parts.append(of_units(fresh))
            numbers.append(np.full(len(fresh), -1, np.int64))
        if stop > first:
            parts.append(before.part(first, stop))
            numbers.append(np.arange(first, stop))
    return Opened(joined(parts), np.concatenate(numbers), len(before))


def _parts(
    entry: Entry, again: Sequence[Again], body: bytes, reading: Reading
) -> Iterator[tuple[int, int, list[Unit]]]:
    """The text from start to end: units that are parsed, then a range of those that are known."""
    firsts = np.cumsum([0, *(stretch.units for stretch in entry.stretches)]).tolist()
    at = 0
    for each in again:
        size = entry.stretches[each.number].size
        is_last = each.number == len(entry.stretches) - 1
        if is_last and not entry.closed and each.at + size < len(body):
            # What it ended with may go on now.
            continue
        blocks = UD.split(body[at : each.at])
        if blocks and not _is_border(blocks[-1]):
            # What was put before it runs into it.
            continue
        yield firsts[each.number], firsts[each.number + 1], reading.parse(blocks)
        at = each.at + size
    if at < len(body):
        yield 0, 0, reading.parse(UD.split(body[at:]))


def known_of(sentences: Sentences, body: bytes, *, later: bool) -> Known:
    """What a `Document` wants to know of a text; with `later` units are made when asked for."""
    ends = sentences.columns["size"].cumsum()

    def make(first: int, stop: int) -> list[Unit]:
        start = int(ends[first - 1]) if first else 0
        borders = [start, *ends[first:stop].tolist()]
        texts = [body[a:b] for a, b in pairwise(borders)]
        return sentences.units(texts, first)

    size = len(sentences)
    units: MutableSequence[Any]
    units = Units(list(range(size)), make) if later else make(0, size)
    return Known(
        units,
        sentences.columns["lines"],
        sentences.facts(),
        sentences.names,
        CODES[UD.duplicate_code].severity,
        sentences.cr,
        sentences.problems,
    )


def packed(units: Sequence[Unit], sentences: Sentences | None) -> Iterator[Any]:
    """Plain values that say what these units are, at last; before that None, now and then.

    `sentences` are theirs, if they are known.
    """
    stretches = []
    for stretch in cut([unit.text for unit in units], _is_border):
        stretches.append(stretch)
        yield None
    if sentences is None:
        parts = []
        for first in range(0, len(units), _PIECE):
            parts.append(of_units(units[first : first + _PIECE]))
            yield None
        sentences = joined(parts)
    closed = bool(units) and _is_border(units[-1].text)
    yield [stretch_list.packed(stretches), sentence_columns.packed(sentences), closed]


def unpacked(values: Any) -> Entry:
    """What plain values say. Raises Unusable."""
    try:
        stretches, found, closed = values
    except (TypeError, ValueError) as error:
        raise Unusable(f"it is no text: {error}") from error
    sentences = sentence_columns.unpacked(found)
    size = int(sentences.columns["size"].sum())
    return Entry(stretch_list.unpacked(stretches, len(sentences), size), sentences, closed is True)


def _is_border(block: bytes) -> bool:
    """Whether what follows a block is split and parsed apart from it, whatever it is.

    (A CR at the end and an LF behind it would be one line end.)
    """
    return block.endswith(b"\n") and is_closed(block)
