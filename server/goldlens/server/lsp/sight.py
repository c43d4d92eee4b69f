"""Where in a document its client looks, as far as its requests tell.

Lenses are asked for of a whole document, and those of a large one are many: a client that can be
asked to ask again gets only those around where it looks, and others when it looks elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

from goldlens.server.engine.document import Document
from goldlens.server.sources import key_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.lsp.views import View

MOST: Final = 4_000
"""Units of a document of which all are given."""
AROUND: Final = 1_000
"""So many units before and behind where the client looks are given of a larger one."""

_REFRESH: Final = types.WORKSPACE_CODE_LENS_REFRESH


def looked(ls: GoldlensServer, uri: str, line: int) -> None:
    """The client has asked about a line, which it will have in sight."""
    view = ls.views.get(key_of(uri))
    if view is None:
        return
    view.sight = line
    if view.around is not None and line not in view.around:
        # Once: what it then asks for is where it looks by that time.
        view.around = None
        ls.refresher.ask({_REFRESH})


def units_in_sight(ls: GoldlensServer, view: View | None, document: Document) -> range:
    """The units of which something is given now: all, or those around where the client looks."""
    size = len(document.units)
    if view is None or size <= MOST or _REFRESH not in ls.client.refreshes:
        return range(size)
    at = min(document.unit_at(view.sight), size - 1)
    first, stop = max(0, at - AROUND), min(size, at + AROUND)
    starts = document.line_starts
    # It is asked to ask again on the way to where nothing is given, and not only there.
    low = int(starts[(first + at) // 2]) if first else 0
    high = starts[(at + stop) // 2] if stop < size else starts[-1] + 1
    view.around = range(low, int(high))
    return range(first, stop)
