"""Diagnostics: pushed to clients that only listen, given to those that ask.

Changes only mark documents. What is marked goes out when the input that was waiting has been
dealt with, nothing runs on the workspace, and the client has read what it was sent: so a burst
of edits, or a slow reader, gets the last state and none of those in between.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.asked import WorkspaceError
from goldlens.server.lsp import scores
from goldlens.server.lsp.params import document
from goldlens.server.lsp.protocol import Ready
from goldlens.server.sources import key_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.lsp.views import View

log = logging.getLogger(__name__)

_RUN: Final = f"{time.time_ns():x}"
"""Tells this process's result ids from those an editor still has from an earlier one."""


class Publisher:
    """Knows which documents the client's picture is out of date for, and brings it up to date."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._marked: dict[str, None] = {}
        self._refresh = False
        self._scheduled = False
        self._held = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Messages that came in together: what they change is shown after the last of them."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
            self.flush()

    def mark(self, uris: Iterable[str], *, by: str | None = None) -> None:
        """Notes documents whose problems or scores may have changed; from any thread.

        `by` is the document whose own change did it: its editor knows, and will ask again.
        """
        for uri in uris:
            self._marked[uri] = None
            if uri != by:
                self._refresh = True

    def wake(self) -> None:
        """Sends what is marked soon, or after the messages that are being dealt with."""
        if (self._marked or self._refresh) and not self._scheduled and not self._held:
            self._scheduled = True
            self._loop.call_soon(self._woken)

    def _woken(self) -> None:
        self._scheduled = False
        self.flush()

    def flush(self) -> None:
        """Sends what is marked, unless the workspace is in use or the client does not read."""
        ls = self._ls
        while self._marked and not ls.turns.busy and not ls.congested():
            uri = next(iter(self._marked))
            del self._marked[uri]
            view = ls.views.get(key_of(uri))
            if view is None or not ls.running:
                continue
            try:
                self._show(view)
            except WorkspaceError as error:
                log.info("nothing to show: %s", error)
            except Exception:
                log.exception("the problems of %s could not be shown", uri)
        if self._refresh and not self._marked and not ls.turns.busy:
            self._refresh = False
            if ls.client.pulls and ls.client.refresh and ls.running:
                ls.protocol.send_request(types.WORKSPACE_DIAGNOSTIC_REFRESH)
            ls.refresher.ask()

    def _show(self, view: View) -> None:
        ls = self._ls
        if not ls.client.pulls:
            limit = ls.workspace.settings_of(view.uri).max_problems
            listing = ls.workspace.listing(view.uri, limit)
            version = view.next_version(ls.workspace.version(view.uri))
            diagnostics = view.fragments.render(listing, limit)
            diagnostics = ls.validation.beside(view, listing.document, limit, diagnostics)
            self._push(view, version, diagnostics)
        scores.tell(ls, view)

    def closed(self, view: View) -> None:
        """Takes a document's problems off the screen, for good."""
        if not self._ls.client.pulls:
            self._push(view, view.version, "[]")

    def push(self, view: View, diagnostics: str) -> None:
        """Shows problems, as JSON, of a file that is not open, unless the client asks for them."""
        if not self._ls.client.pulls:
            self._push(view, None, diagnostics)

    def _push(self, view: View, version: int | None, diagnostics: str) -> None:
        numbered = "" if version is None else f'"version":{version},'
        self._ls.protocol.send_ready(
            '{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":'
            f'{{"uri":{view.json_uri},{numbered}"diagnostics":{diagnostics}}}}}'
        )


def pull(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready]:
    """textDocument/diagnostic: the problems, or that they are what the client has already.

    A document that is not open has none. Raises WrongCall.
    """
    uri = document(params)["uri"]
    previous = params.get("previousResultId")
    view = ls.views.get(key_of(uri))
    if view is None:
        answer: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
        answer.set_result(Ready('{"kind":"full","items":[]}'))
        return answer
    return ls.turns.take(lambda: _report(ls, view, previous))


def _report(ls: GoldlensServer, view: View, previous: Any) -> Ready:
    try:
        limit = ls.workspace.settings_of(view.uri).max_problems
        listing = ls.workspace.listing(view.uri, limit)
    except WorkspaceError:
        # Closed while the request waited for its turn.
        return Ready('{"kind":"full","items":[]}')
    result = f"{_RUN}-{listing.revision}-{ls.validation.revision(view)}"
    if previous == result:
        return Ready(f'{{"kind":"unchanged","resultId":{json.dumps(result)}}}')
    diagnostics = view.fragments.render(listing, limit)
    diagnostics = ls.validation.beside(view, listing.document, limit, diagnostics)
    return Ready(f'{{"kind":"full","resultId":{json.dumps(result)},"items":{diagnostics}}}')
