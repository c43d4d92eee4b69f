"""Tab-separated rows: id, labels with `|` between them, then `label=score` pairs."""

from __future__ import annotations

import re
from typing import Final

from goldlens.scoring.classification.row import Row, Span, Unreadable, shown

_LOOKS_LIKE_NUMBER: Final = re.compile(rb"[+-]?(?:[\d.].*|nan|inf(?:inity)?)", re.IGNORECASE)


def read(line: bytes, row: Row) -> None:
    """Reads a line (without its end) into a row. Raises Unreadable at the first thing wrong."""
    cells = _cells(line)
    start, end = cells[0]
    row.id_span = cells[0]
    if start == end:
        raise Unreadable(cells[0], "The row has no id; write the document's id before the tab")
    row.id = line[start:end]
    if len(cells) == 1:
        message = "The row has nothing but an id; put a tab and the document's label behind it"
        raise Unreadable(cells[0], message)
    scores = cells[2:]
    if _is_pairs(line, cells[1]):
        scores = cells[1:]
    else:
        row.label_span = cells[1]
        row.labels = _labels(line, cells[1])
    first = end = 0
    for span in scores:
        if span[0] == span[1]:
            continue
        first, end = first or span[0], span[1]
        for piece in _pieces(line, span):
            _read_pair(line, piece, row)
    if row.scores and not row.labels:
        # An empty cell before scores leaves it to the scores.
        row.labels, row.label_span = None, (first, end)


def _cells(line: bytes) -> list[Span]:
    """Where the cells of a line stand, without the blanks around what they hold."""
    found, at = [], 0
    for cell in line.split(b"\t"):
        found.append(_bare(line, at, at + len(cell)))
        at += len(cell) + 1
    return found


def _bare(line: bytes, start: int, end: int) -> Span:
    """A stretch without the blanks at its edges; of nothing but blanks, its start."""
    text = line[start:end]
    start += len(text) - len(text.lstrip(b" ")) if text.strip(b" ") else 0
    return start, start + len(text.strip(b" "))


def _pieces(line: bytes, span: Span) -> list[Span]:
    """The parts of a cell between its bars."""
    found, at = [], span[0]
    for piece in line[span[0] : span[1]].split(b"|"):
        found.append(_bare(line, at, at + len(piece)))
        at += len(piece) + 1
    return found


def _labels(line: bytes, span: Span) -> list[bytes]:
    if span[0] == span[1]:
        return []
    found = []
    for start, end in _pieces(line, span):
        if start == end:
            message = "A label is empty; write one there, or take the bar out"
            raise Unreadable((start, end), message)
        found.append(line[start:end])
    return found


def _is_pairs(line: bytes, span: Span) -> bool:
    """Whether a cell is meant to hold label=score pairs: all its parts could, and one does."""
    pieces = [line[start:end].rpartition(b"=") for start, end in _pieces(line, span)]
    return all(sign for _, sign, _ in pieces) and any(
        _LOOKS_LIKE_NUMBER.fullmatch(number.strip(b" ")) for _, _, number in pieces
    )


def _read_pair(line: bytes, piece: Span, row: Row) -> None:
    start, end = piece
    sign = line.rfind(b"=", start, end)
    if sign < 0:
        raise Unreadable(
            piece, f"{shown(line[start:end])} is no score of a label; write it as label=0.5"
        )
    label, number = _bare(line, start, sign), _bare(line, sign + 1, end)
    row.put_score(line[slice(*label)], label, line[slice(*number)], number)
