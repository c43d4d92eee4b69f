"""The names of sentences, their `sent_id`, and which of them a search finds.

A file that nobody has open is read for its names alone, piece by piece, and what was found is kept
as long as the file stays what it is.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Generic, TypeVar

from goldlens.scoring.text import BOM
from goldlens.server.sources import Stamp, refuse_streams, stamp

T = TypeVar("T", bound=Hashable)

PIECE: Final = 1 << 20
"""Bytes that are read at once; it takes some milliseconds to look through them."""
KEPT: Final = 64 << 20
"""Bytes of names that are kept, of all files together."""

_MARK: Final = b"sent_id"
_NAME: Final = re.compile(rb"#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t]*")


@dataclass(slots=True)
class Names:
    """The names in a text that comes in pieces: all `told`, one a line, and the `lines` they
    stand in, which count from 0.
    """

    told: bytearray = field(default_factory=bytearray)
    lines: array[int] = field(default_factory=lambda: array("q"))
    _line: int = 0
    _rest: bytes = b""
    _begun: bool = False

    def feed(self, piece: bytes) -> None:
        """Takes the next piece of the text; an empty one is the end."""
        text = self._rest + piece
        if not self._begun:
            text, self._begun = text.removeprefix(BOM), bool(text)
        # A CR at the very end may be half a line end.
        ends = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1))
        stop = ends + 1 if piece else len(text)
        text, self._rest = text[:stop], text[stop:]
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        line = at = 0
        while (found := text.find(_MARK, at)) >= 0:
            start, end = text.rfind(b"\n", at, found) + 1 or at, text.find(b"\n", found)
            end = len(text) if end < 0 else end
            line += text.count(b"\n", at, start)
            if named := _NAME.fullmatch(text, start, end):
                self.told += named[1] + b"\n"
                self.lines.append(self._line + line)
            at = end
        self._line += line + text.count(b"\n", at)

    def matching(self, query: bytes) -> Iterator[tuple[bytes, int]]:
        """The names that have a query in them, in small letters, and their lines."""
        folded = bytes(self.told).lower() if b"\n" not in query else b""
        number = at = 0
        while (found := folded.find(query, at)) >= 0 and found < len(folded):
            number += folded.count(b"\n", at, found)
            start, end = folded.rfind(b"\n", 0, found) + 1, folded.index(b"\n", found)
            yield bytes(self.told[start:end]), self.lines[number]
            number, at = number + 1, end + 1


class Kept:
    """The names of files on disk that were read before; those asked for last, if they are many."""

    def __init__(self, most: int = KEPT) -> None:
        self._most, self._size = most, 0
        self._files: OrderedDict[Path, tuple[Stamp, Names]] = OrderedDict()

    def find(self, path: Path) -> Names | None:
        """The names of a file, if it is still what was read."""
        found = self._files.get(path)
        if found is None or found[0] != stamp(path):
            return None
        self._files.move_to_end(path)
        return found[1]

    def reading(self, path: Path) -> Iterator[Names | None]:
        """Reads the names of a file: None after each piece, at last the names.

        Raises OSError.
        """
        refuse_streams(path)
        before, names = stamp(path), Names()
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                names.feed(piece)
                yield None
        names.feed(b"")
        # What has changed since the stamp was taken is read again the next time.
        if before is not None:
            self._put(path, before, names)
        yield names

    def _put(self, path: Path, found: Stamp, names: Names) -> None:
        self._drop(path)
        self._files[path] = found, names
        self._size += _size(names)
        while self._size > self._most:
            self._drop(next(iter(self._files)))

    def _drop(self, path: Path) -> None:
        if (old := self._files.pop(path, None)) is not None:
            self._size -= _size(old[1])


def _size(names: Names) -> int:
    return len(names.told) + 8 * len(names.lines)


class Best(Generic[T]):
    """What a search finds, best first: the very name, then names that begin so, then others.

    What is as good comes in the order in which it was added. `most` are kept of each.
    """

    def __init__(self, query: bytes, most: int) -> None:
        """`query` is in small letters."""
        self._query, self._most = query, most
        self._found: tuple[list[T], list[T], list[T]] = ([], [], [])

    def add(self, name: bytes, what: T) -> None:
        """A name that has the query in it."""
        folded = name.lower()
        rank = 2 - folded.startswith(self._query) - (folded == self._query)
        if len(self._found[rank]) < self._most:
            self._found[rank].append(what)

    @property
    def full(self) -> bool:
        """Whether nothing better can come: the query is in every name alike."""
        return not self._query and len(self._found[1]) >= self._most

    @property
    def all(self) -> list[T]:
        """The best."""
        return [what for found in self._found for what in found][: self._most]
