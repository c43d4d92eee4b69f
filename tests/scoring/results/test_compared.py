"""Two systems side by side, paired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from goldlens.scoring.bootstrap import Interval, Resampling
from goldlens.scoring.counts import Count
from goldlens.scoring.results.compared import Compared, compared
from goldlens.scoring.results.systems import Difference, System, UnknownMetric
from goldlens.scoring.sample import Sample, f1
from tests.scoring.results.rowmaking import system

BETTER, WORSE = [[3, 4, 4]] * 5, [[2, 4, 4]] * 5


def test_the_json_of_a_metric() -> None:
    [found] = compared(system(BETTER), system(WORSE), ["LAS"])
    assert found.as_dict() == {
        "metric": "LAS",
        "a": 75.0,
        "a_ci": [75.0, 75.0],
        "b": 50.0,
        "b_ci": [50.0, 50.0],
        "difference": 25.0,
        "difference_ci": [25.0, 25.0],
        "differ": True,
    }
    assert found.cells() == (
        "LAS", "75.00", "[75.00, 75.00]", "50.00", "[50.00, 50.00]", "25.00", "[25.00, 25.00]",
        "yes",
    )  # fmt: skip


def test_a_difference_of_next_to_nothing_has_no_sign() -> None:
    cells = Compared(
        "LAS", 1.0, None, 1.0, None, Difference(-0.004, Interval(-0.001, 0.004))
    ).cells()
    assert cells[-3:] == ("0.00", "[0.00, 0.00]", "no")


def test_a_metric_named_twice_is_one() -> None:
    assert len(compared(system(BETTER), system(WORSE), ["LAS", "LAS"])) == 1


def test_all_that_both_have_where_none_is_named() -> None:
    found = compared(system(BETTER), system(WORSE))
    assert [each.metric for each in found] == ["LAS", "ELAS", "F0.5"]
    elas, plain = found[1:]
    assert (elas.a, elas.difference) == (None, None)
    assert elas.cells() == ("ELAS", *["n/a"] * 7)
    assert plain.difference is not None and plain.difference.differ is None
    assert plain.cells()[-3:] == ("0.00", "n/a", "n/a")


def test_a_metric_that_only_one_has() -> None:
    other = replace(system(WORSE), figures={"ELAS": None})
    assert [each.metric for each in compared(system(BETTER), other)] == ["ELAS"]
    for pair in [(system(BETTER), other), (other, system(BETTER))]:
        [found] = compared(*pair, ["LAS"])
        assert {found.a, found.b} == {75.0, None}
        assert found.difference is None


def test_a_metric_that_is_unknown() -> None:
    with pytest.raises(UnknownMetric):
        compared(system(BETTER), system(WORSE), ["LASS"])


def test_the_difference_is_that_of_the_same_draws() -> None:
    """Systems that vary together: the difference varies less than either."""
    base = np.random.default_rng(1).integers(0, 10, 20)
    rows_a = [[int(x) + 1, 20, 20] for x in base]
    rows_b = [[int(x), 20, 20] for x in base]
    [found] = compared(system(rows_a), system(rows_b), ["LAS"])
    assert found.difference is not None and found.a_ci is not None and found.b_ci is not None
    assert found.difference.ci == Interval(5.0, 5.0)
    assert found.a_ci.overlaps(found.b_ci) and found.difference.differ


def test_a_level_and_a_seed_are_taken() -> None:
    rows_a, rows_b = ([[k % m, 9, 9] for k in range(50)] for m in (7, 5))
    intervals = [
        compared(system(rows_a), system(rows_b), ["LAS"], resampling)[0].difference
        for resampling in (Resampling(), Resampling(level=0.5), Resampling(seed=1))
    ]
    assert len({each.ci for each in intervals if each is not None}) == 3


def test_equal_fractions_in_other_terms_do_not_differ() -> None:
    """Two of three and four of six are one figure, in every resample and to the last bit."""
    a, b = (
        System(
            {"M": Count(2 * k, 3 * k, 3 * k)},
            Sample(np.array([[2 * k, 3 * k, 3 * k]] * 9), {"M": f1(0, 1, 2)}),
        )
        for k in (1, 2)
    )
    [found] = compared(a, b)
    assert found.difference is not None and found.difference.ci == Interval(0.0, 0.0)
