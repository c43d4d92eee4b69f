"""Where a daemon can be found: the file that says so, for as long as it listens."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class State:
    """What is said of a daemon.

    `address` is `unix:PATH` or `tcp:HOST:PORT`; over TCP a client has to know the `token`.
    `started` is ISO 8601. `arguments` are those it was started with, besides its place.
    """

    pid: int
    version: str
    root: str
    started: str
    address: str
    token: str | None
    arguments: tuple[str, ...] = ()


def write(path: Path, state: State) -> None:
    """Says it, to nobody but the user. Raises OSError."""
    new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(state), file)
        new.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink()
        raise
