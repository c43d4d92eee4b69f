"""Changes of a document as clients take them: a WorkspaceEdit."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from goldlens.scoring.conllu.editing.replacing import line_offsets
from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp.asking import Asked, position
from goldlens.server.views.trying import Change
from goldlens.server.views.whole import MARK

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

TextEdit = dict[str, Any]


def text_edits(asked: Asked, change: Change) -> Iterator[TextEdit]:
    """The replacements of a change, in the client's positions."""
    document = asked.document
    if change is MARK:
        start = {"line": 0, "character": 0}
        yield {"range": {"start": start, "end": asked.range(0, 0, 0)["start"]}, "newText": ""}
        return
    units = document.units[change.first : change.stop]
    text: bytes = b"".join([unit.text for unit in units])
    offsets = line_offsets(text)
    base = int(document.line_starts[change.first])
    ended = text.endswith((b"\n", b"\r")) or not text

    def place(offset: int) -> dict[str, int]:
        line = bisect_right(offsets, offset) - 1
        if line == len(offsets) - 1 and not ended:
            line -= 1
        return position(document, base + line, offset - offsets[line], asked.encoding)

    # Of those that begin at one place, insertions come first, as LSP wants them.
    for each in sorted(change.edits, key=lambda edit: (edit.start, edit.end)):
        yield {
            "range": {"start": place(each.start), "end": place(each.end)},
            "newText": each.new.decode("utf-8", "replace"),
        }


def workspace_edit(ls: GoldlensServer, asked: Asked, changes: Iterable[Change]) -> dict[str, Any]:
    """The changes as an edit of the document, bound to its version if the client can."""
    return edit_of(ls, asked.uri, [each for made in changes for each in text_edits(asked, made)])


def edit_of(ls: GoldlensServer, uri: str, edits: list[TextEdit]) -> dict[str, Any]:
    """Text edits as an edit of a document."""
    if not ls.client.versions:
        return {"changes": {uri: edits}}
    named = {"uri": uri, "version": ls.workspace.version(uri)}
    return {"documentChanges": [{"textDocument": named, "edits": edits}]}


async def apply(
    ls: GoldlensServer, label: str, edit: dict[str, Any], what: str = "make the change"
) -> None:
    """Has the client make an edit. Raises WorkspaceError if it does not; `what` it should have."""
    params = {"label": label, "edit": edit}
    asked = ls.protocol.send_request(types.WORKSPACE_APPLY_EDIT, params)
    answer = await asyncio.wrap_future(asked)
    if not (isinstance(answer, dict) and answer.get("applied") is True):
        reason = answer.get("failureReason") if isinstance(answer, dict) else None
        raise WorkspaceError(f"the editor did not {what}: {reason or 'try again'}")
