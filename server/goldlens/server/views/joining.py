"""A row that line breaks have torn apart, made one line again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.replacing import Replacement
from goldlens.scoring.conllu.rows import FORM, LEMMA, MISC
from goldlens.scoring.problems import Problem
from goldlens.server.engine.document import Document
from goldlens.server.views.trying import Change

_COLUMNS: Final = 10
_SPACED: Final = (FORM, LEMMA, MISC)
"""Columns whose cells may have spaces."""
_MOST: Final = 5
"""Lines that one row may have become."""
_BESIDE: Final = 2
"""Units before and behind that a row may reach into: a break may have left a blank line."""

_ROW: Final = re.compile(rb"[1-9]\d*(?:[-.][1-9]\d*)?(?:[ \t]+[^ \t]+){9}")
"""What is a row of its own, if only its cells were kept apart."""

_ID: Final = re.compile(rb"[1-9]\d*(?:-[1-9]\d*|\.[1-9]\d*)?\t|0\.[1-9]\d*\t")


def joined(document: Document, unit: int, problem: Problem) -> Iterator[tuple[str, Change]]:
    """The row that the line of a column-count is part of, if a few lines make ten cells.

    Where a break stood between two words of a cell there is a space, if it is a cell that may
    have one, and where it was all of a cell there is `_`.
    """
    units = document.units
    first, stop = max(0, unit - _BESIDE), min(len(units), unit + _BESIDE + 1)
    every = [line for each in units[first:stop] for line in lines(each.text)]
    at = sum(each.lines for each in units[first:unit]) + problem.place.line
    for start in range(at, max(-1, at - _MOST), -1):
        if start < len(every) and _ID.match(every[start]):
            found = _from(every, start, at)
            if found is not None:
                end, row = found
                offset = sum(map(len, every[:start]))
                size = sum(map(len, every[start:end])) - len(_end(every[end - 1]))
                edit = Replacement(offset, offset + size, row)
                title = f"Join the {end - start} lines of the row"
                yield title, Change(first, stop, (edit,))
            return


def _from(every: list[bytes], start: int, at: int) -> tuple[int, bytes] | None:
    """The line behind the last one of the row that begins with a line, and the row."""
    row = every[start].rstrip(b"\r\n")
    for number in range(start + 1, min(start + _MOST, len(every))):
        line = every[number].rstrip(b"\r\n")
        if not line or line.startswith(b"#") or (_ID.match(line) and line.count(b"\t") >= 9):
            return None
        if _ROW.match(line):
            return None
        apart = not row.endswith(b"\t") and not line.startswith(b"\t")
        apart = apart and row.count(b"\t") in _SPACED
        row += (b" " if apart else b"") + line
        cells = row.split(b"\t")
        if len(cells) == _COLUMNS and number >= at:
            return number + 1, b"\t".join([cell or b"_" for cell in cells])
    return None


def _end(line: bytes) -> bytes:
    return line[len(line.rstrip(b"\r\n")) :]
