"""The counts of a whole dictionary at once, with arrays: a million forms in seconds.

The same numbers as those of `sums`, by the same inclusion and exclusion (see `sharing`), which
explains it. What only one form has cannot be shared, and is left out before anything is counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.stemming.policies import Pairs, counts_by_policy
from goldlens.scoring.stemming.sharing import SMALL, Sharing

Ints: TypeAlias = npt.NDArray[np.int64]


_WIDE: Final = 128
"""A set of more elements is large from the start."""

_ROOM: Final = 100_000_000
"""About so many T of one size may be looked at in all."""


@dataclass(frozen=True, slots=True)
class Sets:
    """A set of numbers for each of `size` items: item `owner[k]` has `element[k]`.

    Owners ascend, and so do the elements of one owner.
    """

    size: int
    owner: Ints
    element: Ints

    def only(self, wanted: npt.NDArray[np.bool_]) -> Sets:
        """The sets of those items that are `wanted`; the others have none."""
        kept = wanted[self.owner]
        return Sets(self.size, self.owner[kept], self.element[kept])

    def shared(self) -> Sets:
        """Without the elements that only one item has."""
        if not len(self.element):
            return self
        kept = np.bincount(self.element)[self.element] > 1
        return Sets(self.size, self.owner[kept], self.element[kept])

    def sizes(self) -> Ints:
        """How many elements each item has."""
        return np.bincount(self.owner, minlength=self.size)

    def starts(self) -> Ints:
        """Where the elements of each item begin; at last, where all end."""
        return np.append(0, self.sizes().cumsum())


class Numbered:
    """Forms, groups and outputs as numbers, to count them in several modes."""

    def __init__(
        self,
        forms: Ints,
        groups: Ints,
        primary: Sequence[bytes | None],
        several: Mapping[int, tuple[bytes, ...]],
    ) -> None:
        """Form `forms[k]` is in group `groups[k]`.

        By number of the form: its `primary` output, None if it has no output, and its candidates
        in `several`, if it has more than one.
        """
        size = len(primary)
        self._groups = _sets(size, forms, groups)
        numbers: defaultdict[bytes | None, int] = defaultdict(count().__next__)
        every = np.fromiter(map(numbers.__getitem__, primary), np.int64, size)
        holders = np.arange(size)
        if None in numbers:
            holders = (every != numbers[None]).nonzero()[0]
        self._primary = self._candidates = Sets(size, holders, every[holders])
        if several:
            alone = np.ones(size, bool)
            alone[list(several)] = False
            single = self._primary.only(alone)
            flat = list(chain.from_iterable(several.values()))
            lengths = [len(candidates) for candidates in several.values()]
            owner = np.repeat(np.array(list(several), np.int64), lengths)
            element = np.fromiter(map(numbers.__getitem__, flat), np.int64, len(flat))
            self._candidates = _sets(
                size,
                np.concatenate([single.owner, owner]),
                np.concatenate([single.element, element]),
            )
        self._ambiguous = bool(several)

    def pairs(self, kept: npt.NDArray[np.bool_] | None = None) -> dict[str, Pairs]:
        """The counts by policy, if only those groups count that are `kept` (all, if None).

        A form without a group does not count; one without output is separated from every other.
        Raises BrokenRelation.
        """
        groups = self._groups
        if kept is not None:
            there = kept[groups.element]
            groups = Sets(groups.size, groups.owner[there], groups.element[there])
        evaluated = groups.sizes() > 0
        primary = self._primary.only(evaluated)
        of_primary = of_any = of_sole = sharing(groups, primary), sharing(primary)
        if self._ambiguous:
            candidates = self._candidates.only(evaluated)
            of_any = sharing(groups, candidates), sharing(candidates)
            sole = candidates.only(candidates.sizes() == 1)
            of_sole = sharing(groups, sole), sharing(sole)
        forms = int(evaluated.sum())
        return counts_by_policy(forms, sharing(groups), of_primary, of_any, of_sole)


def sharing(*sets: Sets) -> int:
    """How many pairs of items share an element in each of their sets."""
    sets = tuple(each.shared() for each in sets)
    weights, counted = np.ones(sets[0].size, np.int64), 0
    if (_costs(sets) > SMALL).any():
        weights, counted = _alike(sets)
        sets = tuple(each.only(weights > 0).shared() for each in sets)
    keys, signs, large = _parts(sets[0])
    for each in sets[1:]:
        keys, signs, large = _crossed((keys, signs, large), _parts(each))
    kept = ~large[keys.owner]
    keys, signs = keys.only(~large), signs[kept]
    if len(keys.element):
        _, first, key = np.unique(keys.element, return_index=True, return_inverse=True)
        weight = weights[keys.owner]
        # As floats these sums are exact: they are whole numbers far below 2 to the 53rd.
        total = np.bincount(key.reshape(-1), weight).astype(np.int64)
        squares = np.bincount(key.reshape(-1), weight * weight).astype(np.int64)
        counted += int((signs[first] * ((total * total - squares) // 2)).sum())
    return counted + _of_large(sets, weights, large) if large.any() else counted


def _costs(sets: Sequence[Sets]) -> npt.NDArray[np.float64]:
    """How many T (or tuples of a T a set) each item contains; 0 if one of its sets is empty."""
    costs = np.ones(sets[0].size)
    for each in sets:
        costs *= 2.0 ** each.sizes() - 1
    return costs


def _alike(sets: Sequence[Sets]) -> tuple[Ints, int]:
    """How many items are like each item, itself included, and how many pairs they are.

    The number stands at the first of them, the others have 0; so have items with an empty set.
    """
    size = sets[0].size
    names = np.zeros(size, np.int64)
    for each in sets:
        its = _names(each)
        names = names * (int(its.max(initial=0)) + 1) + its
        names = np.unique(names, return_inverse=True)[1].reshape(-1)
    items = (_costs(sets) > 0).nonzero()[0]
    _, first, alike = np.unique(names[items], return_index=True, return_counts=True)
    weights = np.zeros(size, np.int64)
    weights[items[first]] = alike
    return weights, int((alike * (alike - 1) // 2).sum())


def _names(sets: Sets) -> Ints:
    """A number for each item, the same for the same set; 0 for an empty one."""
    names = np.zeros(sets.size, np.int64)
    starts, sizes = sets.starts(), sets.sizes()
    elements = int(sets.element.max(initial=0)) + 1
    given = 1
    for size in np.unique(sizes[sizes > 0]).tolist():
        which = (sizes == size).nonzero()[0]
        its = sets.element[starts[which]]
        for column in range(1, size):
            its = np.unique(its, return_inverse=True)[1].reshape(-1)
            its = its * elements + sets.element[starts[which] + column]
        its = np.unique(its, return_inverse=True)[1].reshape(-1)
        names[which] = its + given
        given += int(its.max()) + 1
    return names


_Parts: TypeAlias = tuple[Sets, Ints, npt.NDArray[np.bool_]]
"""The T of each item, as elements, their signs, and which items are large: have too many."""


def _parts(sets: Sets) -> _Parts:
    """Every set T that an item contains and another one too.

    They are found by size: no T is shared if one of its parts is not.
    """
    ends = sets.starts()[1:]
    most = _most(sets.size)
    large = sets.sizes() > _WIDE
    elements = int(sets.element.max(initial=0)) + 1
    at = (~large[sets.owner]).nonzero()[0]  # where the last element of each T stands
    number = sets.element[at]
    owners, numbers, signs = [sets.owner[at]], [number], [np.ones(len(at), np.int64)]
    sign, offset = -1, elements
    while len(at):
        times = ends[sets.owner[at]] - at - 1
        before = np.arange(len(at)).repeat(times)
        at = at[before] + 1 + np.arange(len(before)) - (times.cumsum() - times).repeat(times)
        if not len(at):
            break
        names = number[before] * elements + sets.element[at]
        _, number, counts = np.unique(names, return_inverse=True, return_counts=True)
        number = number.reshape(-1)
        shared = counts[number] > 1
        at, number, offset = at[shared], number[shared] + offset, offset + len(counts)
        large |= np.bincount(sets.owner[at], minlength=sets.size) > most
        small = ~large[sets.owner[at]]
        at, number = at[small], number[small]
        owners.append(sets.owner[at])
        numbers.append(number)
        signs.append(np.full(len(at), sign))
        sign = -sign
    owner = np.concatenate(owners)
    order = owner.argsort(kind="stable")
    found = Sets(sets.size, owner[order], np.concatenate(numbers)[order])
    return found, np.concatenate(signs)[order], large


def _most(items: int) -> int:
    """How many T of one size an item may have: as many as memory has room for, of all items."""
    return max(SMALL // 4, min(16 * SMALL, _ROOM // max(1, items)))


def _crossed(one: _Parts, other: _Parts) -> _Parts:
    """Of each item every element of one with every element of the other, as one element."""
    (left, left_signs, large), (right, right_signs, too_large) = one, other
    large = large | too_large | (left.sizes() * right.sizes() > 2 * _most(left.size))
    small = ~large[left.owner]
    left, left_signs = left.only(~large), left_signs[small]
    times = right.sizes()[left.owner]
    first = np.arange(len(left.owner)).repeat(times)
    begin = right.starts()[left.owner]
    inside = np.arange(len(first)) - (times.cumsum() - times).repeat(times)
    second = begin.repeat(times) + inside
    # Numbered anew, so that the product of the two ranges is small enough.
    low = np.unique(right.element, return_inverse=True)[1].reshape(-1)
    width = int(low.max(initial=0)) + 1
    element = left.element[first] * width + low[second]
    return (
        Sets(left.size, left.owner[first], element),
        left_signs[first] * right_signs[second],
        large,
    )


def _of_large(sets: Sequence[Sets], weights: Ints, large: Any) -> int:
    """The pairs of items that are not alike and of which one at least is large."""
    last = sets[-1]
    known = np.unique(last.only(large).element)
    near = np.zeros(last.size, bool)
    near[last.owner[np.isin(last.element, known)]] = True
    found = Sharing()
    for number, item in _items(sets, near & ~large & (_costs(sets) > 0)):
        found.add(*item, times=int(weights[number]))
    before = found.pairs
    large = large & (_costs(sets) > 0)
    for number, item in _items(sets, large):
        found.add(*item, times=int(weights[number]))
    alike = weights[large]
    return found.pairs - before - int((alike * (alike - 1) // 2).sum())


def _items(
    sets: Sequence[Sets], wanted: Any
) -> Iterable[tuple[int, tuple[tuple[Hashable, ...], ...]]]:
    """The number and the sets of each item that is wanted."""
    bounds = [each.starts().tolist() for each in sets]
    for item in wanted.nonzero()[0].tolist():
        yield (
            item,
            tuple(
                tuple(each.element[starts[item] : starts[item + 1]].tolist())
                for each, starts in zip(sets, bounds, strict=True)
            ),
        )


def _sets(size: int, owner: Ints, element: Ints) -> Sets:
    order = np.lexsort((element, owner))
    return Sets(size, owner[order], element[order])
