"""textDocument/inlayHint: at the end of a line, what gold has where it differs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import table
from goldlens.server.engine.pair import Pair
from goldlens.server.lsp.asking import Asked, position, position_of
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.sight import looked
from goldlens.server.lsp.slices import listed
from goldlens.server.views.differing import differences, make_ready

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

MOST: Final = 2000
"""Clients that ask for a whole file at once get so many hints of it."""

_TOGETHER: Final = 32
"""Units whose problems are made at once."""


def hints(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """The hints of a range. Raises WrongCall."""
    asked_for = table(table(params, "params").get("range"), "range")
    first, _ = position_of(asked_for.get("start"), "range.start")
    last, _ = position_of(asked_for.get("end"), "range.end")
    looked(ls, document_of(params)["uri"], (first + last) // 2)

    def make(asked: Asked) -> Iterator[str]:
        if asked.pair is None or ls.workspace.settings_of(asked.uri).inlay_hints == "off":
            return
        for number, hint in enumerate(_hints(asked, asked.pair, first, last)):
            if number == MOST:
                return
            yield hint

    return listed(ls, params, make)


def _hints(asked: Asked, pair: Pair, first: int, last: int) -> Iterator[str]:
    document = asked.document
    start = document.unit_at(first)
    stop = min(document.unit_at(last) + 1, len(document.units))
    for begin in range(start, stop, _TOGETHER):
        units = range(begin, min(begin + _TOGETHER, stop))
        make_ready(pair, units)
        for unit in units:
            base = int(document.line_starts[unit])
            for found in differences(pair, unit):
                line = base + found.line
                if first <= line <= last:
                    end = position(document, line, len(document.line(line)), asked.encoding)
                    label = json.dumps(f"gold: {found.gold}")
                    yield f'{{"position":{json.dumps(end)},"label":{label},"paddingLeft":true}}'


FEATURES: Final = {types.TEXT_DOCUMENT_INLAY_HINT: hints}
"""Each method and what handles it."""
