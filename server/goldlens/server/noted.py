"""What systems score, noted in their histories."""

from __future__ import annotations

from goldlens.server.history import History, Notes, Scored, moment
from goldlens.server.system import System
from goldlens.server.systems import Change, Event


def history_key(system: System) -> tuple[str, str, str]:
    """What the history of a system goes by."""
    task = system.task.name if system.task is not None else ""
    return str(system.pairing.pred), str(system.pairing.gold), task


def note(history: History | Notes, change: Change) -> None:
    """Notes what a system scores after a change, if that can be believed."""
    system, score = change.system, change.system.score
    if change.event is Event.GONE or score is None or system.trouble is not None:
        return
    scored = Scored(moment(system.at), score.pred_sha256, score.gold_sha256, score.scores())
    history.add(scored, *history_key(system))
