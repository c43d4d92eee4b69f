"""The room where files, pairs and the engine meet.

A workspace knows which buffers an editor has open, which gold each faces, and keeps their scores.
Every way in, an edit, a save, a file changed on disk, goes through one of its methods, which
returns the URIs (as they were opened) of documents whose problems or scores may have changed.
It is synchronous and belongs to one caller at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from goldlens.server import config as configuration
from goldlens.server.asked import WorkspaceError, as_workspace_errors
from goldlens.server.buffers import (
    FileListing,
    Held,
    OpenDocument,
    change_of,
    pair_dict,
)
from goldlens.server.config import DATA, Settings
from goldlens.server.desk import CONFIG_NAMES, Desk
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.listing import Listing
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.seeking import Which, sought
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.library import Library
from goldlens.server.pairing import data_set, expand, gold_for
from goldlens.server.plain import PLAIN
from goldlens.server.publishing import Publishing
from goldlens.server.sources import (
    Unreadable,
    key_of,
    path_of,
    read,
    uri_of,
)
from goldlens.server.trees import tree_at
from goldlens.server.watching.interest import Interest

_SLICE: Final = 128

T = TypeVar("T")


class Workspace:
    """Open documents over files on disk."""

    def __init__(self, root: Path | None = None, library: Library | None = None) -> None:
        """`library`: what has been read from disk, where others share it."""
        self._desk = Desk(root, library)
        self.settings = Settings()
        self.publishing = Publishing(self._desk, self._entry_or_file)

    # Settings and folders

    def configure(self, options: Mapping[str, object]) -> tuple[list[str], set[str]]:
        """Takes an editor's settings; bad ones are left out, with a message each."""
        settings, messages = Settings().merge(options)
        self._desk.options, self.settings = dict(options), settings
        return messages, self._reopen_all()

    def set_folders(self, roots: Sequence[Path]) -> set[str]:
        """Takes other workspace folders."""
        self._desk.roots = list(roots)
        self._desk.generation += 1
        return self._reopen_all()

    def _reopen_all(self) -> set[str]:
        self._desk.start_all()
        return {entry.uri for entry in self._desk.documents.values()}

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
        self._desk.documents[key] = entry
        self._desk.start(entry, data)
        entry.at_open = entry.at_save = entry.figures()
        return {uri} | self._desk.gold_changed(key) | self._desk.known_now()

    def change(
        self,
        uri: str,
        version: int | None,
        changes: Sequence[Mapping[str, Any]],
        encoding: Encoding,
    ) -> set[str]:
        """Applies an editor's changes in order, whatever the version. Unknown URIs: nothing."""
        key = key_of(uri)
        entry = self._desk.documents.get(key)
        if entry is None:
            return set()
        entry.version = version
        entry.edited, entry.digest = True, None
        live = entry.document is entry.buffer
        touched = {entry.uri}
        for change in changes:
            text = change["text"].encode("utf-8", "surrogatepass")
            where = change.get("range")
            make: Callable[[Document], Splice]
            if where is None:
                make = partial(Document.replace, text=text)
            else:
                start, end = where["start"], where["end"]
                edit = Edit(start["line"], start["character"], end["line"], end["character"], text)
                make = partial(Document.edit, edit=edit, encoding=encoding)
            if live:
                touched |= self._desk.apply(entry, make)
            else:
                make(entry.buffer)
        entry.edits += 1
        if live:
            self._desk.settle(entry)
        return touched

    def save(self, uri: str) -> set[str]:
        """The buffer was saved; with run = onSave it is scored now.

        What counts is the buffer as ever, whatever the disk has by now: who writes to the disk
        behind an editor is not who says that it was saved.
        """
        key = key_of(uri)
        entry = self._desk.documents.get(key)
        if entry is None:
            return set()
        if entry.path is not None and entry.path.name in CONFIG_NAMES:
            return {entry.uri} | self._reopen_all()
        touched = {entry.uri} | self._reconcile([entry.path] if entry.path else [])
        if entry.document is not entry.buffer:
            touched |= self._rescore(entry)
        entry.edited, entry.digest = False, None
        entry.at_save = entry.figures()
        self._desk.touch(entry)
        self._desk.library.look_again()
        return touched | self.news()

    def _rescore(self, entry: OpenDocument) -> set[str]:
        text = entry.buffer.text()
        touched = self._desk.apply(entry, partial(Document.replace, text=text))
        self._desk.settle(entry)
        return touched

    def close(self, uri: str) -> set[str]:
        """Lets a buffer go; predictions that faced it as gold face the file again."""
        key = key_of(uri)
        entry = self._desk.documents.pop(key, None)
        self._desk.generation += 1
        return set() if entry is None else self._desk.gold_changed(key)

    def files_changed(self, uris: Sequence[str]) -> set[str]:
        """Files changed on disk: golds and profiles are read again. Open buffers win."""
        paths = [path for uri in uris if (path := path_of(uri)) is not None]
        if any(path.name in CONFIG_NAMES for path in paths):
            return self._reopen_all()
        touched = self._reconcile(paths)
        self._desk.library.look_again(paths)
        return touched | self.news()

    def _reconcile(self, paths: Sequence[Path]) -> set[str]:
        """Scores anew the documents whose pair has its profile in one of some files."""
        touched: set[str] = set()
        for entry in self._desk.reconciled_by(paths):
            touched |= self._faces_anew(entry)
        return touched

    @property
    def has_news(self) -> bool:
        """Whether a gold of an open document has changed on disk, which `news` would tell."""
        return self._desk.has_news

    def news(self) -> set[str]:
        """Documents that face a gold that has changed or appeared on disk."""
        touched = self._desk.news()
        for entry in self._desk.documents.values():
            if entry.pair is None and entry.trouble is not None:
                if entry.trouble.code == "config-value":
                    # What it is scored under is part of its role.
                    self._faces_anew(entry)
                else:
                    self._desk.face(entry)
                if entry.pair is not None:
                    self._desk.touch(entry)
                    touched.add(entry.uri)
        return touched

    def leave(self) -> None:
        """Lets everything go: its library, which others may use, tells it no more."""
        self._desk.library.leave(self._desk)

    def set_gold(self, uri: str, gold: str | None) -> set[str]:
        """Names the gold of a prediction, open or on disk, by hand for this session.

        `gold` is a path (relative to the prediction's folder), a file URI or `data:NAME`; None
        forgets what was named. Raises WorkspaceError.
        """
        if gold is None:
            self._desk.by_hand.pop(key_of(uri), None)
            return self._faces_anew(self._entry(uri)) if self.is_open(uri) else set()
        entry = self._entry_or_file(uri)
        if gold.startswith(DATA):
            config = self._desk.config(entry.path) if entry.path is not None else None
            with as_workspace_errors():
                gold = str(data_set(gold, config))
        path = path_of(gold)
        if path is None:
            raise WorkspaceError(f"gold must be a path or a file URI, not {gold!r}")
        if not path.is_absolute():
            if entry.path is None:
                raise WorkspaceError(
                    f"{gold}: what was never saved lies in no folder; name gold by its whole path"
                )
            path = entry.path.parent / path
        path = configuration.lexical(path)
        if entry.path is not None and path == entry.path:
            raise WorkspaceError("a file cannot be its own gold; name another file")
        if str(path) not in self._desk.documents:
            try:
                read(path)
            except Unreadable as error:
                raise WorkspaceError(f"{path}: {error}") from error
        self._desk.by_hand[key_of(uri)] = path
        return self._faces_anew(entry) if self.is_open(uri) else set()

    def _faces_anew(self, entry: OpenDocument) -> set[str]:
        """Finds the gold of an open document again; gives the documents for which that matters."""
        touched = {entry.uri}
        role = self._desk.role(entry, entry.buffer.text())
        if role.format == entry.document.format:
            entry.role = role
            self._desk.face(entry)
        else:
            self._desk.start(entry, entry.buffer.text())
            # It may be the gold of others, who hold what was.
            touched |= self._desk.gold_changed(key_of(entry.uri))
        entry.at_open = entry.at_save = entry.figures()
        self._desk.touch(entry)
        return touched | self._desk.known_now()

    @property
    def generation(self) -> int:
        """Another number whenever `interest` may be something else."""
        return self._desk.generation

    def interest(self) -> Interest:
        """The files whose changes matter to open documents: golds and configurations."""
        return self._desk.interest()

    # What is asked

    def is_open(self, uri: str) -> bool:
        """Whether a document is open."""
        return key_of(uri) in self._desk.documents

    def version(self, uri: str) -> int | None:
        """The version of an open document, as its editor counts."""
        entry = self._desk.documents.get(key_of(uri))
        return entry.version if entry else None

    def revision(self, uri: str) -> tuple[int, int]:
        """Something else whenever the text of an open document, or what is to be shown of it, is.

        Raises WorkspaceError.
        """
        entry = self._entry(uri)
        return entry.revision, entry.edits

    def document(self, uri: str) -> Document:
        """What is scored of an open document. Raises WorkspaceError."""
        return self._entry(uri).document

    def settings_of(self, uri: str) -> Settings:
        """The settings that hold for an open document. Raises WorkspaceError."""
        return self._entry(uri).settings

    def held(self, uri: str) -> Held:
        """The text of an open document and what it is held against. Raises WorkspaceError."""
        entry = self._entry(uri)
        # Scored on saving, the text on the screen is not the one that was compared.
        live = entry.document is entry.buffer
        pair, gold_uri = (entry.pair, self._desk.gold_uri(entry)) if live else (None, None)
        return Held(entry.uri, entry.buffer, pair, gold_uri)

    def settings_at(self, path: Path) -> Settings:
        """The settings that hold for a file or a folder that is not open."""
        config = self._desk.config(path)
        base = config.settings if config is not None else Settings()
        return base.merge(self._desk.options)[0]

    def listing(self, uri: str, limit: int | None) -> FileListing:
        """The problems of an open document. Raises WorkspaceError."""
        entry = self._entry(uri)
        extra = file_problems(entry.document, entry.trouble, entry.too_large, entry.pair)
        found: Listing = entry.listed().list(extra, limit, entry.near)
        gold, gold_uri = entry.pair.gold if entry.pair else None, self._desk.gold_uri(entry)
        return FileListing(
            found.shown,
            found.more,
            entry.document,
            gold,
            gold_uri,
            entry.revision,
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
                {"path": str(entry.facing.gold), "sha256": self._desk.gold_digest(entry)},
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
        for key, entry in self._desk.documents.items():
            if entry.facing is not None:
                found[key] = pair_dict(entry.uri, entry.facing, is_open=True)
        for root in self._desk.roots:
            config = self._desk.config(root)
            for _, path, _ in expand(config) if config else ():
                key = str(path)
                if key not in found and (facing := gold_for(path, config)) is not None:
                    found[key] = pair_dict(uri_of(path), facing, is_open=False)
        return [found[key] for key in sorted(found)]

    def tree(self, uri: str, line: int) -> dict[str, object] | None:
        """The sentence at a line, for views to draw; None where there is none."""
        entry = self._entry_or_file(uri)
        return tree_at(entry.document, entry.pair, line)

    def seek(self, uri: str, which: Which, line: int | None) -> dict[str, object] | None:
        """The unit with most problems, or the next or previous one, from a line, that has some.

        None if none has any. `name` is what it is called (None if nothing), `line` that of its
        first problem, from 0, `problems` how many it has. From now on problems near to it are
        shown first. Raises WorkspaceError.
        """
        entry = self._entry_or_file(uri)
        document, lister = entry.document, entry.listed()
        counts = lister.by_unit()
        unit = sought(counts, which, None if line is None else document.unit_at(line))
        if unit is None:
            return None
        entry.near = unit
        self._desk.touch(entry)
        problems = lister.of_unit(unit)
        return {
            "name": document.format.title(document.units[unit]),
            "line": problems[0].line if problems else document.line_starts.item(unit),
            "problems": counts.item(unit),
        }

    # How it works

    def _entry(self, uri: str) -> OpenDocument:
        entry = self._desk.documents.get(key_of(uri))
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
        self._desk.start(entry, data)
        entry.at_open = entry.at_save = entry.figures()
        return entry

    def idle(self) -> set[str]:
        """Does a little of what was put off; the URIs of documents whose checks are now complete.

        To be called while nothing else waits, as long as `busy`.
        """
        for entry in self._desk.documents.values():
            if entry.document.unchecked:
                if entry.document.check_some(_SLICE):
                    return set()
                self._desk.touch(entry)
                return {entry.uri}
        return set()

    @property
    def busy(self) -> bool:
        """Whether checks were put off (see `idle`)."""
        return any(entry.document.unchecked for entry in self._desk.documents.values())
