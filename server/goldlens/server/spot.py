"""The place in a document that an editor asks about, as words and cells."""

from __future__ import annotations

from dataclasses import dataclass

from goldlens.scoring.conllu.sentence import Row, Sentence, sentence
from goldlens.scoring.text import BOM
from goldlens.server.engine.document import Document
from goldlens.server.engine.positions import Encoding


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a tree file.

    `unit` is the number of its block, `base` the line at which that begins, `row` the row of the
    place (None in a comment or a blank line), `column` the cell (from 0), `offset` the byte in
    its line. Lines count from 0.
    """

    document: Document
    unit: int
    base: int
    sentence: Sentence
    row: Row | None
    column: int
    offset: int


def spot_at(document: Document, line: int, character: int, encoding: Encoding) -> Spot | None:
    """The spot at an editor's position; None where there is no block or the file is no trees."""
    unit = document.unit_at(line)
    if document.format.name != "ud" or unit >= len(document.units) or line < 0:
        return None
    base = int(document.line_starts[unit])
    if document.bom and line == 0:
        character = max(0, character - _mark(encoding))
    found = sentence(document.units[unit].text)
    offset = encoding.to_byte(document.line(line), character)
    row = found.row_at(line - base)
    column = 0 if row is None else row.column_at(offset)
    return Spot(document, unit, base, found, row, column, offset)


def sentence_of(document: Document, unit: int) -> Sentence:
    """The sentence of a unit."""
    return sentence(document.units[unit].text)


def character(document: Document, line: int, offset: int, encoding: Encoding) -> int:
    """A byte of a line as editors count it; the first line's mark counts for them."""
    return character_in(document, line, document.line(line)[:offset], encoding)


def character_in(document: Document, line: int, before: bytes, encoding: Encoding) -> int:
    """The same, given what stands in the line before it."""
    mark = _mark(encoding) if document.bom and line == 0 else 0
    return mark + encoding.from_byte(before, len(before))


def _mark(encoding: Encoding) -> int:
    return len(BOM) if encoding is Encoding.UTF8 else 1
