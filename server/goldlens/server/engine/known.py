"""Units that are made when somebody asks for them, and what is known of all of them before."""

from __future__ import annotations

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableSequence,
    Sequence,
)
from dataclasses import dataclass
from typing import Any, Final, overload

import numpy as np

from goldlens.scoring.problems import Problem, Severity

_AROUND: Final = 64
"""Who asks for one unit is likely to ask for its neighbours."""


class Units(MutableSequence[Any]):
    """A list of units of which some are yet to be made.

    Those stand in `items` as their numbers; `make` gives the units of a range of numbers. What
    is asked for is made, and stays.
    """

    __slots__ = ("_items", "_make", "_whole")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: list[Any], make: Callable[[int, int], list[Any]]) -> None:
        """Takes the list `items` over. The numbers in it are to be in ascending order."""
        self._items, self._make, self._whole = items, make, False

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        found = self._items[index]
        if self._whole:
            return found
        if isinstance(index, slice):
            wanted = range(len(self._items))[index]
            if wanted:
                self._fill(min(wanted[0], wanted[-1]), max(wanted[0], wanted[-1]) + 1)
            return self._items[index]
        if type(found) is int:
            first = range(len(self._items))[index] // _AROUND * _AROUND
            self._fill(first, min(first + _AROUND, len(self._items)))
            found = self._items[index]
        return found

    def __iter__(self) -> Iterator[Any]:
        if not self._whole:
            self._fill(0, len(self._items))
            self._whole = True
        return iter(self._items)

    @overload
    def __setitem__(self, index: int, value: Any) -> None: ...
    @overload
    def __setitem__(self, index: slice, value: Iterable[Any]) -> None: ...
    def __setitem__(self, index: Any, value: Any) -> None:
        self._items[index] = value

    def __delitem__(self, index: int | slice) -> None:
        del self._items[index]

    def insert(self, index: int, value: Any) -> None:
        """Puts a unit before the one of that number."""
        self._items.insert(index, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | Units):
            return NotImplemented
        return list(self) == list(other)

    @property
    def waiting(self) -> int:
        """How many units have not been made."""
        return 0 if self._whole else sum(type(item) is int for item in self._items)

    def _fill(self, start: int, stop: int) -> None:
        items = self._items
        waiting = [k for k in range(start, stop) if type(items[k]) is int]
        if waiting:
            first = items[waiting[0]]
            # What lies between and is not asked for was edited away, and is seldom much.
            made = self._make(first, items[waiting[-1]] + 1)
            for k in waiting:
                items[k] = made[items[k] - first]


@dataclass(frozen=True, slots=True)
class Known:
    """The units of a text, and what would otherwise be found by looking at each of them.

    `lines`: the line ends of each; `facts`: the sums of their facts; `keys`: the key of each, or
    None; `twice`: how bad it is that a key stands twice, whatever the units hold; `cr`: how many
    have a CR; `problems`: those of the units that have any, by number.
    """

    units: MutableSequence[Any]
    lines: np.ndarray[Any, Any]
    facts: np.ndarray[Any, Any]
    keys: Sequence[Hashable | None]
    twice: Severity
    cr: int
    problems: Mapping[int, tuple[Problem, ...]]
