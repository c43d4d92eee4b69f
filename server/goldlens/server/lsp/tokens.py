"""textDocument/semanticTokens: the columns of a document in colours of their own.

Each unit is one piece of the answer, ready-made, whose lines count from the unit before it. What
an edit does not touch is the same piece again, so that a delta is one edit.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.task import PRED
from goldlens.server.arguments import table
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.asking import Asked, position_of
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.sight import looked
from goldlens.server.lsp.slices import listed
from goldlens.server.sources import key_of
from goldlens.server.spot import character
from goldlens.server.views.colouring import MODIFIERS, TYPES, Stretch, stretches
from goldlens.server.views.differing import differences, make_ready

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

MOST_LINES: Final = 50_000
"""A document of more lines is coloured only by range."""

_TOGETHER: Final = 32
"""Units whose problems are made at once, where they are not known yet."""

_RUN: Final = f"{time.time_ns():x}"
_numbers = count(1)

LEGEND: Final = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))

PROVIDER: Final = types.SemanticTokensOptions(
    legend=LEGEND, range=True, full=types.SemanticTokensFullDelta(delta=True)
)
"""What is announced."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The tokens of a unit but for the first number, the line; `size` counts the numbers.

    `first` and `last` are the lines of the first and the last token in the unit.
    """

    first: int
    last: int
    rest: str
    size: int


_EMPTY: Final = Piece(0, 0, "", 0)

_Parts = list[tuple[int, Piece]]
"""Pieces that are not empty, each with the lines from the last token before it to its first."""


@dataclass(slots=True)
class Coloured:
    """What a client has of a document, under the name `result`, and the pieces it was made of."""

    result: str = ""
    parts: _Parts = field(default_factory=list)
    pieces: dict[tuple[int, ...], tuple[Any, Piece]] = field(default_factory=dict)


def full(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """All tokens of a document; null for one that is too large. Raises WrongCall."""
    return _whole(ls, params, None)


def delta(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """What to change in the tokens that the client has. Raises WrongCall."""
    return _whole(ls, params, table(params, "params").get("previousResultId"))


def _whole(ls: GoldlensServer, params: Any, previous: object) -> asyncio.Future[Ready | None]:
    view = ls.views.get(key_of(document_of(params)["uri"]))
    before = view.coloured if view is not None else None
    known = before or Coloured()
    now = Coloured(f"{_RUN}-{next(_numbers)}")
    too_large = False

    def make(asked: Asked) -> Iterator[str]:
        nonlocal too_large
        document, last, ready = asked.document, 0, 0
        too_large = document.lines > MOST_LINES
        for unit in range(0 if too_large else len(document.units)):
            key, held = _key(asked, unit)
            found = known.pieces.get(key)
            if found is None and asked.pair is not None and unit >= ready:
                ready = min(unit + _TOGETHER, len(document.units))
                make_ready(asked.pair, range(unit, ready))
            piece = found[1] if found is not None else _piece(asked, unit)
            now.pieces[key] = held, piece
            if piece.size:
                base = int(document.line_starts[unit])
                now.parts.append((base + piece.first - last, piece))
                last = base + piece.last
            yield ""

    def finish(_: list[str]) -> str:
        if too_large:
            return "null"
        if view is not None:
            view.coloured = now
        result = json.dumps(now.result)
        if previous is not None and previous == known.result:
            return f'{{"resultId":{result},"edits":[{_edit(known.parts, now.parts)}]}}'
        return f'{{"resultId":{result},"data":[{_data(now.parts)}]}}'

    return listed(ls, params, make, finish)


def _key(asked: Asked, unit: int) -> tuple[tuple[int, ...], Any]:
    """What the tokens of a unit depend on, by identity, and the things themselves."""
    held = asked.document.units[unit]
    # Editors count the mark in front of the first unit.
    marked = int(asked.document.bom and unit == 0)
    if asked.pair is None:
        return (id(held), marked), held
    number = asked.pair.segment_of(PRED, unit)
    gold, _ = asked.pair.pairing.starts(number)
    compared, golds = asked.pair.comparisons[number], asked.pair.gold.units
    faced = golds[gold] if gold < len(golds) else None
    return (id(held), marked, id(compared), id(faced)), (held, compared, faced)


def _piece(asked: Asked, unit: int) -> Piece:
    found = _stretches(asked.document, asked.pair, unit)
    if not found:
        return _EMPTY
    return Piece(found[0].line, found[-1].line, _numbers_of(asked, unit, found), 5 * len(found))


def _stretches(document: Document, pair: Pair | None, unit: int) -> list[Stretch]:
    return stretches(document, unit, [] if pair is None else differences(pair, unit))


def _numbers_of(asked: Asked, unit: int, found: list[Stretch]) -> str:
    """Five numbers for each stretch, as the protocol has them, but for the first one of all."""
    line, column, said = found[0].line, 0, []
    for at, start, end, kind, modifiers in _in_columns(asked, unit, found):
        if at != line:
            column = 0
        said.append(f"{at - line},{start - column},{end - start},{kind},{modifiers}")
        line, column = at, start
    return ",".join(said).partition(",")[2]


def _in_columns(asked: Asked, unit: int, found: list[Stretch]) -> list[Stretch]:
    """Stretches with where they begin and end as the client counts; each line is read once."""
    document, encoding = asked.document, asked.encoding
    block: bytes = document.units[unit].text
    marked = document.bom and unit == 0
    if not marked and (encoding is Encoding.UTF8 or block.isascii()):
        return found
    rows, known = lines(block), -1
    at = column = 0
    moved = []
    for stretch in found:
        if stretch.line != known:
            known, at = stretch.line, 0
            column = character(document, 0, 0, encoding) if marked and not known else 0
        row = rows[known]
        start = column + encoding.from_byte(row[at : stretch.start], stretch.start - at)
        at = stretch.end
        column = start + encoding.from_byte(row[stretch.start : at], at - stretch.start)
        moved.append(stretch._replace(start=start, end=column))
    return moved


def _data(parts: _Parts) -> str:
    return ",".join([f"{lines},{piece.rest}" for lines, piece in parts])


def _edit(before: _Parts, now: _Parts) -> str:
    """The one edit that makes the tokens of now of those before; nothing if they are the same."""
    same = 0
    limit = min(len(before), len(now))
    while same < limit and before[same] == now[same]:
        same += 1
    behind = 0
    limit -= same
    while behind < limit and before[-1 - behind] == now[-1 - behind]:
        behind += 1
    old = before[same : len(before) - behind]
    new = now[same : len(now) - behind]
    if not old and not new:
        return ""
    start = sum(piece.size for _, piece in before[:same])
    removed = sum(piece.size for _, piece in old)
    return f'{{"start":{start},"deleteCount":{removed},"data":[{_data(new)}]}}'


def of_range(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """The tokens of some lines. Raises WrongCall."""
    asked_for = table(table(params, "params").get("range"), "range")
    first, _ = position_of(asked_for.get("start"), "range.start")
    last, _ = position_of(asked_for.get("end"), "range.end")
    looked(ls, document_of(params)["uri"], (first + last) // 2)
    last = min(last, first + MOST_LINES)

    def make(asked: Asked) -> Iterator[str]:
        document, before = asked.document, 0
        stop = min(document.unit_at(last) + 1, len(document.units))
        for unit in range(document.unit_at(first), stop):
            base = int(document.line_starts[unit])
            found = [
                each
                for each in _stretches(document, asked.pair, unit)
                if first <= base + each.line <= last
            ]
            if found:
                yield f"{base + found[0].line - before},{_numbers_of(asked, unit, found)}"
                before = base + found[-1].line
            else:
                yield ""

    def finish(pieces: list[str]) -> str:
        return f'{{"data":[{",".join(filter(None, pieces))}]}}'

    return listed(ls, params, make, finish)


FEATURES: Final = {
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: full,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: delta,
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: of_range,
}
"""Each method and what handles it."""
