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


def folds(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """What can be folded. Raises WrongCall."""
    return listed(ls, params, _folds)


def _folds(asked: Asked) -> Iterator[str]:
    document = asked.document
    if document.format.name not in ("ud", "span"):
        return
    begun = -1
    starts = document.line_starts.tolist()
    for number, unit in enumerate(document.units):
        base = starts[number]
        if unit.text.startswith(_NEWDOC) or b"\n# newdoc" in unit.text:
            if begun >= 0 and base - 2 > begun:
                yield _fold(begun, base - 2)
            begun = base
        # The blank line that closes a sentence stays in sight.
        last = base + unit.lines - (2 if unit.text.endswith((b"\n\n", b"\n\r\n")) else 1)
        if last > base:
            yield _fold(base, last)
    if 0 <= begun < starts[-1] - 1:
        yield _fold(begun, starts[-1] - 1)


def _fold(start: int, end: int) -> str:
    return f'{{"startLine":{start},"endLine":{end}}}'


FEATURES: Final = {types.TEXT_DOCUMENT_FOLDING_RANGE: folds}
"""Each method and what handles it."""
