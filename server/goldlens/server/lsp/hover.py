"""textDocument/hover."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.lsp.asking import Asked, at
from goldlens.server.spot import Spot
from goldlens.server.views.hovering import hover

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer


def hovered(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, object] | None]:
    """What there is to say under the cursor. Raises WrongCall."""
    return at(ls, params, _said)


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
