"""Daemons started and ended, and the one of our own version found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from goldlens.client.conversation import greeting, own_version
from goldlens.client.dialing import dial, dial_and_greet
from goldlens.client.errors import (
    ClientError,
    Disconnected,
    OtherVersion,
    StartFailed,
    StopFailed,
    TimedOut,
)
from goldlens.client.place import Place, State, place_of, running

COMMAND: Final = [sys.executable, "-P", "-m", "goldlens.server.daemon"]

PATIENCE: Final = 20.0
"""So many seconds a daemon may take until it answers."""

TERMINATE: Final = 5.0
KILL: Final = 10.0
"""So many seconds after it was told to end, a daemon is sent the signals of that name."""

_ANOTHER: Final = 3
"""The exit status of a daemon that found another one of its root."""

_GLANCE: Final = 0.02
_MUCH: Final = 1 << 20


def current(path: str | os.PathLike[str], *, start: bool = False) -> State | None:
    """The daemon of our version that serves a path; None if there is none and none is to start.

    One of another version is told to end, and one of ours takes its root. One that is started
    serves the path, or the folder of a file. Raises ClientError.
    """
    state = running(path)
    if state is None:
        return launch(folder_of(path)) if start else None
    if state.version == own_version():
        return state
    stop(state)
    state = launch(state.root, arguments=state.arguments)
    if state.version != own_version():
        raise OtherVersion(
            f"a daemon of Goldlens {state.version} has taken the place of another; this is "
            f"{own_version()}: use one version, or one root for each"
        )
    return state


def folder_of(path: str | os.PathLike[str]) -> Path:
    """A folder itself, and of a file the folder it is in.

    Raises StartFailed if there is neither: a daemon of the folder above is hardly meant.
    """
    found = Path(path).absolute()
    if not os.path.exists(found):  # noqa: PTH110, never raises
        raise StartFailed(f"{path}: there is no such folder or file; correct the path, or make it")
    return found if found.is_dir() else found.parent


def launch(
    root: str | os.PathLike[str],
    *,
    idle: float | None = None,
    tcp: bool = False,
    level: str | None = None,
    arguments: Sequence[str] = (),
) -> State:
    """Sees to it that a daemon serves a root, and answers. One that lives is taken as it is.

    `idle`: after so many seconds without anybody it ends; 0: never. `tcp`: no Unix socket. `level`:
    what it logs (debug, info, warning, error). `arguments`: those of one in whose stead it is
    started. Where none of these is given, it is started as one was that has died. Raises
    ClientError.
    """
    place = place_of(root)
    place.make()
    command = [*COMMAND, "--root", place.root, "--runtime", str(place.runtime)]
    command += ["--name", place.name, "--log", str(place.log)]
    given = list(arguments)
    given += ["--idle", f"{idle:g}"] if idle is not None else []
    given += ["--tcp"] if tcp else []
    given += ["--level", level] if level is not None else []
    dead = None if given or place.locked() else place.read()
    command += given or (list(dead.arguments) if dead is not None else [])
    command += ["--tcp"] if place.needs_tcp else []
    deadline = time.monotonic() + PATIENCE
    started: _Started | None = None
    try:
        while time.monotonic() < deadline:
            state = place.living()
            # What answers may have another state by now, where this one was a dead daemon's.
            if state is not None and _answers(state, deadline) and place.read() == state:
                if started is not None:
                    started.settle(state)
                return state
            status = None if started is None else started.process.poll()
            if started is None or (status == _ANOTHER and not place.locked()):
                # Where another one was found, it has ended since then, or was never one: whoever
                # looks whether a daemon lives has the lock for a moment.
                started = _Started(place, command)
            elif status is not None and status != _ANOTHER:
                raise StartFailed(
                    f"the daemon of {place.root} ended as it started (status {status})"
                    f"{started.said()}; see {place.log} and {place.err}"
                )
            time.sleep(_GLANCE)
    except BaseException:
        if started is not None:
            started.abandon()
        raise
    if started is not None:
        started.abandon()
    raise StartFailed(
        f"the daemon of {place.root} does not answer after {PATIENCE:g} s; see {place.log}"
    )


def stop(state: State) -> None:
    """Ends a daemon, in order if it still can, and comes back when it has. Raises StopFailed."""
    place = state.place
    began = time.monotonic()
    with suppress(ClientError):
        line = dial(state, TERMINATE)
        try:
            line.ask("hello", greeting(state), TERMINATE)
            line.ask("end", {}, TERMINATE)
        finally:
            line.close()
    if _gone(place, began + TERMINATE):
        return
    _send(state, signal.SIGTERM)
    if _gone(place, began + KILL):
        return
    _send(state, getattr(signal, "SIGKILL", signal.SIGTERM))
    if not _gone(place, time.monotonic() + KILL):
        raise StopFailed(f"the daemon of {state.root} does not end; end process {state.pid}")


def _gone(place: Place, deadline: float) -> bool:
    while place.locked():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_GLANCE)
    return True


def _send(state: State, number: int) -> None:
    # Who has the lock may be another one by now, which then has a state of its own.
    if state.place.read() in (None, state):
        with suppress(OSError):
            os.kill(state.pid, number)


def _answers(state: State, deadline: float) -> bool:
    try:
        dial_and_greet(state, max(0.1, deadline - time.monotonic())).close()
    except OtherVersion:
        return True
    except (Disconnected, TimedOut):
        return False
    return True


class _Started:
    """A process that is to become a daemon."""

    def __init__(self, place: Place, command: list[str]) -> None:
        self._err = place.err
        try:
            self._from = place.err.stat().st_size
        except OSError:
            self._from = 0
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        if self._from > _MUCH:
            self._from, flags = 0, flags | os.O_TRUNC
        try:
            err = os.open(place.err, flags, 0o600)
        except OSError as error:
            raise StartFailed(f"{place.err}: this file cannot be written ({error})") from error
        try:
            self.process = _spawn(command, err)
        except OSError as error:
            raise StartFailed(f"{command[0]}: this program cannot be run ({error})") from error
        finally:
            os.close(err)

    def said(self) -> str:
        """The last line that it wrote on standard error, as part of a sentence."""
        with suppress(OSError), self._err.open("rb") as file:
            file.seek(max(self._from, file.seek(0, os.SEEK_END) - _MUCH))
            lines = file.read().decode("utf-8", "replace").split("\n")
            return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")
        return ""

    def settle(self, state: State) -> None:
        """A daemon lives: this process, which is left to itself, or another, so that this one is
        too many. It would be a daemon still, if it came to the lock when the other has ended.
        """
        # In Windows, what is started may be something that starts Python.
        if sys.platform != "win32" and self.process.pid != state.pid:
            self.abandon()
            return
        # When it ends, what the system keeps of it is cleared away.
        wait: Callable[[], int] = self.process.wait
        threading.Thread(target=wait, name="goldlens-daemon", daemon=True).start()

    def abandon(self) -> None:
        """Ends it."""
        self.process.kill()
        self.process.wait()


def _spawn(command: list[str], err: int) -> subprocess.Popen[bytes]:
    """Starts a process that outlives us, and that no key pressed in a terminal reaches."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=err,
        cwd="/",
        start_new_session=True,
        creationflags=flags,
    )
