"""What the daemon is to those who speak MessagePack-RPC with it, and what a call comes from."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from goldlens.server.shared import Shared
from goldlens.server.turns import Turns
from goldlens.server.watched import Watched
from goldlens.server.workspace import Workspace

if TYPE_CHECKING:
    from goldlens.server.rpc.peer import Peer


class Host(Protocol):
    """The daemon, as far as its peers have to do with it."""

    root: Path
    shared: Shared
    watched: Watched
    token: str | None
    patience: float
    """Seconds after which a client is cut off that reads nothing of what waits for it."""

    def hello(self) -> Mapping[str, object]:
        """Who the daemon is."""

    def status(self) -> Mapping[str, object]:
        """How it is."""

    def came(self, peer: Peer) -> None:
        """A peer has said hello."""

    def went(self, peer: Peer) -> None:
        """A peer is gone."""

    def end(self, why: str) -> None:
        """Ends the daemon, soon."""

    def speak_lsp(self, transport: asyncio.Transport) -> None:
        """From now on the client at the other end is an editor."""


@dataclass(slots=True, eq=False)
class Caller:
    """The workspace of a peer: it has nothing open, and reads from the disk."""

    workspace: Workspace
    turns: Turns
    by_hand: set[str] = field(default_factory=set)

    def mark(self, uris: Iterable[str]) -> None:
        """Nothing is open, so that nothing is shown."""

    def has_large(self) -> bool:
        """Nothing is open."""
        return False

    def told(self, drawn: int, of: int) -> None:
        """Programs wait for their rows without being told."""
