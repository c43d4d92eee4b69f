import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.conllu.tree import inspect


@pytest.mark.parametrize(
    ("heads", "rings", "roots"),
    [
        ([], (), ()),
        ([0], (), (1,)),
        ([2, 0, 2], (), (2,)),
        ([1], ((1,),), ()),
        ([0, 3, 2], ((2, 3),), (1,)),
        ([0, 3, 2, 2, 4], ((2, 3),), (1,)),  # 4 and 5 hang below the ring
        ([3, 1, 2], ((1, 2, 3),), ()),
        ([2, 1, 4, 3, 5], ((1, 2), (3, 4), (5,)), ()),
        ([5, 0, 4, 3, 1], ((1, 5), (3, 4)), (2,)),  # by first word, not by discovery
        ([0, 0, 1, 0], (), (1, 2, 4)),
        ([-1, 1, 9], (), ()),  # unknown heads end a walk
    ],
)
def test_rings_and_roots(heads, rings, roots):
    faults = inspect(heads)
    assert faults.rings == rings
    assert faults.roots == roots


def test_rings_come_in_the_order_of_their_first_words():
    # The walk from 1 finds the ring 4-5 before any walk meets 2-3.
    assert inspect([5, 3, 2, 5, 4]).rings == ((2, 3), (4, 5))


def test_long_chains_need_no_recursion_and_linear_time():
    size = 200_000
    rising = [*range(2, size + 1), 0]
    falling = list(range(size))
    ring = [*range(2, size + 1), 1]
    started = time.perf_counter()
    assert inspect(rising).roots == (size,)
    assert inspect(falling).roots == (1,)
    assert len(inspect(ring).rings[0]) == size
    assert time.perf_counter() - started < 5


@given(st.lists(st.integers(-1, 12), max_size=12))
def test_a_word_is_in_a_ring_when_it_is_its_own_ancestor(heads):
    def is_own_ancestor(word):
        at = word
        for _ in heads:
            at = heads[at - 1]
            if not 0 < at <= len(heads):
                return False
            if at == word:
                return True
        return False

    expected = {word for word in range(1, len(heads) + 1) if is_own_ancestor(word)}
    rings = inspect(heads).rings
    assert {word for ring in rings for word in ring} == expected
    assert sum(map(len, rings)) == len(expected)
    for ring in rings:
        assert sorted(heads[word - 1] for word in ring) == list(ring)
