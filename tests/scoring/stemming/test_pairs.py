"""Counts of pairs against counting pair by pair."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from goldlens.scoring.stemming import bulk
from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs
from goldlens.scoring.stemming.indices import indices
from goldlens.scoring.stemming.policies import (
    ALL_CANDIDATES,
    ALL_WORDS,
    ANY_CANDIDATE,
    MODES,
    POLICIES,
    PRIMARY_OUTPUT,
    BrokenRelation,
    Pairs,
    checked,
)
from goldlens.scoring.stemming.rows import read_group, read_output
from goldlens.scoring.stemming.sums import Comparison, StemSums
from tests.scoring.stemming.brute import Case, counted, random_case


def evaluated(case: Case) -> dict[str, dict[str, Pairs]]:
    found = evaluate(read_dictionary(case.gold), read_outputs(case.pred))
    assert not found.refused
    return found.pairs


def comparisons(case: Case) -> list[Comparison]:
    groups = [read_group(line)[0] for line in case.gold.splitlines()]
    return [*groups, *(read_output(line).output for line in case.pred.splitlines())]


@pytest.mark.parametrize("seed", range(30))
def test_every_mode_and_policy_counts_as_pair_by_pair(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        case = random_case(chance)
        assert evaluated(case) == {mode: counted(case, mode) for mode in MODES}, case


@pytest.mark.parametrize("most", [1, 3, 20])
def test_large_sets_are_counted_by_the_index(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(bulk, "_WIDE", most + 2)
    monkeypatch.setattr(bulk, "_most", lambda items: most)
    monkeypatch.setattr(bulk, "SMALL", 7)
    monkeypatch.setattr("goldlens.scoring.stemming.sharing.SMALL", 7)
    chance = random.Random(most)
    for _ in range(150):
        case = random_case(chance)
        assert evaluated(case) == {mode: counted(case, mode) for mode in MODES}, case


@pytest.mark.parametrize("small", [1, 7, 255])
def test_sums_do_not_depend_on_what_came_and_went(
    monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr("goldlens.scoring.stemming.sharing.SMALL", small)
    chance = random.Random(small)
    for _ in range(150):
        kept = random_case(chance, complete=False)
        gone = comparisons(random_case(chance, complete=False))
        sums = StemSums()
        steps = [(each, False) for each in comparisons(kept)] + [(each, True) for each in gone]
        chance.shuffle(steps)
        for each, passing in steps:
            sums.add([each])
            if chance.random() < 0.2:
                sums.pairs()
            if passing and chance.random() < 0.5:
                sums.remove([each])
                gone.remove(each)
        sums.remove(gone)
        assert sums.pairs() == counted(kept)


def test_several_stems_for_a_form() -> None:
    case = Case(
        [["unit", "units"], ["it", "its"], ["un", "unify"]],
        {
            "unit": ["unit", "un", "it"],
            "units": ["unit"],
            "it": ["it"],
            "its": ["it", "its"],
            "un": ["un"],
            "unify": ["unify", "un"],
        },
    )
    assert evaluated(case)[ALL_WORDS] == {
        PRIMARY_OUTPUT: Pairs(6, 1, 3, 0, 12),
        ALL_CANDIDATES: Pairs(6, 0, 3, 4, 12),
        ANY_CANDIDATE: Pairs(6, 0, 3, 0, 12),
    }


def test_a_pair_that_shares_several_candidates_counts_once() -> None:
    case = Case([["a"], ["b"]], {"a": ["x", "y", "z"], "b": ["z", "y", "x"]})
    assert evaluated(case)[ALL_WORDS][ALL_CANDIDATES] == Pairs(2, 0, 0, 1, 1)


def test_a_pair_in_two_groups_is_one_pair() -> None:
    case = Case([["a", "b"], ["b", "a"], ["a", "b", "c"]], {"a": ["x"], "b": ["y"], "c": ["z"]})
    assert evaluated(case)[ALL_WORDS][PRIMARY_OUTPUT] == Pairs(3, 3, 3, 0, 0)


def test_an_unrelated_pair_is_conflated_under_any_only_by_the_same_one_candidate() -> None:
    case = Case([["a"], ["b"], ["c"]], {"a": ["x"], "b": ["x"], "c": ["x", "y"]})
    found = evaluated(case)[ALL_WORDS]
    assert found[ANY_CANDIDATE].over_error == 1
    assert found[PRIMARY_OUTPUT].over_error == found[ALL_CANDIDATES].over_error == 3


def test_a_form_counts_in_a_lowercase_group_although_it_is_in_a_capital_one_too() -> None:
    case = Case([["us", "US"], ["us", "we"]], {"us": ["u"], "US": ["u"], "we": ["w"]})
    assert evaluated(case)["LOWERCASE_GROUPS_ONLY"][PRIMARY_OUTPUT] == Pairs(2, 1, 1, 0, 0)


def test_exact_accuracy_is_another_thing() -> None:
    """One form of twelve is wrong, beside 88 groups of one form."""
    names = [f"g{k}" for k in range(12)]
    alone = [f"s{k}" for k in range(88)]
    stems = {name: ["g"] for name in names} | {name: [name] for name in alone}
    stems["g7"] = ["wrong"]
    pairs = evaluated(Case([names, *([name] for name in alone)], stems))[ALL_WORDS]
    assert pairs[PRIMARY_OUTPUT] == Pairs(100, 11, 66, 0, 4950 - 66)
    assert indices(pairs[PRIMARY_OUTPUT], PRIMARY_OUTPUT)["UI"] == 100 * 11 / 66


def test_counts_are_exact_where_floats_are_not() -> None:
    forms = 3_000_000
    numbers, several = np.arange(forms), {0: (b"x", b"y")}
    primary = [b"x"] * forms
    found = bulk.Numbered(numbers, numbers, primary, several).pairs()
    assert found[PRIMARY_OUTPUT].over_error == forms * (forms - 1) // 2
    assert found[ALL_CANDIDATES].over_error == forms * (forms - 1) // 2
    assert found[ANY_CANDIDATE].over_error == (forms - 1) * (forms - 2) // 2


SOUND = {
    PRIMARY_OUTPUT: Pairs(9, 5, 9, 5, 27),
    ALL_CANDIDATES: Pairs(9, 4, 9, 6, 27),
    ANY_CANDIDATE: Pairs(9, 4, 9, 4, 27),
}


def test_relations_between_policies_that_hold() -> None:
    checked(SOUND)


@pytest.mark.parametrize(
    ("policy", "change", "relation"),
    [
        (ANY_CANDIDATE, {"under_error": 6}, "ANY under <= PRIMARY under"),
        (ALL_CANDIDATES, {"under_error": 6}, "ALL under <= PRIMARY under"),
        (ANY_CANDIDATE, {"under_error": 3}, "ANY under = ALL under"),
        (ANY_CANDIDATE, {"over_error": 6}, "ANY over <= PRIMARY over"),
        (ALL_CANDIDATES, {"over_error": 4}, "ALL over >= PRIMARY over"),
    ],
)
def test_a_broken_relation_is_an_error_of_the_program(
    policy: str, change: dict[str, int], relation: str
) -> None:
    with pytest.raises(BrokenRelation, match=relation):
        checked({**SOUND, policy: replace(SOUND[policy], **change)})


def test_there_are_relations_for_every_policy() -> None:
    assert set(SOUND) == set(POLICIES)
