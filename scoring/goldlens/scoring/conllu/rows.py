"""One line of a CoNLL-U sentence: a row of ten cells, or a line that cannot be read as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from goldlens.scoring.problems import Place, Problem, problem

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
"""The columns of a row."""

COLUMN_NAMES: Final = (
    "ID",
    "FORM",
    "LEMMA",
    "UPOS",
    "XPOS",
    "FEATS",
    "HEAD",
    "DEPREL",
    "DEPS",
    "MISC",
)

NUMBERS: Final = {str(number): number for number in range(1000)}
"""The usual IDs and heads in their usual spelling, for one quick look-up."""

# No treebank needs more, and Python cannot write out numbers of more than 4,300 digits.
_MOST_DIGITS: Final = 100
_MOST_QUOTED: Final = 40


class Kind(Enum):
    """What a row stands for."""

    WORD = "word"
    RANGE = "range"
    EMPTY_NODE = "empty node"
    UNREADABLE = "unreadable"


@dataclass(slots=True)
class Row:
    """A row: its line in the block (from 0), its ten cells and what its ID says.

    `first` is the ID of a word, the `a` of a range `a-b`, the `k` of an empty node `k.m`; `second`
    is the `b` or the `m`. An empty node whose ID is no pair of numbers has -1 for both. An
    unreadable row has no cells.
    """

    line: int
    cells: list[str]
    kind: Kind
    first: int
    second: int = 0

    def place(self, column: int, start: int = 0, end: int | None = None) -> Place:
        """Where the cell is, or its characters from `start` to `end`, as byte columns."""
        cell = self.cells[column]
        before = sum(byte_length(other) + 1 for other in self.cells[:column])
        stop = len(cell) if end is None else end
        return Place(
            0, self.line, before + byte_length(cell[:start]), before + byte_length(cell[:stop])
        )


def byte_length(text: str) -> int:
    """The length in bytes of text that was decoded with `surrogateescape`."""
    return len(text) if text.isascii() else len(text.encode(errors="surrogateescape"))


def whole_line(line: int, text: str) -> Place:
    """The place of a whole line, its line end left out."""
    return Place(0, line, 0, byte_length(text))


def quote(value: str) -> str:
    """A value as messages show it: in quotes, control characters escaped, cut when long."""
    return repr(value if len(value) <= _MOST_QUOTED else value[: _MOST_QUOTED - 1] + "…")


def whole_number(cell: str) -> int | None:
    """The number a cell holds as Python's `int` reads it, or None."""
    if (usual := NUMBERS.get(cell)) is not None:
        return usual
    if len(cell) > _MOST_DIGITS:
        return None
    try:
        return int(cell)
    except ValueError:
        return None


def read_row(number: int, line: str) -> Row | Problem:
    """The row on line `number` of a block, or the one reason why it cannot be read."""
    if wrong := encoding_problem(number, line):
        return wrong
    cells = line.split("\t")
    if len(cells) != len(COLUMN_NAMES):
        return _column_count(number, line, len(cells))
    name = cells[ID]
    if not name:
        return problem(
            "empty-cell",
            Place(0, number, 0, 0),
            "ID is empty; give the word the next number of its sentence",
        )
    if "." in name:
        node = [whole_number(part) for part in name.split(".")]
        match node:
            case [int(word), int(count)] if word >= 0 and count >= 0:
                return Row(number, cells, Kind.EMPTY_NODE, word, count)
            case _:
                return Row(number, cells, Kind.EMPTY_NODE, -1, -1)
    match [whole_number(part) for part in name.split("-")]:
        case [int(word)]:
            return Row(number, cells, Kind.WORD, word)
        case [int(first), int(last)]:
            return Row(number, cells, Kind.RANGE, first, last)
        case _:
            return problem(
                "id-sequence",
                Place(0, number, 0, byte_length(name)),
                f"ID {quote(name)} cannot be read; write a number, a range such as 3-4, or 3.1 for "
                "an empty node",
            )


def encoding_problem(number: int, line: str) -> Problem | None:
    """What is wrong with a line that held bytes which are not UTF-8, or None.

    The line was decoded with `surrogateescape`, which keeps such bytes as lone surrogates.
    """
    if line.isascii():
        return None
    raw = line.encode(errors="surrogateescape")
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        start = raw.rfind(b"\t", 0, error.start) + 1
        end = raw.find(b"\t", error.start)
        return problem(
            "encoding",
            Place(0, number, start, len(raw) if end < 0 else end),
            f"Byte 0x{raw[error.start]:02X} at offset {error.start} of this line is not UTF-8; "
            "save the file as UTF-8",
        )
    return None


def _column_count(number: int, line: str, found: int) -> Problem:
    columns = "1 column" if found == 1 else f"{found} columns"
    if found == 1 and " " in line.strip():
        advice = "blanks stand where tabs should; put one tab between the cells"
    elif found < len(COLUMN_NAMES):
        advice = "put one tab between the cells and _ in cells without a value"
    else:
        advice = "take out the tabs that do not separate cells"
    return problem(
        "column-count", whole_line(number, line), f"This row has {columns} instead of 10; {advice}"
    )
