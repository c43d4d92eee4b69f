"""Connections that have ended, and whose last bytes nobody reads, are closed all the same."""

from __future__ import annotations

import asyncio

from goldlens.server.daemon.daemon import Daemon as Host
from goldlens.server.lsp.connection import Connection
from goldlens.server.shared import Shared
from tests.daemon.conftest import Work
from tests.daemon.session import HELLO, WAIT, Unheard

PATIENCE = 0.05


async def test_of_callers(work: Work) -> None:
    peer, end = Host(work.folder, None, PATIENCE, None, None).peer(), Unheard()
    peer.connection_made(end)
    peer.data_received(HELLO + b"\xc1")
    assert end.closed
    assert not end.aborted.is_set()
    await asyncio.wait_for(end.aborted.wait(), WAIT)


async def test_of_editors() -> None:
    end = Unheard()
    connection = Connection(Shared(), watch_parent=False, patience=PATIENCE)
    connection.source = connection.sink = end
    connection.received(b"no header\r\n")
    assert end.closed
    assert not end.aborted.is_set()
    await asyncio.wait_for(end.aborted.wait(), WAIT)


async def test_of_who_reads_them_nothing_is_cut_off(work: Work) -> None:
    peer, end = Host(work.folder, None, PATIENCE, None, None).peer(), Unheard()
    peer.connection_made(end)
    peer.data_received(HELLO + b"\xc1")
    peer.connection_lost(None)
    await asyncio.sleep(4 * PATIENCE)
    assert not end.aborted.is_set()
