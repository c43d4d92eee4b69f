"""Where daemons are: the folders, a root's files in them, and which daemon serves a path.

A daemon serves one folder, its root. Its socket, its lock and its state lie in a runtime folder
that is ours alone. That it lives is told by its lock, never by a process number, which may belong
to another process by now.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import platformdirs

from goldlens.client.errors import UnsafePlace

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

RUNTIME_VARIABLE: Final = "GOLDLENS_RUNTIME_DIR"
LOG_VARIABLE: Final = "GOLDLENS_LOG_DIR"

_LONGEST: Final = 108 if sys.platform == "linux" else 104
"""The bytes a socket's path may have, the end mark included."""

_MOST: Final = 1 << 16
"""No state is larger, in bytes."""


@dataclass(frozen=True, slots=True)
class State:
    """What a daemon says of itself where others can find it."""

    pid: int
    version: str
    root: str
    started: str
    address: str
    token: str | None = field(repr=False)
    """What a client has to show over TCP; nothing that belongs in a log."""
    arguments: tuple[str, ...] = ()
    """How it was started, besides its place: another one in its stead is started so too."""

    @property
    def socket(self) -> str | None:
        """The path of its Unix socket; None if it listens on TCP."""
        kind, _, where = self.address.partition(":")
        return where if kind == "unix" else None

    @property
    def endpoint(self) -> tuple[str, int] | None:
        """Its host and port; None if it listens on a Unix socket."""
        kind, _, where = self.address.partition(":")
        host, _, port = where.rpartition(":")
        return (host, int(port)) if kind == "tcp" else None

    @property
    def place(self) -> Place:
        """Where its files are."""
        return place_of(self.root)


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one root's daemon, whether it lives or not."""

    runtime: Path
    logs: Path
    root: str
    name: str

    @property
    def socket(self) -> Path:
        """The Unix socket."""
        return self.runtime / f"{self.name}.sock"

    @property
    def lock(self) -> Path:
        """What the daemon keeps locked for as long as it lives."""
        return self.runtime / f"{self.name}.lock"

    @property
    def state(self) -> Path:
        """What the daemon says of itself, once it listens."""
        return self.runtime / f"{self.name}.json"

    @property
    def log(self) -> Path:
        """What the daemon logs."""
        return self.logs / f"{self.name}.log"

    @property
    def err(self) -> Path:
        """What its process wrote on standard error."""
        return self.logs / f"{self.name}.err"

    @property
    def needs_tcp(self) -> bool:
        """Whether the system has no Unix sockets, or none with so long a path."""
        return sys.platform == "win32" or len(os.fsencode(self.socket)) >= _LONGEST

    def make(self) -> None:
        """Makes the two folders. Raises UnsafePlace."""
        make_private(self.runtime)
        try:
            self.logs.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _unmakable(self.logs, LOG_VARIABLE, error) from error

    def locked(self) -> bool:
        """Whether a daemon lives here, be it that it is starting or ending."""
        try:
            descriptor = os.open(self.lock, os.O_RDWR)
        except OSError:
            return False
        try:
            return not _may_lock(descriptor)
        finally:
            # Which gives up the lock too, if it was to be had.
            os.close(descriptor)

    def read(self) -> State | None:
        """The state that is written here; None if there is none, or it is damaged."""
        try:
            with self.state.open("rb") as file:
                return _state(json.loads(file.read(_MOST)))
        except (OSError, ValueError, RecursionError):
            return None

    def living(self) -> State | None:
        """The state of the daemon that lives here and listens; None if there is none."""
        state = self.read()
        return state if state is not None and self.locked() else None


def runtime_folder() -> Path:
    """The folder of sockets, whether it is there or not. Raises UnsafePlace."""
    if named := os.environ.get(RUNTIME_VARIABLE):
        return Path(named).absolute()
    try:
        with warnings.catch_warnings():
            # That the system has no such folder, so that a temporary one is taken.
            warnings.simplefilter("ignore")
            return platformdirs.user_runtime_path("goldlens", appauthor=False)
    except OSError as error:
        message = f"there is no safe folder for sockets ({error}); name one in {RUNTIME_VARIABLE}"
        raise UnsafePlace(message) from error


