"""textDocument/documentLink: from a sent_id to the sentence of gold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.ud.unit import sent_id_place
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.slices import listed
from goldlens.server.spot import character_in

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer


def links(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """The links of a document. Raises WrongCall."""
    return listed(ls, params, _links)


def _links(asked: Asked) -> Iterator[str]:
    pair, document = asked.pair, asked.document
    if pair is None or asked.gold_uri is None or document.format.name != "ud":
        return
    named = {
        unit.sent_id: line + 1
        for unit, line in zip(pair.gold.units, pair.gold.line_starts.tolist(), strict=False)
        if unit.sent_id
    }
    target = json.dumps(asked.gold_uri)[:-1]
    for unit, base in zip(document.units, document.line_starts.tolist(), strict=False):
        line = named.get(unit.sent_id) if unit.sent_id else None
        if line is None:
            continue
        place = sent_id_place(unit.text)
        row = unit.text if not place.line else lines(unit.text)[place.line]
        here, first, last = base + place.line, place.start, place.end
        if not (here and row[:last].isascii()):
            first, last = (
                character_in(document, here, row[:end], asked.encoding) for end in (first, last)
            )
        yield (
            f'{{"range":{{"start":{{"line":{here},"character":{first}}},'
            f'"end":{{"line":{here},"character":{last}}}}},'
            f'"tooltip":"The sentence in gold","target":{target}#L{line}"}}'
        )


FEATURES: Final = {types.TEXT_DOCUMENT_DOCUMENT_LINK: links}
"""Each method and what handles it."""
