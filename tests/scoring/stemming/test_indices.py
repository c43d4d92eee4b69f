"""Indices from four numbers."""

from __future__ import annotations

import pytest

from goldlens.scoring.stemming.indices import INDICES, indices, metrics
from goldlens.scoring.stemming.policies import ALL_CANDIDATES, ANY_CANDIDATE, PRIMARY_OUTPUT, Pairs

PAIRS = Pairs(10, 6, 18, 3, 27)
"""12 pairs are rightly kept together, 24 rightly apart, 6 separated and 3 conflated."""


def test_every_index_of_a_confusion_matrix() -> None:
    found = indices(PAIRS, PRIMARY_OUTPUT)
    assert found == pytest.approx(
        {
            "UI": 100 * 6 / 18,
            "OI": 100 * 3 / 27,
            "precision": 100 * 12 / 15,
            "recall": 100 * 12 / 18,
            "specificity": 100 * 24 / 27,
            "accuracy": 100 * 36 / 45,
            "balanced_accuracy": 50 * (12 / 18 + 24 / 27),
            "F0.5": 100 * 1.25 * 0.8 * (2 / 3) / (0.25 * 0.8 + 2 / 3),
            "F1": 100 * 24 / 33,
            "F2": 100 * 5 * 0.8 * (2 / 3) / (4 * 0.8 + 2 / 3),
            "jaccard": 100 * 12 / 21,
            "fowlkes_mallows": 100 * 12 / (15 * 18) ** 0.5,
            "matthews": 100 * (12 * 24 - 3 * 6) / (15 * 18 * 27 * 30) ** 0.5,
            "pairwise_error_rate": 100 * 9 / 45,
        },
        rel=1e-14,
    )
    assert indices(PAIRS, ALL_CANDIDATES) == found


def test_any_candidate_has_no_confusion_matrix() -> None:
    found = indices(PAIRS, ANY_CANDIDATE)
    assert metrics(ANY_CANDIDATE) == ("UI", "OI")
    assert {key: value for key, value in found.items() if value is not None} == {
        "UI": 100 * 6 / 18,
        "OI": 100 * 3 / 27,
    }
    assert list(found) == list(INDICES)


UNDEFINED = {
    "no related pair": (
        Pairs(3, 0, 0, 1, 3),
        {"UI", "recall", "balanced_accuracy", "fowlkes_mallows", "matthews"},
    ),
    "no unrelated pair": (
        Pairs(3, 1, 3, 0, 0),
        {"OI", "specificity", "balanced_accuracy", "matthews"},
    ),
    "nothing kept together": (
        Pairs(3, 1, 1, 0, 2),
        {"precision", "fowlkes_mallows", "matthews"},
    ),
    "everything kept together": (Pairs(3, 0, 1, 2, 2), {"matthews"}),
    "no pair at all": (Pairs(1, 0, 0, 0, 0), set(INDICES)),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_denominator_of_zero_is_no_value(name: str) -> None:
    pairs, undefined = UNDEFINED[name]
    found = indices(pairs, PRIMARY_OUTPUT)
    assert {key for key, value in found.items() if value is None} == undefined


def test_the_matthews_correlation_may_be_negative() -> None:
    assert indices(Pairs(4, 3, 3, 3, 3), PRIMARY_OUTPUT)["matthews"] == -100


@pytest.mark.parametrize("times", [3, 7, 1_000_003])
def test_the_same_proportions_are_the_same_values(times: int) -> None:
    """Ranks would tell apart what differs in the last bit."""
    more = Pairs(10, 6 * times, 18 * times, 3 * times, 27 * times)
    assert indices(more, PRIMARY_OUTPUT) == indices(PAIRS, PRIMARY_OUTPUT)
