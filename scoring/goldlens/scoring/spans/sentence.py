"""A sentence as it is spoken of: where its tokens and tags stand, and texts of it for people."""

from __future__ import annotations

import unicodedata
from functools import cached_property
from typing import Final

from goldlens.scoring.problems import Place, Side
from goldlens.scoring.spans.schemes import Span
from goldlens.scoring.spans.unit import Unit

_SHOWN: Final = 60


class Sentence:
    """A unit that has tokens, and its number among those that places count from.

    Its rows are split once, however much is said of it: files without blank lines are one
    sentence of everything.
    """

    def __init__(self, unit: Unit, number: int, side: Side = Side.HERE) -> None:
        self.unit, self._number, self._side = unit, number, side

    @cached_property
    def rows(self) -> list[bytes]:
        """The lines of the tokens, without their ends."""
        return self.unit.rows()

    def form(self, token: int) -> bytes:
        """The text of a token."""
        return self.unit.layout.form(self.rows[token])

    def form_place(self, token: int) -> Place:
        """Where a token stands; for one behind the sentence's last, the end of that."""
        if token < self.unit.tokens:
            return self._place(token, *self.unit.layout.form_place(self.rows[token]))
        end = len(self.rows[-1].rstrip())
        return self._place(self.unit.tokens - 1, end, end)

    def tag_place(self, token: int) -> Place:
        """Where a token's tag stands."""
        return self._place(token, *self.unit.tag_place(token, self.rows[token]))

    def named(self, span: Span) -> str:
        """A span for people: its label, its tokens (from 1) and their text."""
        start, end, label = span
        tokens = f"token {start + 1}" if end == start + 1 else f"tokens {start + 1} to {end}"
        # No more tokens than can be shown.
        text = b" ".join([self.form(token) for token in range(start, min(end, start + _SHOWN))])
        return f"{shown(label)} over {tokens} ({shown(text)})"

    def _place(self, token: int, start: int, end: int) -> Place:
        return Place(self._number, self.unit.line(token), start, end, self._side)


def shown(text: bytes) -> str:
    """A text for people: cut short if it is long, what cannot be seen in it spelt out."""
    every = text.decode("utf-8", "replace")
    cut = every if len(every) <= _SHOWN else every[: _SHOWN - 1] + "…"
    return "".join([char if char.isprintable() else ascii(char)[1:-1] for char in cut])


def points(ours: bytes, theirs: bytes) -> str:
    """Where two texts differ by what may look alike: the code points there, in brackets.

    Empty if both have ASCII there.
    """
    here, there = (text.decode("utf-8", "replace") for text in (ours, theirs))
    same = 0
    while here[same : same + 1] == there[same : same + 1] != "":
        same += 1
    a, b = here[same : same + 2], there[same : same + 2]
    if a[:1].isascii() and b[:1].isascii():
        return ""
    return f" ({_point(a)} here, {_point(b)} in gold)"


def _marked(text: str) -> bool:
    return len(text) > 1 and unicodedata.combining(text[1]) > 0


def _point(text: str) -> str:
    if not text:
        return "nothing"
    many = text if _marked(text) else text[0]
    return " ".join([f"U+{ord(char):04X}" for char in many])
