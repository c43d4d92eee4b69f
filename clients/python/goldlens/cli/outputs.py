"""Where results go: standard output, or a file that is there whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click

from goldlens.cli.lines import Trouble


def put(text: str, file: str | None) -> None:
    """Writes text, as UTF-8, to a file or (None, or "-") to standard output. Raises Trouble."""
    # A name that is no text comes out as an escape, in JSON even as the right one.
    data = text.encode("utf-8", "backslashreplace")
    if file is None or file == "-":
        click.echo(data, nl=False)
    else:
        write(Path(file), data)


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
        message = f"the file cannot be written: {why}; name another with -o"
        raise Trouble(str(path), "file", message) from error


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".goldlens-{os.getpid()}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
