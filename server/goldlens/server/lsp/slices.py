"""What takes a whole file to answer, made in slices between which others have their turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from pygls.exceptions import JsonRpcException

from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.protocol import Ready

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

SLICE: Final = 0.01
"""Seconds that a slice takes, about."""

CONTENT_MODIFIED: Final = -32801
"""LSP's code for an answer that the text has overtaken; clients ask again."""


def _array(pieces: list[str]) -> str:
    return f"[{','.join(pieces)}]"


def listed(
    ls: GoldlensServer,
    params: Any,
    make: Callable[[Asked], Iterator[str]],
    finish: Callable[[list[str]], str] = _array,
) -> asyncio.Future[Ready | None]:
    """What `finish` makes of all that `make` gives, pieces of JSON; an array, if not told how.

    It is null for a document that is not open.
    An edit in between ends it with CONTENT_MODIFIED; cancelling the future ends it too. Raises
    WrongCall.
    """
    uri = document_of(params)["uri"]
    return asyncio.ensure_future(_listed(ls, uri, make, finish))


async def _listed(
    ls: GoldlensServer,
    uri: str,
    make: Callable[[Asked], Iterator[str]],
    finish: Callable[[list[str]], str],
) -> Ready | None:
    loop = asyncio.get_running_loop()
    try:
        asked, mark = await ls.turns.take(lambda: _begin(ls, uri))
    except WorkspaceError:
        return None
    pieces, found = make(asked), list[str]()

    def step() -> bool:
        """Makes a slice; whether more is to come."""
        if _mark(ls, uri) != mark:
            raise JsonRpcException(message="the text has changed; ask again", code=CONTENT_MODIFIED)
        until = loop.time() + SLICE
        for piece in pieces:
            if piece:
                found.append(piece)
            if loop.time() > until:
                return True
        return False

    while await ls.turns.take(step):
        # What has come in meanwhile is read first.
        await asyncio.sleep(0)
    return Ready(finish(found))


def _begin(ls: GoldlensServer, uri: str) -> tuple[Asked, object]:
    held = ls.workspace.held(uri)
    asked = Asked(held.uri, held.document, held.pair, held.gold_uri, ls.client.encoding)
    return asked, _mark(ls, uri)


def _mark(ls: GoldlensServer, uri: str) -> object:
    """What is another whenever the text or what it faces is."""
    try:
        return ls.workspace.revision(uri)
    except WorkspaceError:
        return None
