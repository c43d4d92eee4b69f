"""Counts by label, and samples of them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from goldlens.scoring import labels
from goldlens.scoring.counts import Count, Mean
from goldlens.scoring.labels import Entries, LabelSums, sample_of

ONE: Entries = ((b"a", 1, 2, 1), (b"b", 0, 0, 3))
TWO: Entries = ((b"b", 1, 1, 1),)


def sums(*entries: Entries) -> LabelSums:
    found = LabelSums()
    for entry in entries:
        found.put(entry)
    return found


def test_counts_add_up_by_label_and_over_all() -> None:
    found = sums(ONE, TWO)
    assert found.by_label() == {"a": Count(1, 2, 1), "b": Count(1, 1, 4)}
    assert found.micro() == Count(2, 3, 5)


def test_macro_is_the_plain_mean_over_labels_in_gold_or_prediction() -> None:
    a, b = Count(1, 2, 1), Count(1, 1, 4)
    assert sums(ONE, TWO).macro() == Mean(
        (a.precision + b.precision) / 2, (a.recall + b.recall) / 2, (a.f1 + b.f1) / 2
    )
    assert sums().macro() == Mean(0.0, 0.0, 0.0)
    assert sums().micro() == Count(0, 0, 0)


def test_what_is_taken_out_leaves_no_trace() -> None:
    found = sums(ONE, TWO, ONE)
    found.put(TWO, -1)
    found.put(ONE, -2)
    assert found.by_label() == {}
    assert found.micro() == Count(0, 0, 0)


def test_so_many_times() -> None:
    found = LabelSums()
    found.put(ONE, 3)
    assert found.by_label() == sums(ONE, ONE, ONE).by_label()


def test_labels_come_in_alphabetical_order() -> None:
    found = sums(((b"b", 0, 1, 0),), ((b"\xc3\xa9", 0, 1, 0),), ((b"A", 0, 1, 0),))
    assert list(found.by_label()) == ["A", "b", "é"]


def test_labels_that_are_not_utf8_keep_two_names() -> None:
    found = sums(((b"\xff", 1, 1, 1),), ((b"\xfe", 0, 1, 0),))
    assert found.by_label() == {r"\xfe": Count(0, 1, 0), r"\xff": Count(1, 1, 1)}


def test_labels_that_only_the_prediction_has() -> None:
    found = sums(ONE, ((b"c", 0, 0, 1), (b"d", 0, 1, 0)))
    assert found.only_predicted() == [b"b", b"c"]
    found.put(((b"b", 0, 1, 0),))
    assert found.only_predicted() == [b"c"]


def test_a_sample_has_the_figures_of_what_is_drawn() -> None:
    dice = random.Random(7)
    for _ in range(100):
        units = dice.randint(1, 6)
        rows: list[tuple[int, Entries]] = []
        for _ in range(dice.randint(0, 8)):
            names = dice.sample((b"a", b"b", b"c"), dice.randint(0, 3))
            entries = []
            for name in names:
                gold, predicted = dice.randint(0, 2), dice.randint(0, 2)
                if gold or predicted:
                    correct = dice.randint(0, min(gold, predicted))
                    entries.append((name, correct, gold, predicted))
            rows.append((dice.randrange(units), tuple(entries)))
        sample = sample_of(rows, units)
        assert sample.counts.shape[0] == units
        # With columns of others behind, as tasks may put them.
        counts = np.concatenate([sample.counts, np.full((units, 2), 9)], axis=1)
        draws = [list(range(units)), [dice.randrange(units) for _ in range(units)]]
        drawn = np.array([counts[draw].sum(axis=0) for draw in draws])
        for k, draw in enumerate(draws):
            found = LabelSums()
            for chosen in draw:
                for unit, entries_of in rows:
                    if unit == chosen:
                        found.put(entries_of)
            for name, figure in (("Micro", found.micro()), ("Macro", found.macro())):
                for suffix, value in (
                    ("", figure.f1),
                    (".precision", figure.precision),
                    (".recall", figure.recall),
                ):
                    point = sample.statistics[name + suffix](drawn)[k]
                    assert point == pytest.approx(value, abs=1e-9)


def test_a_sample_of_parts_only() -> None:
    sample = sample_of([(0, ONE), (0, TWO)], 1, parts=("Micro",))
    assert sorted(sample.statistics) == ["Micro", "Micro.precision", "Micro.recall"]
    assert sample.counts.tolist() == [[2, 3, 5]]


def test_too_many_labels_to_keep_by_unit_have_no_macro(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "_CELLS", 3)
    assert "Macro" in sample_of([(0, ONE)], 1).statistics
    assert "Macro" not in sample_of([(0, ONE)], 2).statistics
    assert sample_of([(0, ONE)], 2).counts.tolist() == [[1, 2, 4], [0, 0, 0]]
