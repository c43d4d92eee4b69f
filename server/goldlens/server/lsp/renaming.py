"""textDocument/rename: the ID of a word, with all that refers to it; the name of a sentence."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.editing.replacing import at
from goldlens.scoring.conllu.editing.words import Impossible, renamed
from goldlens.scoring.conllu.rows import ID, Kind
from goldlens.scoring.problems import Place
from goldlens.scoring.ud.unit import sent_id_place
from goldlens.server.arguments import table, text
from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp.asking import Asked, position_of
from goldlens.server.lsp.asking import at as at_place
from goldlens.server.lsp.edits import workspace_edit
from goldlens.server.spot import Spot
from goldlens.server.views.trying import Change

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

PROVIDER: Final = types.RenameOptions(prepare_provider=True)


def prepare(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, Any] | None]:
    """What would be renamed at a position; null where there is nothing. Raises WrongCall."""
    line, _ = position_of(table(params, "params").get("position"))
    return at_place(ls, params, lambda asked, spot: _prepared(asked, spot, line))


def _prepared(asked: Asked, spot: Spot, line: int) -> dict[str, Any] | None:
    row = spot.row
    if row is not None and row.kind is Kind.WORD and spot.column == ID:
        where, name = row.span(ID), row.cell(ID)
    elif row is None and (place := _sent_id(spot, line)) is not None:
        where = place.start, place.end
        name = spot.document.line(line)[place.start : place.end].decode("utf-8", "replace")
    else:
        return None
    return {"range": asked.range(line, *where), "placeholder": name}


def _sent_id(spot: Spot, line: int) -> Place | None:
    """Where the sentence's name stands, if it is in this line."""
    unit = spot.document.units[spot.unit]
    if unit.sent_id is None:
        return None
    place = sent_id_place(unit.text)
    return place if spot.base + place.line == line else None


def rename(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, Any] | None]:
    """The edit that gives another name. Raises WrongCall; the future, WorkspaceError."""
    given = table(params, "params")
    line, _ = position_of(given.get("position"))
    new = text(given.get("newName"), "newName").strip()

    def answer(asked: Asked, spot: Spot) -> dict[str, Any]:
        unit = spot.unit
        if spot.row is not None and spot.column == ID:
            if not (new.isascii() and new.isdecimal() and len(new) < 10):
                raise WorkspaceError(f"an ID is a whole number, not {new!r}")
            try:
                edits = renamed(spot.sentence, line - spot.base, int(new))
            except Impossible as error:
                raise WorkspaceError(str(error)) from error
        else:
            place = _sent_id(spot, line) if spot.row is None else None
            if place is None:
                raise WorkspaceError("only the ID of a word and a sent_id can be renamed")
            edits = (at(spot.document.units[unit].text, place, _free(spot, new)),)
        return workspace_edit(ls, asked, [Change(unit, unit + 1, edits)])

    return at_place(ls, params, answer)


def _free(spot: Spot, new: str) -> bytes:
    """A name that no other sentence has. Raises WorkspaceError."""
    name = new.encode("utf-8", "replace")
    if not new or len(new.splitlines()) != 1:
        raise WorkspaceError("a sent_id is one line of text")
    if name != spot.document.units[spot.unit].sent_id and name in spot.document.keys:
        raise WorkspaceError(f"another sentence has the sent_id {new}; take one that is free")
    return name


FEATURES: Final = {
    types.TEXT_DOCUMENT_PREPARE_RENAME: prepare,
    types.TEXT_DOCUMENT_RENAME: rename,
}
"""Each method and what handles it."""
