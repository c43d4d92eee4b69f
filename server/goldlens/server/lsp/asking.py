"""What a request about a place in an open document has to go by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from goldlens.server.arguments import table, whole
from goldlens.server.asked import WorkspaceError
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.sight import looked
from goldlens.server.sources import key_of
from goldlens.server.spot import Spot, character, spot_at

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

T = TypeVar("T")

Range: TypeAlias = dict[str, dict[str, int]]
Location: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """An open document, what it faces, and how its client counts.

    `uri` is as it was opened, letter for letter; `pair` and `gold_uri` are None without gold.
    """

    uri: str
    document: Document
    pair: Pair | None
    gold_uri: str | None
    encoding: Encoding

    def spot(self, line: int, character: int) -> Spot | None:
        """The spot at a position of the client."""
        return spot_at(self.document, line, character, self.encoding)

    def offset(self, line: int, column: int) -> int:
        """The byte of a line at a position of the client."""
        mark = character(self.document, line, 0, self.encoding)
        return self.encoding.to_byte(self.document.line(line), max(0, column - mark))

    def range(self, line: int, start: int, end: int, *, gold: bool = False) -> Range:
        """A stretch of a line, given in bytes, of the document or of its gold."""
        document = self.pair.gold if gold and self.pair is not None else self.document
        return {
            "start": position(document, line, start, self.encoding),
            "end": position(document, line, end, self.encoding),
        }

    def location(self, line: int, start: int, end: int, *, gold: bool = False) -> Location:
        """The same, with where it is."""
        uri = self.gold_uri if gold else self.uri
        return {"uri": uri, "range": self.range(line, start, end, gold=gold)}


def position(document: Document, line: int, offset: int, encoding: Encoding) -> dict[str, int]:
    """A byte of a line as a position."""
    return {"line": line, "character": character(document, line, offset, encoding)}


def about(
    ls: GoldlensServer, params: Any, answer: Callable[[Asked], T | None]
) -> asyncio.Future[T | None]:
    """What `answer` says of the document that is asked about; None if that is not open (yet).

    Raises WrongCall.
    """
    uri = document_of(params)["uri"]
    view = ls.views.get(key_of(uri))
    if view is None or view.opening:
        nothing: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()
        nothing.set_result(None)
        return nothing

    def job() -> T | None:
        try:
            held = ls.workspace.held(uri)
        except WorkspaceError:
            return None
        return answer(Asked(held.uri, held.document, held.pair, held.gold_uri, ls.client.encoding))

    return ls.turns.take(job)


def at(
    ls: GoldlensServer, params: Any, answer: Callable[[Asked, Spot], T | None]
) -> asyncio.Future[T | None]:
    """What `answer` says of the place that is asked about; None if there is nothing.

    Raises WrongCall.
    """
    line, column = position_of(table(params, "params").get("position"))
    looked(ls, document_of(params)["uri"], line)

    def job(asked: Asked) -> T | None:
        spot = asked.spot(line, column)
        return None if spot is None else answer(asked, spot)

    return about(ls, params, job)


def position_of(value: object, where: str = "position") -> tuple[int, int]:
    """The line and the column of a position. Raises WrongCall."""
    given: Mapping[str, Any] = table(value, where)
    line = whole(given.get("line"), f"{where}.line")
    return line, whole(given.get("character"), f"{where}.character")
