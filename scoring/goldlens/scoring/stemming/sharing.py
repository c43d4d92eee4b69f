"""How many pairs of items share an element, counted without looking at pairs.

An item is one or more sets, as tuples: the groups of a form, its candidate stems, or both. Two
items *meet* if they share an element in each of their sets.

Items whose sets have one element each are counted by that element. Small sets are counted by
inclusion and exclusion: two sets share something if the sum of (-1)^(|T| + 1) over the non-empty
sets T that both contain is 1, and it is 0 otherwise; so how many items contain each T is all that
has to be known. A large item, which contains too many such T, is held against the distinct items
that an inverted index finds for its elements. All numbers are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations, product
from typing import Any, Final

Sets = tuple[tuple[Hashable, ...], ...]
"""The sets of an item, none of them empty, each in ascending order without repetition."""

SMALL: Final = 255
"""So many sets T (or pairs of sets) an item may contain to be counted by them."""


class Sharing:
    """The number of unordered pairs of items that meet, as items come and go.

    All items of one object have the same number of sets. An item that is removed must have been
    added before.
    """

    def __init__(self) -> None:
        self.pairs = 0
        self._single: Counter[Hashable] = Counter()
        """Items of one element a set, by the element, or by the tuple of elements."""
        self._parts: Counter[Hashable] = Counter()
        """How many other small items contain each T, or each tuple of a T a set."""
        self._several: Counter[Sets] = Counter()
        self._large: Counter[Sets] = Counter()
        self._index: dict[Hashable, set[Sets]] | None = None
        """By element of the last set, the items of `_several` and `_large`; made when needed."""

    def add(self, *sets: tuple[Hashable, ...], times: int = 1) -> None:
        """Takes an item in, or several that are alike."""
        self.pairs += times * self.met(*sets) + times * (times - 1) // 2
        self._put(sets, times)

    def remove(self, *sets: tuple[Hashable, ...]) -> None:
        """Takes an item out."""
        self._put(sets, -1)
        self.pairs -= self.met(*sets)

    def add_single(self, keys: Iterable[Hashable]) -> None:
        """Takes many items of one element a set in: by that element, or a tuple of an element
        a set.
        """
        single, parts = self._single, self._parts.get
        for key, count in Counter(keys).items():
            before = single.get(key, 0)
            self.pairs += count * (before + parts(key, 0)) + count * (count - 1) // 2
            if self._large:
                sets = tuple((element,) for element in (key if isinstance(key, tuple) else (key,)))
                self.pairs += count * self._found(sets, self._large)
            single[key] = before + count

    def add_all(self, items: Iterable[Sets]) -> None:
        """Takes many items in, in less time than one by one."""
        single: list[Hashable] = []
        keys: tuple[list[Hashable], list[Hashable]] = ([], [])
        later: list[Sets] = []
        for sets in items:
            size = _size(sets)
            if size == 1:
                single.append(next(_keys(sets)))
            elif size <= SMALL and not self._large:
                for key, sign in _parts(sets):
                    keys[sign < 0].append(key)
                self._note(self._several, sets, 1)
            else:
                later.append(sets)
        self.add_single(single)
        alone, parts = self._single.get, self._parts
        for negative, its in enumerate(keys):
            met = 0
            for key, count in Counter(its).items():
                before = parts.get(key, 0)
                met += count * (before + alone(key, 0)) + count * (count - 1) // 2
                parts[key] = before + count
            self.pairs += -met if negative else met
        for sets in later:
            self.add(*sets)

    def met(self, *sets: tuple[Hashable, ...]) -> int:
        """How many items an item meets."""
        single, parts = self._single, self._parts
        if _size(sets) > SMALL:
            met = sum(single.get(key, 0) for key in _keys(sets))
            return met + self._found(sets, self._several) + self._found(sets, self._large)
        met = sum(sign * (single.get(key, 0) + parts.get(key, 0)) for key, sign in _parts(sets))
        return met + self._found(sets, self._large) if self._large else met

    def _found(self, sets: Sets, among: Counter[Sets]) -> int:
        """How many of the items that the index knows an item meets."""
        if not among:
            return 0
        index = self._indexed()
        others: set[Sets] = set().union(*(index.get(element, ()) for element in sets[-1]))
        met = 0
        rest = [set(elements) for elements in sets[:-1]]
        for other in others:
            count = among.get(other, 0)
            if count and all(
                not elements.isdisjoint(theirs)
                for elements, theirs in zip(rest, other, strict=False)
            ):
                met += count
        return met

    def _put(self, sets: Sets, times: int) -> None:
        size = _size(sets)
        if size == 1:
            _count(self._single, next(_keys(sets)), times)
            return
        if size <= SMALL:
            for key, _ in _parts(sets):
                _count(self._parts, key, times)
        if size > SMALL:
            self._indexed()
        self._note(self._several if size <= SMALL else self._large, sets, times)

    def _note(self, kind: Counter[Sets], sets: Sets, times: int) -> None:
        """Keeps an item of several elements, and the index of such items, if there is one."""
        _count(kind, sets, times)
        if self._index is None:
            return
        for element in sets[-1]:
            if sets in kind:
                self._index.setdefault(element, set()).add(sets)
            else:
                self._index[element].discard(sets)
                if not self._index[element]:
                    del self._index[element]

    def _indexed(self) -> dict[Hashable, set[Sets]]:
        if self._index is None:
            self._index = {}
            for sets in (*self._several, *self._large):
                for element in sets[-1]:
                    self._index.setdefault(element, set()).add(sets)
        return self._index


def _count(counter: Counter[Any], key: Any, times: int) -> None:
    now = counter[key] + times
    if now:
        counter[key] = now
    else:
        del counter[key]


def _size(sets: Sets) -> int:
    """How many T, or tuples of a T a set, an item contains; 1 if each set has one element."""
    size = 1
    for elements in sets:
        size *= (1 << len(elements)) - 1
    return size


def _keys(sets: Sets) -> Iterator[Hashable]:
    """The elements of the one set, or the tuples of an element a set."""
    return iter(sets[0]) if len(sets) == 1 else product(*sets)


def _parts(sets: Sets) -> list[tuple[Hashable, int]]:
    """Every T, or tuple of a T a set, with its sign. A T of one element is that element."""
    if len(sets) == 1:
        return _subsets(sets[0])
    found: list[tuple[tuple[Hashable, ...], int]] = [((), 1)]
    for elements in sets:
        every = _subsets(elements)
        found = [((*keys, key), its * sign) for keys, its in found for key, sign in every]
    return list[tuple[Hashable, int]](found)


def _subsets(elements: tuple[Hashable, ...]) -> list[tuple[Hashable, int]]:
    if len(elements) == 1:
        return [(elements[0], 1)]
    found: list[tuple[Hashable, int]] = [(element, 1) for element in elements]
    for size in range(2, len(elements) + 1):
        sign = 1 if size % 2 else -1
        found += [(subset, sign) for subset in combinations(elements, size)]
    return found
