"""Random numbers that are the same on every platform, held against a second implementation."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.draws import MOST_UNITS, Dice, indexes, outputs

SEEDS = st.integers(0, 2**64 - 1)


def splitmix(seed: int, count: int) -> list[int]:
    """The definition in Python's integers, with a state, which the vectorised form has not."""
    state, found = seed, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        found.append(z ^ (z >> 31))
    return found


def test_the_published_stream_of_the_seed_1234567() -> None:
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert outputs(1234567, 0, 5).tolist() == published


@given(SEEDS, st.integers(0, 300), st.integers(0, 300))
def test_any_stretch_of_the_stream_by_itself(seed: int, first: int, count: int) -> None:
    assert outputs(seed, first, count).tolist() == splitmix(seed, first + count)[first:]


@pytest.mark.parametrize("seed", [-1, 2**64 + 5, -(2**70)])
def test_a_seed_counts_modulo_two_to_the_64(seed: int) -> None:
    assert outputs(seed, 3, 9).tolist() == outputs(seed % 2**64, 3, 9).tolist()


@given(SEEDS, st.integers(0, 50), st.integers(1, MOST_UNITS))
def test_an_index_is_made_of_the_upper_half_of_an_output(seed: int, first: int, units: int) -> None:
    expected = [((x >> 32) * units) >> 32 for x in splitmix(seed, first + 20)[first:]]
    assert indexes(seed, first, 20, units).tolist() == expected
    assert all(0 <= index < units for index in expected)


def test_indexes_of_a_fixed_seed() -> None:
    assert indexes(20260101, 0, 12, 10).tolist() == [9, 1, 7, 7, 5, 4, 7, 6, 2, 2, 3, 3]


def test_many_draws_are_made_in_blocks_and_none_is_lost() -> None:
    whole = indexes(7, 5, 100_000, 1000)
    assert np.array_equal(whole[70_000:], indexes(7, 70_005, 30_000, 1000))


@pytest.mark.parametrize("units", [0, -1, MOST_UNITS + 1])
def test_what_cannot_be_drawn_from(units: int) -> None:
    with pytest.raises(ValueError, match="cannot be drawn from"):
        indexes(1, 0, 1, units)


def test_dice_take_one_output_a_decision() -> None:
    dice, stream = Dice(9), splitmix(9, 5000)
    assert [dice.below(6) for _ in range(4999)] == [((x >> 32) * 6) >> 32 for x in stream[:4999]]
    assert dice.happens((stream[4999] >> 11) / 2**53) is False


def test_rates_are_kept() -> None:
    dice = Dice(1)
    assert not any(dice.happens(0) for _ in range(1000))
    assert all(dice.happens(1) for _ in range(1000))
    happened = sum(dice.happens(0.3) for _ in range(10_000))
    assert 2850 < happened < 3150


def test_faces_come_equally_often() -> None:
    dice = Dice(2)
    counts = np.bincount(list(islice(iter(lambda: dice.below(6), None), 60_000)), minlength=6)
    assert counts.min() > 9700 and counts.max() < 10_300
