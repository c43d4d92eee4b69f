"""workspace/symbol: sentences by a part of their sent_id, open or on disk.

Of files that nobody has open it is those that are a prediction or a gold of the workspace. They
are read for their names alone, in pieces between which others have their turns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import table, text
from goldlens.server.asked import WorkspaceError
from goldlens.server.engine.document import Document
from goldlens.server.sources import path_of, size_of, uri_of
from goldlens.server.views.naming import Best, Kept

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

MOST: Final = 200
"""So many symbols are given at most."""

MOST_READ: Final = 256 << 20
"""Bytes that one search reads of files that were not read yet; what is left is for the next."""

_AT_ONCE: Final = 20_000
"""Sentences of an open document that are looked at in one turn."""

_NAMESPACE: Final = int(types.SymbolKind.Namespace)

log = logging.getLogger(__name__)

_kept: Final = Kept()

_Where = tuple[str, bytes, int]
"""A URI, a name and a line."""


def search(ls: GoldlensServer, params: Any) -> asyncio.Future[list[dict[str, Any]]]:
    """Sentences, the best first. Cancelling the future ends it. Raises WrongCall."""
    query = text(table(params, "params").get("query", ""), "query").encode("utf-8", "replace")
    # As bytes, like the names: of other letters than those of ASCII the case counts.
    return asyncio.ensure_future(_searched(ls, query.lower()))


async def _searched(ls: GoldlensServer, query: bytes) -> list[dict[str, Any]]:
    best: Best[_Where] = Best(query, MOST)
    for view in list(ls.views.values()):
        await _in_document(ls, view.uri, query, best)
    left = MOST_READ
    for path in await ls.turns.take(lambda: _on_disk(ls)):
        if best.full:
            break
        left = await _in_file(path, query, best, left)
    return [_symbol(ls, *found) for found in best.all]


async def _in_document(ls: GoldlensServer, uri: str, query: bytes, best: Best[_Where]) -> None:
    start = 0

    def step() -> bool:
        """Looks at some sentences; whether there are more."""
        nonlocal start
        try:
            document = ls.workspace.held(uri).document
        except WorkspaceError:
            return False
        for name, line in _names(document, start, query):
            best.add(name, (uri, name, line))
            if best.full:
                return False
        start += _AT_ONCE
        return start < len(document.units)

    while await ls.turns.take(step):
        # What has come in meanwhile is read first.
        await asyncio.sleep(0)


def _names(document: Document, start: int, query: bytes) -> Iterator[tuple[bytes, int]]:
    if document.format.name != "ud":
        return
    for number, unit in enumerate(document.units[start : start + _AT_ONCE], start):
        if unit.sent_id and query in unit.sent_id.lower():
            yield unit.sent_id, int(document.line_starts[number])


def _on_disk(ls: GoldlensServer) -> list[Path]:
    """The predictions and golds of trees that are not open, each once."""
    found: dict[Path, None] = {}
    for pair in ls.workspace.pairs():
        pred = path_of(str(pair["pred"]))
        for path in (pred, Path(str(pair["gold"]))):
            trees = pair["task"] == "ud" or (path is not None and path.suffix == ".conllu")
            if path is not None and trees and str(path) not in ls.views:
                found[path] = None
    return list(found)


async def _in_file(path: Path, query: bytes, best: Best[_Where], left: int) -> int:
    """Looks through a file; how many bytes may be read after it."""
    names = _kept.find(path)
    if names is None:
        left -= size_of(path)
        if left < 0:
            return left
        try:
            for read in _kept.reading(path):
                names = read
                await asyncio.sleep(0)
        except OSError as error:
            log.info("no names of %s: %s", path, error)
    if names is not None:
        uri = uri_of(path)
        for name, line in names.matching(query):
            best.add(name, (uri, name, line))
            if best.full:
                break
    return left


def _symbol(ls: GoldlensServer, uri: str, name: bytes, line: int) -> dict[str, Any]:
    place = {"line": line, "character": 0}
    symbol: dict[str, Any] = {
        "name": name.decode("utf-8", "replace") or "_",
        "kind": _NAMESPACE,
        "location": {"uri": uri, "range": {"start": place, "end": place}},
    }
    if (path := path_of(uri)) is not None:
        # Every system has the same sentences.
        symbol["containerName"] = _within(ls, path)
    return symbol


def _within(ls: GoldlensServer, path: Path) -> str:
    """A path as it is seen from the workspace's folder that it is in."""
    for folder in map(path_of, ls.folders):
        if folder is not None and path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


FEATURES: Final = {types.WORKSPACE_SYMBOL: search}
"""The method and what handles it."""
