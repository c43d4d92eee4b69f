"""Diagnostics as ready-made pieces of JSON.

A list of diagnostics goes out whole after every edit, though hardly any of it is new. So each
problem becomes a piece of text once, with slots for the lines, which an edit above moves; columns
and messages stay. Pieces are kept as long as they are in the list.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from goldlens.scoring.problems import Place, Problem, Severity, Side
from goldlens.server.engine.positions import Encoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from goldlens.server.engine.document import Document
    from goldlens.server.engine.listing import Located

SOURCE: Final = "goldlens"
PAGE: Final = "https://goldlens.readthedocs.io/en/latest/codes/{}/"


class Shown(Protocol):
    """What is to be shown of a document (the workspace's FileListing)."""

    @property
    def shown(self) -> Sequence[Located]:
        """The problems, in order."""

    @property
    def more(self) -> int:
        """How many more there are."""

    @property
    def document(self) -> Document:
        """The document that has them."""

    @property
    def gold(self) -> Document | None:
        """What it faces."""

    @property
    def gold_uri(self) -> str | None:
        """Where that is."""


@dataclass(slots=True, eq=False)
class _Piece:
    """A problem's JSON with two `%d` for each line: its own, then those of `places`.

    Of each place there is whether it is in gold, its unit and its line, as in `Place`. `text` is
    what came of the `lines` that were filled in last.
    """

    problem: Problem
    severity: Severity
    template: str
    places: tuple[tuple[bool, int, int], ...]
    lines: tuple[int, ...] = ()
    text: str = ""


class Fragments:
    """The pieces of one document, for one client."""

    def __init__(self, uri: str, encoding: Encoding, *, related: bool, data: bool = False) -> None:
        """`related`: the client takes relatedInformation; `data`: it keeps what repairs need."""
        self._encoding, self._related, self._data = encoding, related, data
        self._uri = json.dumps(uri)
        self._gold_uri: str | None = None
        self._pieces: dict[int, _Piece] = {}

    def render(self, listing: Shown, limit: int) -> str:
        """The array of diagnostics, as JSON in ASCII."""
        if listing.gold_uri != self._gold_uri:
            self._gold_uri, self._pieces = listing.gold_uri, {}
        known, pieces = self._pieces, {}
        parts = []
        bom, (starts, gold_starts) = listing.document.bom, _starts(listing)
        for found in listing.shown:
            # Pieces go by the problem's identity: problems are made once and kept, and comparing
            # them would cost more than all the rest. A piece holds its problem, so ids stay apart.
            key = id(found.problem)
            piece = known.get(key)
            if (
                piece is None
                or piece.problem is not found.problem
                or piece.severity is not found.severity
            ):
                piece = self._piece(found, listing)
            pieces[key] = piece
            line = found.line
            if not line and bom:
                parts.append(self._behind_bom(found, listing))
                continue
            lines = _lines(found, piece.places, starts, gold_starts)
            if lines != piece.lines:
                piece.lines, piece.text = lines, piece.template % lines
            parts.append(piece.text)
        self._pieces = pieces
        if listing.more > 0:
            parts.append(_cut(listing.more, limit))
        return f"[{','.join(parts)}]"

    def _piece(self, found: Located, listing: Shown, shift: int = 0) -> _Piece:
        problem = found.problem
        start, end = self._columns(listing.document, found.line, problem.place)
        # The range comes first, so that the slots for its lines do.
        template = _range(start + shift, end + shift) + _escaped(
            f',"severity":{int(found.severity)},"code":{json.dumps(problem.code)}'
            f',"codeDescription":{{"href":{json.dumps(PAGE.format(problem.code))}}}'
            f',"source":"{SOURCE}","message":{json.dumps(problem.message)}'
        )
        if self._data and problem.repair is not None:
            repair = {"repair": {"title": problem.repair.title, "newText": problem.repair.new}}
            template += _escaped(f',"data":{json.dumps(repair)}')
        places = []
        related = []
        for other in problem.related if self._related else ():
            there = other.place.side is Side.THERE
            document = listing.gold if there else listing.document
            if document is None or (there and listing.gold_uri is None):
                continue
            uri = json.dumps(listing.gold_uri) if there else self._uri
            places.append((there, other.place.unit, other.place.line))
            line = _lines(found, tuple(places[-1:]), *_starts(listing))[-1]
            columns = self._columns(document, line, other.place)
            related.append(
                f'{{"location":{{"uri":{_escaped(uri)},{_range(*columns)}}}'
                f',"message":{_escaped(json.dumps(other.message))}}}'
            )
        if related:
            template += f',"relatedInformation":[{",".join(related)}]'
        return _Piece(problem, found.severity, f"{{{template}}}", tuple(places))

    def _columns(self, document: Document, line: int, place: Place) -> tuple[int, int]:
        """The columns of a place, in the client's units."""
        encoding = self._encoding
        if encoding is Encoding.UTF8:
            return place.start, place.end
        text = document.line(line)
        return encoding.from_byte(text, place.start), encoding.from_byte(text, place.end)

    def _behind_bom(self, found: Located, listing: Shown) -> str:
        """A problem in the first line of a text that begins with a byte order mark.

        The mark counts for the editor but belongs to no unit; the problem that is the mark itself
        is the only one at its place.
        """
        width = 3 if self._encoding is Encoding.UTF8 else 1
        shift = 0 if found.problem.code == "bom" else width
        piece = self._piece(found, listing, shift)
        return piece.template % _lines(found, piece.places, *_starts(listing))


def _starts(listing: Shown) -> tuple[Any, Any]:
    """The lines at which units begin, here and in gold."""
    gold = listing.gold
    return listing.document.line_starts, None if gold is None else gold.line_starts


def _lines(
    found: Located, places: tuple[tuple[bool, int, int], ...], here: Any, there: Any
) -> tuple[int, ...]:
    """The numbers for all slots of a piece; `here` and `there` are the starts of the units."""
    line = found.line
    if not places:
        return line, line
    lines = [line, line]
    for in_gold, unit, line in places:
        starts, first = (there, found.there) if in_gold else (here, found.here)
        # A place may be behind the last unit, where something is missing at the end.
        line += starts.item(min(first + unit, len(starts) - 1))
        lines += (line, line)
    return tuple(lines)


def _range(start: int, end: int) -> str:
    """A range within one line, whose number is left open."""
    return (
        f'"range":{{"start":{{"line":%d,"character":{start}}}'
        f',"end":{{"line":%d,"character":{end}}}}}'
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def _cut(more: int, limit: int) -> str:
    said = "more problem is" if more == 1 else "more problems are"
    return json.dumps(
        {
            "range": {
                "start": {"line": 0, "character": 0},
                "end": {"line": 0, "character": 0},
            },
            "severity": int(Severity.HINT),
            "code": "problems-cut",
            "codeDescription": {"href": PAGE.format("problems-cut")},
            "source": SOURCE,
            "message": f"{more} {said} not shown (maxProblems is {limit})",
        }
    )
