"""What keeps a list of heads from being a tree with one root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TreeFaults:
    """The rings among the words of a sentence, and its roots. Words count from 1.

    `rings`: the words of each ring in ascending order, the rings by their first words. Words that
    merely hang below a ring are not in it. `roots`: every word with head 0, ascending; a tree has
    one.
    """

    rings: tuple[tuple[int, ...], ...]
    roots: tuple[int, ...]


def inspect(heads: Sequence[int]) -> TreeFaults:
    """Find rings and roots where `heads[i]` is the head of word `i + 1`, 0 for a root.

    A number below 0 or above `len(heads)` is an unknown head: such a word hangs from nothing and
    is in no ring. Linear in the number of words.
    """
    size = len(heads)
    # The start of the walk that first came by a word: a walk that meets itself has found a ring.
    walk_of = [0] * (size + 1)
    rings = []
    for start in range(1, size + 1):
        word = start
        while 0 < word <= size and not walk_of[word]:
            walk_of[word] = start
            word = heads[word - 1]
        if 0 < word <= size and walk_of[word] == start:
            rings.append(_ring(heads, word))
    rings.sort()
    return TreeFaults(tuple(rings), tuple(i for i, head in enumerate(heads, 1) if not head))


def _ring(heads: Sequence[int], word: int) -> tuple[int, ...]:
    ring = [word]
    while (head := heads[ring[-1] - 1]) != word:
        ring.append(head)
    return tuple(sorted(ring))
