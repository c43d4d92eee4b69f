"""workspace/executeCommand: the commands of everybody, and those that change an editor's text.

A command that draws tells the display for which the client gave a token how it gets on; it ends
when that display, or the request, is cancelled.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server import commands
from goldlens.server.arguments import table, text
from goldlens.server.commands import Command
from goldlens.server.lsp import inserting, rewording
from goldlens.server.lsp.progress import Progress
from goldlens.server.turns import Turns
from goldlens.server.workspace import Workspace

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer


@dataclass(slots=True, eq=False)
class Request:
    """One call of a command by an editor, as the caller that commands know."""

    ls: GoldlensServer
    progress: Progress | None = None

    @property
    def workspace(self) -> Workspace:
        """The editor's workspace."""
        return self.ls.workspace

    @property
    def turns(self) -> Turns:
        """The turns that all have."""
        return self.ls.turns

    def mark(self, uris: Iterable[str]) -> None:
        """Documents whose problems or scores may have changed; from any thread."""
        self.ls.mark(uris)

    def has_large(self) -> bool:
        """Whether a document is open that takes long to read again."""
        return self.ls.has_large()

    def told(self, drawn: int, of: int) -> None:
        """How a draw gets on; from any thread."""
        if self.progress is not None:
            self.progress.told(drawn, of)


COMMANDS: Final[dict[str, Command[Request]]] = {
    **commands.COMMANDS,
    **inserting.COMMANDS,
    **rewording.COMMANDS,
}
"""The commands of an editor."""

_TITLES: Final = {
    "goldlens.rows": "Making results rows",
    "goldlens.insertRows": "Making results rows",
    "goldlens.compare": "Comparing",
    "goldlens.analyze": "Analysing",
    "goldlens.report": "Making a report",
    "goldlens.receipt": "Making a receipt",
}
"""What is said of commands that may take long."""


def execute(ls: GoldlensServer, params: Any) -> asyncio.Future[Any]:
    """Runs a command. Raises WrongCall."""
    given = table(params, "params")
    name = text(given.get("command"), "command")
    request = Request(ls)
    future = commands.execute(request, name, given.get("arguments"), COMMANDS)
    token = given.get("workDoneToken")

    def cancel() -> None:
        future.cancel()

    if name in _TITLES and type(token) in (int, str) and not future.done():
        progress = Progress(ls, _TITLES[name], cancel, token)
        request.progress = progress
        progress.start()
        future.add_done_callback(lambda _: progress.end())
    return future


FEATURES: Final = {types.WORKSPACE_EXECUTE_COMMAND: execute}
"""Each method and what handles it."""
