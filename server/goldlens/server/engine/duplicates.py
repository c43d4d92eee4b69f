"""Which units of a document have a key that another has before them."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Any

import numpy as np

from goldlens.scoring.problems import Place, Problem
from goldlens.scoring.task import Format


class Duplicates:
    """The repeated keys of a list of units, as they stand now.

    `mask` says of each unit whether its key stood before, `count` how many there are. Problems
    are made when asked for, and kept, since a file may have as many as sentences. Places count
    units from the file's first.
    """

    def __init__(self, task: Format, units: Sequence[Any], keys: Collection[Hashable]) -> None:
        self._task, self._units = task, units
        self._first: dict[Hashable, int] = {}
        self._made: dict[int, Problem] = {}
        self.mask = np.zeros(len(units), bool)
        for number, unit in enumerate(units):
            key = task.key(unit)
            if key in keys:
                self.mask[number] = self._first.setdefault(key, number) != number
        self.count = int(self.mask.sum())

    def problem(self, number: int) -> Problem:
        """The problem of a unit whose key stood before."""
        if number not in self._made:
            key = self._task.key(self._units[number])
            assert key is not None
            first = self._place(self._first[key])
            self._made[number] = self._task.duplicate(key, self._place(number), first)
        return self._made[number]

    def _place(self, number: int) -> Place:
        place = self._task.key_place(self._units[number])
        return Place(number, place.line, place.start, place.end)
