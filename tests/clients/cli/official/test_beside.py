"""Figures side by side: what is read of a script's output, and when two figures are the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from goldlens.cli.official.beside import Garbage, beside, equal, read
from goldlens.scoring.counts import Count

COUNT = Count(3, 4, 6, 4)
SCORE: dict[str, Any] = {
    "correct": 3, "gold": 4, "predicted": 6, "aligned": 4,
    "precision": 0.5, "recall": 0.75, "f1": 0.6, "aligned_accuracy": 0.75,
}  # fmt: skip


def printed(**changes: Any) -> bytes:
    return json.dumps({"UPOS": {**SCORE, **changes}}).encode()


def test_figures_are_read_as_points_and_counts_as_they_are() -> None:
    assert read(printed()) == {"UPOS": pytest.approx(COUNT.as_dict())}


@pytest.mark.parametrize(
    "output",
    [
        *(b"", b"LAS F1 Score: 12.00", b"[]", b"{}", b"[" * 100_000, b"\xff"),
        *(b'{"UPOS": 1}', b'{"UPOS": {}}', printed(more=1), printed(f1="0.5"), printed(f1=None)),
        *(printed(f1=float("nan")), printed(f1=float("inf")), printed(correct=True)),
        *(printed(gold=10**400), printed(f1=-(10**400))),
    ],
)
def test_anything_else_is_garbage(output: bytes) -> None:
    with pytest.raises(Garbage):
        read(output)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (50.0, 50.0, True),
        (50.0, 50.00004, True),
        (50.0, 50.00006, False),
        (None, None, True),
        (None, 0.0, False),
        (0.0, None, False),
    ],
)
def test_figures_are_equal_to_four_decimals(a: float | None, b: float | None, same: bool) -> None:
    assert equal(a, b) is same


def test_what_agrees_has_no_difference() -> None:
    found = beside({"UPOS": COUNT}, read(printed()))
    assert found.differences == []
    assert found.compared == 4


@pytest.mark.parametrize(
    ("name", "value", "points"), [("f1", 0.6001, 60.01), ("aligned_accuracy", None, None)]
)
def test_one_figure_that_differs_is_named(
    name: str, value: float | None, points: float | None
) -> None:
    [found] = beside({"UPOS": COUNT}, read(printed(**{name: value}))).differences
    assert (found.metric, found.figure) == ("UPOS", name)
    assert found.ours == pytest.approx(getattr(COUNT, name))
    assert found.official == (None if points is None else pytest.approx(points))


def test_figures_that_neither_has_are_not_counted_as_compared() -> None:
    found = beside({"UPOS": Count(3, 4, 6)}, read(printed(aligned=None, aligned_accuracy=None)))
    assert (found.differences, found.compared) == ([], 3)


def test_metrics_that_only_one_has_are_not_compared() -> None:
    found = beside({"LAS": COUNT, "UPOS": COUNT, "UAS": None}, read(printed()))
    assert (list(found.ours), found.lacking) == (["UPOS"], ("LAS", "UAS"))


def test_a_metric_that_means_nothing_here_is_undefined_on_both_sides() -> None:
    found = beside({"UPOS": None}, read(printed()))
    assert (found.ours, found.official, found.compared) == ({"UPOS": None}, {"UPOS": None}, 0)
    assert found.differences == []
