"""From words of a table back to cells of the text."""

from __future__ import annotations

from collections.abc import Sequence

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.problems import Place, Side
from goldlens.scoring.ud.table import Table
from goldlens.scoring.ud.unit import Unit, row_lines


class Rows:
    """The rows of some units: a table of their canonical text, and where each row stands."""

    def __init__(self, units: Sequence[Unit], side: Side) -> None:
        self.units, self.side = units, side
        self._held = [k for k, unit in enumerate(units) if unit.canonical]
        self.table = Table(b"".join([units[k].canonical for k in self._held]), canonical=True)
        self._lines: dict[int, list[bytes]] = {}
        self._rows: dict[int, list[int]] = {}
        table = self.table
        # A row's rank in its sentence: its words and multiword tokens, in order of the text.
        self._token_sentence: list[int] = []
        for s in range(len(table.block)):
            size = int(table.sentence_token[s + 1] - table.sentence_token[s])
            self._token_sentence += [s] * size

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

    def place(self, word: int, column: int) -> Place:
        """The place of a word's cell in the text."""
        table = self.table
        sentence = int(table.word_sentence[word])
        start = int(table.word_cells[word, 0])
        return self._place(sentence, self._rank(sentence, start), column)

    def token_place(self, token: int, column: int) -> Place:
        """The place of a token's cell in the text."""
        sentence = self._token_sentence[token]
        start = int(self.table.token_cells[token, 0])
        return self._place(sentence, self._rank(sentence, start), column)

    def end_of_unit(self, unit: int) -> Place:
        """The end of the last row of a unit (of its last line, if it has no row)."""
        rows = self._row_lines(unit)
        text = self._text_lines(unit)
        line = rows[-1] if rows else max(0, len(text) - 1)
        end = len(text[line].rstrip(b"\r\n")) if text else 0
        return Place(unit, line, end, end, self.side)

    def _rank(self, sentence: int, start: int) -> int:
        """How many words and multiword tokens of the sentence begin before that offset."""
        table = self.table
        a, b = table.sentence_word[sentence : sentence + 2].tolist()
        words = int(table.word_cells[a:b, 0].searchsorted(start))
        a, b = table.sentence_token[sentence : sentence + 2].tolist()
        multi = table.token_cells[a:b, 0][table.multiword[a:b]]
        return words + int(multi.searchsorted(start))

    def _place(self, sentence: int, rank: int, column: int) -> Place:
        unit = self._held[sentence]
        line = self._row_lines(unit)[rank]
        start, end = cell_span(self._text_lines(unit)[line], column)
        return Place(unit, line, start, end, self.side)

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
    body = line.rstrip(b"\r\n")
    start = 0
    for _ in range(column):
        start = body.index(b"\t", start) + 1
    end = body.find(b"\t", start)
    return start, len(body) if end < 0 else end
