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
        unit.sent_id: int(pair.gold.line_starts[number])
        for number, unit in enumerate(pair.gold.units)
        if unit.sent_id
    }
    for number, unit in enumerate(document.units):
        line = lines.get(unit.sent_id) if unit.sent_id else None
        at = unit.text.find(_MARK) if line is not None else -1
        if line is None or at < 0 or (at and unit.text[at - 1 : at] != b"\n"):
            continue
        here = int(document.line_starts[number]) + unit.text.count(b"\n", 0, at)
        row = document.line(here)
        start = row.find(unit.sent_id, len(_MARK))
        if start >= 0:
            where = asked.range(here, start, start + len(unit.sent_id))
            yield (
                f'{{"range":{json.dumps(where)},"tooltip":"The sentence in gold",'
                f'"target":{json.dumps(f"{asked.gold_uri}#L{line + 1}")}}}'
            )


FEATURES: Final = {types.TEXT_DOCUMENT_DOCUMENT_LINK: links}
"""Each method and what handles it."""
