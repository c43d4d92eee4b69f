"""A store in memory, and a cache over it, for texts however small."""

from __future__ import annotations

from typing import Any

import msgpack

from goldlens.server.cache.cache import Cache
from goldlens.server.cache.store import Store


class InMemory(Store):
    """Entries as the bytes that would be written; `found` are the keys that were there."""

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}
        self.found: list[str] = []

    def get(self, key: str) -> Any:
        if key not in self.entries:
            return None
        self.found.append(key)
        return msgpack.unpackb(self.entries[key], strict_map_key=False)

    def put(self, key: str, value: Any) -> None:
        self.entries[key] = msgpack.packb(value)


def cache(store: Store | None, version: str = "1") -> Cache:
    """A cache that keeps small texts too."""
    return Cache(store, lambda: version, small=0)
