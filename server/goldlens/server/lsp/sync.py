"""Documents opened, changed, saved and closed; files and folders that changed behind them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server import config as configuration
from goldlens.server.arguments import items, table, text
from goldlens.server.lsp.fragments import Fragments
from goldlens.server.lsp.params import changes, document
from goldlens.server.lsp.progress import Progress
from goldlens.server.lsp.sight import looked
from goldlens.server.lsp.views import LARGE, View
from goldlens.server.memory import settle_soon, undisturbed
from goldlens.server.pairing import gold_for
from goldlens.server.sources import key_of, path_of, size_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer

log = logging.getLogger(__name__)


def did_open(ls: GoldlensServer, params: Any) -> None:
    """A buffer was opened; a second time, its text replaces the first."""
    opened = document(params)
    uri, content = opened["uri"], text(opened.get("text"), "textDocument.text")
    version = _version(opened)
    given = opened.get("languageId")
    language = given if isinstance(given, str) else None
    client = ls.client
    fragments = Fragments(uri, client.encoding, related=client.related, data=client.data)
    view = View(uri, len(content), fragments)
    ls.views[key_of(uri)] = view
    ls.everywhere.opened(key_of(uri))

    def work() -> None:
        with undisturbed():
            ls.publisher.mark(ls.workspace.open(uri, content, version, language), by=uri)

    if len(content) > LARGE or _gold_size(ls, uri) > LARGE:
        _in_thread(ls, view, work)
    else:
        ls.turns.do(work)
    ls.turns.do(lambda: ls.validation.look(uri))


def _in_thread(ls: GoldlensServer, view: View, opening: Callable[[], None]) -> None:
    """Opens a document in a thread, with a progress display on which it can be called off."""
    uri, name = view.uri, PurePosixPath(view.uri).name
    cancelled = False

    def work() -> None:
        if not cancelled:
            opening()

    def cancel() -> None:
        # The work itself cannot be stopped halfway. What it leaves is closed again at once, and
        # until it is opened anew the document is one that the server does not know.
        nonlocal cancelled
        cancelled = True
        if ls.views.get(key_of(uri)) is view:
            del ls.views[key_of(uri)]
            ls.turns.do(lambda: ls.publisher.mark(ls.workspace.close(uri), by=uri))
            ls.show(f"{name} is not checked. Open it again to have it checked.", "Info")

    progress = Progress(ls, f"Scoring {name}", cancel)
    progress.start()
    view.opening = True

    def done(future: asyncio.Future[None]) -> None:
        view.opening = False
        progress.end()
        if not future.cancelled() and (error := future.exception()) is not None:
            log.error("%s could not be opened", uri, exc_info=error)

    ls.turns.take(work, slow=True).add_done_callback(done)


def did_change(ls: GoldlensServer, params: Any) -> None:
    """A buffer was edited. Whatever its version, edits count in the order they come in."""
    changed = document(params)
    uri = changed["uri"]
    view = ls.views.get(key_of(uri))
    if view is None:
        log.warning("ignored an edit of %s, which is not open", uri)
        return
    edits, version = changes(params), _version(changed)
    if edits and edits[0].get("range") is not None:
        looked(ls, uri, edits[0]["range"]["start"]["line"])

    def work() -> None:
        touched = ls.workspace.change(uri, version, edits, ls.client.encoding)
        if ls.workspace.settings_of(uri).run == "onSave":
            touched.discard(view.uri)
        ls.publisher.mark(touched, by=view.uri)

    ls.turns.do(work, slow=sum(len(edit["text"]) for edit in edits) > LARGE)


def did_save(ls: GoldlensServer, params: Any) -> None:
    """A buffer was saved."""
    uri = document(params)["uri"]
    view = ls.views.get(key_of(uri))
    if view is None:
        log.info("ignored the saving of %s, which is not open", uri)
        return

    def work() -> None:
        on_save = ls.workspace.settings_of(uri).run == "onSave"
        # Scored only now, the document is one that its editor has no reason to ask about again.
        ls.publisher.mark(ls.workspace.save(uri), by=None if on_save else view.uri)

    ls.turns.do(work, slow=view.size > LARGE)
    # What has changed since saving is nothing now.
    ls.turns.do(ls.refresher.ask)
    ls.turns.do(lambda: ls.validation.look(uri))


def did_close(ls: GoldlensServer, params: Any) -> None:
    """A buffer was closed: nothing more is shown of it, even if work on it still runs."""
    uri = document(params)["uri"]
    view = ls.views.pop(key_of(uri), None)
    if view is None:
        log.info("ignored the closing of %s, which is not open", uri)
        return
    ls.validation.closed(key_of(uri))
    ls.publisher.closed(view)
    ls.turns.do(lambda: ls.publisher.mark(ls.workspace.close(uri)))
    ls.everywhere.closed(key_of(uri))
    settle_soon()


def folders_changed(ls: GoldlensServer, params: Any) -> None:
    """workspace/didChangeWorkspaceFolders."""
    event = table(table(params, "params").get("event"), "event")
    added = folders(event.get("added") or [])
    removed = {key_of(uri) for uri in folders(event.get("removed") or [])}
    ls.folders = [uri for uri in ls.folders if key_of(uri) not in removed] + added
    roots = [path for uri in ls.folders if (path := path_of(uri)) is not None]
    ls.turns.do(lambda: ls.publisher.mark(ls.workspace.set_folders(roots)), slow=ls.has_large())
    ls.turns.do(ls.everywhere.refresh)


def settings_changed(ls: GoldlensServer, params: Any) -> None:
    """workspace/didChangeConfiguration. Clients that want to be asked for settings send null."""
    settings = table(params, "params").get("settings")
    if settings is not None:
        configure(ls, settings)


def configure(ls: GoldlensServer, options: object) -> None:
    """Takes settings; what is wrong with them is shown to the user."""
    if not isinstance(options, Mapping):
        ls.show("goldlens: expected a table of settings", "Warning")
        return

    def work() -> list[str]:
        messages, touched = ls.workspace.configure(options)
        ls.publisher.mark(touched)
        return messages

    def tell(done: asyncio.Future[list[str]]) -> None:
        for message in done.result():
            ls.show(f"goldlens: {message}", "Warning")

    ls.turns.take(work, slow=ls.has_large()).add_done_callback(tell)
    ls.turns.do(ls.everywhere.refresh)
    ls.turns.do(ls.validation.look_at_all)


def folders(value: object) -> list[str]:
    """The URIs of some workspace folders. Raises WrongCall."""
    return [
        text(table(folder, "each of the folders").get("uri"), "uri")
        for folder in items(value, "the folders")
    ]


def _version(named: Mapping[str, Any]) -> int | None:
    version = named.get("version")
    return version if type(version) is int else None


def _gold_size(ls: GoldlensServer, uri: str) -> int:
    """How large the gold is that a document will face; a guess, to choose where to read it."""
    path = path_of(uri)
    if path is None:
        return 0
    try:
        roots = [root for folder in ls.folders if (root := path_of(folder)) is not None]
        found = configuration.find(path, next((r for r in roots if path.is_relative_to(r)), None))
        config = None
        if found is not None:
            config = configuration.parse(found.read_text("utf-8", "replace"), found)
        facing = gold_for(path, config)
    except OSError:
        return 0
    return size_of(facing.gold) if facing is not None else 0


FEATURES: Final = {
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: folders_changed,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: settings_changed,
}
"""Each method and what handles it."""
