"""Where the examples of an error stand, as people look for them: sentence, line, word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np


class Block(Protocol):
    """A unit of any task."""

    @property
    def lines(self) -> int:
        """How many lines end in it."""


@dataclass(frozen=True, slots=True)
class Location:
    """An example of an error.

    `name` is the sent_id of the sentence or the id of the document, None where it has none.
    `line` is a line of the prediction and `gold_line` one of gold, from 1; None where that side
    has nothing there. `text` is the word, the span or the document's labels.
    """

    name: str | None
    line: int | None
    gold_line: int | None
    text: str

    def as_dict(self) -> dict[str, object]:
        """The place as JSON has it."""
        return {
            "name": self.name,
            "line": self.line,
            "gold_line": self.gold_line,
            "text": self.text,
        }


class Lines:
    """The lines of one side, by its units."""

    def __init__(self, units: Sequence[Block]) -> None:
        self._units = units

    @cached_property
    def _starts(self) -> list[int]:
        starts = np.zeros(len(self._units) + 1, np.int64)
        np.cumsum([unit.lines for unit in self._units], out=starts[1:])
        return starts.tolist()

    def line(self, unit: int, inside: int) -> int:
        """The line of the file, from 1, of a line of a unit, from 0."""
        return self._starts[unit] + inside + 1
