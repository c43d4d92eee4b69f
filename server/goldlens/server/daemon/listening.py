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

MOST: Final = 512
"""So many connections there may be at once; on others it hangs up. Each is an open file."""

FILES: Final = 4096
"""So many files the process may have open, if the system lets it: connections, and what is watched.
"""

LONGEST: Final = 107 if sys.platform == "linux" else 103
"""The longest path of a Unix socket, in bytes."""


class Listening:
    """A Unix socket at a path, or loopback TCP, for which a client needs `token`."""

    def __init__(
        self, path: Path, make: Callable[[], asyncio.Protocol], *, tcp: bool, most: int = MOST
    ) -> None:
        """`make` makes what speaks with a client that has come; there are at most `most`."""
        self._path, self._make, self._most = path, make, most
        self._connected: list[asyncio.Transport] = []
        self._full = False
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
        return _Door(self._let_in)

    def _let_in(self, transport: asyncio.Transport) -> None:
        user = _user_of(transport.get_extra_info("socket"))
        if user is not None and user != os.geteuid():
            log.warning("user %d was refused", user)
            transport.abort()
            return
        self._connected = [other for other in self._connected if not other.is_closing()]
        if len(self._connected) >= self._most:
            if not self._full:
                log.warning("there are %d connections, and no more are taken", self._most)
            self._full = True
            transport.abort()
            return
        self._full = False
        self._connected.append(transport)
        protocol = self._make()
        transport.set_protocol(protocol)
        protocol.connection_made(transport)


class _Door(asyncio.Protocol):
    """What somebody comes to who may be let in."""

    def __init__(self, let_in: Callable[[asyncio.Transport], None]) -> None:
        self._let_in = let_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has come."""
        assert isinstance(transport, asyncio.Transport)
        self._let_in(transport)


def make_room() -> None:
    """Lets the process have more open files than it may to begin with."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _user_of(sock: socket.socket) -> int | None:
    """The user at the other end of a Unix socket; None where the system does not tell."""
    if sys.platform != "linux" or sock.family != socket.AF_UNIX:
        return None
    size = struct.calcsize("3i")
    found = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    user: int = struct.unpack("3i", found)[1]
    return user
