from __future__ import annotations

import numpy as np
import pytest

from goldlens.scoring.segment import Kind
from goldlens.server.cache.comparisons import same_segments

OLD = [
    (Kind.STREAM, 0, 1, 0, 1),
    (Kind.STREAM, 1, 1, 1, 2),
    (Kind.PAIR, 2, 1, 3, 1),
    (Kind.MISMATCH, 3, 1, 4, 1),
    (Kind.MISSING, 4, 1, 5, 0),
]


def same(new: list[tuple[int, ...]], gold: list[int], pred: list[int]) -> list[int]:
    def rows(values: list[tuple[int, ...]]) -> np.ndarray:
        return np.array(values, np.int64).reshape(-1, 5)

    return same_segments(rows(OLD), rows(new), np.array(gold), np.array(pred)).tolist()


def test_of_the_same_texts_those_that_are_compared() -> None:
    assert same(OLD, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]) == [0, 1, 2, -1, -1]


def test_wherever_they_have_gone() -> None:
    new = [(Kind.STREAM, 1, 1, 1, 2), (Kind.PAIR, 2, 1, 3, 1)]
    assert same(new, [-1, 1, 2], [-1, 1, 2, 3]) == [1, 2]
    moved = [(Kind.STREAM, 5, 1, 4, 2)]
    assert same(moved, [-1, -1, -1, -1, -1, 1], [-1, -1, -1, -1, 1, 2]) == [1]


@pytest.mark.parametrize(
    ("gold", "pred"),
    [([0, -1, 2], [0, 1, 2, 3]), ([0, 1, 2], [0, -1, 2, 3]), ([0, 1, 2], [0, 1, -1, 3])],
)
def test_not_those_of_a_sentence_that_was_not_there(gold: list[int], pred: list[int]) -> None:
    assert same([(Kind.STREAM, 1, 1, 1, 2)], gold, pred) == [-1]


@pytest.mark.parametrize("gold", [[0, -1], [-1, 1], [0, 2], [-1, -1]])
def test_all_sentences_of_gold_must_have_been_there(gold: list[int]) -> None:
    old = np.array([(Kind.STREAM, 0, 2, 0, 1)], np.int64)
    assert same_segments(old, old, np.arange(2), np.arange(1)).tolist() == [0]
    assert same_segments(old, old, np.array(gold), np.arange(1)).tolist() == [-1]


@pytest.mark.parametrize(
    "row",
    [
        (Kind.PAIR, 1, 1, 1, 2),
        (Kind.STREAM, 1, 1, 1, 1),
        (Kind.STREAM, 1, 2, 1, 2),
        (Kind.STREAM, 0, 1, 1, 2),
        (Kind.STREAM, 1, 1, 2, 1),
    ],
)
def test_not_those_of_another_kind_or_of_other_sentences(row: tuple[int, ...]) -> None:
    assert same([row], [0, 1, 2, 3], [0, 1, 2, 3]) == [-1]


def test_none_were_there_before() -> None:
    rows = np.array(OLD, np.int64)
    found = same_segments(rows[:0], rows, np.arange(5), np.arange(5))
    assert found.tolist() == [-1] * 5
    assert same([], [], []) == []
