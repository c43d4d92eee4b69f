"""The files that a command is given: opened, looked at, and refused with a clear word."""

from __future__ import annotations

import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from goldlens.cli.lines import Trouble, Troubles
from goldlens.scoring.text import not_text

STDIN: Final = "-"
STDIN_NAME: Final = "<stdin>"
DATA: Final = "data:"
"""How the name of a data set begins, where a path is asked for."""
_LOOKED_AT: Final = 1 << 16
_SPOOLED: Final = 64 << 20
"""So many bytes of standard input are kept in memory; more go to a temporary file."""


@dataclass(slots=True)
class Input:
    """A file that can be read, from its start, and read again. `name` is what to call it."""

    name: str
    file: BinaryIO
    size: int
    identity: tuple[int, int] | None

    def same_as(self, other: Input) -> bool:
        """Whether both are one file on disk, by whatever names."""
        return self.identity is not None and self.identity == other.identity


def located(path: str) -> str:
    """The path of a file as it was given; `data:NAME` is where that data set lies. Raises Trouble.

    A file that is really called so is given as ./data:NAME.
    """
    if not path.startswith(DATA):
        return path
    # Not sooner: data sets are for those who name one.
    from goldlens.cli.known import place

    return str(place(path, gold=True))


def name_of(path: str) -> str:
    """What to call a file in messages. Raises Trouble."""
    return STDIN_NAME if path == STDIN else located(path)


def unreadable(path: str, error: OSError) -> Trouble:
    """The trouble of a file that cannot be read."""
    # Only now: all of the server's package is for those who need it.
    from goldlens.server.sources import why_not

    return Trouble(name_of(path), "file", why_not(Path(path), error))


def open_text(path: str) -> Input:
    """Opens a text file, or standard input. Raises Trouble.

    Only the beginning is looked at to tell whether it is text.
    """
    path = located(path)
    try:
        if path == STDIN:
            source: BinaryIO = stdin()
        else:
            source = Path(path).open("rb")  # noqa: SIM115 - the caller reads it
        found = _input(name_of(path), source)
        beginning = found.file.read(_LOOKED_AT)
        found.file.seek(0)
    except OSError as error:
        raise unreadable(path, error) from error
    if why := not_text(beginning):
        found.file.close()
        raise Trouble(found.name, "encoding", why)
    return found


def read_bytes(path: str) -> bytes:
    """All bytes of a file, or of standard input. Raises Trouble."""
    path = located(path)
    try:
        if path == STDIN:
            return stdin().read()
        with Path(path).open("rb") as file:
            return file.read()
    except OSError as error:
        raise unreadable(path, error) from error


def read_text(path: str) -> bytes:
    """All bytes of a text file, or of standard input. Raises Trouble."""
    data = read_bytes(path)
    if why := not_text(data):
        raise Trouble(name_of(path), "encoding", why)
    return data


def refuse_known(pred: str) -> None:
    """Raises Trouble if a prediction is a data set: then gold and prediction are swapped."""
    if pred.startswith(DATA):
        message = "this is a gold, and stands where a prediction should; gold comes first"
        raise Trouble(pred, "swapped", message)


def open_both(gold: str, pred: str) -> tuple[Input, Input]:
    """Opens gold and prediction; the caller closes them. Raises Trouble and Troubles."""
    if gold == pred == STDIN:
        raise click.UsageError("only one of GOLD and PRED can be standard input")
    theirs, ours = open_all(gold, pred)
    return theirs, ours


def open_all(gold: str, *preds: str) -> list[Input]:
    """Opens gold and predictions; the caller closes them. Raises Trouble and Troubles."""
    if (gold, *preds).count(STDIN) > 1:
        raise click.UsageError("only one of the files can be standard input")
    for path in preds:
        refuse_known(path)
    opened: list[Input] = []
    troubles: list[Trouble] = []
    for path in (gold, *preds):
        try:
            opened.append(open_text(path))
        except Trouble as trouble:
            troubles.append(trouble)
    if not troubles:
        message = f"gold and prediction are the same file ({opened[0].name}); give two files"
        again = [each for each in opened[1:] if each.same_as(opened[0])]
        troubles = [Trouble(each.name, "same-file", message) for each in again]
    if troubles:
        for each in opened:
            each.file.close()
        raise Troubles(troubles)
    return opened


def stdin() -> BinaryIO:
    """Standard input, as bytes. Raises Trouble if it is closed."""
    if sys.stdin is None:
        raise Trouble(STDIN_NAME, "file", "standard input is closed; give it a file, or name one")
    return sys.stdin.buffer


def _input(name: str, source: BinaryIO) -> Input:
    """`source` if it can be read twice, else a copy that can."""
    status = _status(source)
    regular = status is not None and stat.S_ISREG(status.st_mode)
    identity = (status.st_dev, status.st_ino) if status is not None and regular else None
    if regular and status is not None and name != STDIN_NAME:
        return Input(name, source, status.st_size, identity)
    import shutil
    from tempfile import SpooledTemporaryFile

    copy: Any = SpooledTemporaryFile(max_size=_SPOOLED)  # noqa: SIM115 - the caller reads it
    shutil.copyfileobj(source, copy, 1 << 20)
    if name != STDIN_NAME:
        source.close()
    size = copy.tell()
    copy.seek(0)
    return Input(name, copy, size, identity)


def _status(source: BinaryIO) -> os.stat_result | None:
    try:
        return os.fstat(source.fileno())
    except (OSError, ValueError):  # not a file of the system's: tests give such ones
        return None
