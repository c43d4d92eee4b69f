"""The socket on which a daemon is reached."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

BACKLOG: Final = 100

LONGEST: Final = 107 if sys.platform == "linux" else 103
"""The longest path of a Unix socket, in bytes."""


class Listening:
    """A Unix socket at a path, or loopback TCP, for which a client needs `token`."""

    def __init__(self, path: Path, make: Callable[[], asyncio.Protocol], *, tcp: bool) -> None:
        """`make` makes what speaks with a client that has come."""
        self._path, self._make = path, make
        fits = len(os.fsencode(path)) <= LONGEST
        self.tcp = tcp or not fits or not hasattr(socket, "AF_UNIX")
        self.token = secrets.token_hex(32) if self.tcp else None
        self.address = ""
        self._server: asyncio.Server | None = None
        self._inode: int | None = None

    async def open(self) -> None:
        """Begins to listen. Raises OSError."""
        loop = asyncio.get_running_loop()
        if self.tcp:
            self._server = await loop.create_server(self._accept, "127.0.0.1", 0, backlog=BACKLOG)
            self.address = f"tcp:127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
            return
        # Whoever has the lock may: a socket that is there belongs to nobody any more.
        self._path.unlink(missing_ok=True)
        sock = socket.socket(socket.AF_UNIX)
        before = os.umask(0o177)
        try:
            sock.bind(str(self._path))
        except OSError:
            sock.close()
            raise
        finally:
            os.umask(before)
        self._inode = self._path.stat().st_ino
        self._server = await loop.create_unix_server(self._accept, sock=sock, backlog=BACKLOG)
        self.address = f"unix:{self._path}"

    @property
    def lost(self) -> bool:
        """Whether nobody can come any more, since the socket was taken away."""
        if self.tcp:
            return False
        try:
            return self._path.stat().st_ino != self._inode
        except OSError:
            return True

    def close(self) -> None:
        """Listens no more."""
        if self._server is not None:
            self._server.close()
            self._server = None
        if not self.tcp and not self.lost:
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _accept(self) -> asyncio.Protocol:
        return _Door(self._make)


class _Door(asyncio.Protocol):
    """Looks who it is, and lets nobody in but the user the daemon belongs to."""

    def __init__(self, make: Callable[[], asyncio.Protocol]) -> None:
        self._make = make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has come."""
        assert isinstance(transport, asyncio.Transport)
        user = _user_of(transport.get_extra_info("socket"))
        if user is not None and user != os.geteuid():
            log.warning("user %d was refused", user)
            transport.abort()
            return
        protocol = self._make()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)


def _user_of(sock: socket.socket) -> int | None:
    """The user at the other end of a Unix socket; None where the system does not tell."""
    if sys.platform != "linux" or sock.family != socket.AF_UNIX:
        return None
    size = struct.calcsize("3i")
    found = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    user: int = struct.unpack("3i", found)[1]
    return user
