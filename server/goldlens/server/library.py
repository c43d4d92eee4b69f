"""Gold files and configurations as they are on disk, read once and read again when they differ."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from operator import methodcaller
from pathlib import Path
from typing import Protocol, TypeAlias

from goldlens.scoring.task import Format
from goldlens.server import config as configuration
from goldlens.server.buffers import GoldFile
from goldlens.server.cache.cache import Cache, Text
from goldlens.server.cache.usual import usual
from goldlens.server.config import Config
from goldlens.server.engine.document import Document, Splice
from goldlens.server.engine.pair import Memos
from goldlens.server.sources import Stamp, Unreadable, read, sha256, stamp

log = logging.getLogger(__name__)

_Key: TypeAlias = tuple[str, Format]


class Reader(Protocol):
    """Who faces golds of a library, and is told of what happens to them."""

    def gold_read_again(self, document: Document, splice: Splice) -> None:
        """A gold has changed."""

    def gold_lost(self, document: Document) -> None:
        """A gold cannot be read any more."""

    def faces(self, document: Document) -> bool:
        """Whether anything is held against a gold."""


class Library:
    """What has been read from disk. Golds go by their path and how they are read.

    A library may have many readers; a gold that has changed is read again once, and all of them
    are told.
    """

    def __init__(self, cache: Cache | None = None) -> None:
        """`cache`: where what is read may be known from; this user's, unless told otherwise."""
        self.cache = cache or usual()
        self.memos = Memos()
        self._readers: list[Reader] = []
        self._golds: dict[_Key, GoldFile] = {}
        self._configs: dict[Path, tuple[Stamp | None, Config]] = {}

    def join(self, reader: Reader) -> None:
        """From now on a reader is told of changes."""
        self._readers.append(reader)

    def leave(self, reader: Reader) -> None:
        """A reader is told no more. One that never joined: nothing."""
        if reader in self._readers:
            self._readers.remove(reader)

    def __contains__(self, path: Path) -> bool:
        return any(key[0] == str(path) for key in self._golds)

    def __iter__(self) -> Iterator[_Key]:
        return iter(list(self._golds))

    def gold(self, path: Path, format: Format) -> Document:
        """The gold file at a path, read in a format. Raises Unreadable."""
        key = str(path), format
        known = self._golds.get(key)
        if known is not None and not self._is_faced(known) and known.stamp != stamp(path):
            # Nobody has watched it, so nobody has told of the change.
            del self._golds[key]
        if key not in self._golds:
            now = stamp(path)
            data = read(path)
            digest = sha256(data)
            text = Text(data, path, digest, checks=False)
            self.keep(path, self.cache.document(format, text), now, digest)
        return self._golds[key].document

    def keep(self, path: Path, document: Document, when: Stamp | None, digest: str) -> None:
        """Takes a gold that was read elsewhere; `when` is the stamp from before it was read.

        `digest` is the SHA-256 of what was read.
        """
        self._golds[str(path), document.format] = GoldFile(document, when, digest)

    def digest(self, path: Path) -> str | None:
        """The SHA-256 of a gold, if it has been read."""
        found = [gold.sha256 for key, gold in self._golds.items() if key[0] == str(path)]
        return found[0] if found else None

    def look_again(self, paths: Collection[Path] | None = None) -> None:
        """Reads golds again (those at `paths`, or else all) if they differ, and tells of them."""
        names = None if paths is None else {str(path) for path in paths}
        for key in self:
            if names is not None and key[0] not in names:
                continue
            document = self._golds[key].document
            try:
                splice = self._read_again(key)
            except Unreadable:
                self._tell(methodcaller("gold_lost", document))
                continue
            if splice is not None:
                self._tell(methodcaller("gold_read_again", document, splice))

    def _tell(self, what: Callable[[Reader], None]) -> None:
        for reader in list(self._readers):
            try:
                what(reader)
            except Exception:
                # One reader's trouble must not leave the others with what is no longer true.
                log.exception("a reader could not take over a change of gold")

    def tidy(self) -> None:
        """Lets go of golds that nothing is held against."""
        for key, gold in list(self._golds.items()):
            if not self._is_faced(gold):
                del self._golds[key]

    def _is_faced(self, gold: GoldFile) -> bool:
        return any(reader.faces(gold.document) for reader in self._readers)

    def _read_again(self, key: _Key) -> Splice | None:
        """How a gold has changed since it was read; None if it has not.

        Raises Unreadable if it cannot be read any more; it is forgotten then.
        """
        gold = self._golds[key]
        path = Path(key[0])
        now = stamp(path)
        if now == gold.stamp:
            return None
        try:
            data = read(path)
        except Unreadable:
            del self._golds[key]
            raise
        gold.stamp = now
        digest = sha256(data)
        if digest == gold.sha256:
            return None
        gold.sha256 = digest
        return gold.document.replace(data)

    def config(self, path: Path, roots: Sequence[Path]) -> Config | None:
        """The configuration that holds for a path in a workspace of some folders."""
        root = next((r for r in roots if path.is_relative_to(r)), None)
        found = configuration.find(path, root)
        if found is None:
            return None
        now = stamp(found)
        known = self._configs.get(found)
        if known is None or known[0] != now:
            try:
                text = read(found).decode("utf-8-sig", "replace")
            except Unreadable:
                return None
            known = self._configs[found] = (now, configuration.parse(text, found))
        return known[1]
