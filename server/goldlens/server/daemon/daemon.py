"""The daemon: who is connected, what they share, and when it ends."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from goldlens.server.history import Notes
from goldlens.server.lsp.connection import Connection
from goldlens.server.lsp.ends import Both
from goldlens.server.rpc.peer import Peer
from goldlens.server.shared import Shared
from goldlens.server.watched import Watched

log = logging.getLogger(__name__)

VERSION: Final = version("goldlens")
"""Of what runs here: it stays when another version is installed over it."""

PROTOCOL: Final = 1

LAST_BYTES: Final = 0.5
"""Seconds that clients have, at the end, to read the last of what they were sent."""


class Daemon:
    """What serves the clients of one workspace (a `Host`). To be made in the event loop."""

    def __init__(
        self,
        root: Path,
        idle: float | None,
        patience: float,
        token: str | None,
        history: Notes | None,
    ) -> None:
        """`idle`: seconds without any client after which it ends; None: never. `patience`: seconds
        after which a client is cut off that reads nothing of what waits for it.
        """
        self._loop = asyncio.get_running_loop()
        self.root, self.token, self.idle, self.patience = root, token, idle, patience
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self.shared = Shared()
        self.watched = Watched(root, self.shared, history)
        self.shared.share(self.watched)
        self.ended: asyncio.Future[str] = self._loop.create_future()
        self._peers: set[Peer] = set()
        self._editors: set[Connection] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._nobody()

    def peer(self) -> Peer:
        """What speaks with a client that has come."""
        return Peer(self)

    def hello(self) -> Mapping[str, object]:
        """Who the daemon is."""
        return {
            "version": VERSION,
            "pid": os.getpid(),
            "root": str(self.root),
            "protocol": PROTOCOL,
        }

    def status(self) -> Mapping[str, object]:
        """How it is."""
        return {
            **self.hello(),
            "started": self.started,
            "connections": len(self._peers) + len(self._editors),
            "editors": len(self._editors),
            "watched": len(self.watched.systems.all),
            "memory": _resident(),
            "idle": self.idle,
            "config_trouble": self.watched.systems.trouble,
        }

    def came(self, peer: Peer) -> None:
        """A peer has said hello."""
        self._peers.add(peer)
        self._stop_timer()

    def went(self, peer: Peer) -> None:
        """A peer is gone."""
        self._peers.discard(peer)
        self._nobody()

    def speak_lsp(self, transport: asyncio.Transport) -> None:
        """From now on the client at the other end is an editor."""
        editor = Connection(self.shared, watch_parent=False, patience=self.patience)
        self._editors.add(editor)
        self._stop_timer()
        editor.ended.add_done_callback(lambda _: self._left(editor))
        protocol = Both(editor)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        transport.resume_reading()

    def _left(self, editor: Connection) -> None:
        self._editors.discard(editor)
        self._nobody()

    def _nobody(self) -> None:
        """Ends in a while, if nobody is there and nobody comes."""
        self._stop_timer()
        if self.idle is not None and not self._peers and not self._editors:
            self._timer = self._loop.call_later(
                self.idle, self.end, f"nobody was there for {self.idle:g} seconds"
            )

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self, why: str) -> None:
        """Ends, soon."""
        if not self.ended.done():
            self.ended.set_result(why)

    async def close(self) -> None:
        """Ends all connections; the last bytes have a moment to go out."""
        self._stop_timer()
        self.watched.stop()
        flushed = [editor.flushed for editor in self._editors]
        for editor in list(self._editors):
            editor.end(0)
        for peer in list(self._peers):
            peer.close()
        if flushed:
            await asyncio.wait(flushed, timeout=LAST_BYTES)
        else:
            # An answer to the call that ended it is on its way.
            await asyncio.sleep(LAST_BYTES / 10)


def _resident() -> int | None:
    """The resident memory of this process in bytes; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None
