"""`goldlens/scores`: told whenever the scores of an open document have become others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.lsp.views import View

METHOD: Final = "goldlens/scores"

_NO_NEWS: Final = frozenset(("version", "pred"))


def tell(ls: GoldlensServer, view: View) -> None:
    """Sends the scoreboard of a document if a score, or what was compared, is new.

    Another version, or that the text has not been saved, is no news by itself.

    Raises WorkspaceError if it is not open.
    """
    board = ls.workspace.scores(view.uri)
    if board is None:
        # Without gold there is nothing to tell; with it again, everything.
        view.scores = None
        return
    figures = {name: value for name, value in board.items() if name not in _NO_NEWS}
    if figures != view.scores:
        view.scores = figures
        ls.protocol.notify(METHOD, board)
