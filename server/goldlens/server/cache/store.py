"""Entries on disk: a file each, found by a key, checked when read, and forgotten when too many.

Nothing here raises for what is wrong on the disk. An entry that is damaged, cut off, written by
another user or by another program is as good as none, and one that cannot be written is not kept;
the log says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import secrets
import stat
import time
from pathlib import Path
from typing import Any, Final

import msgpack

LIMIT: Final = 512 << 20
"""How many bytes a store may hold, unless told otherwise."""

_MARK: Final = b"goldlens cache\n"
_CHECKSUM: Final = 32
_SUFFIX: Final = ".entry"
_TEMPORARY: Final = ".tmp-"
_ABANDONED: Final = 3600
"""Seconds after which a temporary file has lost its writer."""
_LARGEST: Final = 4
"""One entry may fill a quarter of the store: more would throw out all others."""

log = logging.getLogger(__name__)


class Store:
    """A folder of entries, shared by any number of processes of one user.

    An entry is a value that MessagePack can hold: numbers, strings, bytes, lists, dictionaries.
    """

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        """At most `limit` bytes are kept; what has not been used for longest goes first."""
        self.folder, self._limit = folder, limit

    def get(self, key: str) -> Any:
        """The value of a key; None if there is none that can be trusted."""
        path = self._path(key)
        try:
            data = self._read(path)
            if data is None:
                return None
            value = _opened(key, data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            log.info("cache: %s is of no use, so it is computed again: %s", path, error)
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return value

    def put(self, key: str, value: Any) -> None:
        """Keeps a value, if there is room and leave; a value that is there is replaced whole."""
        data = _sealed(key, value)
        if len(data) * _LARGEST > self._limit:
            log.info("cache: an entry of %d bytes is too large to keep", len(data))
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._is_ours():
                self._write(self._path(key), data)
                self._trim()
        except OSError as error:
            log.info("cache: nothing is kept in %s: %s", self.folder, error)

    def _path(self, key: str) -> Path:
        return self.folder / (_checksum(key, b"").hex() + _SUFFIX)

    def _read(self, path: Path) -> bytes | None:
        """The bytes of an entry; None if somebody else may have written it. Raises OSError."""
        if not self._is_ours():
            return None
        # A link or a pipe is no entry of ours, and must not be followed or waited for.
        flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | flags)
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode) or not _owns(found) or found.st_size > self._limit:
                log.info("cache: %s is not ours, so it is not read", path)
                return None
            return file.read()

    def _is_ours(self) -> bool:
        """Whether the folder is one that nobody else can write to. Raises OSError."""
        found = self.folder.lstat()
        shared = os.name == "posix" and found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if stat.S_ISDIR(found.st_mode) and _owns(found) and not shared:
            return True
        log.info("cache: %s is not a folder of ours alone, so it is not used", self.folder)
        return False

    def _write(self, path: Path, data: bytes) -> None:
        """Puts a whole file in the place of another. Raises OSError."""
        temporary = self.folder / f"{_TEMPORARY}{os.getpid()}-{secrets.token_hex(8)}"
        try:
            descriptor = os.open(
                temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600
            )
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise

    def _trim(self) -> None:
        """Forgets what has not been used for longest. Raises OSError.

        Another process may be doing the same: a file that is gone already is gone.
        """
        entries: list[tuple[int, int, Path]] = []
        for path in self.folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                found = path.lstat()
                if path.name.startswith(_TEMPORARY) and time.time() - found.st_mtime > _ABANDONED:
                    path.unlink()
                elif path.name.endswith(_SUFFIX):
                    entries.append((found.st_mtime_ns, found.st_size, path))
        total = sum(size for _, size, _ in entries)
        for _, size, path in sorted(entries):
            if total <= self._limit:
                return
            path.unlink(missing_ok=True)
            total -= size


def _sealed(key: str, value: Any) -> bytes:
    body: bytes = msgpack.packb(value)
    return _MARK + _checksum(key, body) + body


def _opened(key: str, data: bytes) -> Any:
    """The value in an entry. Raises ValueError if it is not what was written for a key."""
    start = len(_MARK) + _CHECKSUM
    body = memoryview(data)[start:]
    if not data.startswith(_MARK) or _checksum(key, body) != data[len(_MARK) : start]:
        raise ValueError("it is damaged")
    try:
        return msgpack.unpackb(body, strict_map_key=False)
    except (ValueError, msgpack.UnpackException) as error:
        raise ValueError(f"it is not MessagePack: {error}") from error


def _checksum(key: str, body: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(key.encode("utf-8", "surrogateescape") + b"\n")
    digest.update(body)
    return digest.digest()


def _owns(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or found.st_uid == os.getuid()
