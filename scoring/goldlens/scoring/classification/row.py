"""What a row says and where it says it, whether it is tab-separated or JSON."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from unicodedata import is_normalized

from goldlens.scoring.problems import Place, Problem, problem

Span = tuple[int, int]
"""Byte offsets in a line, the second exclusive."""

NUMBER: Final = rb"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
"""A decimal number as tab-separated rows may have it."""

_SHOWN: Final = 40
_NUMBER: Final = re.compile(NUMBER)


class Unreadable(Exception):
    """Why a row cannot be read: what is wrong and what to do about it, and where."""

    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span, self.message = span, message


@dataclass(slots=True)
class Row:
    """A row as far as it was read. `labels` is None where only scores decide.

    `scores` are by label, in the order of the row. `label_span` is where the labels stand, or
    else the scores; `score_spans` where each score's number stands.
    """

    id: bytes | None = None
    id_span: Span = (0, 0)
    labels: list[bytes] | None = None
    label_span: Span | None = None
    scores: dict[bytes, float] = field(default_factory=dict)
    score_spans: list[Span] = field(default_factory=list)
    wrong: Problem | None = None

    def put_score(self, label: bytes, label_span: Span, number: bytes, span: Span) -> None:
        """Takes a score in. Raises Unreadable."""
        if not label:
            raise Unreadable(
                (label_span[0], span[1]), "A score has no label; write it as label=score"
            )
        if label in self.scores:
            raise Unreadable(
                label_span, f"The label {shown(label)} has two scores; take one of them out"
            )
        self.scores[label] = finite(number, span)
        self.score_spans.append(span)


def finite(number: bytes, span: Span) -> float:
    """The number that some bytes spell. Raises Unreadable if they spell none, or an infinite one.

    Python's own reading would take `nan`, `1_0` and digits of other scripts for numbers.
    """
    value = float(number) if _NUMBER.fullmatch(number) else math.nan
    if not math.isfinite(value):
        raise Unreadable(
            span, f"The score {shown(number)} is no finite number; write one such as 0.5"
        )
    return value


def row_format(found: Unreadable) -> Problem:
    """The problem that a row cannot be read."""
    return problem("row-format", Place(0, 0, *found.span), found.message)


def encoding(line: bytes, offset: int) -> Problem:
    """The problem that a line holds a byte, at that offset, which is not UTF-8."""
    start = line.rfind(b"\t", 0, offset) + 1
    end = line.find(b"\t", offset)
    return problem(
        "encoding",
        Place(0, 0, start, len(line) if end < 0 else end),
        f"Byte 0x{line[offset]:02X} at offset {offset} of this line is not UTF-8; "
        "save the file as UTF-8",
    )


def shown(name: bytes) -> str:
    """A name for people: cut short if it is long, spelt out if it holds what is not seen.

    Nor is it seen that a letter and its accent are two characters (that it is not in NFC).
    """
    text = name.decode("utf-8", "replace")
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    plain = text.isprintable() and text and text == text.strip()
    return text if plain and is_normalized("NFC", text) else ascii(text)


def listed(labels: Sequence[bytes], most: int = 5) -> str:
    """Some labels for people, not more than `most`."""
    names = ", ".join([shown(label) for label in labels[:most]])
    more = len(labels) - most
    return f"{names} and {more} more" if more > 0 else names
