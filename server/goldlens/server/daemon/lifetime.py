"""From the lock to the end: one daemon for a root, found by its state file."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.server.daemon import state
from goldlens.server.daemon.daemon import Daemon
from goldlens.server.daemon.listening import Listening
from goldlens.server.daemon.lock import Lock, Taken
from goldlens.server.history import Notes, folder
from goldlens.server.memory import settle

log = logging.getLogger(__name__)

ENDED: Final = 0
CANNOT: Final = 2
ANOTHER: Final = 3
"""Statuses: ended in order, cannot listen, another daemon lives."""

LOOK: Final = 1.0
"""Seconds between two looks whether the socket is still where clients look for it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Of which root, and where its files go: NAME.sock, NAME.lock and NAME.json in `runtime`.

    `idle` and `patience`: see `Daemon`. `tcp`: not on a Unix socket, even where that could be.
    """

    root: Path
    runtime: Path
    name: str
    idle: float | None
    patience: float
    tcp: bool
    arguments: tuple[str, ...] = ()

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
        return _cannot(f"lock {plan.file('lock')}", error)
    with contextlib.suppress(OSError):
        # Of one that is dead: nobody is to take it for ours.
        plan.file("json").unlink()
    settle()
    life = _Life(plan, lock)
    try:
        asyncio.run(life.live())
    except OSError as error:
        return _cannot("listen", error)
    finally:
        life.lock.release()
    return ENDED


def _cannot(what: str, error: OSError) -> int:
    log.error("cannot %s: %s", what, error)
    # Where whoever started it looks first.
    print(f"goldlens: cannot {what}: {error}", file=sys.stderr)
    return CANNOT


class _Life:
    """A daemon that can be found where `plan` says, for as long as it has the lock."""

    def __init__(self, plan: Plan, lock: Lock) -> None:
        self.lock = lock
        self._plan = plan

    async def live(self) -> None:
        """From listening to the end. Raises OSError if it cannot listen to begin with."""
        loop, plan = asyncio.get_running_loop(), self._plan
        here: list[Daemon] = []
        listening = Listening(plan.file("sock"), lambda: here[0].peer(), tcp=plan.tcp)
        daemon = Daemon(plan.root, plan.idle, plan.patience, listening.token, Notes(folder()))
        here.append(daemon)
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, daemon.end, f"it got {number.name}")
        try:
            await listening.open()
            _say(plan, daemon, listening)
            log.info("the daemon of %s listens on %s", plan.root, listening.address)
            daemon.watched.start()
            await self._until_ended(daemon, listening)
        finally:
            # First of all it is not to be found any more, by those who wait for its end. What is
            # found at its place without its lock is another's.
            if not self.lock.lost:
                with contextlib.suppress(OSError):
                    plan.file("json").unlink()
            listening.close()
            await daemon.close()

    async def _until_ended(self, daemon: Daemon, listening: Listening) -> None:
        trouble = ""
        while not daemon.ended.done():
            await asyncio.wait([daemon.ended], timeout=LOOK)
            if daemon.ended.done() or not self._missing(listening):
                continue
            if not trouble:
                log.warning("the socket or the state file was taken away; they are made again")
            try:
                await self._come_back(daemon, listening)
                trouble = ""
            except Taken:
                daemon.end("another daemon has taken its place")
            except OSError as error:
                # Those who are connected are served all the same, and it may pass.
                if str(error) != trouble:
                    trouble = str(error)
                    log.error("cannot listen any more, and tries again: %s", error)
        log.info("the daemon ends: %s", daemon.ended.result())

    def _missing(self, listening: Listening) -> bool:
        return self.lock.lost or listening.lost or not self._plan.file("json").exists()

    async def _come_back(self, daemon: Daemon, listening: Listening) -> None:
        """Makes all files again that are to be found. Raises Taken, OSError."""
        plan = self._plan
        plan.runtime.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.lock.lost:
            lost, self.lock = self.lock, Lock(plan.file("lock"))
            lost.release()
        listening.close()
        await listening.open()
        _say(plan, daemon, listening)


def _say(plan: Plan, daemon: Daemon, listening: Listening) -> None:
    said = state.State(
        os.getpid(),
        str(daemon.hello()["version"]),
        str(plan.root),
        daemon.started,
        listening.address,
        listening.token,
        plan.arguments,
    )
    state.write(plan.file("json"), said)
