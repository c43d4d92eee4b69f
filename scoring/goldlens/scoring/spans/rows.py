"""Lines as rows: where in a line the token and the tag stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.spans.tags import is_bare, is_valid

DOCSTART: Final = b"-DOCSTART-"
HEADER: Final = b"TOKEN"

MISSING: Final = b""
"""The tag of a row that has too few columns."""

_WORD: Final = re.compile(rb"\S+")
_CELL: Final = re.compile(rb"(?:\A|(?<=\t))[^\t]*")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines of a file are read: the columns of token and tag, and what parts columns.

    Columns count from 1, or from the end with -1; 0 is no column. `tabs`: columns are parted by
    tabs and nothing else; otherwise by ASCII white space. White space at the end of a line is
    no part of it.
    """

    token: int
    tag: int
    tabs: bool

    def cells(self, line: bytes) -> list[bytes]:
        """The columns of a line that is not blank."""
        return line.rstrip().split(b"\t") if self.tabs else line.split()

    def ends_empty(self, line: bytes) -> bool:
        """Whether columns without anything in them end a line: tabs are at its end."""
        return self.tabs and b"\t" in line[len(line.rstrip()) :]

    def tag_of(self, cells: list[bytes]) -> bytes:
        """The tag in a row; MISSING if it has no such column, or only one for tag and token."""
        size = len(cells)
        at = _index(self.tag, size)
        if at is None or (self.token != self.tag and at == _index(self.token, size)):
            return MISSING
        return cells[at].strip() if self.tabs else cells[at]

    def form_of(self, cells: list[bytes]) -> bytes:
        """The token's text in a row; empty if it has no such column."""
        at = _index(self.token, len(cells))
        return b"" if at is None else cells[at]

    def tag_elsewhere(self, line: bytes) -> tuple[int, bytes] | None:
        """The first other column, from 1, that has a tag of IOB2, and that tag; None if none has.

        A bare `B` or `I` is none: a word may be that.
        """
        cells = self.cells(line)
        known = {_index(self.token, len(cells)), _index(self.tag, len(cells))}
        for at, cell in enumerate(cells):
            if at not in known and is_valid(cell) and not is_bare(cell):
                return at + 1, cell
        return None

    def form(self, line: bytes) -> bytes:
        """The token's text in a line."""
        return self.form_of(self.cells(line))

    def form_place(self, line: bytes) -> tuple[int, int]:
        """Where in a line its token stands, in bytes; all of the line if it has no such column."""
        return self._place(line, self.token)

    def tag_place(self, line: bytes) -> tuple[int, int]:
        """Where in a line its tag stands, in bytes; all of the line if it has none."""
        if self.tag_of(self.cells(line)) is MISSING:
            return self.row_place(line)
        return self._place(line, self.tag)

    def row_place(self, line: bytes) -> tuple[int, int]:
        """Where in a line its first column begins and its last one ends, in bytes."""
        return self._place(line, 0)

    def _place(self, line: bytes, column: int) -> tuple[int, int]:
        body = line.rstrip()
        found = [match.span() for match in (_CELL if self.tabs else _WORD).finditer(body)]
        at = _index(column, len(found))
        return (len(body) - len(body.lstrip()), len(body)) if at is None else found[at]


class Forms(dict[bytes, bytes]):
    """From a line to its token's text, each found once."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __missing__(self, line: bytes) -> bytes:
        found = self[line] = self._layout.form(line)
        return found


def is_docstart(body: bytes) -> bool:
    """Whether a line begins a document, as in the files of CoNLL-2003."""
    return body.startswith(DOCSTART) and body.split(None, 1)[0] == DOCSTART


def _index(column: int, size: int) -> int | None:
    """The index of a column among `size`; None if it is not there."""
    if column > 0:
        return column - 1 if column <= size else None
    return size + column if column < 0 and -column <= size else None
