"""Pieces of a streamed file that are not well-formed, read with care."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from goldlens.scoring.conllu.blocks import is_closed, split
from goldlens.scoring.problems import Place, problem
from goldlens.scoring.ud.places import line_and_column
from goldlens.scoring.ud.stream import Flaw
from goldlens.scoring.ud.unit import Unit, parse


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece read: its canonical text, or None if a sentence of it has no stream."""

    units: list[Unit]
    canonical: bytes | None
    flaws: list[Flaw]
    lines: int
    words: int
    unheaded: int


def read_piece(
    side: Literal["gold", "pred"], raw: bytes, first_line: int, *, at_end: bool
) -> Piece:
    """Reads whole blocks that begin at line `first_line` (from 0)."""
    units: list[Unit] = parse(split(raw), checks=False, at_end=at_end)
    flaws: list[Flaw] = []
    line = first_line
    for unit in units:
        if unit.problems:
            flaws += _flaws(side, unit, line)
        line += unit.lines
    readable = all(unit.readable for unit in units)
    return Piece(
        units,
        b"".join([_closed(unit) for unit in units]) if readable else None,
        flaws,
        line - first_line,
        sum(unit.words for unit in units),
        sum(unit.unheaded for unit in units),
    )


def _flaws(side: Literal["gold", "pred"], unit: Unit, first_line: int) -> list[Flaw]:
    found = []
    for flaw in unit.problems:
        if flaw.refuses or flaw.script:
            line, column = line_and_column(unit.text, flaw.place)
            found.append(Flaw(side, unit.sent_id, first_line + line, column, flaw))
    return found


def _closed(unit: Unit) -> bytes:
    """The canonical text with the blank line that a table expects."""
    text = unit.canonical
    return text if not text or is_closed(text) else text + b"\n"


def bom(side: Literal["gold", "pred"]) -> Flaw:
    """The flaw of a file that begins with a byte order mark."""
    message = "The file begins with a byte order mark; remove it"
    return Flaw(side, None, 1, 1, problem("bom", Place(0, 0, 0, 0), message, script=True))
