"""goldlens.insertRows: results rows put into a document by its editor.

In annotation they are comments in front of a sentence; in any other document they stand where
they were wanted, as they are.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from goldlens.scoring.conllu.editing.replacing import line_end
from goldlens.server import commands
from goldlens.server.arguments import WrongCall
from goldlens.server.asked import WorkspaceError
from goldlens.server.buffers import Held
from goldlens.server.commands import ROWS, Arguments, Command
from goldlens.server.lsp.asking import position, position_of
from goldlens.server.lsp.edits import apply, edit_of

if TYPE_CHECKING:
    from goldlens.server.lsp.executing import Request
    from goldlens.server.lsp.server import GoldlensServer

_COMMENTED: Final = ("ud", "span")
"""Formats of which a line that begins with `#` is a comment."""


def insert(request: Request, arguments: Arguments) -> asyncio.Future[dict[str, object]]:
    """Makes rows of a prediction and has them inserted, if the client does such things."""
    wanted = {"format": "markdown", **arguments}
    into = wanted.pop("into", None) or arguments["uri"]
    position = wanted.pop("position", None)
    # Both now, not when the task begins: edits that come next must not come before them.
    version = request.turns.take(lambda: request.workspace.version(into))
    rows = commands.rows(request, wanted)
    where = None if position is None else position_of(position)
    inserted = asyncio.ensure_future(_insert(request.ls, rows, into, where, version))
    inserted.add_done_callback(lambda _: rows.cancel())
    return inserted


async def _insert(
    ls: GoldlensServer,
    rows: asyncio.Future[str],
    into: str,
    wanted: tuple[int, int] | None,
    version: asyncio.Future[int | None],
) -> dict[str, object]:
    """Inserts rows, when they are made, into a document at a place that was wanted."""
    made, asked = await rows, await version
    if not ls.client.applies:
        return {"applied": False, "text": made}

    def edit() -> dict[str, Any]:
        if wanted is not None and ls.workspace.version(into) != asked:
            raise WorkspaceError("the text has changed while the rows were made; ask again")
        where, text = _place(ls, into, wanted, made)
        return edit_of(ls, into, [{"range": {"start": where, "end": where}, "newText": text}])

    await apply(ls, "Insert results rows", await ls.turns.take(edit), "insert the rows")
    return {"applied": True, "text": made}


def _place(
    ls: GoldlensServer, into: str, wanted: tuple[int, int] | None, rows: str
) -> tuple[dict[str, int], str]:
    """Where the rows go, and as what. Raises WorkspaceError."""
    text = rows if rows.endswith("\n") else f"{rows}\n"
    held = ls.workspace.held(into) if ls.workspace.is_open(into) else None
    if held is not None and held.document.format.name in _COMMENTED:
        before = _before(held, 0 if wanted is None else wanted[0])
        units = held.document.units
        end = line_end(units[0].text).decode() if units else "\n"
        lines = "".join(f"# {line}".rstrip() + end for line in text.splitlines())
        return position(held.document, before, 0, ls.client.encoding), lines
    if wanted is None:
        raise WorkspaceError(
            f"rows cannot stand in {into} by themselves; give a position, or another document "
            "as “into”"
        )
    return {"line": wanted[0], "character": wanted[1]}, text


def _before(held: Held, line: int) -> int:
    """The line at which the sentence begins that a line is in."""
    document = held.document
    if not document.units:
        return 0
    return int(document.line_starts[min(document.unit_at(line), len(document.units) - 1)])


def _position(value: object, where: str) -> None:
    position_of(value, where)


def _into(value: object, where: str) -> None:
    if not (isinstance(value, str) and value):
        raise WrongCall(f"expected {where} to be the URI of a document")


COMMANDS: Final[dict[str, Command[Request]]] = {
    "goldlens.insertRows": (
        insert,
        {**ROWS, "position": _position, "into": _into},
        ("uri",),
    ),
}
"""The command and its arguments."""
