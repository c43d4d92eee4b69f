"""The keys of a text's units, and which of them stand more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable


class Keys(Counter[Hashable]):
    """How often each key stands (see `Format.key`); `doubled` has those that do more than once.

    A unit without a key has None, which is passed over.
    """

    def __init__(self, keys: Iterable[Hashable | None] = ()) -> None:
        super().__init__(keys)
        del self[None]
        self.doubled = {key for key, count in self.items() if count > 1}

    def replace(self, removed: Iterable[Hashable | None], added: Iterable[Hashable | None]) -> None:
        """Takes in that units with the keys `removed` have become units with others."""
        for keys, sign in ((Counter(removed), -1), (Counter(added), 1)):
            del keys[None]
            for key, count in keys.items():
                now = self[key] = self[key] + sign * count
                if now > 1:
                    self.doubled.add(key)
                    continue
                self.doubled.discard(key)
                if not now:
                    del self[key]
