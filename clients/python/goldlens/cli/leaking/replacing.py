"""Files written a piece at a time, and put in place together at the end or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from goldlens.cli.lines import Trouble
from goldlens.server.sources import Stamp, stamp


class Replacements:
    """New files beside those they will replace. What is not put in place is gone at the end."""

    def __init__(self) -> None:
        self._made: dict[str, tuple[Path, Path, Stamp | None]] = {}
        self._name = ""
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._close()
        finally:
            for temporary, *_ in self._made.values():
                temporary.unlink(missing_ok=True)

    def begin(self, name: str, place: Path) -> None:
        """What is written from now on is the new text of `place`. Raises Trouble."""
        self._close()
        target = Path(os.path.realpath(place))
        # Folders are made at the end. One that is there already is on the same disk.
        folder = next(each for each in target.parents if each.exists())
        temporary = folder / f".goldlens-{os.getpid()}-{os.urandom(4).hex()}.tmp"
        self._name, self._made[name] = name, (temporary, target, stamp(target))
        try:
            self._file = temporary.open("xb")
            if target.exists():
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        except OSError as error:
            raise _unwritable(target, error) from error

    def write(self, data: bytes) -> None:
        """Adds to the file that was begun last. Raises Trouble."""
        assert self._file is not None
        try:
            self._file.write(data)
        except OSError as error:
            raise _unwritable(self._made[self._name][1], error) from error

    def drop(self) -> None:
        """Forgets the file that was begun last."""
        self._close()
        temporary, *_ = self._made.pop(self._name)
        temporary.unlink(missing_ok=True)

    def put_in_place(self) -> Iterator[str]:
        """Puts each file where it belongs, and gives its name then.

        Raises Trouble, also for a file that somebody has changed since its new text was begun.
        """
        self._close()
        for name, (temporary, target, before) in list(self._made.items()):
            if stamp(target) != before:
                message = "the file has changed meanwhile and is left as it is; run this again"
                raise Trouble(str(target), "file", message)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                temporary.replace(target)
            except OSError as error:
                raise _unwritable(target, error) from error
            del self._made[name]
            yield name

    def _close(self) -> None:
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError as error:
            raise _unwritable(self._made[self._name][1], error) from error


def _unwritable(target: Path, error: OSError) -> Trouble:
    why = error.strerror or str(error)
    return Trouble(
        str(target), "file", f"the file cannot be written: {why}; make room, or name another folder"
    )
