"""The problems of predictions that nobody has open, for a client that wants them all.

That is what `scope = "workspace"` asks for. A prediction that is opened is the publisher's; when
it is closed, what is on disk shows again. Severities of what is on disk are the configuration's.
"""

from __future__ import annotations

import asyncio
import json
import logging
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from goldlens.server.arguments import items, table
from goldlens.server.lsp import scores
from goldlens.server.lsp.fragments import Fragments
from goldlens.server.lsp.protocol import Ready
from goldlens.server.lsp.views import View
from goldlens.server.sources import path_of, uri_of
from goldlens.server.system import System
from goldlens.server.systems import Change, Event
from goldlens.server.telling import board_of, listing_of

if TYPE_CHECKING:
    from goldlens.server.lsp.server import GoldlensServer
    from goldlens.server.watched import Watched

log = logging.getLogger(__name__)

_WHOLE: Final = "workspace"


class Everywhere:
    """What a client has been shown of files on disk, and what is still to be shown."""

    def __init__(self, ls: GoldlensServer) -> None:
        self._ls = ls
        self._loop = asyncio.get_running_loop()
        self._sources: dict[Path, Watched] = {}
        self._marked: dict[System, Event] = {}
        self._shown: dict[str, View] = {}
        self._boards: dict[str, dict[str, object]] = {}
        self._pushed: dict[str, str] = {}
        self._results: dict[System, str] = {}
        self._pulls: list[tuple[dict[str, str], asyncio.Future[Ready]]] = []
        self._scheduled = self._asked = self._answered = False

    def refresh(self) -> None:
        """Folders or settings may be others now."""
        ls = self._ls
        wanted = [
            path
            for uri in (ls.folders if ls.running else ())
            if (path := path_of(uri)) is not None and ls.workspace.settings_at(path).scope == _WHOLE
        ]
        for path in [path for path in self._sources if path not in wanted]:
            self._drop(path)
        for path in wanted:
            if path not in self._sources:
                watched = self._sources[path] = ls.shared.predictions(path)
                watched.listeners.append(self._changed)
                for system in watched.systems.all:
                    self._changed(Change(Event.NEW, system))

    def end(self) -> None:
        """Shows nothing more."""
        for path in list(self._sources):
            self._drop(path)
        self._marked.clear()

    def _drop(self, path: Path) -> None:
        watched = self._sources.pop(path)
        watched.listeners.remove(self._changed)
        for system in watched.systems.all:
            if not self._is_wanted(system):
                self._changed(Change(Event.GONE, system))
        self._ls.shared.done_with(watched)

    def _is_wanted(self, system: System) -> bool:
        path = system.pairing.pred
        return any(
            path.is_relative_to(folder) and watched.systems.at(path) is system
            for folder, watched in self._sources.items()
        )

    def _changed(self, change: Change) -> None:
        system = change.system
        self._marked[system] = change.event
        self._results.pop(system, None)
        self.wake()

    def opened(self, key: str) -> None:
        """A file was opened: what was shown of it goes, as far as it went by another name."""
        shown = self._forget(key)
        if shown is not None and shown.uri != self._ls.views[key].uri:
            self._ls.publisher.push(shown, "[]")

    def closed(self, key: str) -> None:
        """A file was closed: what is on disk shows again."""
        for watched in self._sources.values():
            system = watched.systems.at(Path(key))
            if system is not None:
                self._changed(Change(Event.NEW, system))

    def wake(self) -> None:
        """Shows soon what is marked."""
        if (self._marked or self._asked) and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        ls = self._ls
        while self._marked and not ls.turns.busy and not ls.congested() and ls.running:
            system = next(iter(self._marked))
            event = self._marked.pop(system)
            try:
                self._show(system, event)
            except Exception:
                log.exception("the problems of %s could not be shown", system.pairing.pred)
        if not self._marked and not ls.turns.busy:
            self._asked = False
            self._answer()

    def _show(self, system: System, event: Event) -> None:
        ls, path = self._ls, system.pairing.pred
        key = str(path)
        if key in ls.views:
            return
        if event is Event.GONE or not self._is_wanted(system):
            if event is Event.GONE:
                self._results.pop(system, None)
            view = self._forget(key)
            if view is not None:
                ls.publisher.push(view, "[]")
            return
        # A change may be told of that was shown already, as a system that is read while all are
        # listed: nothing is told twice.
        limit = system.settings.max_problems
        listing = listing_of(system, limit)
        if listing is not None:
            view = self._shown.get(key) or self._shown.setdefault(key, self._view(path))
            items = view.fragments.render(listing, limit)
            if self._pushed.get(key) != (result := _named(items)):
                self._pushed[key] = result
                ls.publisher.push(view, items)
        board = board_of(system)
        if self._boards.get(key) != board:
            self._boards[key] = board
            ls.protocol.notify(scores.METHOD, board)

    def _forget(self, key: str) -> View | None:
        """What was shown of a file, which is shown no more."""
        self._pushed.pop(key, None)
        self._boards.pop(key, None)
        return self._shown.pop(key, None)

    def _view(self, path: Path) -> View:
        client, uri = self._ls.client, uri_of(path)
        fragments = Fragments(uri, client.encoding, related=client.related, data=client.data)
        return View(uri, 0, fragments)

    # For clients that pull

    def pull(self, params: Any) -> asyncio.Future[Ready]:
        """The reports of all files that are not open. It waits for news, if there are none.

        Raises WrongCall.
        """
        known: dict[str, str] = {}
        for each in items(table(params, "params").get("previousResultIds") or [], "results"):
            previous = table(each, "each of previousResultIds")
            known[str(previous.get("uri"))] = str(previous.get("value"))
        future: asyncio.Future[Ready] = self._loop.create_future()
        self._pulls.append((known, future))
        self._asked = True
        self.wake()
        return future

    def _answer(self) -> None:
        waiting, self._pulls = self._pulls, []
        for known, future in waiting:
            if future.done():
                continue
            report, news = self._report(known)
            if news or not self._answered:
                self._answered = True
                future.set_result(report)
            else:
                self._pulls.append((known, future))

    def _report(self, known: dict[str, str]) -> tuple[Ready, bool]:
        """The reports, and whether anything in them is new to who knows these results."""
        reports, told, news = [], set(), False
        for watched in self._sources.values():
            for system in watched.systems.all:
                uri = uri_of(system.pairing.pred)
                if str(system.pairing.pred) in self._ls.views or not self._is_wanted(system):
                    continue
                told.add(uri)
                result = self._result(system)
                said = {"uri": uri, "version": None, "kind": "unchanged", "resultId": result}
                if known.get(uri) == result:
                    reports.append(json.dumps(said))
                    continue
                news = True
                said["kind"] = "full"
                reports.append(f'{json.dumps(said)[:-1]},"items":{self._items(system)}}}')
        for uri in known.keys() - told:
            # Gone, or open by now: it has reports of its own then.
            news = True
            said = {"uri": uri, "version": None, "kind": "full"}
            reports.append(f'{json.dumps(said)[:-1]},"items":[]}}')
        return Ready(f'{{"items":[{",".join(reports)}]}}'), news

    def _result(self, system: System) -> str:
        """The name of a system's problems: others have another one."""
        if system not in self._results:
            self._results[system] = _named(self._items(system))
        return self._results[system]

    def _items(self, system: System) -> str:
        limit = system.settings.max_problems
        listing = listing_of(system, limit)
        if listing is None:
            return "[]"
        return self._view(system.pairing.pred).fragments.render(listing, limit)


def _named(problems: str) -> str:
    return blake2b(problems.encode(), digest_size=16).hexdigest()


def pull(ls: GoldlensServer, params: Any) -> asyncio.Future[Ready]:
    """workspace/diagnostic."""
    return ls.everywhere.pull(params)


FEATURES: Final = {types.WORKSPACE_DIAGNOSTIC: pull}
"""Each method and what handles it."""
