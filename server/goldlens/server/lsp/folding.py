"""textDocument/foldingRange: sentences, and the documents that `# newdoc` begins."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.slices import listed

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

_NEWDOC: Final = b"# newdoc"
_INSIDE: Final = (b"\n" + _NEWDOC, b"\r" + _NEWDOC)
_BLANK: Final = (b"\n\n", b"\n\r\n", b"\r\r")


def folds(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """What can be folded. Raises WrongCall."""
    return listed(ls, params, _folds)


def _folds(asked: Asked) -> Iterator[str]:
    document = asked.document
    if document.format.name not in ("ud", "span"):
        return
    begun = last = -1
    starts = document.line_starts.tolist()
    for number, unit in enumerate(document.units):
        base = starts[number]
        if unit.text.startswith(_NEWDOC) or any(mark in unit.text for mark in _INSIDE):
            if 0 <= begun < last:
                yield _fold(begun, last)
            begun = base
        if unit.text.isspace():
            continue
        # The blank line that closes a sentence stays in sight.
        last = base + unit.lines - unit.text.endswith((b"\n", b"\r")) - unit.text.endswith(_BLANK)
        if last > base:
            yield _fold(base, last)
    if 0 <= begun < last:
        yield _fold(begun, last)


def _fold(start: int, end: int) -> str:
    return f'{{"startLine":{start},"endLine":{end}}}'


FEATURES: Final = {types.TEXT_DOCUMENT_FOLDING_RANGE: folds}
"""Each method and what handles it."""
