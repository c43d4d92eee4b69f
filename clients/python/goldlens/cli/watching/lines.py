"""A watch for pipes and files: a line for each change."""

from __future__ import annotations

import json
from collections.abc import Iterable

from goldlens.cli import outputs
from goldlens.cli.lines import one_line
from goldlens.cli.watching import said
from goldlens.server.history import History, Scored, moment
from goldlens.server.system import System
from goldlens.server.systems import Change, Event, Systems


class Lines:
    """Prints each change: as JSON, or as text."""

    def __init__(self, systems: Systems, history: History, *, as_json: bool) -> None:
        self._systems, self._history, self._as_json = systems, history, as_json
        self._said: str | None = None

    def tell(self, changes: Iterable[Change]) -> None:
        """Prints changes, and notes the scores."""
        if self._systems.trouble != self._said:
            self._said = self._systems.trouble
            if self._said:
                outputs.complain(f"{one_line(self._said)}\n")
        for change in changes:
            note(self._history, change)
            if self._as_json:
                text = json.dumps(said.as_dict(change), ensure_ascii=False)
            else:
                text = said.as_line(change)
            outputs.put(f"{text}\n", None, machine=self._as_json)


def history_key(system: System) -> tuple[str, str, str]:
    """What the history of a system goes by."""
    task = system.task.name if system.task is not None else ""
    return str(system.pairing.pred), str(system.pairing.gold), task


def note(history: History, change: Change) -> None:
    """Notes what a system scores after a change, if that can be believed."""
    system, score = change.system, change.system.score
    if change.event is Event.GONE or score is None or system.trouble is not None:
        return
    scored = Scored(moment(system.at), score.pred_sha256, score.gold_sha256, score.scores())
    history.add(scored, *history_key(system))
