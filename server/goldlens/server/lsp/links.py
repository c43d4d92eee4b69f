"""textDocument/documentLink: from a sent_id to the sentence of gold."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.slices import listed
from goldlens.server.spot import character_in

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

_MARK: Final = b"# sent_id"


def links(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """The links of a document. Raises WrongCall."""
    return listed(ls, params, _links)


def _links(asked: Asked) -> Iterator[str]:
    pair, document = asked.pair, asked.document
    if pair is None or asked.gold_uri is None or document.format.name != "ud":
        return
    lines = {
        unit.sent_id: line + 1
        for unit, line in zip(pair.gold.units, pair.gold.line_starts.tolist(), strict=False)
        if unit.sent_id
    }
    target = json.dumps(asked.gold_uri)[:-1]
    for unit, base in zip(document.units, document.line_starts.tolist(), strict=False):
        line = lines.get(unit.sent_id) if unit.sent_id else None
        at = unit.text.find(_MARK) if line is not None else -1
        if at < 0 or (at and unit.text[at - 1 : at] != b"\n"):
            continue
        row = unit.text[at : unit.text.find(b"\n", at)]
        start = row.find(unit.sent_id, len(_MARK))
        if start >= 0:
            here = base + unit.text.count(b"\n", 0, at)
            first, last = start, start + len(unit.sent_id)
            if not (here and row.isascii()):
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
