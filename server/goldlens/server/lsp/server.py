"""One client's server: what its features share, and which feature handles which method."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lsprotocol import types
from pygls.protocol import default_converter
from pygls.server import JsonRPCServer

from goldlens.server.lsp import commands, diagnostics, lifecycle, progress, sync, watching
from goldlens.server.lsp.background import Background
from goldlens.server.lsp.client import Client
from goldlens.server.lsp.protocol import Protocol, Stage
from goldlens.server.lsp.turns import Turns
from goldlens.server.lsp.views import LARGE, View
from goldlens.server.workspace import Workspace

FEATURES = {
    **lifecycle.FEATURES,
    **sync.FEATURES,
    **watching.FEATURES,
    types.TEXT_DOCUMENT_DIAGNOSTIC: diagnostics.pull,
    types.WORKSPACE_EXECUTE_COMMAND: commands.execute,
    types.WINDOW_WORK_DONE_PROGRESS_CANCEL: progress.cancelled,
}
"""Every method that is understood, besides exit and $/cancelRequest."""


class GoldlensServer(JsonRPCServer):
    """What there is once for every client: its workspace, its documents, its abilities.

    `congested` tells whether the client leaves unread what it was sent; `on_parent` is told the
    process that started the server.
    """

    protocol: Protocol

    def __init__(
        self,
        send: Callable[[bytes], None],
        on_exit: Callable[[int], None],
        congested: Callable[[], bool] = lambda: False,
        on_parent: Callable[[int], None] = lambda process: None,
    ) -> None:
        """`send` takes a whole frame. To be made in the event loop."""
        super().__init__(Protocol, default_converter)
        self.protocol.send, self.protocol.on_exit = send, on_exit
        self.congested, self.on_parent = congested, on_parent
        self.workspace = Workspace()
        self.client = Client()
        self.folders: list[str] = []
        self.views: dict[str, View] = {}
        self.progress: dict[str, progress.Progress] = {}
        self.publisher = diagnostics.Publisher(self)
        self.background = Background(self)
        self.watching = watching.Watching(self)
        self.turns = Turns(self._rested)
        for method, handler in FEATURES.items():
            self.feature(method)(handler)

    def _rested(self) -> None:
        """Nothing runs on the workspace any more."""
        self.publisher.wake()
        self.background.wake()
        self.watching.refresh()

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
