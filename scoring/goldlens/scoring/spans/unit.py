"""Units: blocks parsed, as light as they can be kept by the hundred thousand.

Most blocks are rows and the blank line behind them. Many blocks are read as columns (`columns`);
in others, or where columns are not so simple, `parse` looks up what each line is and what each
series of tags says, once for all the lines and series that are alike; whatever is left is read
line by line (`careful`). What a unit says does not depend on how it was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from goldlens.scoring.problems import Problem
from goldlens.scoring.spans import blocks as cut
from goldlens.scoring.spans.careful import Rows, rows_of
from goldlens.scoring.spans.columns import WIDTH, tag_numbers
from goldlens.scoring.spans.faults import problems_of
from goldlens.scoring.spans.reading import Reading, read
from goldlens.scoring.spans.rows import HEADER, MISSING, Layout, is_docstart
from goldlens.scoring.spans.tags import is_valid
from goldlens.scoring.text import is_utf8

FEW: Final = 64
"""So many blocks are read as columns; fewer are read faster without."""


class Unit(NamedTuple):
    """One block, parsed. (A named tuple, since it is made by the ten thousand.)

    `at` has the line of each token, None if they are the first lines of the block. `tabbed` says
    whether one of its rows has a tab, `last` that nothing ends it, so that what follows would
    be part of it. `lines` counts the line ends of the block.
    """

    text: bytes
    lines: int
    reading: Reading
    at: tuple[int, ...] | None
    tabbed: bool
    problems: tuple[Problem, ...]
    last: bool
    layout: Layout

    @property
    def readable(self) -> bool:
        """Always: what is wrong with a row makes its tag `O`, and no more."""
        return True

    @property
    def glued(self) -> bool:
        """Never: a blank line or a `-DOCSTART-` ends every block but the last."""
        return False

    @property
    def first(self) -> bool:
        """Never: a sentence says the same wherever it stands."""
        return False

    @property
    def tokens(self) -> int:
        """How many tokens the sentence has; 0 if there is none."""
        return len(self.reading.tags)

    def rows(self) -> list[bytes]:
        """The lines of the tokens, without their ends."""
        if self.at is None and b"\r" not in self.text:
            return self.text.split(b"\n", self.tokens)[: self.tokens]
        every = cut.lines(self.text)
        at = range(self.tokens) if self.at is None else self.at
        return [every[k].rstrip(b"\r\n") for k in at]

    def line(self, token: int) -> int:
        """The line of a token, counted from the block's first."""
        return token if self.at is None else self.at[token]

    def tag_place(self, token: int, row: bytes) -> tuple[int, int]:
        """Where in its row a token's tag stands, in bytes; all of the row if it has none."""
        if self.reading.tags[token] == MISSING:
            return self.layout.row_place(row)
        return self.layout.tag_place(row)

    def undecoded(self) -> list[int]:
        """The tokens whose tags are not UTF-8, and so are read as `O`."""
        lines = {found.place.line for found in self.problems if found.code == "encoding"}
        if not lines:
            return []
        return [
            token
            for token, row in enumerate(self.rows())
            if self.line(token) in lines and not is_utf8(row[slice(*self.layout.tag_place(row))])
        ]

    def forms(self) -> list[bytes]:
        """The texts of the tokens."""
        return [self.layout.form(row) for row in self.rows()]


def parse(
    blocks: Sequence[bytes], layout: Layout, *, lenient: bool = False, at_end: bool = True
) -> list[Unit]:
    """The units of consecutive blocks; `at_end`: the last one is the file's last."""
    one_by_one = _Reader(layout, lenient)
    size = len(blocks) - (not cut.is_closed(blocks[-1])) if blocks else 0
    found = None
    if size >= FEW and (layout.token, layout.tag) == (1, -1):
        found = tag_numbers(blocks[:size], tabs=layout.tabs)
    if found is None:
        return [one_by_one.unit(block) for block in blocks]
    units: list[Unit] = []
    make = partial(tuple.__new__, Unit)
    every, readings = found.every, dict[bytes, Reading]()
    tabs = layout.tabs
    for block, first, last, plain in zip(
        blocks, found.first, found.last, found.plain, strict=False
    ):
        if not plain:
            units.append(one_by_one.unit(block))
            continue
        numbers = every[WIDTH * first : WIDTH * last]
        reading = readings.get(numbers)
        if reading is None:
            reading = readings[numbers] = read(found.tags(numbers), lenient=lenient)
        tabbed = tabs and first < last
        unit = make((block, last - first + 1, reading, None, tabbed, (), False, layout))
        if reading.faults:
            unit = unit._replace(problems=problems_of(unit))
        units.append(unit)
    return units + [one_by_one.unit(block) for block in blocks[size:]]


