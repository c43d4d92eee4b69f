"""Where results go: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path
from typing import Any

from goldlens.cli.lines import Trouble


def put(text: str, file: str | None, *, machine: bool = False) -> None:
    """Writes text to a file or (None, or "-") to standard output. Raises Trouble.

    Files, and whatever is for a `machine`, are UTF-8, whatever encoding a terminal has.
    """
    if file is not None and file != "-":
        # A name that is no text comes out as an escape, in JSON even as the right one.
        write(Path(file), text.encode("utf-8", "backslashreplace"))
        return
    try:
        _write_all(sys.stdout, text, "utf-8" if machine else None)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise unwritable(error) from error


def unwritable(error: OSError) -> Trouble:
    """The trouble of a standard output that cannot be written, which is let go of."""
    silence(sys.stdout)
    message = f"standard output cannot be written: {error.strerror or error}; use another"
    return Trouble("<stdout>", "file", message)


def complain(text: str) -> None:
    """Writes text to standard error; where nobody can be told, nothing fails for it."""
    try:
        _write_all(sys.stderr, text, None)
    except OSError:
        silence(sys.stderr)


def _write_all(stream: Any, text: str, encoding: str | None) -> None:
    """Writes everything: an unbuffered stream (PYTHONUNBUFFERED) may take only a part at once."""
    stream.flush()
    rest = memoryview(text.encode(encoding or stream.encoding or "utf-8", "backslashreplace"))
    while rest:
        taken = stream.buffer.write(rest)
        if taken is None:
            raise BlockingIOError(errno.EAGAIN, "it takes nothing at the moment")
        rest = rest[taken:]
    stream.buffer.flush()


def silence(stream: Any) -> None:
    """Lets a stream go that cannot be written; Python would try again at its end, and complain."""
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass


def refuse_unwritable(file: str | None, *inputs: tuple[str, str]) -> None:
    """Raises Trouble where `put` would fail for sure: better said before the work than after.

    `inputs` are what must not be overwritten: what each is, and its path.
    """
    if file is None or file == "-":
        return
    path = Path(file)
    for what, name in inputs:
        try:
            same = path.samefile(name)
        except OSError:
            continue
        if same and path.is_file():
            message = f"-o would overwrite {what}; name another file"
            raise Trouble(file, "same-file", message)
    if path.is_dir():
        raise Trouble(file, "file", "-o names a folder; name a file in it")
    if path.is_file() and not os.access(path, os.W_OK):
        raise Trouble(file, "file", "no permission to write this file; name another file")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise Trouble(file, "file", f"there is no folder {folder} to write to; make it first")
    if not os.access(path if path.exists() and not path.is_file() else folder, os.W_OK):
        raise Trouble(file, "file", f"no permission to write in {folder}; name another file")


def write(path: Path, data: bytes) -> None:
    """Puts a file in place in one step: readers see all of it or what was there before.

    Raises Trouble; nothing is left behind then.
    """
    try:
        if path.exists() and not path.is_file():
            # /dev/null and its like are to be written to, never to be replaced.
            with path.open("wb") as device:
                device.write(data)
            return
        _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        message = f"the file cannot be written: {why}; name another one"
        raise Trouble(str(path), "file", message) from error


def _replace(target: Path, data: bytes) -> None:
    # Not by the process's number alone: in containers all have the same, and one may be killed.
    temporary = target.with_name(f".goldlens-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
