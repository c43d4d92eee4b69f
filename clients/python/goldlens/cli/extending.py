"""Files that rows go into: several programs may put some into one file at once, and none is lost.

Whoever extends files holds their folders meanwhile. A lock is the system's own and is gone with
the process, however that ends; nothing is left lying about. Each file is replaced in one step.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from goldlens.cli import outputs
from goldlens.cli.lines import Trouble, line
from goldlens.scoring.results.files import RowsFileError, merged

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from goldlens.scoring.results.rows import Row

PATIENCE: Final = 30.0
"""Seconds to wait for others who write into the same folder."""

_TRIES: Final = 10
"""How often rows are put in again because somebody who holds no lock has changed a file."""


class UnreadableRows(Trouble):
    """A file that rows should go into and that cannot be read as one."""

    def __init__(self, path: str, number: int, message: str) -> None:
        super().__init__(path, "rows-file", message)
        self.number = number

    def __str__(self) -> str:
        return line(self.path, self.number, 1, "error", self.code, self.message)


def extend(table: Sequence[Row], files: Mapping[str, str]) -> None:
    """Puts rows into a file of each format: each whole or not at all, none before all can be made.

    `files`: a path, or "-" for standard output, by format. Raises Trouble.
    """
    folders = [Path(os.path.realpath(file)).parent for file in files.values() if file != "-"]
    with _alone(folders):
        for _ in range(_TRIES):
            old = {file: _old(file) for file in files.values()}
            made = [
                (file, form, _merged(form, file, old[file], table)) for form, file in files.items()
            ]
            if all(_old(file) == text for file, text in old.items()):
                break
        for file, form, text in made:
            outputs.put(text, file, machine=form == "json")


def _merged(form: str, file: str, old: str, table: Sequence[Row]) -> str:
    card = Path(file).suffix.lower() in (".md", ".markdown")
    try:
        return merged(form, old, table, card=card)
    except RowsFileError as error:
        raise UnreadableRows(file, error.line, str(error)) from error


def _old(file: str) -> str:
    """The text of a file; empty where there is none, or where it is no file to be kept."""
    path = Path(file)
    if file == "-" or not path.is_file():
        return ""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.object[: error.start].count(b"\n") + 1
        message = "the file is no UTF-8 text; name another file"
        raise UnreadableRows(file, at, message) from error
    except OSError as error:
        message = f"the file cannot be read ({error.strerror or error}); name another"
        raise Trouble(file, "file", message) from error


@contextmanager
def _alone(folders: Sequence[Path]) -> Iterator[None]:
    """Holds folders against others who do so. Where a file system has no locks, does without."""
    with ExitStack() as stack:
        opened: dict[tuple[int, int], tuple[int, Path]] = {}
        for folder in folders if sys.platform != "win32" else ():
            with suppress(OSError):
                descriptor = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, descriptor)
                status = os.fstat(descriptor)
                opened.setdefault((status.st_dev, status.st_ino), (descriptor, folder))
        until = time.monotonic() + PATIENCE
        # All in the same order, so that no two wait for each other.
        for _, (descriptor, folder) in sorted(opened.items()):
            while not _locked(descriptor):
                if time.monotonic() > until:
                    message = "another program writes in this folder and does not end; end it"
                    raise Trouble(str(folder), "file", message)
                time.sleep(0.02)
        yield


def _locked(descriptor: int) -> bool:
    """Locks what is opened; False while somebody else has it."""
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            pass  # a file system without locks
    return True
