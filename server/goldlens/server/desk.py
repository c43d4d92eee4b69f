"""The desk: the documents that are open, what each of them faces, and how the two compare.

It starts documents as what they are, finds their golds, among the open ones or on disk, and tells
every pair of every change. What editors do and ask is the workspace's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from goldlens.scoring.task import GOLD, PRED, Format, Incomparable, Task
from goldlens.server import config as configuration
from goldlens.server import profiles
from goldlens.server.buffers import LARGE, UNSAVED, OpenDocument, no_collection
from goldlens.server.cache.cache import Text
from goldlens.server.config import Config, PairConfig, Settings
from goldlens.server.config_text import Configuration
from goldlens.server.engine.document import Document, Splice
from goldlens.server.judging import asked_for
from goldlens.server.library import Library
from goldlens.server.pairing import Pairing, gold_for, no_gold
from goldlens.server.roles import Role, role_of
from goldlens.server.sources import Unreadable, key_of, read, sha256, stamp, uri_of
from goldlens.server.watching.interest import Interest

CONFIG_NAMES: Final = frozenset({configuration.FILE, configuration.PYPROJECT})
_NEAR: Final = 3
"""Outside a workspace no folder nearer to the root of the file system than so many is watched."""


class Desk:
    """Open documents by their keys (see `sources.key_of`), over the library of golds on disk.

    `generation` is another number whenever other files may be of interest.
    """

    def __init__(self, root: Path | None = None, library: Library | None = None) -> None:
        """`library`: one that is shared with other desks."""
        self.roots: list[Path] = [root] if root else []
        self.options: Mapping[str, object] = {}
        self.documents: dict[str, OpenDocument] = {}
        self.library = library or Library()
        self.library.join(self)
        self._news: set[str] = set()
        self.by_hand: dict[str, Path] = {}
        self.generation = 0
        self._revision = 0
        self._known_now: set[str] = set()
        self._interest: tuple[int, Interest] | None = None

    def start(self, entry: OpenDocument, data: bytes) -> None:
        """Reads a buffer's text anew, under the settings of now, and finds its gold."""
        config = self.config(entry.path) if entry.path else None
        base = config.settings if config else Settings()
        entry.settings, _ = base.merge(self.options)
        extra = asked_for(entry.settings)
        format: Format
        if entry.path is not None and entry.path.name in CONFIG_NAMES:
            entry.role = Role(None)
            format = Configuration(entry.path)
        else:
            entry.role = self.role(entry, data)
            format = entry.role.format
        entry.excused, entry.lister, entry.readings = frozenset(), None, {}
        large = len(data) > LARGE
        with no_collection(large):
            if not (large and self._start_both(entry, data, extra)):
                text = Text(data, entry.path, later=large, extra=extra, judge=entry.judge)
                entry.buffer = self.library.cache.document(format, text)
                entry.document = entry.buffer
                self.face(entry)
            if entry.settings.run == "onSave":
                entry.document = Document(format, data, later=large, extra=extra, judge=entry.judge)
                self.face(entry)
        self.settle(entry)

    def role(self, entry: OpenDocument, data: bytes) -> Role:
        """What a document is, now."""
        path = entry.path
        if path is None:
            return self._unsaved(role_of(None, None, data, entry.language), key_of(entry.uri))
        config = self.config(path)
        return role_of(path, config, data, entry.language, self._by_hand(path))

    def _start_both(self, entry: OpenDocument, data: bytes, extra: Sequence[str]) -> bool:
        """Opens a large prediction together with its gold, if that is not known yet."""
        task, facing = entry.role.task, entry.role.facing
        if task is None or facing is None or facing.pair.match == "sent_id":
            return False
        if str(facing.gold) in self.documents or facing.gold in self.library:
            return False
        now = stamp(facing.gold)
        try:
            gold = read(facing.gold)
            digest = sha256(gold)
            theirs = Text(gold, facing.gold, digest, checks=False)
            entry.digest = sha256(data)
            ours = Text(data, entry.path, entry.digest, later=True, extra=extra, judge=entry.judge)
            pair = self.library.cache.both(task, theirs, ours, facing.pair.match)
        except (Unreadable, Incomparable):
            return False
        if pair is None:
            return False
        self.library.keep(facing.gold, pair.gold, now, digest)
        entry.buffer = entry.document = pair.pred
        entry.facing, entry.trouble, entry.pair = facing, None, pair
        pair.share(self.library.memos)
        self.generation += 1
        return True

    def face(self, entry: OpenDocument) -> None:
        """Finds the gold a document faces and compares the two."""
        entry.pair, entry.trouble, entry.too_large, entry.facing = None, None, None, None
        self.generation += 1
        task = entry.role.task
        facing = entry.facing = entry.role.facing
        if task is None or facing is None:
            return
        opened = str(facing.gold) in self.documents
        if found := facing.profile_trouble if opened else facing.trouble:
            entry.trouble = found
            return
        try:
            gold = self._gold(facing.gold, task)
            entry.pair = self.library.cache.pair(task, gold, entry.document, facing.pair.match)
            entry.pair.share(self.library.memos)
        except Unreadable as error:
            entry.trouble = no_gold(f"gold cannot be read: {facing.gold}: {error}")
        except Incomparable as error:
            entry.too_large = str(error)

    def reconciled_by(self, paths: Collection[Path]) -> list[OpenDocument]:
        """The documents whose pair has its profile in one of some files."""
        return [
            entry
            for entry in self.documents.values()
            if entry.facing and profiles.file_of(entry.facing.pair.profile) in paths
        ]

    def _by_hand(self, path: Path) -> Pairing | None:
        by_hand = self.by_hand.get(str(path))
        if by_hand is None:
            return None
        known = gold_for(path, self.config(path))
        if known is None or known.rule == "name":
            return Pairing(path, by_hand, PairConfig(str(by_hand), str(path)), path.stem, "name")
        # Another gold, but the columns, the threshold and the labels are those of the pair.
        return replace(known, gold=by_hand, pair=replace(known.pair, gold=str(by_hand), data=None))

    def _unsaved(self, role: Role, key: str) -> Role:
        """The role of a document that is no file: it faces what was named by hand, or nothing."""
        by_hand = self.by_hand.get(key)
        if by_hand is None or role.task is None:
            return role
        pair = PairConfig(str(by_hand), key, task=role.task.name)
        return replace(role, facing=Pairing(Path(key), by_hand, pair, key, "name"))

    def config(self, path: Path) -> Config | None:
        """The configuration that holds for a path."""
        return self.library.config(path, self.roots)

    def _gold(self, path: Path, task: Task) -> Document:
        """The gold at a path: the buffer that has it open, else the file. Raises Unreadable."""
        opened, format = self.documents.get(str(path)), task.format(GOLD)
        if opened is None:
            return self.library.gold(path, format)
        if opened.document.format == format:
            return opened.document
        if opened.role.settled or opened.role.facing or self._facing(opened.document):
            # It is what it is, by the configuration or for another prediction.
            if format not in opened.readings:
                opened.readings[format] = Document(format, opened.document.text(), checks=False)
            return opened.readings[format]
        # It was opened before anybody said what it is.
        opened.role = Role(task, GOLD)
        live = opened.document is opened.buffer
        opened.document = Document(format, opened.document.text(), judge=opened.judge)
        text = opened.buffer.text()
        opened.buffer = opened.document if live else Document(format, text, judge=opened.judge)
        opened.pair, opened.lister = None, None
        self.touch(opened)
        self._known_now.add(opened.uri)
        return opened.document

    def known_now(self) -> set[str]:
        """The URIs of documents of which it was found out, since last asked, what they are."""
        found, self._known_now = self._known_now, set()
        return found

    def _facing(self, gold: Document) -> list[OpenDocument]:
        """The predictions that are held against a gold."""
        return [e for e in self.documents.values() if e.pair is not None and e.pair.gold is gold]

    def start_all(self) -> None:
        """Reads all buffers anew. What a pair faces is then the gold as it is read now."""
        tasks = {key: entry.role.task for key, entry in self.documents.items()}
        for entry in list(self.documents.values()):
            self.start(entry, entry.buffer.text())
        for key, entry in self.documents.items():
            opened = entry.facing and self.documents.get(str(entry.facing.gold))
            if opened and (
                entry.pair is None
                or entry.pair.gold not in (opened.document, *opened.readings.values())
            ):
                self.face(entry)
                self.touch(entry)
            if entry.role.task != tasks[key]:
                # What another task made of it is nothing to compare with.
                entry.at_open = entry.at_save = entry.figures()

    @property
    def has_news(self) -> bool:
        """Whether a gold of a document has changed on disk since `news` was asked last."""
        return bool(self._news)

    def faces(self, document: Document) -> bool:
        """Whether an open document is held against a gold."""
        return bool(self._facing(document))

    def news(self) -> set[str]:
        """The URIs of documents whose golds have changed on disk since this was asked last."""
        found, self._news = self._news, set()
        return found

    def gold_read_again(self, document: Document, splice: Any) -> None:
        """A gold on disk has changed: those that face it are told."""
        for entry in self._facing(document):
            facing = entry.facing
            if facing is not None and facing.pair.data is not None and facing.trouble:
                # What lies where a data set should is something else now.
                self.face(entry)
            else:
                self.told(entry, GOLD, splice)
            self.touch(entry)
            self._news.add(entry.uri)

    def gold_lost(self, document: Document) -> None:
        """A gold on disk cannot be read any more: those that face it look for it."""
        for entry in self._facing(document):
            self.face(entry)
            self.touch(entry)
            self._news.add(entry.uri)

    def interest(self) -> Interest:
        """The files whose changes matter to open documents.

        That is golds and profiles, whether they are there or not, and whatever may be a
        configuration of a document or of a folder of the workspace.
        """
        if self._interest is not None and self._interest[0] == self.generation:
            return self._interest[1]
        files: set[Path] = set()
        folders: set[Path] = set(self.roots)
        for entry in self.documents.values():
            if entry.facing is not None:
                if entry.facing.gold.is_absolute():
                    files.add(entry.facing.gold)
                if profile := profiles.file_of(entry.facing.pair.profile):
                    files.add(profile)
            if entry.path is not None:
                root = next((r for r in self.roots if entry.path.is_relative_to(r)), None)
                for folder in entry.path.parents:
                    folders.add(folder)
                    if folder == root or (root is None and len(folder.parts) < _NEAR):
                        break
        files.update(folder / name for folder in folders for name in CONFIG_NAMES)
        settings = [Settings().merge(self.options)[0]]
        settings += [entry.settings for entry in self.documents.values()]
        polling = any(each.watch == "poll" for each in settings)
        self._interest = self.generation, Interest(frozenset(files), frozenset(), polling)
        return self._interest[1]

    def gold_changed(self, key: str) -> set[str]:
        """A buffer that may be somebody's gold came or went: those face the other now."""
        facing = [
            entry
            for entry in self.documents.values()
            if entry.facing is not None and str(entry.facing.gold) == key
        ]
        for entry in facing:
            self.face(entry)
            self.touch(entry)
        return {entry.uri for entry in facing}

    def apply(self, entry: OpenDocument, change: Callable[[Document], Splice]) -> set[str]:
        """Makes a change to what is scored of a document, and tells all pairs that it is in."""
        splice = change(entry.document)
        entry.near = splice.start
        self.told(entry, PRED, splice)
        touched = self._told_as_gold(entry.document, splice)
        for reading in entry.readings.values():
            touched |= self._told_as_gold(reading, change(reading))
        return touched

    def _told_as_gold(self, gold: Document, splice: Splice) -> set[str]:
        facing = self._facing(gold)
        for other in facing:
            self.told(other, GOLD, splice)
            self.touch(other)
        return {other.uri for other in facing}

    def told(self, entry: OpenDocument, side: int, splice: Any) -> None:
        """Tells the pair of a prediction of a change on one of its sides."""
        if entry.pair is None:
            return
        try:
            entry.pair.apply(side, splice)
        except Incomparable as error:
            entry.pair, entry.too_large = None, str(error)

    def settle(self, entry: OpenDocument) -> None:
        """After a change to a document: what depends on the whole of it."""
        if entry.pair is None and entry.too_large:
            self.face(entry)
        document = entry.document
        excused = frozenset(document.format.excused(document.facts.tolist()))
        if excused != entry.excused:
            entry.excused = excused
            document.rejudge(entry.judge)
            entry.lister = None
        self.touch(entry)

    def touch(self, entry: OpenDocument) -> None:
        """What is to be shown of a document may be new."""
        self._revision += 1
        entry.revision = self._revision

    def gold_digest(self, entry: OpenDocument, *, whole: bool = False) -> str:
        """The SHA-256 of a document's gold, or that it has not been saved (see `sha256`)."""
        if entry.facing is None:
            return UNSAVED
        if (opened := self.documents.get(str(entry.facing.gold))) is not None:
            return opened.sha256(whole=whole)
        return self.library.digest(entry.facing.gold) or UNSAVED

    def gold_uri(self, entry: OpenDocument) -> str | None:
        """Where the gold of a document is, as its editor calls it."""
        if entry.pair is None or entry.facing is None:
            return None
        opened = self.documents.get(str(entry.facing.gold))
        return opened.uri if opened else uri_of(entry.facing.gold)
