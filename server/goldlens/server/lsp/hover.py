"""textDocument/hover."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import table
from goldlens.server.lsp.asking import Asked, about, position_of
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.sight import looked
from goldlens.server.spot import Spot
from goldlens.server.views.describing import described
from goldlens.server.views.hovering import hover

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer


def hovered(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, object] | None]:
    """What there is to say under the cursor. Raises WrongCall."""
    line, column = position_of(table(params, "params").get("position"))
    looked(ls, document_of(params)["uri"], line)

    def said(asked: Asked) -> dict[str, object] | None:
        if asked.document.format.name != "ud":
            return _described(asked, line)
        spot = asked.spot(line, column)
        return None if spot is None else _said(asked, spot)

    return about(ls, params, said)


def _described(asked: Asked, line: int) -> dict[str, object] | None:
    found = described(asked.document, asked.pair, line)
    if found is None:
        return None
    end = found.end or len(asked.document.line(line))
    where = asked.range(line, found.start, end)
    return {"contents": {"kind": "markdown", "value": found.text}, "range": where}


def _said(asked: Asked, spot: Spot) -> dict[str, object] | None:
    said = hover(spot, asked.pair)
    if said is None:
        return None
    found: dict[str, object] = {"contents": {"kind": "markdown", "value": said}}
    if spot.row is not None:
        found["range"] = asked.range(spot.base + spot.row.line, *spot.row.span(spot.column))
    return found


FEATURES: Final = {types.TEXT_DOCUMENT_HOVER: hovered}
"""Each method and what handles it."""
