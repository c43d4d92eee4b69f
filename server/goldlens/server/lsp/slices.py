"""What takes a whole file to answer, made in slices between which others have their turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

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


Mark: TypeAlias = tuple[int, int]
"""Of what is to be shown of a text, and of the text itself: each is another after a change."""


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
    An edit in between ends it with CONTENT_MODIFIED, and the client asks again. Where the text is
    the same, but what it faces is not, it is made anew. Cancelling the future ends it. Raises
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
    found: list[str] | None = None
    while found is None:
        try:
            asked, mark = await ls.turns.take(lambda: _begin(ls, uri))
        except WorkspaceError:
            return None
        found = await _gathered(ls, mark, make(asked), partial(_mark, ls, uri))
    return Ready(finish(found))


async def _gathered(
    ls: GoldlensServer, mark: Mark | None, pieces: Iterator[str], now: Callable[[], Mark | None]
) -> list[str] | None:
    """All pieces; None if something else is to be shown of the same text by now.

    (Gold was edited, say. Nobody but us knows that the answer has to be made anew.)
    """
    loop = asyncio.get_running_loop()
    found: list[str] = []

    def step() -> bool | None:
        """Makes a slice; whether more is to come, None if it is all for nothing."""
        is_now = now()
        if is_now != mark:
            if is_now is not None and mark is not None and is_now[1] == mark[1]:
                return None
            raise JsonRpcException(message="the text has changed; ask again", code=CONTENT_MODIFIED)
        until = loop.time() + SLICE
        for piece in pieces:
            if piece:
                found.append(piece)
            if loop.time() > until:
                return True
        return False

    while more := await ls.turns.take(step):
        # What has come in meanwhile is read first.
        await asyncio.sleep(0)
    return None if more is None else found


def _begin(ls: GoldlensServer, uri: str) -> tuple[Asked, Mark | None]:
    held = ls.workspace.held(uri)
    asked = Asked(held.uri, held.document, held.pair, held.gold_uri, ls.client.encoding)
    return asked, _mark(ls, uri)


def _mark(ls: GoldlensServer, uri: str) -> Mark | None:
    """What is another whenever the text or what it faces is; None if it is not open."""
    try:
        return ls.workspace.revision(uri)
    except WorkspaceError:
        return None
