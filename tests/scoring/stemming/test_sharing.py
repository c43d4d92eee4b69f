"""Pairs of items that share something, as items come and go."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from goldlens.scoring.stemming.sharing import Sets, Sharing


def item(chance: random.Random, sets: int, most: int) -> Sets:
    return tuple(
        tuple(sorted(chance.sample(range(14), chance.randint(1, most)))) for _ in range(sets)
    )


def meeting(items: list[Sets]) -> int:
    return sum(
        all(set(x) & set(y) for x, y in zip(a, b, strict=True)) for a, b in combinations(items, 2)
    )


@pytest.mark.parametrize("sets", [1, 2, 3])
def test_items_of_every_size_come_and_go(sets: int) -> None:
    chance = random.Random(sets)
    for most in (1, 3, 12):
        sharing = Sharing()
        items: list[Sets] = []
        for step in range(120):
            if items and chance.random() < 0.45:
                gone = items.pop(chance.randrange(len(items)))
                sharing.remove(*gone)
            elif chance.random() < 0.2:
                new = [item(chance, sets, most) for _ in range(4)]
                sharing.add_all(new)
                items += new
            else:
                new_one, times = item(chance, sets, most), chance.choice([1, 1, 3])
                sharing.add(*new_one, times=times)
                items += [new_one] * times
            if step % 7 == 0:
                assert sharing.pairs == meeting(items)
                probe = item(chance, sets, most)
                assert sharing.met(*probe) == meeting([*items, probe]) - meeting(items)


def test_nothing_is_kept_of_what_has_gone() -> None:
    chance = random.Random(3)
    sharing = Sharing()
    items = [item(chance, 2, 12) for _ in range(60)]
    sharing.add_all(items)
    for each in items:
        sharing.remove(*each)
    assert sharing.pairs == 0
    kept = {name: value for name, value in vars(sharing).items() if value}
    assert kept == {}


def test_single_elements_at_once() -> None:
    one, other = Sharing(), Sharing()
    chance = random.Random(4)
    for sharing in (one, other):
        sharing.add((1, 2, 3, 4), (1,))
        sharing.add(tuple(range(9)), (1, 2))
    keys = [(chance.randrange(4), chance.randrange(3)) for _ in range(50)]
    one.add_single(keys)
    for a, b in keys:
        other.add((a,), (b,))
    assert one.pairs == other.pairs > 0
