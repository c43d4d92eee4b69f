"""The server over stdio, for the editor that started it, or over TCP, for any number of them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from typing import Final

from goldlens.server.lsp import logs
from goldlens.server.lsp.connection import Connection
from goldlens.server.lsp.ends import Both
from goldlens.server.lsp.pipes import connect, take_stdio
from goldlens.server.memory import settle
from goldlens.server.shared import Shared

LAST_BYTES: Final = 0.5
"""Seconds that a client has to read the last of what it was sent."""

INTERRUPTED: Final = 130


def serve_stdio(level: str | None = None) -> int:
    """Serves one client on stdin and stdout until it leaves; returns the exit status.

    `level` is the log's. The process has to end after it: where work is still under way in a
    thread, this ends it itself.
    """
    return serve_descriptors(*take_stdio(), level)


def serve_descriptors(source: int, sink: int, level: str | None = None, said: bytes = b"") -> int:
    """Like `serve_stdio`, on two descriptors. `said`: what was read of the source already."""
    log = logs.start(level)
    settle()
    try:
        status, busy = asyncio.run(_stdio(source, sink, said))
    except KeyboardInterrupt:
        status, busy = INTERRUPTED, False
    log.finish()
    if busy:
        # Nothing else stops a thread, and a Python that ends while one runs may crash.
        os._exit(status)
    return status


async def _stdio(source: int, sink: int, said: bytes) -> tuple[int, bool]:
    connection = Connection(Shared(), watch_parent=True)
    await connect(connection, source, sink, said)
    status = await connection.ended
    await asyncio.wait([connection.flushed], timeout=LAST_BYTES)
    return status, connection.server.turns.working


def serve_tcp(host: str, port: int, level: str | None = None) -> int:
    """Serves all that connect, until it is told to stop; returns the exit status.

    The address is said on stderr; port 0 means any that is free.
    """
    log = logs.start(level)
    settle()
    try:
        asyncio.run(_tcp(host, port))
        status = 0
    except OSError as error:
        print(f"goldlens: cannot listen on {host}:{port}: {error.strerror}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        status = 0
    log.finish()
    return status


async def _tcp(host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows
        loop.add_signal_handler(signal.SIGTERM, stop.set)
    shared = Shared()
    server = await loop.create_server(
        lambda: Both(Connection(shared, watch_parent=False)), host, port
    )
    for sock in server.sockets:
        name, number = sock.getsockname()[:2]
        print(f"goldlens: listening on {name}:{number}", file=sys.stderr, flush=True)
    async with server:
        await stop.wait()
