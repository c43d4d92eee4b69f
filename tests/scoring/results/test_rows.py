"""Results rows: what is in them, and when they are refused."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from goldlens.scoring.bootstrap import Interval, Resampling
from goldlens.scoring.counts import Count, Mean
from goldlens.scoring.results.rows import Labels, rows
from goldlens.scoring.results.systems import Estimates, System, UnknownMetric
from goldlens.scoring.sample import Sample, f1
from tests.scoring.results.rowmaking import LABELS, system

BETTER = [[3, 4, 4]] * 5
WORSE = [[2, 4, 4]] * 5


class TestMetrics:
    def test_all_of_them_where_none_is_named(self) -> None:
        assert [row.metric for row in rows(system(), [], LABELS, 5)] == ["LAS", "ELAS", "F0.5"]

    def test_precision_and_recall_of_any_metric(self) -> None:
        table = rows(system([[2, 4, 8]]), ["LAS", "LAS.precision", "LAS.recall"], LABELS, 1)
        assert [row.score for row in table] == [pytest.approx(100 / 3), 25.0, 50.0]
        assert [row.ci for row in table] == [Interval(x, x) for x in (400 / 12, 25.0, 50.0)]

    def test_spans_have_the_names_of_papers_too(self) -> None:
        spans = system([[2, 4, 8]], task="span")
        table = rows(spans, ["F1", "precision", "recall"], LABELS, 1)
        assert [(row.metric, row.score) for row in table] == [
            ("F1", pytest.approx(100 / 3)),
            ("precision", 25.0),
            ("recall", 50.0),
        ]
        assert all(row.ci is not None for row in table)

    @pytest.mark.parametrize(("metric", "named"), [("Micro", "F1"), ("F1", "Micro"), ("F1", "F1")])
    def test_a_reference_by_another_name_of_the_metric_is_its_reference(
        self, metric: str, named: str
    ) -> None:
        labels = replace(LABELS, references={named: 50.0})
        [row] = rows(system(task="span"), [metric], labels, 5)
        assert row.reference == 50.0

    def test_named_twice_are_one_row(self) -> None:
        assert [row.metric for row in rows(system(), ["LAS", "F0.5", "LAS"], LABELS, 5)] == [
            "LAS", "F0.5",
        ]  # fmt: skip

    def test_two_references_for_one_are_refused(self) -> None:
        spans = system(task="span")
        same = replace(LABELS, references={"F1": 80.0, "Micro": 80.0})
        assert rows(spans, ["F1"], same, 5)[0].reference == 80.0
        with pytest.raises(ValueError, match="two references for Micro, 80 and 81; give one"):
            rows(spans, ["F1"], replace(LABELS, references={"F1": 80.0, "Micro": 81.0}), 5)

    def test_which_other_tasks_do_not_have(self) -> None:
        classes = replace(system(task="span"), task="classification")
        with pytest.raises(UnknownMetric):
            rows(classes, ["F1"], LABELS, 5)

    @pytest.mark.parametrize(
        "name", ["LASS", "LAS.f1", "F1", "precision", "F0.5.precision", "", ".recall", "las"]
    )
    def test_the_task_does_not_have(self, name: str) -> None:
        with pytest.raises(UnknownMetric, match=r"this task has LAS, ELAS, F0\.5"):
            rows(system(), [name], LABELS, 5)
        with pytest.raises(UnknownMetric):
            rows(system(), ["LAS"], replace(LABELS, references={name: 80.0}), 5)

    def test_what_is_undefined_has_no_interval_and_no_verdict(self) -> None:
        labels = replace(LABELS, references={"ELAS": 80.0})
        [row] = rows(system(), ["ELAS"], labels, 5)
        assert (row.score, row.ci, row.within_noise, row.reference) == (None, None, None, 80.0)

    def test_what_does_not_add_up_has_no_interval_but_half_a_point(self) -> None:
        labels = replace(LABELS, references={"F0.5": 13.0})
        [row] = rows(system(), ["F0.5"], labels, 5)
        assert (row.score, row.ci, row.within_noise) == (12.5, None, True)

    def test_a_metric_with_a_dot_is_one_name(self) -> None:
        assert system().score("F0.5") == 12.5


class TestIntervals:
    def test_all_units_alike_leave_no_width(self) -> None:
        for seed in (0, 1, 20260101):
            for resamples in (100, 999):
                [row] = rows(system(), ["LAS"], LABELS, 5, Resampling(resamples, seed=seed))
                assert (row.score, row.ci) == (75.0, Interval(75.0, 75.0))

    def test_the_score_is_that_of_the_full_test_set(self) -> None:
        counts = [[1, 1, 1], [0, 9, 9]]
        [row] = rows(system(counts), ["LAS"], LABELS, 2)
        assert row.score == 10.0
        assert row.ci == Interval(0.0, 100.0)

    def test_a_level_makes_them_narrower(self) -> None:
        counts = [[k % 4, 4, 4] for k in range(30)]
        wide, narrow = (
            rows(system(counts), ["LAS"], LABELS, 30, Resampling(level=level))[0].ci
            for level in (0.99, 0.5)
        )
        assert wide is not None and narrow is not None
        assert wide.low < narrow.low < narrow.high < wide.high

    def test_the_same_seed_gives_the_same_interval(self) -> None:
        counts = [[k % 4, 4, 4] for k in range(30)]
        first, again, other = (
            rows(system(counts), ["LAS"], LABELS, 30, Resampling(seed=seed))[0].ci
            for seed in (1, 1, 2)
        )
        assert first == again != other

    def test_a_fixed_seed_gives_this_interval(self) -> None:
        # Found by a program of its own, one draw after the other.
        counts = [[k % 5, 5, 4 + k % 2] for k in range(40)]
        [row] = rows(system(counts), ["LAS"], LABELS, 40)
        assert row.ci == Interval(33.1578947368421, 50.92838196286472)

    def test_no_units_no_interval(self) -> None:
        empty = System({"LAS": Count(0, 0, 0)}, Sample(np.zeros((0, 3), int), {"LAS": f1(0, 1, 2)}))
        [row] = rows(empty, ["LAS"], LABELS, 0)
        assert (row.score, row.ci) == (0.0, None)


class TestReferences:
    def test_a_published_number(self) -> None:
        labels = replace(LABELS, references={"LAS": 75.5}, reference_source="a paper")
        [row] = rows(system(), ["LAS"], labels, 5)
        assert (row.reference, row.reference_ci, row.within_noise) == (75.5, None, True)
        assert row.difference is None

    def test_a_system_on_the_same_test_set(self) -> None:
        [row] = rows(system(BETTER), ["LAS"], LABELS, 5, against=system(WORSE))
        assert (row.reference, row.reference_ci) == (50.0, Interval(50.0, 50.0))
        assert row.within_noise is False
        assert row.difference is not None
        assert (row.difference.points, row.difference.ci) == (25.0, Interval(25.0, 25.0))
        assert row.difference.differ is True

    def test_both_the_published_number_is_the_reference_and_the_difference_is_the_systems(
        self,
    ) -> None:
        labels = replace(LABELS, references={"LAS": 75.2})
        [row] = rows(system(BETTER), ["LAS"], labels, 5, against=system(WORSE))
        assert (row.reference, row.reference_ci, row.within_noise) == (75.2, None, True)
        assert row.difference is not None and row.difference.points == 25.0

    def test_each_says_where_its_own_comes_from(self) -> None:
        labels = replace(
            LABELS,
            references={"LAS": 75.2},
            reference_source="a paper",
            reference_system="b.conllu",
        )
        table = rows(system(BETTER), [], labels, 5, against=system(WORSE))
        said = [row.as_dict()["reference_source"] for row in table]
        assert said == ["a paper", "", "b.conllu"]
        assert [row.reference for row in table] == [75.2, None, 12.5]

    def test_a_system_does_not_differ_from_itself(self) -> None:
        counts = [[k % 4, 4, 4] for k in range(30)]
        [row] = rows(system(counts), ["LAS"], LABELS, 30, against=system(counts))
        assert row.difference is not None
        assert (row.difference.points, row.difference.ci) == (0.0, Interval(0.0, 0.0))
        assert (row.difference.differ, row.within_noise) == (False, True)

    def test_a_metric_without_interval_has_a_difference_without_one(self) -> None:
        [row] = rows(system(), ["F0.5"], LABELS, 5, against=system())
        assert (row.reference, row.reference_ci, row.within_noise) == (12.5, None, True)
        assert row.difference is not None
        assert (row.difference.ci, row.difference.differ) == (None, None)

    def test_a_metric_that_the_reference_system_does_not_have_has_no_reference(self) -> None:
        other = replace(system(), figures={"LAS": system().figures["LAS"]})
        row = rows(system(), ["F0.5"], LABELS, 5, against=other)[0]
        assert (row.score, row.reference, row.difference, row.within_noise) == (12.5, *[None] * 3)

    def test_a_system_of_another_test_set_is_refused(self) -> None:
        with pytest.raises(ValueError, match="same test set"):
            rows(system(BETTER), ["LAS"], LABELS, 5, against=system(WORSE[:3]))

    def test_a_reference_that_is_no_number_of_points_is_refused(self) -> None:
        for value in (float("nan"), float("inf"), 100.1, 881, -101):
            with pytest.raises(ValueError, match="give points"):
                rows(system(), ["LAS"], replace(LABELS, references={"LAS": value}), 5)

    def test_what_binary_fractions_leave_of_nothing_is_nothing(self) -> None:
        """Two means of the same thirds, added in another order, do not differ."""
        one = System({"M": Mean(0, 0, 0.1 + 0.2)}, None)
        other = System({"M": Mean(0, 0, 0.3)}, None)
        found = Estimates([one, other]).difference("M")
        assert found is not None and found.points == 0.0


def test_the_json_of_a_row() -> None:
    labels = Labels(
        "parser", "en", "EWT", "a paper", {"LAS": 75.5}, "goldlens|task:ud", "aa", "bb", "ud"
    )
    [row] = rows(system(BETTER), ["LAS"], labels, 5, Resampling(200, 0.9, 7), system(WORSE))
    found = json.loads(json.dumps(row.as_dict()))
    assert set(found.pop("versions")) == {"goldlens", "numpy", "python"}
    assert found == {
        "component": "parser",
        "language": "en",
        "dataset": "EWT",
        "metric": "LAS",
        "score": 75.0,
        "ci": [75.0, 75.0],
        "reference": 75.5,
        "reference_ci": None,
        "reference_source": "a paper",
        "within_noise": True,
        "resamples": 200,
        "level": 0.9,
        "seed": 7,
        "units": 5,
        "precision": 75.0,
        "recall": 75.0,
        "correct": 15,
        "gold": 20,
        "predicted": 20,
        "difference": 25.0,
        "difference_ci": [25.0, 25.0],
        "differ": True,
        "signature": "goldlens|task:ud",
        "gold_sha256": "aa",
        "pred_sha256": "bb",
    }


def test_the_json_of_what_is_undefined_is_null() -> None:
    [row] = rows(system(), ["ELAS"], LABELS, 5)
    found = row.as_dict()
    undefined = ("score", "ci", "reference", "reference_ci", "within_noise", "precision", "recall")
    assert [found[name] for name in (*undefined, "correct", "differ", "difference")] == [None] * 10
