"""From the lock to the end: one daemon for a root, found by its state file."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.server.daemon import state
from goldlens.server.daemon.daemon import Daemon
from goldlens.server.daemon.listening import Listening
from goldlens.server.daemon.lock import Lock, Taken
from goldlens.server.history import History, folder
from goldlens.server.memory import settle

log = logging.getLogger(__name__)

ENDED: Final = 0
CANNOT: Final = 2
ANOTHER: Final = 3
"""Statuses: ended in order, cannot listen, another daemon lives."""

LOOK: Final = 2.0
"""Seconds between two looks whether the socket is still where clients look for it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Of which root, and where its files go: NAME.sock, NAME.lock and NAME.json in `runtime`."""

    root: Path
    runtime: Path
    name: str
    idle: float | None = None
    tcp: bool = False

    def file(self, suffix: str) -> Path:
        """One of its files."""
        return self.runtime / f"{self.name}.{suffix}"


def run(plan: Plan) -> int:
    """Serves until it ends; returns the exit status."""
    try:
        lock = Lock(plan.file("lock"))
    except Taken:
        log.info("another daemon of %s lives", plan.root)
        return ANOTHER
    except OSError as error:
        log.error("cannot lock %s: %s", plan.file("lock"), error)
        return CANNOT
    settle()
    try:
        asyncio.run(_serve(plan))
    except OSError as error:
        log.error("cannot listen: %s", error)
        return CANNOT
    finally:
        lock.release()
    return ENDED


async def _serve(plan: Plan) -> None:
    loop = asyncio.get_running_loop()
    here: list[Daemon] = []
    listening = Listening(plan.file("sock"), lambda: here[0].peer(), tcp=plan.tcp)
    daemon = Daemon(plan.root, plan.idle, listening.token, History(folder()))
    here.append(daemon)
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, daemon.end, f"it got {number.name}")
    try:
        await listening.open()
        _say(plan, daemon, listening)
        log.info("the daemon of %s listens on %s", plan.root, listening.address)
        daemon.watched.start()
        await _until_ended(plan, daemon, listening)
    finally:
        # First of all it is not to be found any more, by those who wait for its end.
        with contextlib.suppress(OSError):
            plan.file("json").unlink()
        listening.close()
        await daemon.close()


async def _until_ended(plan: Plan, daemon: Daemon, listening: Listening) -> None:
    while not daemon.ended.done():
        await asyncio.wait([daemon.ended], timeout=LOOK)
        if not daemon.ended.done() and (listening.lost or not plan.file("json").exists()):
            log.warning("the socket or the state file was taken away; they are made again")
            listening.close()
            try:
                plan.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
                await listening.open()
                _say(plan, daemon, listening)
            except OSError as error:
                log.error("cannot listen any more: %s", error)
                return
    log.info("the daemon ends: %s", daemon.ended.result())


def _say(plan: Plan, daemon: Daemon, listening: Listening) -> None:
    said = state.State(
        os.getpid(),
        str(daemon.hello()["version"]),
        str(plan.root),
        daemon.started,
        listening.address,
        listening.token,
    )
    state.write(plan.file("json"), said)
