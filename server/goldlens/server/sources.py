"""Files on disk: read, told apart from what they were, and refused with a clear word."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from goldlens.scoring.text import not_text

LONGEST: Final = 3 * 4096
"""No path has a URI of more characters: percent-encoded, by the byte."""

_DRIVE: Final = re.compile(r"/?([A-Za-z]):")


class Unreadable(Exception):
    """A file cannot be read as text. `str` says why and what to do, without the path."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What changes when a file changes: a cheap look before reading it again."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file, links followed; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def size_of(path: Path | None) -> int:
    """The size of a file in bytes, 0 if there is none."""
    try:
        return path.stat().st_size if path is not None else 0
    except (OSError, ValueError):
        return 0


class NoFile(OSError):
    """What is there is a pipe or a device."""


def refuse_streams(path: Path) -> None:
    """Raises NoFile for a pipe or a device, and OSError if nothing can be said of the path.

    A server opens files only: a pipe would have everybody wait until somebody writes to it, and a
    device may never end.
    """
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise NoFile(path)


def read(path: Path, *, any_kind: bool = False) -> bytes:
    """The bytes of a text file, or of `any_kind` of what can be read. Raises Unreadable."""
    try:
        if not any_kind:
            refuse_streams(path)
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(why_not(path, error)) from error
    if trouble := not_text(data):
        raise Unreadable(trouble)
    return data


def why_not(path: Path, error: OSError) -> str:
    """Why a file could not be read, for people."""
    if isinstance(error, NoFile):
        return "this is a pipe or a device, not a file; name a file"
    if isinstance(error, FileNotFoundError):
        return "there is no such file; check the path"
    if isinstance(error, IsADirectoryError) or os.path.isdir(path):  # noqa: PTH112, never raises
        return "this is a folder, not a file; name a file in it"
    if isinstance(error, PermissionError):
        return "no permission to read the file; change its mode or run as its owner"
    return f"the file cannot be read: {os.strerror(error.errno) if error.errno else error}"


def sha256(data: bytes) -> str:
    """The SHA-256 of some bytes, in hex."""
    return hashlib.sha256(data).hexdigest()


def path_of(uri: str) -> Path | None:
    """The path a file URI names, percent-decoded once; None for other schemes, and for what can
    be no path.
    """
    # What is longer is not even remembered.
    return _path_of(uri) if len(uri) <= LONGEST else None


@lru_cache(maxsize=1024)
def _path_of(uri: str) -> Path | None:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme and parts.scheme != "file":
        return None
    # A name need not be UTF-8; and a path that is no URI stands for itself.
    path = unquote(parts.path, errors="surrogateescape") if parts.scheme else uri
    if "\0" in path:
        return None
    if parts.scheme and (found := _DRIVE.match(path)):
        path = f"{found[1].lower()}:{path[found.end() :]}"
    elif parts.netloc and parts.netloc != "localhost":
        path = f"//{parts.netloc}{path}"
    return Path(os.path.normpath(path))


def key_of(uri: str) -> str:
    """What documents are known by: one key for every spelling of a URI. Links stay."""
    return _key_of(uri) if len(uri) <= LONGEST else uri


@lru_cache(maxsize=1024)
def _key_of(uri: str) -> str:
    path = path_of(uri)
    return unquote(uri, errors="surrogateescape") if path is None else str(path)


def uri_of(path: Path) -> str:
    """A file URI of an absolute path."""
    # By its bytes: a file's name need not be UTF-8.
    name = os.fsencode(path.as_posix())
    return f"file://{quote(name if name.startswith(b'/') else b'/' + name)}"
