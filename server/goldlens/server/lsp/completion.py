"""textDocument/completion and signatureHelp: what a cell may hold."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.scoring.conllu.rows import COLUMN_NAMES, DEPREL, DEPS, FEATS, HEAD, UPOS
from goldlens.server.arguments import table
from goldlens.server.lsp.asking import Asked, about, at, position_of
from goldlens.server.lsp.params import document as document_of
from goldlens.server.lsp.sight import looked
from goldlens.server.spot import Spot
from goldlens.server.views import labelling, meanings
from goldlens.server.views.completing import Proposal, proposals
from goldlens.server.views.hovering import part_at

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

# A tab ends a cell: a list that opened there would take the next tab for a choice.
PROVIDER: Final = types.CompletionOptions(trigger_characters=["|", "=", ":"])
SIGNATURES: Final = types.SignatureHelpOptions(trigger_characters=["\t"])

_REFERENCE: Final = int(types.CompletionItemKind.Reference)
_MEMBER: Final = int(types.CompletionItemKind.EnumMember)


def completed(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, Any] | None]:
    """What could stand under the cursor. Raises WrongCall."""
    line, column = position_of(table(params, "params").get("position"))
    looked(ls, document_of(params)["uri"], line)
    return about(ls, params, lambda asked: _completed(asked, line, column))


def _completed(asked: Asked, line: int, column: int) -> dict[str, Any] | None:
    if asked.document.format.name == "ud":
        spot = asked.spot(line, column)
        found = None if spot is None else proposals(spot, line, asked.pair)
    else:
        found = labelling.proposals(asked.document, asked.pair, line, asked.offset(line, column))
    if found is None:
        return None
    where = asked.range(line, found.start, found.end)
    if column < where["start"]["character"]:
        # Before the byte order mark: what is replaced has to hold the cursor.
        return None
    items = [_item(proposal, k, found.old, where) for k, proposal in enumerate(found.proposals)]
    return {"isIncomplete": found.more, "items": items}


def _item(proposal: Proposal, place: int, old: str, where: dict[str, Any]) -> dict[str, Any]:
    typed = proposal.filter or proposal.text
    item: dict[str, Any] = {
        "label": proposal.label or proposal.text,
        "kind": _REFERENCE if proposal.label else _MEMBER,
        "sortText": f"{place:04d}",
        # What stands there for nothing is as if it were not there.
        "filterText": f"_{typed}" if old == "_" else typed,
        "textEdit": {"range": where, "newText": proposal.text},
    }
    if proposal.gold:
        item["detail"] = "gold"
    if proposal.about:
        item["documentation"] = {"kind": "markdown", "value": proposal.about}
    return item


def signature(ls: GoldlensServer, params: Any) -> asyncio.Future[dict[str, Any] | None]:
    """The columns, of which the one under the cursor is the active one. Raises WrongCall."""
    return at(ls, params, lambda asked, spot: _signature(spot))


def _signature(spot: Spot) -> dict[str, Any] | None:
    if spot.row is None or spot.column >= len(COLUMN_NAMES):
        return None
    parameters = []
    start = 0
    for name in COLUMN_NAMES:
        about = {"kind": "markdown", "value": meanings.COLUMNS[name]}
        parameters.append({"label": [start, start + len(name)], "documentation": about})
        start += len(name) + 1
    said: dict[str, Any] = {"label": " ".join(COLUMN_NAMES), "parameters": parameters}
    if meaning := _meaning(spot):
        said["documentation"] = {"kind": "markdown", "value": meaning}
    return {"signatures": [said], "activeSignature": 0, "activeParameter": spot.column}


def _meaning(spot: Spot) -> str | None:
    """What stands in the cell means."""
    assert spot.row is not None
    if spot.column == UPOS:
        return meanings.tag(spot.row.cell(UPOS))
    if spot.column in (HEAD, DEPREL):
        return meanings.relation(spot.row.cell(DEPREL))
    if spot.column == FEATS:
        return meanings.feature(part_at(spot, spot.row).partition("=")[0])
    if spot.column == DEPS:
        return meanings.relation(part_at(spot, spot.row).partition(":")[2])
    return None


FEATURES: Final = {
    types.TEXT_DOCUMENT_COMPLETION: completed,
    types.TEXT_DOCUMENT_SIGNATURE_HELP: signature,
}
"""Each method and what handles it."""
