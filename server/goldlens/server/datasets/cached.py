"""Where data sets lie on this machine, and whether what lies there is what was registered.

A copy counts only if its bytes have the registered SHA-256. They are hashed whenever the file has
changed by its stamp, so that asking again costs one look at the disk.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Final

from platformdirs import user_cache_path

from goldlens.server.datasets.registry import Entry, no_gold, shipped, unknown
from goldlens.server.sources import Stamp, stamp

FOLDER: Final = "GOLDLENS_DATA_DIR"
"""The environment variable that names the folder of data sets."""

_BUILDING: Final = ".fetching-"
_ABANDONED: Final = 24 * 3600
"""Seconds after which a folder in which a file was being built has lost its builder."""


class DataError(Exception):
    """A data set cannot be had. `str` says why and what to do, without the name."""


class State(StrEnum):
    """What is in the cache of a data set."""

    CACHED = "cached"
    """The right bytes."""
    ABSENT = "absent"
    """Nothing."""
    DAMAGED = "damaged"
    """Other bytes than those registered."""


def folder() -> Path:
    """The folder of data sets, which need not be there."""
    named = os.environ.get(FOLDER, "")
    if named:
        return Path(named).absolute()
    return user_cache_path("goldlens", appauthor=False) / "data"


def place(entry: Entry) -> Path:
    """Where a data set lies, or would lie. The bytes name the place, whoever gave them the name."""
    return folder() / f"{entry.name}-{entry.sha256[:12]}" / entry.file


def state(entry: Entry) -> State:
    """What is in the cache of a data set, by its bytes."""
    path = place(entry)
    now = stamp(path)
    if now is None or not path.is_file():
        return State.ABSENT
    return State.CACHED if _digest(path, now) == entry.sha256 else State.DAMAGED


def path_of(name: str) -> Path | None:
    """The path of a shipped data set; None if no right copy is in the cache.

    Raises KeyError for a name that is not shipped.
    """
    entry = shipped()[name]
    return place(entry) if state(entry) is State.CACHED else None


def trouble(entry: Entry) -> str | None:
    """Why a data set cannot be read now, and what to do about it; None if it is there."""
    match state(entry):
        case State.CACHED:
            return None
        case State.ABSENT:
            return f"“{entry.name}” is not on this machine; run “goldlens data fetch {entry.name}”"
        case State.DAMAGED:
            return (
                f"the copy of “{entry.name}” is damaged ({place(entry)}); "
                f"run “goldlens data fetch {entry.name}”, which replaces it"
            )


def gold(name: str, known: Mapping[str, Entry]) -> Path:
    """The path of the gold that a name stands for. Raises DataError if it cannot be read."""
    entry = known.get(name)
    said = unknown(name, known) if entry is None else no_gold(entry) or trouble(entry)
    if entry is None or said is not None:
        raise DataError(said)
    return place(entry)


def take(entry: Entry, source: BinaryIO) -> Path:
    """Copies a data set from an open file into the cache; gives its path. Raises DataError.

    Other bytes than those registered are refused, and nothing of them is kept.
    """
    with building() as room:
        copy = room / entry.file
        try:
            with copy.open("wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
        except OSError as error:
            raise DataError(_why(error)) from error
        return keep(entry, copy)


def keep(entry: Entry, path: Path) -> Path:
    """Moves a file from a `building` room into its place. Raises DataError.

    Whoever looks sees the whole file or what was there before, and of several who do this at once
    any may be last.
    """
    target = place(entry)
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != entry.sha256:
            raise DataError(
                f"other bytes than those registered (SHA-256 {found[:12]}… instead of "
                f"{entry.sha256[:12]}…), so nothing was kept; find the file of this very version"
            )
        target.parent.mkdir(exist_ok=True)
        if os.name == "posix":
            # It is nobody's to edit.
            path.chmod(0o444)
        path.replace(target)
    except OSError as error:
        raise DataError(_why(error)) from error
    return target


@contextmanager
def building() -> Iterator[Path]:
    """A folder beside the data sets in which a file may be built; gone afterwards.

    Raises DataError.
    """
    try:
        home = folder()
        # The folder above may hold what only its owner may write.
        home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        home.mkdir(mode=0o700, exist_ok=True)
        _sweep(home)
        room = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=home))
    except OSError as error:
        raise DataError(_why(error)) from error
    try:
        yield room
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _sweep(home: Path) -> None:
    """Removes the rooms of those who were killed."""
    for room in home.glob(f"{_BUILDING}*"):
        with contextlib.suppress(OSError):
            if time.time() - room.lstat().st_mtime > _ABANDONED:
                shutil.rmtree(room, ignore_errors=True)


def _why(error: OSError) -> str:
    why = os.strerror(error.errno) if error.errno else str(error)
    return f"{folder()} cannot be written: {why}; make room there, or name another in {FOLDER}"


@lru_cache(maxsize=256)
def _digest(path: Path, now: Stamp) -> str:
    """The SHA-256 of a file that has a stamp; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
