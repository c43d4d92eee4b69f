"""Places in a file as people count them: lines and columns from 1, columns in code points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.problems import Place
from goldlens.scoring.text import BOM

if TYPE_CHECKING:
    from goldlens.server.engine.document import Document


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of one line of a file; all from 1, columns in code points, the end exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def as_dict(self) -> dict[str, object]:
        """The stretch as JSON has it."""
        return {
            "path": self.path,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


class Text:
    """A file's bytes and the document made of them."""

    def __init__(self, name: str, data: bytes, document: Document) -> None:
        self.name, self.document = name, document
        self._data = data
        self._at, self._plain = -1, True
        self._byte = self._column = 0

    @cached_property
    def _lines(self) -> list[bytes]:
        # The mark belongs to no line, as in editors.
        return lines(self._data.removeprefix(BOM))

    def stretch(self, unit: int, place: Place) -> Stretch:
        """The stretch of a place whose unit has that number."""
        starts = self.document.line_starts
        number = int(starts[min(max(unit, 0), len(starts) - 1)]) + place.line
        start = self._code_points(number, place.start)
        end = self._code_points(number, place.end)
        return Stretch(self.name, number + 1, start + 1, number + 1, max(start, end) + 1)

    def line(self, number: int) -> str:
        """A line by its number from 1, without its end; empty for one that is not there."""
        if number > len(self._lines):
            return ""
        return self._lines[number - 1].rstrip(b"\r\n").decode("utf-8", "replace")

    def _code_points(self, number: int, offset: int) -> int:
        """How many characters of a line lie before a byte offset.

        Goes on from the offset asked for last: a line may be megabytes, with thousands of problems.
        """
        if number != self._at:
            line = self._lines[number] if number < len(self._lines) else b""
            self._at, self._plain, self._byte, self._column = number, line.isascii(), 0, 0
        if self._plain:
            return offset
        if offset < self._byte:
            self._byte = self._column = 0
        between = self._lines[number][self._byte : offset]
        self._column += len(between.decode("utf-8", "replace"))
        self._byte = offset
        return self._column
