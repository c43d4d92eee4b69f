"""`goldlens lsp` where there is or may be a daemon: joined to it, or without it after all."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Final

from goldlens.cli.forwarding.first import first_message, folders
from goldlens.cli.forwarding.home import Home, home_of
from goldlens.cli.forwarding.relay import Relay
from goldlens.client.errors import UnsafePlace
from goldlens.server.lsp import logs
from goldlens.server.lsp.pipes import connect, take_stdio

LAST_BYTES: Final = 0.5
"""Seconds that an editor has to read the last of what it was sent."""

INTERRUPTED: Final = 130


def serve(*, start: bool, level: str | None = None) -> int:
    """Serves one editor on stdin and stdout until it leaves; returns the exit status.

    `start`: a daemon is started if none serves the editor's workspace. `level` is the log's.
    """
    source, sink = take_stdio()
    said, first = first_message(source)
    home = None
    if first is not None and (found := folders(first)):
        try:
            home = home_of(found, start=start)
        except UnsafePlace as error:
            print(f"goldlens: {error}", file=sys.stderr)
    if home is None:
        from goldlens.server.lsp.serving import serve_descriptors

        return serve_descriptors(source, sink, level, said)
    return _relay(home, source, sink, said, level)


def _relay(home: Home, source: int, sink: int, said: bytes, level: str | None) -> int:
    log = logs.start(level)
    try:
        status, busy = asyncio.run(_relayed(home, source, sink, said))
    except KeyboardInterrupt:
        status, busy = INTERRUPTED, False
    log.finish()
    if busy:
        # Nothing else stops a thread, and a Python that ends while one runs may crash.
        os._exit(status)
    return status


async def _relayed(home: Home, source: int, sink: int, said: bytes) -> tuple[int, bool]:
    relay = Relay(home)
    await connect(relay, source, sink, said)
    status = await relay.ended
    await asyncio.wait([relay.flushed], timeout=LAST_BYTES)
    return status, relay.working
