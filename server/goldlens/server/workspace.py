"""The room where files, pairs and the engine meet.

A workspace knows which buffers an editor has open, which gold each faces, and keeps their scores.
Every way in, an edit, a save, a file changed on disk, goes through one of its methods, which
returns the URIs (as they were opened) of documents whose problems or scores may have changed.
It is synchronous and belongs to one caller at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from goldlens.scoring.counts import Figure
from goldlens.scoring.problems import CODES
from goldlens.scoring.task import GOLD, PRED, Format, Incomparable, Task
from goldlens.scoring.text import BOM
from goldlens.server import config as configuration
from goldlens.server.buffers import (
    LARGE,
    UNSAVED,
    FileListing,
    OpenDocument,
    change_of,
    no_collection,
    pair_dict,
)
from goldlens.server.config import Config, PairConfig, Settings
from goldlens.server.config_text import Configuration
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.listing import Lister, Listing
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.library import Library
from goldlens.server.pairing import Pairing, expand, gold_for
from goldlens.server.plain import PLAIN
from goldlens.server.results import RowsError, rows_of
from goldlens.server.roles import Role, role_of
from goldlens.server.sources import (
    Unreadable,
    key_of,
    path_of,
    read,
    stamp,
    uri_of,
)
from goldlens.server.trees import tree_at

_SLICE: Final = 128
_CONFIG_NAMES: Final = frozenset({configuration.FILE, configuration.PYPROJECT})
_OFF: Final = tuple(code for code, known in CODES.items() if not known.on)


class WorkspaceError(Exception):
    """Something asked of the workspace cannot be done. `str` says what and what to do."""


class Workspace:
    """Open documents over files on disk."""

    def __init__(self, root: Path | None = None) -> None:
        self._roots: list[Path] = [root] if root else []
        self._options: Mapping[str, object] = {}
        self.settings = Settings()
        self._open: dict[str, OpenDocument] = {}
        self._library = Library()
        self._set_gold: dict[str, Path] = {}
        self._revision = 0

    # Settings and folders

    def configure(self, options: Mapping[str, object]) -> tuple[list[str], set[str]]:
        """Takes an editor's settings; bad ones are left out, with a message each."""
        settings, messages = Settings().merge(options)
        self._options, self.settings = dict(options), settings
        return messages, self._reopen_all()

    def set_folders(self, roots: Sequence[Path]) -> set[str]:
        """Takes other workspace folders."""
        self._roots = list(roots)
        return self._reopen_all()

    def _reopen_all(self) -> set[str]:
        for entry in list(self._open.values()):
            self._start(entry, entry.buffer.text())
        return {entry.uri for entry in self._open.values()}

    # What editors do

    def open(
        self, uri: str, text: str, version: int | None, language: str | None = None
    ) -> set[str]:
        """Takes a buffer; one that is open already is replaced. `language`: the editor's name."""
        key = key_of(uri)
        data = text.encode("utf-8", "surrogatepass")
        placeholder = Document(PLAIN, b"")
        entry = OpenDocument(uri, path_of(uri), version, placeholder, placeholder, self.settings)
        entry.language = language
        self._open[key] = entry
        self._start(entry, data)
        entry.at_open = entry.at_save = self._figures(entry)
        return {uri} | self._gold_changed(key)

    def change(
        self,
        uri: str,
        version: int | None,
        changes: Sequence[Mapping[str, Any]],
        encoding: Encoding,
    ) -> set[str]:
        """Applies an editor's changes in order, whatever the version. Unknown URIs: nothing."""
        key = key_of(uri)
        entry = self._open.get(key)
        if entry is None:
            return set()
        entry.version = version
        entry.edited, entry.digest = True, None
        live = entry.document is entry.buffer
        touched = {entry.uri}
        for change in changes:
            text = change["text"].encode("utf-8", "surrogatepass")
            where = change.get("range")
            if where is None:
                splice = entry.buffer.replace(text)
            else:
                start, end = where["start"], where["end"]
                splice = entry.buffer.edit(
                    Edit(start["line"], start["character"], end["line"], end["character"], text),
                    encoding,
                )
            if live:
                entry.near = splice.start
                touched |= self._apply(entry, key, splice)
        if live:
            self._settle(entry)
        return touched

    def save(self, uri: str) -> set[str]:
        """The buffer was saved: with run = onSave it is rescored from the disk's bytes."""
        key = key_of(uri)
        entry = self._open.get(key)
        if entry is None:
            return set()
        if entry.path is not None and entry.path.name in _CONFIG_NAMES:
            return {entry.uri} | self._reopen_all()
        touched = {entry.uri}
        if entry.document is not entry.buffer:
            touched |= self._rescore_from_disk(entry, key)
        entry.edited, entry.digest = False, None
        entry.at_save = self._figures(entry)
        self._touch(entry)
        return touched | self.files_changed([])

    def _rescore_from_disk(self, entry: OpenDocument, key: str) -> set[str]:
        data = entry.buffer.text()
        if entry.path is not None:
            # If it cannot be read: the editor says it saved, and has the text.
            with suppress(Unreadable):
                data = read(entry.path)
        splice = entry.document.replace(data)
        entry.near = splice.start
        touched = self._apply(entry, key, splice)
        self._settle(entry)
        return touched

    def close(self, uri: str) -> set[str]:
        """Lets a buffer go; predictions that faced it as gold face the file again."""
        key = key_of(uri)
        entry = self._open.pop(key, None)
        return set() if entry is None else self._gold_changed(key)

    def files_changed(self, uris: Sequence[str]) -> set[str]:
        """Files changed on disk: golds are read again if they differ. Open buffers win."""
        paths = [path for uri in uris if (path := path_of(uri)) is not None]
        if any(path.name in _CONFIG_NAMES for path in paths):
            return self._reopen_all()
        touched: set[str] = set()
        for key in self._library:
            touched |= self._read_again(key)
        for entry in self._open.values():
            if entry.pair is None and entry.trouble is not None:
                self._face(entry)
                if entry.pair is not None:
                    self._touch(entry)
                    touched.add(entry.uri)
        return touched

    def _read_again(self, key: tuple[str, Format]) -> set[str]:
        document = self._library.known(key)
        facing = [e for e in self._open.values() if e.pair and e.pair.gold is document]
        try:
            splice = self._library.read_again(key)
        except Unreadable:
            splice = None
            for entry in facing:
                self._face(entry)
        else:
            if splice is None:
                return set()
        for entry in facing:
            if splice is not None:
                self._told(entry, GOLD, splice)
            self._touch(entry)
        return {entry.uri for entry in facing}

    def set_gold(self, uri: str, gold: str) -> set[str]:
        """Names the gold of an open prediction by hand, for this session.

        `gold` is a path (relative to the prediction's folder) or a file URI. Raises
        WorkspaceError.
        """
        entry = self._entry(uri)
        path = path_of(gold)
        if path is None:
            raise WorkspaceError(f"gold must be a path or a file URI, not {gold!r}")
        if not path.is_absolute() and entry.path is not None:
            path = entry.path.parent / path
        path = configuration.lexical(path)
        if entry.path is not None and path == entry.path:
            raise WorkspaceError("a file cannot be its own gold; name another file")
        if str(path) not in self._open:
            try:
                read(path)
            except Unreadable as error:
                raise WorkspaceError(f"{path}: {error}") from error
        self._set_gold[key_of(uri)] = path
        role = self._role(entry, entry.buffer.text())
        if role.format == entry.document.format:
            entry.role = role
            self._face(entry)
        else:
            self._start(entry, entry.buffer.text())
        entry.at_open = entry.at_save = self._figures(entry)
        self._touch(entry)
        return {entry.uri}

    # What is asked

    def is_open(self, uri: str) -> bool:
        """Whether a document is open."""
        return key_of(uri) in self._open

    def version(self, uri: str) -> int | None:
        """The version of an open document, as its editor counts."""
        entry = self._open.get(key_of(uri))
        return entry.version if entry else None

    def document(self, uri: str) -> Document:
        """What is scored of an open document. Raises WorkspaceError."""
        return self._entry(uri).document

    def settings_of(self, uri: str) -> Settings:
        """The settings that hold for an open document. Raises WorkspaceError."""
        return self._entry(uri).settings

    def listing(self, uri: str, limit: int | None) -> FileListing:
        """The problems of an open document. Raises WorkspaceError."""
        entry = self._entry(uri)
        extra = file_problems(entry.document, entry.trouble, entry.too_large)
        lister = entry.lister
        if lister is None or lister.document is not entry.document or lister.pair is not entry.pair:
            lister = entry.lister = Lister(entry.document, entry.pair, entry.judge)
        found: Listing = lister.list(extra, limit, entry.near)
        gold = entry.pair.gold if entry.pair else None
        return FileListing(
            found.shown, found.more, entry.document, gold, self._gold_uri(entry), entry.revision
        )

    def scores(self, uri: str) -> dict[str, object] | None:
        """The scoreboard of a document, open or on disk; None without gold.

        Raises WorkspaceError.
        """
        entry = self._entry_or_file(uri)
        if entry.pair is None or entry.facing is None:
            return None
        board = Scoreboard(entry.pair)
        figures = board.figures()
        return {
            **board.as_dict(
                {"path": str(entry.facing.gold), "sha256": self._gold_digest(entry)},
                {"path": str(entry.path or entry.uri), "sha256": entry.sha256()},
            ),
            "uri": entry.uri,
            "version": entry.version,
            "since_open": change_of(entry.at_open, figures),
            "since_save": change_of(entry.at_save, figures),
        }

    def pairs(self) -> list[dict[str, object]]:
        """The predictions that are open or configured, and their golds."""
        found: dict[str, dict[str, object]] = {}
        for key, entry in self._open.items():
            if entry.facing is not None:
                found[key] = pair_dict(entry.uri, entry.facing, is_open=True)
        for root in self._roots:
            config = self._config(root)
            for _, path, _ in expand(config) if config else ():
                key = str(path)
                if key not in found and (facing := gold_for(path, config)) is not None:
                    found[key] = pair_dict(uri_of(path), facing, is_open=False)
        return [found[key] for key in sorted(found)]

    def tree(self, uri: str, line: int) -> dict[str, object] | None:
        """The sentence at a line, for views to draw; None where there is none."""
        entry = self._entry_or_file(uri)
        return tree_at(entry.document, entry.pair, line)

    def rows(
        self, uri: str, format: str, metrics: Sequence[str] | None = None, **fields: Any
    ) -> str:
        """Results rows of an open prediction, as text. Raises WorkspaceError."""
        entry = self._entry_or_file(uri)
        if entry.pair is None or entry.facing is None:
            raise WorkspaceError("this file has no gold; name one with goldlens.setGold")
        try:
            return rows_of(entry, self._gold_digest(entry), format, metrics, fields)
        except RowsError as error:
            raise WorkspaceError(str(error)) from error

    # How it works

    def _entry(self, uri: str) -> OpenDocument:
        entry = self._open.get(key_of(uri))
        if entry is None:
            raise WorkspaceError(f"{uri} is not open; open it first")
        return entry

    def _entry_or_file(self, uri: str) -> OpenDocument:
        """An open document, or else the file on disk as if it were. Raises WorkspaceError."""
        path = path_of(uri)
        if self.is_open(uri) or path is None:
            return self._entry(uri)
        try:
            data = read(path)
        except Unreadable as error:
            raise WorkspaceError(f"{path}: {error}") from error
        placeholder = Document(PLAIN, b"")
        entry = OpenDocument(uri, path, None, placeholder, placeholder, self.settings)
        self._start(entry, data)
        entry.at_open = entry.at_save = self._figures(entry)
        return entry

    def _start(self, entry: OpenDocument, data: bytes) -> None:
        """Reads a buffer's text anew, under the settings of now, and finds its gold."""
        config = self._config(entry.path) if entry.path else None
        base = config.settings if config else Settings()
        entry.settings, _ = base.merge(self._options)
        extra = [code for code in _OFF if entry.settings.severity_of(code) is not None]
        format: Format
        if entry.path is not None and entry.path.name in _CONFIG_NAMES:
            entry.role = Role(None)
            format = Configuration(entry.path)
        else:
            entry.role = self._role(entry, data)
            format = entry.role.format
        entry.excused, entry.lister = frozenset(), None
        large = len(data) > LARGE
        with no_collection(large):
            if not (large and self._start_both(entry, data, extra)):
                entry.buffer = Document(format, data, later=large, extra=extra, judge=entry.judge)
                entry.document = entry.buffer
                self._face(entry)
            if entry.settings.run == "onSave":
                entry.document = Document(format, data, later=large, extra=extra, judge=entry.judge)
                self._face(entry)
        self._settle(entry)

    def _role(self, entry: OpenDocument, data: bytes) -> Role:
        """What a document is, now."""
        path = entry.path
        if path is None:
            return role_of(None, None, data, entry.language)
        config = self._config(path)
        return role_of(path, config, data, entry.language, self._by_hand(path))

    def _start_both(self, entry: OpenDocument, data: bytes, extra: Sequence[str]) -> bool:
        """Opens a large prediction together with its gold, if that is not known yet."""
        task, facing = entry.role.task, entry.role.facing
        if task is None or facing is None or facing.pair.match == "sent_id":
            return False
        if str(facing.gold) in self._open or facing.gold in self._library:
            return False
        now = stamp(facing.gold)
        try:
            gold = read(facing.gold)
            opened = task.open_both(gold.removeprefix(BOM), data.removeprefix(BOM))
            if opened is None:
                return False
            document = Document(task.format(GOLD), gold, checks=False, units=opened.gold)
            self._library.keep(facing.gold, document, now, gold)
            entry.buffer = entry.document = Document(
                task.format(PRED),
                data,
                later=True,
                units=opened.pred,
                extra=extra,
                judge=entry.judge,
            )
            entry.facing, entry.trouble = facing, None
            entry.pair = Pair(task, document, entry.document, facing.pair.match, opened.counts)
        except (Unreadable, Incomparable):
            return False
        return True

    def idle(self) -> set[str]:
        """Does a little of what was put off; the URIs of documents whose checks are now complete.

        To be called while nothing else waits, as long as `busy`.
        """
        for entry in self._open.values():
            if entry.document.unchecked:
                if entry.document.check_some(_SLICE):
                    return set()
                self._touch(entry)
                return {entry.uri}
        return set()

    @property
    def busy(self) -> bool:
        """Whether checks were put off (see `idle`)."""
        return any(entry.document.unchecked for entry in self._open.values())

    def _face(self, entry: OpenDocument) -> None:
        """Finds the gold a document faces and compares the two."""
        entry.pair, entry.trouble, entry.too_large, entry.facing = None, None, None, None
        task = entry.role.task
        facing = entry.facing = entry.role.facing
        if task is None or facing is None:
            return
        if str(facing.gold) not in self._open and facing.trouble:
            entry.trouble = facing.trouble
            return
        try:
            gold = self._gold(facing.gold, task)
            entry.pair = Pair(task, gold, entry.document, facing.pair.match)
        except Unreadable as error:
            entry.trouble = f"gold cannot be read: {facing.gold}: {error}"
        except Incomparable as error:
            entry.too_large = str(error)

    def _by_hand(self, path: Path) -> Pairing | None:
        by_hand = self._set_gold.get(str(path))
        if by_hand is None:
            return None
        return Pairing(path, by_hand, PairConfig(str(by_hand), str(path)), path.stem, "name")

    def _config(self, path: Path) -> Config | None:
        return self._library.config(path, self._roots)

    def _gold(self, path: Path, task: Task) -> Document:
        """The gold at a path: the buffer that has it open, else the file. Raises Unreadable."""
        opened, format = self._open.get(str(path)), task.format(GOLD)
        if opened is None:
            return self._library.gold(path, format)
        if opened.document.format != format:
            # It was opened before anybody said what it is.
            opened.role = Role(task, GOLD)
            opened.buffer = Document(format, opened.buffer.text(), judge=opened.judge)
            opened.document = opened.buffer
            opened.pair, opened.lister = None, None
            self._touch(opened)
        return opened.document

    def _gold_changed(self, key: str) -> set[str]:
        """A buffer that may be somebody's gold came or went: those face the other now."""
        facing = [
            entry
            for entry in self._open.values()
            if entry.facing is not None and str(entry.facing.gold) == key
        ]
        for entry in facing:
            self._face(entry)
            self._touch(entry)
        return {entry.uri for entry in facing}

    def _apply(self, entry: OpenDocument, key: str, splice: Any) -> set[str]:
        """Tells all pairs that a document is in of a change to it."""
        self._told(entry, PRED, splice)
        touched = set()
        for other in self._open.values():
            if other.pair is not None and other.pair.gold is entry.document:
                self._told(other, GOLD, splice)
                self._touch(other)
                touched.add(other.uri)
        return touched

    def _told(self, entry: OpenDocument, side: int, splice: Any) -> None:
        if entry.pair is None:
            return
        try:
            entry.pair.apply(side, splice)
        except Incomparable as error:
            entry.pair, entry.too_large = None, str(error)

    def _settle(self, entry: OpenDocument) -> None:
        """After a change to a document: what depends on the whole of it."""
        if entry.pair is None and entry.too_large:
            self._face(entry)
        document = entry.document
        excused = frozenset(document.format.excused(document.facts.tolist()))
        if excused != entry.excused:
            entry.excused = excused
            document.rejudge(entry.judge)
            entry.lister = None
        self._touch(entry)

    def _touch(self, entry: OpenDocument) -> None:
        self._revision += 1
        entry.revision = self._revision

    def _figures(self, entry: OpenDocument) -> dict[str, Figure | None]:
        return Scoreboard(entry.pair).figures() if entry.pair else {}

    def _gold_digest(self, entry: OpenDocument) -> str:
        """The SHA-256 of a document's gold, or that it is a buffer."""
        if entry.facing is None or str(entry.facing.gold) in self._open:
            return UNSAVED
        return self._library.digest(entry.facing.gold) or UNSAVED

    def _gold_uri(self, entry: OpenDocument) -> str | None:
        if entry.pair is None or entry.facing is None:
            return None
        opened = self._open.get(str(entry.facing.gold))
        return opened.uri if opened else uri_of(entry.facing.gold)


__all__ = ["FileListing", "Workspace", "WorkspaceError"]
