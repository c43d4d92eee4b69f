"""A block as one looks at it: its rows and cells where they stand, whatever is wrong with them.

The reader (`reader`) says what is wrong; this says what is there. A row with too few cells has
those it has, heads that are no numbers lead nowhere, and a ring ends where it began.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.rows import DEPREL, FORM, HEAD, ID, Kind


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a block: its line there (from 0), its text without the line end, what it is.

    `first` is the ID of a word, the `a` of a range `a-b`, the `k` of an empty node `k.m`;
    `second` is the `b` or the `m`. Columns count from 0, offsets are bytes in the line.
    """

    line: int
    text: bytes
    kind: Kind
    first: int
    second: int = 0

    @property
    def cells(self) -> list[bytes]:
        """The cells there are."""
        return self.text.split(b"\t")

    def cell(self, column: int) -> str:
        """The text of a cell; empty for one that is not there."""
        cells = self.cells
        return cells[column].decode("utf-8", "replace") if column < len(cells) else ""

    def span(self, column: int) -> tuple[int, int]:
        """Where a cell begins and ends; the line's end for one that is not there."""
        cells = self.cells
        if column >= len(cells):
            return len(self.text), len(self.text)
        start = sum(map(len, cells[:column])) + column
        return start, start + len(cells[column])

    def column_at(self, offset: int) -> int:
        """The column of an offset; the end of a cell belongs to it."""
        return self.text.count(b"\t", 0, offset)


@dataclass(frozen=True)
class Sentence:
    """The rows of a block and the tree they make, as far as they make one."""

    block: bytes
    rows: tuple[Row, ...]

    @cached_property
    def words(self) -> dict[int, Row]:
        """Words by their IDs; the first of several that have one. 0 is nobody's: it is the root."""
        found: dict[int, Row] = {}
        for row in self.rows:
            if row.kind is Kind.WORD and row.first:
                found.setdefault(row.first, row)
        return found

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, row in self.words.items():
            head = self.head(row)
            if head is not None:
                found.setdefault(head, []).append(number)
        return found

    def row_at(self, line: int) -> Row | None:
        """The row in a line of the block; None for a comment or a blank line."""
        return next((row for row in self.rows if row.line == line), None)

    def head(self, row: Row) -> int | None:
        """The ID of a word's head, 0 for the root; None where there is no such word."""
        cell = row.cell(HEAD)
        if not (cell.isascii() and cell.isdecimal() and len(cell) < 10):
            return None
        head = int(cell)
        return head if head == 0 or head in self.words else None

    def dependents(self, number: int) -> list[Row]:
        """The words whose head a word is, in order of the text; of 0, the roots."""
        return [self.words[child] for child in self._children.get(number, ())]

    def chain(self, number: int) -> list[Row]:
        """A word, its head, the head of that, and so on up to the root or once around a ring."""
        found: list[Row] = []
        seen: set[int] = set()
        at: int | None = number
        while at and at in self.words and at not in seen:
            seen.add(at)
            found.append(self.words[at])
            at = self.head(self.words[at])
        return found

    def subtree(self, number: int) -> list[Row]:
        """A word and all that hangs below it, in order of the text."""
        seen: set[int] = set()
        todo = [number]
        while todo:
            at = todo.pop()
            if at not in seen and at in self.words:
                seen.add(at)
                todo += self._children.get(at, ())
        return [row for row in self.words.values() if row.first in seen]

    def token_of(self, number: int) -> Row | None:
        """The multiword token that a word belongs to."""
        return next(
            (r for r in self.rows if r.kind is Kind.RANGE and r.first <= number <= r.second), None
        )

    @cached_property
    def comments(self) -> dict[str, tuple[int, str]]:
        """Comments of the form `# key = value`: the line and the value of each key's first."""
        found: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(lines(self.block)):
            if line.startswith(b"#"):
                key, equals, value = line[1:].decode("utf-8", "replace").partition("=")
                if equals:
                    found.setdefault(key.strip(), (number, value.strip()))
        return found

    @property
    def text(self) -> str:
        """The sentence as one reads it: its `# text`, or else its forms."""
        if "text" in self.comments:
            return self.comments["text"][1]
        return " ".join(row.cell(FORM) for row in self.rows if row.kind is Kind.WORD)

    def name(self, row: Row | None) -> str:
        """What to call a word: `3 → word`, or ROOT for none."""
        return "ROOT" if row is None else f"{row.first} → {row.cell(FORM)}"

    def relation(self, row: Row) -> str:
        """The relation of a word."""
        return row.cell(DEPREL)


@lru_cache(maxsize=256)
def sentence(block: bytes) -> Sentence:
    """The sentence of a block, of which the last are kept."""
    return Sentence(block, tuple(_rows(block)))


def _rows(block: bytes) -> Iterator[Row]:
    for number, line in enumerate(lines(block)):
        text = line.rstrip(b"\r\n")
        if not text.strip() or text.startswith(b"#"):
            continue
        yield Row(number, text, *_kind(text.partition(b"\t")[ID]))


def _kind(cell: bytes) -> tuple[Kind, int, int]:
    for mark, kind in ((b"-", Kind.RANGE), (b".", Kind.EMPTY_NODE)):
        first, found, second = cell.partition(mark)
        if found:
            numbers = _number(first), _number(second)
            if numbers[0] is not None and numbers[1] is not None:
                return kind, numbers[0], numbers[1]
            return Kind.UNREADABLE, -1, 0
    number = _number(cell)
    return (Kind.UNREADABLE, -1, 0) if number is None else (Kind.WORD, number, 0)


def _number(cell: bytes) -> int | None:
    return int(cell) if cell.isdigit() and len(cell) < 10 else None
