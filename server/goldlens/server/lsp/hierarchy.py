"""The tree as a call hierarchy: a word is called by its head and calls its dependents."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.rows import DEPREL, FORM, UPOS, Kind
from goldlens.scoring.conllu.sentence import Row
from goldlens.server.arguments import table, text, whole
from goldlens.server.lsp.asking import Asked, about, at
from goldlens.server.spot import Spot

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

Item = dict[str, Any]


def prepare(ls: GoldlensServer, params: Any) -> asyncio.Future[list[Item] | None]:
    """The word under the cursor. Raises WrongCall."""

    def answer(asked: Asked, spot: Spot) -> list[Item] | None:
        row = spot.row
        if row is None or row.kind is not Kind.WORD:
            return None
        return [item_of(asked, spot.base, row)]

    return at(ls, params, answer)


def item_of(asked: Asked, base: int, row: Row) -> Item:
    """A word as an item; `data` finds it again."""
    line = base + row.line
    return {
        "name": row.cell(FORM) or "_",
        "detail": f"{row.cell(UPOS)} {row.cell(DEPREL)}".strip(),
        "kind": int(types.SymbolKind.Function),
        "uri": asked.uri,
        "range": asked.range(line, 0, len(row.text)),
        "selectionRange": asked.range(line, *row.span(FORM)),
        "data": {"line": line},
    }


def incoming(ls: GoldlensServer, params: Any) -> asyncio.Future[list[Item] | None]:
    """The head. Raises WrongCall."""

    def answer(asked: Asked, spot: Spot, row: Row) -> list[Item]:
        head = spot.sentence.words.get(spot.sentence.head(row) or 0)
        return [] if head is None else [_call("from", asked, spot, head)]

    return _about_item(ls, params, answer)


def outgoing(ls: GoldlensServer, params: Any) -> asyncio.Future[list[Item] | None]:
    """The dependents. Raises WrongCall."""

    def answer(asked: Asked, spot: Spot, row: Row) -> list[Item]:
        return [_call("to", asked, spot, each) for each in spot.sentence.dependents(row.first)]

    return _about_item(ls, params, answer)


def _call(which: str, asked: Asked, spot: Spot, row: Row) -> Item:
    item = item_of(asked, spot.base, row)
    return {which: item, "fromRanges": [item["selectionRange"]]}


def _about_item(ls: GoldlensServer, params: Any, answer: Any) -> asyncio.Future[list[Item] | None]:
    item = table(table(params, "params").get("item"), "item")
    line = whole(table(item.get("data"), "item.data").get("line"), "item.data.line")

    def found(asked: Asked) -> list[Item] | None:
        spot = asked.spot(line, 0)
        if spot is None or spot.row is None or spot.row.kind is not Kind.WORD:
            return None
        calls: list[Item] = answer(asked, spot, spot.row)
        return calls

    return about(ls, {"textDocument": {"uri": text(item.get("uri"), "item.uri")}}, found)


FEATURES: Final = {
    types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: prepare,
    types.CALL_HIERARCHY_INCOMING_CALLS: incoming,
    types.CALL_HIERARCHY_OUTGOING_CALLS: outgoing,
}
"""Each method and what handles it."""
