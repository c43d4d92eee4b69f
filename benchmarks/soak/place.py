"""A workspace in a folder of its own, with a daemon that nobody else knows."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.client import Client, connect
from goldlens.client.place import Place, place_of

SHOWN: Final = 5
"""So many places where something is wrong are listed."""


class Failed(Exception):
    """A demand is not met. `str` says which, and what was there instead."""


def listed(what: str, found: Sequence[str]) -> str:
    """What is wrong, and the first of the places where it is."""
    more = f"\n  and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return f"{what}:" + "".join(f"\n  {each}" for each in found[:SHOWN]) + more


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder for everything: `work` is the workspace that is served."""

    folder: Path

    @property
    def work(self) -> Path:
        """The workspace."""
        return self.folder / "work"

    @property
    def histories(self) -> Path:
        """Where the daemon keeps what was scored."""
        return self.folder / "state" / "goldlens" / "history"

    @property
    def cache(self) -> Path:
        """Where the daemon keeps what it has computed."""
        return self.folder / "cache"

    @property
    def place(self) -> Place:
        """The daemon's own files."""
        return place_of(self.work)

    def connect(self) -> Client:
        """A client of the daemon, which is started if there is none. Raises ClientError."""
        return connect(self.work, start=True)

    def processes(self, mark: str = "") -> list[int]:
        """Living processes with the folder and a mark in their command line.

        None at all where the system has no /proc.
        """
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                line = (entry / "cmdline").read_bytes()
                if os.fsencode(self.folder) in line and mark.encode() in line:
                    found.append(int(entry.name))
        return found

    def daemons(self) -> list[int]:
        """The processes that are a daemon of the workspace, or about to become one."""
        return self.processes("goldlens.server.daemon")

    def orphans(self, wait: float = 10.0) -> list[int]:
        """Processes that are there still though all were told to end, some time ago."""
        until = time.monotonic() + wait
        while (left := self.processes()) and time.monotonic() < until:
            time.sleep(0.05)
        return left


@contextmanager
def ground() -> Iterator[Ground]:
    """A ground that is taken away again, with whatever runs on it.

    The environment of this process leads to it meanwhile, so that daemons, histories and caches
    of the user are out of reach.
    """
    # Short, for a socket has to fit; and on its own, for what is beside a workspace is watched.
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="soak-")))
    made = Ground(folder)
    made.work.mkdir()
    ours = {
        "GOLDLENS_RUNTIME_DIR": folder / "run",
        "GOLDLENS_LOG_DIR": folder / "log",
        "GOLDLENS_CACHE": "on",
        "GOLDLENS_CACHE_DIR": made.cache,
        "XDG_STATE_HOME": folder / "state",
        "XDG_CACHE_HOME": folder / "user-cache",
    }
    before = {name: os.environ.get(name) for name in ours}
    os.environ.update({name: str(path) for name, path in ours.items()})
    try:
        yield made
    finally:
        for process in made.processes():
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        made.orphans()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        shutil.rmtree(folder, ignore_errors=True)
