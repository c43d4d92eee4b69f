"""Which unit has most problems, and which one with problems comes next."""

from __future__ import annotations

import numpy as np
import pytest

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.pair import PRED, Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.seeking import Which, sought

GOOD = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
WRONG_TAG = GOOD.replace("NOUN", "VERB")
TWO_WRONG = WRONG_TAG.replace("root\t_\t_", "dep\t_\t_")
NO_ROOT = GOOD.replace("0\troot", "9\tdep")
NAMED = "# sent_id = s\n" + GOOD


def default(problem: Problem) -> Severity | None:
    return problem.severity


def lister(pred: str, gold: str | None = None) -> Lister:
    document = Document(UD, pred.encode(), judge=default)
    facing = GOOD * pred.count("\n\n") if gold is None else gold
    pair = Pair(UD, Document(UD, facing.encode(), checks=False), document)
    return Lister(document, pair, default)


@pytest.mark.parametrize(
    ("which", "at", "found"),
    [
        ("worst", 0, 3),
        ("worst", None, 3),
        ("next", None, 1),
        ("next", 0, 1),
        ("next", 1, 3),
        ("next", 4, 5),
        ("next", 5, 1),
        ("previous", None, 5),
        ("previous", 5, 3),
        ("previous", 4, 3),
        ("previous", 1, 5),
        ("previous", 0, 5),
    ],
)
def test_what_is_sought(which: Which, at: int | None, found: int) -> None:
    assert sought(np.array([0, 1, 0, 4, 0, 4]), which, at) == found


@pytest.mark.parametrize("which", ["worst", "next", "previous"])
@pytest.mark.parametrize("counts", [[], [0, 0]])
def test_nothing_is_found_where_nothing_is_wrong(which: Which, counts: list[int]) -> None:
    assert sought(np.array(counts, int), which, 0) is None


def test_problems_of_the_text_and_those_against_gold_count() -> None:
    assert lister(GOOD + WRONG_TAG + NO_ROOT).by_unit().tolist() == [0, 1, 1]


def test_all_problems_count_however_few_are_shown() -> None:
    counted = lister(WRONG_TAG * 300 + TWO_WRONG)
    assert counted.list([], 10, 0).more > 290
    assert sought(counted.by_unit(), "worst", 0) == 300


def test_a_name_that_stood_before_counts() -> None:
    assert lister(NAMED * 3).by_unit().tolist() == [0, 1, 1]


def test_a_stretch_that_is_not_compared_counts_where_it_begins() -> None:
    other = GOOD.replace("\ta\t", "\tbcd\t")
    counts = lister(GOOD + other * 2 + GOOD, GOOD + GOOD.replace("\ta\t", "\tx\t") + GOOD).by_unit()
    assert counts[0] == counts[2] == counts[3] == 0 < counts[1]


def test_what_is_counted_follows_edits() -> None:
    counted = lister(GOOD + WRONG_TAG)
    document, pair = counted.document, counted.pair
    assert pair is not None
    pair.apply(PRED, document.edit(Edit(0, 6, 0, 10, b"VERB"), Encoding.UTF16))
    assert counted.by_unit().tolist() == [1, 1]


def test_the_problems_of_a_unit_are_in_order_of_place() -> None:
    found = lister(GOOD + TWO_WRONG).of_unit(1)
    assert [(each.line, each.problem.code) for each in found] == [
        (2, "tag-error"),
        (2, "root-relation"),
        (2, "las-error"),
    ]


def test_the_last_row_of_a_file_without_a_line_end_belongs_to_its_unit() -> None:
    assert lister(GOOD + WRONG_TAG.rstrip("\n"), GOOD * 2).of_unit(1)


def test_an_empty_document_has_no_counts() -> None:
    assert lister("").by_unit().tolist() == []