class _Reader:
    """Reads block by block, and remembers what lines and series of tags are."""

    def __init__(self, layout: Layout, lenient: bool) -> None:
        self._layout, self._lenient = layout, lenient
        self._tag_of = _Tags(layout).__getitem__
        self._reading_of = _Readings(lenient).__getitem__

    def unit(self, block: bytes) -> Unit:
        """The unit of a block."""
        tags = list(map(self._tag_of, block.split(b"\n")))
        if len(tags) > 1 and tags[-1] is tags[-2] is _BLANK:
            lines = len(tags) - 1
            del tags[-2:]
            at = None
            reading = self._reading_of(tuple(tags))
            if reading is None and _ODD not in tags:
                at = tuple([k for k, tag in enumerate(tags) if tag is not _NOTE])
                reading = self._reading_of(tuple([tags[k] for k in at]))
                if not at or at[-1] == len(at) - 1:
                    at = None
            if reading is not None:
                tabbed = self._layout.tabs and bool(reading.tags)
                unit = Unit(block, lines, reading, at, tabbed, (), False, self._layout)
                return unit._replace(problems=problems_of(unit)) if reading.faults else unit
        return _with_care(block, rows_of(block, self._layout), self._layout, self._lenient)


def _with_care(block: bytes, rows: Rows, layout: Layout, lenient: bool) -> Unit:
    at = tuple(rows.at)
    unit = Unit(
        block,
        rows.lines,
        read(rows.tags, lenient=lenient),
        None if at == tuple(range(len(at))) else at,
        rows.tabbed,
        (),
        not cut.is_closed(block),
        layout,
    )
    found = sorted(
        [*rows.problems, *problems_of(unit)], key=lambda p: (p.place.line, p.place.start)
    )
    return unit._replace(problems=tuple(found)) if found else unit


# What a line is that is no row; none of them can be a tag.
_BLANK: Final = b"\n"
_NOTE: Final = b"#\n"
_ODD: Final = b"?\n"


class _Tags(dict[bytes, bytes]):
    """From a line to its tag, or to what it is where that is plain without its neighbours."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._known: dict[bytes, bytes] = {}

    def __missing__(self, line: bytes) -> bytes:
        found = self[line] = self._known.setdefault(*[self._find(line)] * 2)
        return found

    def _find(self, line: bytes) -> bytes:
        body = line.rstrip()
        if b"\r" in line[:-1] or not is_utf8(body):
            return _ODD
        if not body:
            return _BLANK
        if is_docstart(body):
            return _NOTE
        cells = self._layout.cells(line)
        tag = self._layout.tag_of(cells)
        if body[:1] == b"#":
            return _ODD if is_valid(tag) else _NOTE
        if (b"\t" in body) is not self._layout.tabs or self._layout.ends_empty(line):
            return _ODD
        if self._layout.form_of(cells) == HEADER and not is_valid(tag):
            return _ODD
        return tag


class _Readings(dict[tuple[bytes, ...], Reading | None]):
    """From tags to their reading; None where there is something among them that is no tag."""

    def __init__(self, lenient: bool) -> None:
        self._lenient = lenient

    def __missing__(self, tags: tuple[bytes, ...]) -> Reading | None:
        plain = _ODD not in tags and _NOTE not in tags
        found = self[tags] = read(tags, lenient=self._lenient) if plain else None
        return found
