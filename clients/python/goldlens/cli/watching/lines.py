"""A watch for pipes and files: a line for each change."""

from __future__ import annotations

import json
from collections.abc import Iterable

from goldlens.cli import outputs
from goldlens.cli.lines import one_line
from goldlens.cli.watching import said
from goldlens.server.history import History
from goldlens.server.noted import note
from goldlens.server.systems import Change, Systems


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
