"""From words of a table back to cells of the text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.problems import Place, Side
from goldlens.scoring.ud.cells import Ints, increments
from goldlens.scoring.ud.table import table_of
from goldlens.scoring.ud.unit import Unit, row_lines


class Rows:
    """The rows of some units: a table of their canonical text, and where each row stands.

    `numbers` are what places call the units; by default they are counted from 0.
    """

    def __init__(
        self, units: Sequence[Unit], side: Side, numbers: Sequence[int] | None = None
    ) -> None:
        self.units, self.side = units, side
        self.numbers = range(len(units)) if numbers is None else numbers
        self.held = [k for k, unit in enumerate(units) if unit.canonical]
        text = b"".join([units[k].canonical for k in self.held])
        self.table = table_of(text, canonical=True)
        self._lines: dict[int, list[bytes]] = {}
        self._rows: dict[int, list[int]] = {}
        table = self.table
        self._token_sentence = np.arange(len(table.block)).repeat(increments(table.sentence_token))
        # A row's rank in its sentence counts words and multiword tokens in order of the text.
        multi = table.multiword.astype(np.int64)
        multi_before = multi.cumsum() - multi
        first = table.sentence_token[:-1]
        base = multi_before[first] if len(first) else first
        self._token_rank = (
            table.token_word[:-1]
            - table.sentence_word[self._token_sentence]
            + multi_before
            - base[self._token_sentence]
        )
        word = np.arange(len(table.word_sentence))
        token = table.word_token
        self._word_rank = (
            word
            - table.sentence_word[table.word_sentence]
            + (multi_before + multi)[token]
            - base[table.word_sentence]
        )

    def cell(self, word: int, column: int) -> str:
        """The text of a word's cell."""
        cells = self.table.word_cells[word]
        return self._text(int(cells[column]), int(cells[column + 1]) - 1)

    def token_cell(self, token: int, column: int) -> str:
        """The text of a token's cell."""
        cells = self.table.token_cells[token]
        return self._text(int(cells[column]), int(cells[column + 1]) - 1)

    def _text(self, start: int, end: int) -> str:
        return self.table.buffer.cell(start, end).decode("utf-8", "replace")

    def number(self, word: int) -> int:
        """A word's ID: its number in its sentence, from 1."""
        return word - int(self.table.sentence_word[self.table.word_sentence[word]]) + 1

    def unit_of(self, word: int) -> int:
        """The unit of a word, counted from the first of these rows."""
        return self.held[int(self.table.word_sentence[word])]

    def place(self, word: int, column: int) -> Place:
        """The place of a word's cell in the text."""
        sentence = int(self.table.word_sentence[word])
        cells = self.table.word_cells[word]
        return self._place(sentence, int(self._word_rank[word]), cells, column)

    def token_place(self, token: int, column: int) -> Place:
        """The place of a token's cell in the text."""
        sentence = int(self._token_sentence[token])
        cells = self.table.token_cells[token]
        return self._place(sentence, int(self._token_rank[token]), cells, column)

    def end_of_unit(self, unit: int) -> Place:
        """The end of the last row of a unit (of its last line, if it has no row)."""
        rows = self._row_lines(unit)
        text = self._text_lines(unit)
        line = rows[-1] if rows else max(0, len(text) - 1)
        end = len(text[line].rstrip(b"\r\n")) if text else 0
        return Place(self.numbers[unit], line, end, end, self.side)

    def _place(self, sentence: int, rank: int, cells: Ints, column: int) -> Place:
        k = self.held[sentence]
        unit = self.units[k]
        if unit.canonical == unit.text:
            # The table was made of the very text: its offsets say all.
            block = int(self.table.block[sentence])
            begin = int(self.table.block_end[block - 1]) if block else 0
            row = int(cells[0])
            line = self.table.text.count(b"\n", begin, row)
            start, end = int(cells[column]) - row, int(cells[column + 1]) - 1 - row
        else:
            line = self._row_lines(k)[rank]
            start, end = cell_span(self._text_lines(k)[line], column)
        return Place(self.numbers[k], line, start, end, self.side)

    def _row_lines(self, unit: int) -> list[int]:
        if unit not in self._rows:
            self._rows[unit] = row_lines(self.units[unit])
        return self._rows[unit]

    def _text_lines(self, unit: int) -> list[bytes]:
        if unit not in self._lines:
            self._lines[unit] = lines(self.units[unit].text)
        return self._lines[unit]


def cell_span(line: bytes, column: int) -> tuple[int, int]:
    """Where the cell of a column (from 0) begins and ends in a line, in bytes."""
    cells = line.rstrip(b"\r\n").split(b"\t", column + 1)
    start = sum(map(len, cells[:column])) + column
    return start, start + len(cells[column])


def line_and_column(block: bytes, place: Place) -> tuple[int, int]:
    """Where a place of a block is, as people count: line and column (code points) from 1."""
    text = lines(block)
    line = text[place.line] if place.line < len(text) else b""
    return place.line + 1, len(line[: place.start].decode("utf-8", "replace")) + 1
