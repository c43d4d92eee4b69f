"""Stemming held against scipy and scikit-learn."""

from __future__ import annotations

import random
import warnings
from itertools import combinations

import pytest

from goldlens.scoring.stemming.correlation import correlation, ranks
from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs
from goldlens.scoring.stemming.indices import indices
from tests.scoring.stemming.brute import random_case

scipy_stats = pytest.importorskip("scipy.stats")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    metrics = pytest.importorskip("sklearn.metrics")


def test_correlations_are_those_of_scipy() -> None:
    chance = random.Random(7)
    for _ in range(400):
        size = chance.randint(3, 12)
        values = [chance.choice([0.0, 1.0, chance.random() * 100]) for _ in range(size)]
        others = [chance.choice([0.5, 50.0, value + chance.random()]) for value in values]
        if len(set(values)) == 1 or len(set(others)) == 1:
            continue
        pairs = list(zip(values, others, strict=True))
        found = correlation("", "", "a", "b", pairs)
        assert found.pearson == pytest.approx(
            scipy_stats.pearsonr(values, others).statistic, abs=1e-12
        )
        assert found.spearman == pytest.approx(
            scipy_stats.spearmanr(values, others).statistic, abs=1e-12
        )
        assert ranks(values) == scipy_stats.rankdata(values, method="average").tolist()


def test_indices_are_those_of_scikit_learn_over_all_pairs() -> None:
    chance = random.Random(11)
    compared = 0
    while compared < 60:
        case = random_case(chance)
        found = evaluate(read_dictionary(case.gold), read_outputs(case.pred)).pairs["ALL_WORDS"]
        forms = sorted({form for group in case.groups for form in group})
        groups = [frozenset(group) for group in case.groups]
        related, conflated = [], []
        for a, b in combinations(forms, 2):
            related.append(any(a in group and b in group for group in groups))
            conflated.append(not set(case.stems[a]).isdisjoint(case.stems[b]))
        if len(set(related)) < 2 or len(set(conflated)) < 2:
            continue
        compared += 1
        ours = indices(found["ALL_CANDIDATES"], "ALL_CANDIDATES")
        theirs = {
            "precision": metrics.precision_score(related, conflated),
            "recall": metrics.recall_score(related, conflated),
            "accuracy": metrics.accuracy_score(related, conflated),
            "balanced_accuracy": metrics.balanced_accuracy_score(related, conflated),
            "F0.5": metrics.fbeta_score(related, conflated, beta=0.5),
            "F1": metrics.f1_score(related, conflated),
            "F2": metrics.fbeta_score(related, conflated, beta=2),
            "jaccard": metrics.jaccard_score(related, conflated),
            "matthews": metrics.matthews_corrcoef(related, conflated),
        }
        for key, value in theirs.items():
            assert ours[key] == pytest.approx(100 * value, abs=1e-9), key


def test_fowlkes_mallows_is_that_of_scikit_learn_over_partitions() -> None:
    chance = random.Random(13)
    for _ in range(40):
        forms = [f"f{k}" for k in range(12)]
        gold = [chance.randrange(4) for _ in forms]
        pred = [chance.randrange(4) for _ in forms]
        rows = [
            "\t".join(form for form, its in zip(forms, gold, strict=True) if its == group)
            for group in sorted(set(gold))
        ]
        stems = [f"{form}\t{stem}" for form, stem in zip(forms, pred, strict=True)]
        found = evaluate(
            read_dictionary("\n".join(rows).encode()), read_outputs("\n".join(stems).encode())
        )
        pairs = found.pairs["ALL_WORDS"]["PRIMARY_OUTPUT"]
        ours = indices(pairs, "PRIMARY_OUTPUT")["fowlkes_mallows"]
        assert ours == pytest.approx(100 * metrics.fowlkes_mallows_score(gold, pred), abs=1e-9)
