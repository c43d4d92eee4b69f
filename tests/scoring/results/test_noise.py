"""The rule that says when a score is not told apart from a reference."""

from __future__ import annotations

import pytest

from goldlens.scoring.bootstrap import Interval
from goldlens.scoring.results.noise import within_noise


@pytest.mark.parametrize(
    ("score", "reference", "within"),
    [
        (88.1, 87.6, True),  # in binary the difference is a little more than a half
        (87.6, 88.1, True),
        (90.3, 89.8, True),
        (88.1, 87.59, False),
        (88.1, 87.5999, False),
        (88.1, 88.61, False),
        (80.0, 80.0, True),
    ],
)
def test_without_intervals_half_a_point_is_noise(
    score: float, reference: float, within: bool
) -> None:
    assert within_noise(score, None, reference) is within
    assert within_noise(score, None, reference, Interval(0, 100)) is within


@pytest.mark.parametrize(
    ("reference", "within"),
    [(78.0, True), (82.0, True), (77.99, False), (82.01, False), (80.0, True)],
)
def test_a_published_number_in_our_interval_is_noise(reference: float, within: bool) -> None:
    assert within_noise(80.0, Interval(78, 82), reference) is within


def test_a_published_number_outside_a_narrow_interval_may_still_be_half_a_point_away() -> None:
    narrow = Interval(79.9, 80.1)
    assert within_noise(80.0, narrow, 80.5) is True
    assert within_noise(80.0, narrow, 80.51) is False


def test_two_intervals_that_overlap_are_noise_whatever_the_scores() -> None:
    ours = Interval(78, 82)
    assert within_noise(80.0, ours, 84.0, Interval(82, 86)) is True
    assert within_noise(80.0, ours, 76.0, Interval(74, 78)) is True
    assert within_noise(80.0, ours, 84.0, Interval(82.01, 86)) is False
    # Not even half a point counts then.
    assert within_noise(80.0, Interval(80, 80), 80.2, Interval(80.2, 80.2)) is False


def test_nothing_is_said_of_what_is_missing() -> None:
    assert within_noise(None, None, 80.0) is None
    assert within_noise(80.0, Interval(78, 82), None) is None
