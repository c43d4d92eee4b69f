"""What was computed a moment ago, found again by content."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Memo(Generic[V]):
    """The most recently used results of a pure function, by a key of what it was given."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable, compute: Callable[[], V]) -> V:
        """The value of a key, computed only if it is not kept. What `compute` raises goes on."""
        found = self.find(key)
        return self.put(key, compute()) if found is None else found

    def put(self, key: Hashable, value: V) -> V:
        """Keeps a value, and returns it. The least recently used one goes if there are too many."""
        self._kept[key] = value
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return value

    def find(self, key: Hashable) -> V | None:
        """The value of a key, or None if it is not kept."""
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key]

    def emptied(self) -> Memo[V]:
        """One of the same size with nothing in it."""
        return Memo(self._size)

    def __len__(self) -> int:
        return len(self._kept)
