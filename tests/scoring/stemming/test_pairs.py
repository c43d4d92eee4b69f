"""Counts of pairs against counting pair by pair."""

from __future__ import annotations

import random

import pytest

from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs
from goldlens.scoring.stemming.policies import (
    MODES,
)
from tests.scoring.stemming.brute import counted, random_case


@pytest.mark.parametrize("seed", range(40))
def test_every_mode_and_policy_counts_as_pair_by_pair(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        case = random_case(chance)
        found = evaluate(read_dictionary(case.gold), read_outputs(case.pred))
        assert found.pairs == {mode: counted(case, mode) for mode in MODES}, case
