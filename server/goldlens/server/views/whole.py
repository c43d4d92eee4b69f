"""What can be done about a problem of a file as a whole: its mark, its line ends, its scheme."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.replacing import Replacement, line_offsets
from goldlens.scoring.spans.rows import MISSING
from goldlens.scoring.spans.schemes import SIGNS, convert, scheme_of
from goldlens.server.engine.document import Document
from goldlens.server.views.fix import Fix
from goldlens.server.views.trying import Change

CODES: Final = ("bom", "line-ending", "iob2-scheme")
"""Codes of the file as a whole."""

MARK: Final = Change(0, 0, ())
"""The byte order mark taken out: it is part of no unit."""

_MOST_LINES: Final = 200_000
"""A larger file is for other programs to change from end to end."""


def title_of(document: Document, code: str) -> str | None:
    """What can be done about a problem of the file; None if nothing can, or it is too large."""
    if code == "bom" and document.bom:
        return "Take the byte order mark out"
    if document.lines > _MOST_LINES:
        return None
    if code == "line-ending" and document.cr:
        return "End all lines with LF"
    if code == "iob2-scheme" and (scheme := _scheme(document)) is not None:
        return f"Convert the tags of the file from {scheme} to IOB2"
    return None


def of_file(document: Document, code: str) -> Iterator[Fix]:
    """The same with the change, which is one: it is all of the file or nothing."""
    title = title_of(document, code)
    if title is None:
        return
    if code == "bom":
        yield Fix(title, MARK, safe=True)
    elif code == "line-ending":
        text = b"".join([unit.text for unit in document.units])
        edits = tuple(_line_ends(text))
        yield Fix(title, Change(0, len(document.units), edits), safe=True)
    elif edits := _converted(document):
        yield Fix(title, Change(0, len(document.units), edits), safe=True)


def _line_ends(text: bytes) -> Iterator[Replacement]:
    offset = 0
    for line in lines(text):
        offset += len(line)
        body = line.rstrip(b"\r\n")
        if len(line) > len(body) and line[len(body) :] != b"\n":
            yield Replacement(offset - len(line) + len(body), offset, b"\n")


def _scheme(document: Document) -> str | None:
    """The scheme that the tags of a file follow, if it is another than IOB2."""
    if document.format.name != "span":
        return None
    scheme = scheme_of(document.facts.tolist()[-len(SIGNS) :])
    return None if scheme == "IOB2" else scheme


def _converted(document: Document) -> tuple[Replacement, ...]:
    """The tags that are others in IOB2."""
    scheme = _scheme(document)
    assert scheme is not None
    edits: list[Replacement] = []
    before = 0
    for unit in document.units:
        edits += _tags(unit, before, scheme)
        before += len(unit.text)
    return tuple(edits)


def _tags(unit: Any, before: int, scheme: str) -> Iterator[Replacement]:
    """The tags of a sentence that are others, so many bytes into the text."""
    rows, offsets = unit.rows(), line_offsets(unit.text)
    places = [unit.tag_place(token, row) for token, row in enumerate(rows)]
    tags = [
        b"O" if read == MISSING else row[start:end]
        for row, (start, end), read in zip(rows, places, unit.reading.tags, strict=True)
    ]
    for token, new in enumerate(convert(tags, scheme)):
        if new != tags[token]:
            start, end = (before + offsets[unit.line(token)] + at for at in places[token])
            yield Replacement(start, end, new)
