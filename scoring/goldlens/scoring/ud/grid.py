"""Text as a grid: lines, blocks of lines, and rows of ten cells."""

from __future__ import annotations

import numpy as np

from goldlens.scoring.text import is_utf8
from goldlens.scoring.ud.cells import Bools, Buffer, Bytes, Ints, increments, preceded, some


class Grid:
    """The rows of a text that have ten cells, and the blocks they stand in.

    cells          rows x 11; cell k of a row is [cells[k], cells[k + 1] - 1)
    row_block      rows; which blank-line-ended block of the text a row is in
    block_end      the offset behind each block's blank line
    block_lines    how many lines each block has
    faults         blocks that are not well-formed, as they were found
    """

    __slots__ = ("block_end", "block_lines", "cells", "faults", "row_block")

    def __init__(self, text: bytes, buffer: Buffer, *, canonical: bool) -> None:
        """`buffer` has the bytes of `text`; `canonical` as in `Table`."""
        byte = buffer.byte[: buffer.size]
        line_end = (byte == 10).nonzero()[0]
        line_start = np.empty_like(line_end)
        if len(line_end):
            line_start[0] = 0
            line_start[1:] = line_end[:-1] + 1
        blank = line_start == line_end
        is_row = (buffer.byte[line_start] != 35) & ~blank
        line_block = blank.cumsum() - blank
        last_line = blank.nonzero()[0]
        self.block_end: Ints = line_end[last_line] + 1
        self.block_lines = increments(preceded(-1, last_line))
        self.faults: list[Ints] = []

        row_line = is_row.nonzero()[0]
        cells = _cells(byte, line_start[row_line], line_end[row_line])
        if cells is None:
            cells, kept = _ten_cell_rows(byte, line_start[row_line], line_end[row_line])
            self.faults.append(line_block[row_line[~kept]])
            row_line = row_line[kept]
        self.cells = cells
        self.row_block: Ints = line_block[row_line]
        if not canonical:
            # A comment may not follow a row.
            late = is_row[:-1] & ~is_row[1:] & ~blank[1:]
            if some(late):
                self.faults.append(line_block[1:][late])
            if not is_utf8(text):
                self.faults.append(line_block[_bad_lines(text)])


def _cells(byte: Bytes, start: Ints, end: Ints) -> Ints | None:
    """Cell borders of rows that all have exactly ten cells, and no tabs elsewhere."""
    tabs = (byte == 9).nonzero()[0]
    if len(tabs) != 9 * len(start):
        return None
    cells = np.empty((len(start), 11), np.int64)
    cells[:, 0] = start
    cells[:, 1:10] = tabs.reshape(-1, 9) + 1
    cells[:, 10] = end + 1
    if some(cells[:, 1] <= start) or some(cells[:, 9] > end):
        return None
    return cells


def _ten_cell_rows(byte: Bytes, start: Ints, end: Ints) -> tuple[Ints, Bools]:
    """Cell borders of those rows that have ten cells, and which they are."""
    tabs = (byte == 9).nonzero()[0]
    low = tabs.searchsorted(start)
    kept: Bools = tabs.searchsorted(end) - low == 9
    cells = np.empty((int(kept.sum()), 11), np.int64)
    cells[:, 0] = start[kept]
    cells[:, 1:10] = tabs[low[kept][:, None] + np.arange(9)] + 1
    cells[:, 10] = end[kept] + 1
    return cells, kept


def _bad_lines(text: bytes) -> Ints:
    lines = text.split(b"\n")[:-1]
    return np.array([k for k, line in enumerate(lines) if not is_utf8(line)], np.int64)
