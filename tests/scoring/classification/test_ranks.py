"""ROC-AUC as the Mann-Whitney statistic."""

from __future__ import annotations

import random
from itertools import product

import pytest

from goldlens.scoring.classification.ranks import Ranks


def brute(positives: list[float], negatives: list[float]) -> float | None:
    """The share of pairs in the right order, ties a half, in points."""
    pairs = [(p > n) + (p == n) / 2 for p, n in product(positives, negatives)]
    return 100 * sum(pairs) / len(pairs) if pairs else None


def ranks(positives: list[float], negatives: list[float]) -> Ranks:
    found = Ranks()
    found.add(positives, negatives)
    return found


@pytest.mark.parametrize(
    ("positives", "negatives", "area"),
    [
        ([0.9], [0.1], 100.0),
        ([0.1], [0.9], 0.0),
        ([0.5], [0.5], 50.0),
        ([0.5, 0.6], [0.5, 0.4], 87.5),
        ([-0.2, 1.2, 1.8], [-2.0, -0.4, 1.0], 800 / 9),
        ([0.0], [-0.0], 50.0),
        ([0.5], [], None),
        ([], [0.5], None),
        ([], [], None),
    ],
)
def test_area(positives: list[float], negatives: list[float], area: float | None) -> None:
    assert ranks(positives, negatives).area == area


@pytest.mark.parametrize("size", [1, 5, 63, 64, 200])
def test_scores_come_and_go_in_any_order_and_number(size: int) -> None:
    dice = random.Random(size)
    for _ in range(30):
        kept: list[list[float]] = [[], []]
        found = Ranks()
        for _ in range(6):
            sizes = dice.randrange(size + 1), dice.randrange(size + 1)
            batch = [[float(dice.randrange(9)) for _ in range(many)] for many in sizes]
            found.add(*batch)
            kept = [old + new for old, new in zip(kept, batch, strict=True)]
            for scores in kept:
                dice.shuffle(scores)
            gone = [scores[: dice.randrange(len(scores) + 1)] for scores in kept]
            found.remove(*gone)
            kept = [scores[len(out) :] for scores, out in zip(kept, gone, strict=True)]
            assert found.area == pytest.approx(brute(*kept), abs=1e-9)
            assert found.area == ranks(*kept).area
            assert bool(found) == bool(kept[0] or kept[1])