def log_folder() -> Path:
    """The folder of logs, whether it is there or not."""
    if named := os.environ.get(LOG_VARIABLE):
        return Path(named).absolute()
    return platformdirs.user_log_path("goldlens", appauthor=False)


def place_of(root: str | os.PathLike[str]) -> Place:
    """Where the files of a root's daemon are. Raises UnsafePlace."""
    return _place(runtime_folder(), root)


def running(path: str | os.PathLike[str]) -> State | None:
    """The daemon that serves a path: that of the nearest folder upward, the path itself first.

    Makes nothing, and costs next to nothing where no daemon has ever been. Raises UnsafePlace if
    the runtime folder is there but not ours alone.
    """
    runtime = runtime_folder()
    if not os.path.lexists(runtime):
        return None
    check_private(runtime)
    names = {state.stem for state in runtime.glob("*.json")}
    if not names:
        return None
    for folder in _upward(path):
        place = _place(runtime, folder)
        if place.name in names and (state := place.living()) is not None:
            return state
    return None


def make_private(folder: Path) -> None:
    """Makes a folder that nobody else can look into. Raises UnsafePlace."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        pass
    except OSError as error:
        raise _unmakable(folder, RUNTIME_VARIABLE, error) from error
    check_private(folder)


def check_private(folder: Path) -> None:
    """Raises UnsafePlace if a folder is not a real one, of ours, that is closed to others."""
    try:
        found = folder.lstat()
    except OSError as error:
        raise _unmakable(folder, RUNTIME_VARIABLE, error) from error
    if stat.S_ISLNK(found.st_mode):
        trouble = "is a symbolic link"
    elif not stat.S_ISDIR(found.st_mode):
        trouble = "is not a folder"
    elif sys.platform == "win32":
        return
    elif found.st_uid != os.getuid():
        trouble = "belongs to another user"
    elif found.st_mode & 0o077:
        trouble = f"is open to others (mode {stat.S_IMODE(found.st_mode):o}; chmod 700 closes it)"
    else:
        return
    raise UnsafePlace(
        f"{folder}: {trouble}, so that no socket in it can be trusted; remove it, or name another "
        f"folder in {RUNTIME_VARIABLE}"
    )


def _place(runtime: Path, root: str | os.PathLike[str]) -> Place:
    real = os.path.realpath(root)
    name = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return Place(runtime, log_folder(), real, name)


def _upward(path: str | os.PathLike[str]) -> list[Path]:
    # As the path is written, and then as it really is: a link may lead into a root or out of it.
    written, real = lexical(path), Path(os.path.realpath(path))
    return list(dict.fromkeys([written, *written.parents, real, *real.parents]))


def lexical(path: str | os.PathLike[str]) -> Path:
    """A path made absolute, without `.` and `..`; links stay as they are written."""
    return Path(os.path.normpath(Path(path).absolute()))


def _state(value: object) -> State | None:
    match value:
        case {
            "pid": int(pid),
            "version": str(version),
            "root": str(root),
            "started": str(started),
            "address": str(address),
            "token": str() | None as token,
        } if _is_address(address):
            arguments = value.get("arguments") if isinstance(value, dict) else None
            given = arguments if isinstance(arguments, list) else []
            return State(pid, version, root, started, address, token, tuple(map(str, given)))
    return None


def _is_address(address: str) -> bool:
    kind, _, where = address.partition(":")
    host, _, port = where.rpartition(":")
    if kind == "tcp":
        return bool(host) and port.isascii() and port.isdecimal() and int(port) < 1 << 16
    return kind == "unix" and bool(where)


def _may_lock(descriptor: int) -> bool:
    """Whether nobody holds the lock of a file, for which it is taken.

    In common with others who try, so that these are not taken for a daemon.
    """
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _unmakable(folder: Path, variable: str, error: OSError) -> UnsafePlace:
    why = os.strerror(error.errno) if error.errno else str(error)
    return UnsafePlace(f"{folder}: this folder cannot be made ({why}); name another in {variable}")
