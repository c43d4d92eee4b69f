"""What a subscriber has been told of the watched predictions, and what is still to be told.

Changes only mark; what is marked goes out when nothing runs on what is shared and the client
reads. So a burst of changes, or a slow reader, gets the last state and none of those in between.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from goldlens.server.rpc.wire import notification
from goldlens.server.sources import uri_of
from goldlens.server.system import System
from goldlens.server.systems import Change, Event
from goldlens.server.telling import board_of, problems_of
from goldlens.server.turns import Turns
from goldlens.server.watched import Watched

log = logging.getLogger(__name__)

SCORES: Final = "goldlens/scores"
PROBLEMS: Final = "goldlens/problems"
GONE: Final = "goldlens/gone"


class Subscription:
    """One subscriber. `send` takes whole messages, `congested` tells whether any are unread."""

    def __init__(
        self,
        watched: Watched,
        turns: Turns,
        send: Callable[[bytes], None],
        congested: Callable[[], bool],
        *,
        scores: bool,
        problems: bool,
    ) -> None:
        self._watched, self._turns = watched, turns
        self._send, self._congested = send, congested
        self._scores, self._problems = scores, problems
        self._marked: dict[System, Event] = dict.fromkeys(watched.systems.all, Event.NEW)
        self._loop = asyncio.get_running_loop()
        self._scheduled = False
        watched.listeners.append(self._changed)
        self.wake()

    def end(self) -> None:
        """Nothing more is told."""
        self._marked.clear()
        if self._changed in self._watched.listeners:
            self._watched.listeners.remove(self._changed)

    def _changed(self, change: Change) -> None:
        self._marked[change.system] = change.event
        self.wake()

    def wake(self) -> None:
        """Tells soon what is marked."""
        if self._marked and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon(self._flush)

    def _flush(self) -> None:
        self._scheduled = False
        while self._marked and not self._turns.busy and not self._congested():
            system = next(iter(self._marked))
            event = self._marked.pop(system)
            try:
                self._tell(system, event)
            except Exception:
                log.exception("%s could not be told of", system.pairing.pred)

    def _tell(self, system: System, event: Event) -> None:
        if event is Event.GONE:
            self._send(notification(GONE, {"uri": uri_of(system.pairing.pred)}))
            return
        if self._scores:
            self._send(notification(SCORES, board_of(system)))
        if self._problems:
            limit = system.settings.max_problems
            self._send(notification(PROBLEMS, problems_of(system, limit)))
