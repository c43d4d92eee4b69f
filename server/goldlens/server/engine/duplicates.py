"""Which units of a document have a key that another has before them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np

from goldlens.scoring.problems import Place, Problem, Severity
from goldlens.scoring.task import Format
from goldlens.server.engine.known import Known


class Duplicates:
    """The repeated keys of a list of units, as they stand now.

    `severities` has for each unit how bad it is that its key stood before, by default; 0 where it
    did not. Problems are made when asked for, and kept, since a file may have as many as
    sentences. Places count units from the file's first.
    """

    def __init__(
        self,
        format: Format,
        units: Sequence[Any],
        keys: Collection[Hashable],
        known: Known | None = None,
    ) -> None:
        """`keys` are those that stand twice; `known` tells them all, so that no unit is asked."""
        self._format, self._units = format, units
        self._first: dict[Hashable, int] = {}
        self._made: dict[int, Problem] = {}
        self.severities = np.zeros(len(units), np.int8)
        every = map(format.key, units) if known is None else known.keys
        for number, key in enumerate(every):
            if key in keys:
                first = self._first.setdefault(key, number)
                if first != number:
                    self.severities[number] = (
                        format.duplicate_severity(units[number], units[first])
                        if known is None
                        else known.twice
                    )

    def problem(self, number: int) -> Problem:
        """The problem of a unit whose key stood before."""
        if number not in self._made:
            key = self._format.key(self._units[number])
            assert key is not None
            first = self._place(self._first[key])
            severity = Severity(int(self.severities[number]))
            place = self._place(number)
            self._made[number] = self._format.duplicate(key, place, first, severity)
        return self._made[number]

    def numbers(self) -> list[int]:
        """The units whose key stood before, in order."""
        found: list[int] = self.severities.nonzero()[0].tolist()
        return found

    def _place(self, number: int) -> Place:
        place = self._format.key_place(self._units[number])
        return Place(number, place.line, place.start, place.end)
