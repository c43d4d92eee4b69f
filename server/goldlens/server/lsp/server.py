"""One client's server: what its features share, and which feature handles which method."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.server import JsonRPCServer

from goldlens.server.desk import CONFIG_NAMES
from goldlens.server.lsp import (
    actions,
    completion,
    diagnostics,
    everywhere,
    executing,
    folding,
    hierarchy,
    hints,
    hover,
    lenses,
    lifecycle,
    links,
    navigation,
    progress,
    renaming,
    searching,
    selection,
    symbols,
    sync,
    tokens,
    watching,
)
from goldlens.server.lsp.background import Background
from goldlens.server.lsp.client import Client
from goldlens.server.lsp.protocol import Protocol, Stage
from goldlens.server.lsp.refreshing import Refresher
from goldlens.server.lsp.validating import Validation
from goldlens.server.lsp.views import LARGE, View
from goldlens.server.profiles import SUFFIX
from goldlens.server.shared import Shared
from goldlens.server.sources import uri_of
from goldlens.server.watching.interest import Interest
from goldlens.server.workspace import Workspace

FEATURES = {
    **lifecycle.FEATURES,
    **sync.FEATURES,
    **watching.FEATURES,
    **everywhere.FEATURES,
    **hover.FEATURES,
    **navigation.FEATURES,
    **hierarchy.FEATURES,
    **selection.FEATURES,
    **symbols.FEATURES,
    **searching.FEATURES,
    **folding.FEATURES,
    **links.FEATURES,
    **lenses.FEATURES,
    **hints.FEATURES,
    **actions.FEATURES,
    **completion.FEATURES,
    **renaming.FEATURES,
    **tokens.FEATURES,
    **executing.FEATURES,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostics.pull,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: progress.cancelled,
}
"""Every method that is understood, besides exit and $/cancelRequest."""


class GoldlensServer(JsonRPCServer):
    """What there is once for every client: its workspace, its documents, its abilities.

    `shared` is what it shares with other clients. `congested` tells whether the client leaves
    unread what it was sent; `on_parent` is told the process that started the server.
    """

    protocol: Protocol

    def __init__(
        self,
        send: Callable[[bytes], None],
        on_exit: Callable[[int], None],
        shared: Shared,
        congested: Callable[[], bool] = lambda: False,
        on_parent: Callable[[int], None] = lambda process: None,
    ) -> None:
        """`send` takes a whole frame. To be made in the event loop."""
        super().__init__(Protocol, default_converter)
        self.protocol.send, self.protocol.on_exit = send, on_exit
        self.congested, self.on_parent = congested, on_parent
        self.shared, self.turns = shared, shared.turns
        self.workspace = Workspace(library=shared.library)
        self.client = Client()
        self.folders: list[str] = []
        self.views: dict[str, View] = {}
        self.progress: dict[int | str, progress.Progress] = {}
        self.refresher = Refresher(self)
        self.validation = Validation(self)
        self.publisher = diagnostics.Publisher(self)
        self.background = Background(self)
        self.everywhere = everywhere.Everywhere(self)
        shared.join(self)
        for method, handler in FEATURES.items():
            self.feature(method)(handler)

    def leave(self) -> None:
        """The client has gone: it shares nothing any more, and waits for nothing."""
        self.protocol.abandon()
        self.everywhere.end()
        self.refresher.end()
        self.validation.end()
        self.shared.leave(self)
        self.workspace.leave()

    def mark(self, uris: Iterable[str]) -> None:
        """Documents whose problems or scores may have changed; from any thread."""
        self.publisher.mark(uris)

    @property
    def generation(self) -> int:
        """Another number whenever `interest` may be something else."""
        return self.workspace.generation

    def interest(self) -> Interest:
        """The files whose changes matter to the client."""
        return self.workspace.interest()

    def changed(self, paths: list[Path]) -> None:
        """Files have changed on disk."""
        if self.running:
            uris = [uri_of(path) for path in paths]
            # A configuration may have all documents read anew, a profile those scored under it.
            slow = self.has_large() and any(path.suffix == SUFFIX for path in paths)
            self.turns.do(lambda: self.mark(self.workspace.files_changed(uris)), slow=slow)
            if any(path.name in CONFIG_NAMES for path in paths):
                self.turns.do(self.everywhere.refresh)
                self.turns.do(self.validation.look_at_all)

    def rested(self) -> None:
        """Nothing runs on the workspace any more."""
        if self.workspace.has_news:
            # Others have read a gold again.
            self.mark(self.workspace.news())
        self.publisher.wake()
        self.everywhere.wake()
        self.background.wake()

    @property
    def running(self) -> bool:
        """Whether the client may be told things: after initialize and before shutdown."""
        return self.protocol.stage is Stage.RUNNING

    def has_large(self) -> bool:
        """Whether a document is open that takes long to read again."""
        return any(view.size > LARGE for view in self.views.values())

    def show(self, message: str, kind: Literal["Error", "Warning", "Info"]) -> None:
        """Shows the user a message."""
        params = types.ShowMessageParams(type=types.MessageType[kind], message=message)
        self.protocol.notify(types.WINDOW_SHOW_MESSAGE, params)

    def receive(self, body: bytes) -> None:
        """Takes a message from the client."""
        self.protocol.receive(body)
