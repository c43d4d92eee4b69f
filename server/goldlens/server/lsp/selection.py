"""textDocument/selectionRange: cell, row, ever larger subtrees, sentence, file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.rows import Kind
from goldlens.server.arguments import items, table
from goldlens.server.engine.document import Document
from goldlens.server.lsp.asking import Asked, about, position, position_of
from goldlens.server.spot import Spot

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

Ranges = dict[str, Any]


def selected(ls: GoldlensServer, params: Any) -> asyncio.Future[list[Ranges] | None]:
    """For each position what to select, from small to large. Raises WrongCall."""
    wanted = [
        position_of(each, "each of positions")
        for each in items(table(params, "params").get("positions"), "positions")
    ]
    return about(ls, params, lambda asked: [_around(asked, *each) for each in wanted])


def _around(asked: Asked, line: int, column: int) -> Ranges:
    spot = asked.spot(line, column)
    found: list[tuple[tuple[int, int], tuple[int, int]]] = []
    if spot is not None and spot.row is not None:
        row, here = spot.row, spot.base + spot.row.line
        start, end = row.span(spot.column)
        found += [((here, start), (here, end)), ((here, 0), (here, len(row.text)))]
        if row.kind is Kind.WORD:
            found += _subtrees(spot)
    if spot is not None:
        unit = spot.document.units[spot.unit]
        last = spot.base + unit.lines
        ended = unit.text.endswith((b"\n", b"\r"))
        found.append(((spot.base, 0), (last, 0 if ended else len(spot.document.line(last)))))
    document = asked.document
    found.append(((0, 0), (document.lines, len(document.line(document.lines)))))
    ranges: Ranges | None = None
    widest: list[Ranges] = []
    for first, last in reversed(_growing(found)):
        ranges = {
            "range": {
                "start": _position(document, first, asked),
                "end": _position(document, last, asked),
            },
            **({"parent": ranges} if ranges is not None else {}),
        }
        widest.append(ranges)
    return widest[-1]


_Stretch = tuple[tuple[int, int], tuple[int, int]]


def _subtrees(spot: Spot) -> list[_Stretch]:
    """The lines from the first to the last word of the subtree of the word and of each above it."""
    assert spot.row is not None
    found = []
    for row in spot.sentence.chain(spot.row.first):
        lines = [each.line for each in spot.sentence.subtree(row.first)]
        last = spot.sentence.row_at(max(lines))
        assert last is not None
        found.append(((spot.base + min(lines), 0), (spot.base + max(lines), len(last.text))))
    return found


def _growing(found: list[_Stretch]) -> list[_Stretch]:
    """Those that hold all that came before, and more."""
    kept = found[:1]
    for first, last in found[1:]:
        inner = kept[-1]
        if first <= inner[0] and last >= inner[1] and (first, last) != inner:
            kept.append((first, last))
    return kept


def _position(document: Document, where: tuple[int, int], asked: Asked) -> dict[str, int]:
    if where == (0, 0):
        # Before the byte order mark, if there is one: there may the cursor be.
        return {"line": 0, "character": 0}
    return position(document, *where, asked.encoding)


FEATURES: Final = {types.TEXT_DOCUMENT_SELECTION_RANGE: selected}
"""Each method and what handles it."""
