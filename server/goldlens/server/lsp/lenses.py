"""textDocument/codeLens: the figures of a file and of its sentences, above them.

The list says only where lenses are, in a large file only around where the client looks; what they
say is found when they come into sight.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import table, text, whole
from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp.asking import Asked
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.sight import looked, units_in_sight
from goldlens.server.lsp.slices import listed
from goldlens.server.sources import key_of
from goldlens.server.views.titles import has_titles, title_of, title_of_file

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

INSERT: Final = "goldlens.insertRows"


def lenses(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready | None]:
    """Where lenses are in a document. Raises WrongCall."""

    def make(asked: Asked) -> Iterator[str]:
        uri, pair = asked.uri, asked.pair
        named = json.dumps(uri)
        if pair is None and ls.workspace.scores(uri) is None:
            return
        yield f'{{"range":{_range(0)},"data":{{"uri":{named}}}}}'
        if pair is None or not has_titles(pair):
            return
        if ls.client.applies:
            arguments = json.dumps([{"uri": uri, "format": "markdown"}])
            yield (
                f'{{"range":{_range(0)},"command":{{"title":"Insert results rows",'
                f'"command":"{INSERT}","arguments":{arguments}}}}}'
            )
        document = asked.document
        facts = document.format.facts
        for number in units_in_sight(ls, ls.views.get(key_of(uri)), document):
            if facts(document.units[number])[0]:
                line = int(document.line_starts[number])
                yield f'{{"range":{_range(line)},"data":{{"uri":{named},"line":{line}}}}}'

    return listed(ls, params, make)


def _range(line: int) -> str:
    return f'{{"start":{{"line":{line},"character":0}},"end":{{"line":{line},"character":0}}}}'


def resolved(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, Any]]:
    """codeLens/resolve: what a lens says now. Raises WrongCall."""
    lens = dict(table(params, "params"))
    data = table(lens.get("data"), "data")
    uri, line = text(data.get("uri"), "data.uri"), data.get("line")
    if line is not None:
        looked(ls, uri, whole(line, "data.line"))

    def job() -> dict[str, Any]:
        # Its command is only shown, and does nothing.
        lens["command"] = {"title": _title(ls, uri, line), "command": ""}
        return lens

    return ls.turns.take(job)


def _title(ls: GoldlensServer, uri: str, line: int | None) -> str:
    try:
        if line is None:
            board = ls.workspace.scores(uri) if ls.workspace.is_open(uri) else None
            return "" if board is None else title_of_file(board)
        held = ls.workspace.held(uri)
    except WorkspaceError:
        return ""
    return "" if held.pair is None else title_of(held.pair, held.document.unit_at(line))


FEATURES: Final = {
    types.TEXT_DOCUMENT_CODE_LENS: lenses,
    types.CODE_LENS_RESOLVE: resolved,
}
"""Each method and what handles it."""
