"""Files on disk, watched for one client.

A client that watches files itself tells of them too; either way a change is taken over once it
has settled, and a second word of it is no news.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.lsp.params import items, table, text
from goldlens.server.lsp.views import LARGE
from goldlens.server.sources import path_of, uri_of
from goldlens.server.watching.interest import Interest

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.watching.watcher import Watcher

log = logging.getLogger(__name__)


class Watching:
    """The watcher of a client's workspace, from initialized to the end."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._watcher: Watcher | None = None
        self._interest = Interest()
        self._generation = -1

    def start(self) -> None:
        """Begins to watch."""
        # Only now: importing watchdog takes a while, and a client waits for initialize.
        from goldlens.server.watching.watcher import Watcher

        if self._watcher is None:
            self._watcher = Watcher(self._ask, self._changed)
            self._watcher.start()

    def stop(self) -> None:
        """Watches no more."""
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.stop()

    def refresh(self) -> None:
        """Other documents are open now, and other files may be of interest."""
        generation = self._ls.workspace.generation
        if self._watcher is None or generation == self._generation:
            return
        self._generation = generation
        interest = self._ask()
        if interest != self._interest:
            self._interest = interest
            self._watcher.refresh()

    def hint(self, paths: list[Path]) -> bool:
        """The client says that files have changed; False if nobody here watches."""
        if self._watcher is None:
            return False
        self._watcher.hint(paths)
        return True

    def _ask(self) -> Interest:
        # While something runs on the workspace in a thread, what was of interest still is.
        return self._interest if self._ls.turns.busy else self._ls.workspace.interest()

    def _changed(self, paths: list[Path]) -> None:
        ls = self._ls
        if not ls.running:
            return
        uris = [uri_of(path) for path in paths]
        slow = any(_size(path) > LARGE for path in paths)
        ls.turns.do(lambda: ls.publisher.mark(ls.workspace.files_changed(uris)), slow=slow)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def files_changed(ls: GoldlensServer, params: Any) -> None:
    """workspace/didChangeWatchedFiles."""
    found = [
        text(table(change, "each of changes").get("uri"), "uri")
        for change in items(table(params, "params").get("changes"), "changes")
    ]
    ls.watching.hint([path for uri in found if (path := path_of(uri)) is not None])


FEATURES: Final = {types.WORKSPACE_DID_CHANGE_WATCHED_FILES: files_changed}
"""Each method and what handles it."""
