"""A client that watches files itself tells of them too.

A change is taken over once it has settled, and a second word of it is no news.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import items, table, text
from goldlens.server.sources import path_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer


def files_changed(ls: GoldlensServer, params: Any) -> None:
    """workspace/didChangeWatchedFiles."""
    found = [
        text(table(change, "each of changes").get("uri"), "uri")
        for change in items(table(params, "params").get("changes"), "changes")
    ]
    ls.shared.hint([path for uri in found if (path := path_of(uri)) is not None])


FEATURES: Final = {types.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed}
"""Each method and what handles it."""
