"""What classification counts, and what it says of a prediction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from goldlens.scoring.classification.comparison import NOTHING, ClassSums, Comparison, compare
from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.classification.unit import Unit
from goldlens.scoring.counts import Count, Figure, Value
from goldlens.scoring.problems import Problem, Severity, Side
from goldlens.scoring.segment import Kind, Segment
from tests.scoring.classification.rows import at, pointed, units


class Compared:
    """Two files held against each other."""

    def __init__(self, gold: str, pred: str, task: Classification = CLASSIFICATION) -> None:
        self.task, self.texts = task, (gold.encode(), pred.encode())
        self.gold, self.pred = units(gold, task), units(pred, task)
        self.segments = list(task.pair(self.gold, self.pred, "auto"))
        self.comparisons = task.compare(self.gold, self.pred, self.segments)
        self.sums: ClassSums = task.sums()
        self.sums.add(self.comparisons)

    def figures(self) -> dict[str, Figure | None]:
        facts = [
            np.array([self.task.facts(unit) for unit in side] or [(0, 0, 0, 0)]).sum(axis=0)
            for side in (self.gold, self.pred)
        ]
        return self.task.figures(self.sums, *(side.tolist() for side in facts))

    def values(self) -> dict[str, float | None]:
        return {name: f.score if f else None for name, f in self.figures().items()}

    def problems(self) -> list[Problem]:
        """All problems of the comparison; as many as counted."""
        found: list[Problem] = []
        counted = self.task.tallies(self.gold, self.pred, self.segments, self.comparisons)
        for segment, row in zip(self.segments, counted.tolist(), strict=True):
            made = self.task.problems(self.gold, self.pred, segment, 0)
            codes = [problem.code for problem in made]
            assert row == [codes.count(code) for code in self.task.codes]
            assert self.task.problems_of_many(self.gold, self.pred, [segment]) == [made]
            found += made
        return found

    def labels(self) -> dict[str, tuple[Any, ...]]:
        return {k: tuple(row.values()) for k, row in self.task.labels(self.sums).items()}


# Figures


def test_accuracy_is_offered_where_every_document_has_one_label_of_its_own() -> None:
    single = "d1\ta\nd2\tb\n"
    assert list(Compared(single, single).values()) == ["Accuracy", "Micro", "Macro"]
    for other in ("d1\ta|b\nd2\tb\n", "d1\t\nd2\tb\n"):
        assert list(Compared(other, single).values()) == ["Micro", "Macro"]
        assert list(Compared(single, other).values()) == ["Micro", "Macro"]
    # Labels that scores decide are none of their own; scores beside labels do no harm.
    assert list(Compared(single, "d1\ta=1\nd2\tb=1\n").values()) == ["Micro", "Macro", "ROC-AUC"]
    beside = Compared(single, "d1\ta\ta=1\nd2\tb\ta=0\n").values()
    assert list(beside) == ["Accuracy", "Micro", "Macro", "ROC-AUC"]
    # A row that cannot be read leaves it open how many labels it has.
    assert list(Compared(single, "d1\ta\nd2\n").values()) == ["Accuracy", "Micro", "Macro"]


def test_documents_are_matched_by_id_not_by_place() -> None:
    assert Compared("d1\ta\nd2\tb\n", "d2\tb\nd1\ta\n").values()["Accuracy"] == 100.0


def test_blanks_make_no_new_label() -> None:
    assert Compared("d1\ta\nd2\tb\n", "d1 \ta \nd2\tb  \n").values()["Macro"] == 100.0


def test_a_missing_document_counts_as_wrong() -> None:
    found = Compared("d1\ta\nd2\tb\n", "d1\ta\n")
    assert found.figures()["Accuracy"] == Value(50.0)
    assert found.figures()["Micro"] == Count(1, 2, 1)


def test_an_extra_document_is_left_out() -> None:
    found = Compared("d1\ta\n", "d1\ta\nd2\tb\td=0.5\n")
    assert found.figures()["Accuracy"] == Value(100.0)
    assert found.figures()["Micro"] == Count(1, 1, 1)
    assert found.figures()["ROC-AUC"] == Value(None)


def test_the_first_of_repeated_rows_counts() -> None:
    assert Compared("d1\ta\n", "d1\ta\nd1\tb\n").figures()["Micro"] == Count(1, 1, 1)
    assert Compared("d1\ta\nd1\tb\n", "d1\tb\n").figures()["Micro"] == Count(0, 1, 1)


@pytest.mark.parametrize("row", ["d1", "d1\ta|", '{"id": "d1"', "d1\ta=nan"])
def test_an_unreadable_row_stands_for_its_document_with_nothing_predicted(row: str) -> None:
    found = Compared("d1\ta\nd2\tb\n", f"{row}\nd2\tb\n")
    assert found.values()["Accuracy"] == 50.0
    assert found.figures()["Micro"] == Count(1, 2, 1)
    assert found.problems() == []


def test_an_unreadable_row_of_gold_counts_nothing() -> None:
    for pred in ("d1\ta\nd2\tb\n", "d2\tb\n"):
        found = Compared("d1\td=x=1|\nd2\tb\n", pred)
        assert found.values()["Accuracy"] == 100.0
        assert found.figures()["Micro"] == Count(1, 1, 1)


def test_nothing_at_all() -> None:
    found = Compared("", "")
    assert found.figures()["Accuracy"] == Value(None)
    assert found.values() == {"Accuracy": None, "Micro": 0.0, "Macro": 0.0}


def test_labels_have_counts_figures_and_area() -> None:
    gold = "d1\ta\nd2\tb\nd3\tb\n"
    pred = "d1\ta\ta=0.9\tz=0.1\nd2\tb\ta=0.1\tz=0.1\nd3\tc\ta=0.9\tz=0\n"
    found = Compared(gold, pred)
    assert found.labels() == {
        "a": (1, 1, 1, 100.0, 100.0, 100.0, 75.0),
        "b": (1, 2, 1, 100.0, 50.0, 200 / 3, None),
        "c": (0, 0, 1, 0.0, 0.0, 0.0, None),
    }
    # z has scores, but no document has it in gold.
    assert CLASSIFICATION.skipped(found.sums) == ["z"]
    assert found.values()["ROC-AUC"] == 75.0
    assert found.values()["Macro"] == pytest.approx((100 + 200 / 3 + 0) / 3)


def test_a_document_without_a_score_for_a_label_is_left_out_of_that_label() -> None:
    gold = "d1\ta\nd2\tb\nd3\ta\n"
    full = Compared(gold, "d1\ta=0.9\nd2\ta=0.5\nd3\ta=0.1\n").values()["ROC-AUC"]
    less = Compared(gold, "d1\ta=0.9\nd2\ta=0.5\nd3\tb=0.1\n").values()["ROC-AUC"]
    assert (full, less) == (50.0, 100.0)


def test_missing_and_unreadable_documents_have_no_scores() -> None:
    gold = "d1\ta\nd2\tb\nd3\ta\n"
    for pred in ("d1\ta=0.9\nd2\ta=0.5\n", "d1\ta=0.9\nd2\ta=0.5\nd3\ta=0.1\ta=0.2\n"):
        assert Compared(gold, pred).values()["ROC-AUC"] == 100.0


def test_the_threshold_names_itself_in_the_signature() -> None:
    text = str(Classification(0.25).signature("auto", "lenient"))
    assert "|match:id|" in text
    assert "|threshold:0.25|" in text
    assert Classification(0.25) != CLASSIFICATION
    assert Classification(0.5) == CLASSIFICATION


def test_sums_are_those_of_what_is_left() -> None:
    found = Compared("d1\ta\nd2\tb\nd3\ta\n", "d1\ta=0.9\nd2\ta=0.5\tb=0.1\nd3\tb\n")
    found.sums.remove(found.comparisons[1:])
    alone = CLASSIFICATION.sums()
    alone.add(found.comparisons[:1])
    assert CLASSIFICATION.labels(found.sums) == CLASSIFICATION.labels(alone)
    assert found.sums.areas() == alone.areas() == {b"a": None}
    assert (found.sums.documents, found.sums.right) == (1, 1)


def test_equal_documents_share_one_comparison() -> None:
    found = Compared("d1\ta\nd2\ta\n\n", "d1\tb\nd2\tb\n")
    assert found.comparisons[0] is found.comparisons[1]
    assert found.comparisons[0] == Comparison(((b"a", 0, 1, 0), (b"b", 0, 0, 1)), 1, 0, True)
    assert found.comparisons[2:] == [NOTHING] * 3


# Problems


@pytest.mark.parametrize(
    ("gold", "pred", "message"),
    [
        ("d1\t<<a>>", "d1\t<<b>>", "The label is b, gold has a"),
        ("d1\t<<a|b>>", "d1\t<<b>>", "Gold has a, b; a is missing"),
        ("d1\t<<a>>", "d1\t<<a | c|d>>", "Gold has a; c, d are not in gold"),
        ("d1\t<<a|b>>", "d1\t<<a|c>>", "Gold has a, b; b is missing, and c is not in gold"),
        ("d1\t<<>>", "d1\t<<a>>", "Gold has no label; a is not in gold"),
        ("d1\t<<a>>", "d1\t<<>>", "Gold has a; a is missing"),
        ("d1\t<<é>>", "d1\t<<e\u0301>>", "The label is 'e\\u0301', gold has é"),
        ("d1\t<<é>>", "d1\t<<é\u00a0>>", "The label is '\\xe9\\xa0', gold has é"),
        ("d1\t<<a>>", "d1\t<<a=0.4\tb=0.6>>", "The label is b, gold has a"),
        ("d1\t<<a>>", "d1\t\t<<a=0.4>>", "Gold has a; a is missing"),
        ("d1\t<<a>>", "d1\t<<b>>\ta=0.9", "The label is b, gold has a"),
        ('{"id": "d1", "label": <<"é">>}', 'd1\t<<b>>', "The label is b, gold has é"),
        ("d1\t<<a>>", '{"é": 1, "labels": <<["b"]>>, "id": "d1"}', "The label is b, gold has a"),
        ("d1\t<<a>>", '{"id": "d1", "label": <<"b">>, "scores": {"a": 1}}',
         "The label is b, gold has a"),
        ("d1\t<<a>>", '{"id": "d1", "scores": <<{"b": 1}>>}', "The label is b, gold has a"),
    ],
)  # fmt: skip
def test_a_wrong_document_says_so_at_its_labels(gold: str, pred: str, message: str) -> None:
    (theirs, there), (ours, here) = pointed(gold), pointed(pred)
    found = Compared(f"d0\ta\n{theirs}\n", f"{ours}\nd0\ta\n")
    (problem,) = found.problems()
    assert (problem.code, problem.severity) == ("class-error", Severity.WARNING)
    assert problem.message == message
    assert (problem.place.unit, problem.place.line) == (0, 0)
    assert at(found.texts[1], problem) == here
    assert problem.place.start == len(pred.partition("<<")[0].encode())
    (related,) = problem.related
    assert related.place.side is Side.THERE
    assert theirs.encode()[related.place.start : related.place.end].decode() == there


def test_a_missing_document_is_told_at_the_end_and_where_gold_has_it() -> None:
    found = Compared("d1\ta\n d2 \tb\nd3\ta\n", "d1\ta\n")
    two, three = found.problems()
    for problem, name in ((two, "d2"), (three, "d3")):
        assert (problem.code, problem.refuses) == ("id-missing", True)
        assert name in problem.message
        # The unit before the segment, which stands behind all predicted ones.
        assert (problem.place.unit, problem.place.start, problem.place.end) == (-1, 4, 4)
    (related,) = two.related
    assert (related.place.unit, related.place.start, related.place.end) == (0, 1, 3)
    assert related.place.side is Side.THERE
    (nowhere,) = Compared("d1\ta\n", "").problems()
    assert (nowhere.place.unit, nowhere.place.start) == (0, 0)


def test_an_extra_document_is_told_at_its_id() -> None:
    (problem,) = Compared("d1\ta\n", "d1\ta\n dx\tb\n").problems()
    assert (problem.code, problem.severity) == ("id-extra", Severity.WARNING)
    assert (problem.place.start, problem.place.end) == (1, 3)
    assert not problem.refuses
    assert "dx" in problem.message


def test_an_unreadable_row_has_said_enough() -> None:
    assert Compared("d1\ta\n", "d1\nd2\n").problems() == []


def test_a_repeated_id_is_an_error_at_the_second() -> None:
    one, two = units("d1\ta\n d1\tb\n")
    assert CLASSIFICATION.key(one) == CLASSIFICATION.key(two) == b"d1"
    assert CLASSIFICATION.title(two) == "d1"
    severity = CLASSIFICATION.duplicate_severity(two, one)
    places = [CLASSIFICATION.key_place(unit) for unit in (one, two)]
    problem = CLASSIFICATION.duplicate(b"d1", places[1], places[0], severity)
    assert (problem.code, problem.severity, problem.refuses) == (
        "id-duplicate",
        Severity.ERROR,
        True,
    )
    assert (problem.place.start, problem.place.end) == (1, 3)
    assert problem.related[0].place == places[0]


def _notices(found: Compared) -> list[Problem]:
    facts = np.array([CLASSIFICATION.facts(unit) for unit in found.pred]).sum(axis=0)
    return found.task.notices(found.pred, facts.tolist())


@pytest.mark.parametrize(
    ("pred", "unit", "cell"),
    [
        ("d1\ta=0.5\nd2\ta=1\tb=1.5\nd3\ta=7\n", 1, "1.5"),
        ("d1\ta\td=0|e=-0.1\n", 0, "-0.1"),
        ('{"id": "d1", "scores": {"a": 1, "b": -2.0}}\n', 0, "-2.0"),
    ],
)
def test_scores_outside_0_to_1_are_told_once_at_the_first(pred: str, unit: int, cell: str) -> None:
    found = Compared("d1\ta\n", pred)
    (problem,) = _notices(found)
    assert (problem.code, problem.severity) == ("score-range", Severity.WARNING)
    assert problem.place.unit == unit
    assert at(found.texts[1], problem) == cell


def test_scores_from_0_to_1_are_right() -> None:
    assert _notices(Compared("d1\ta\n", "d1\ta=0\tb=1\tc=-0\n")) == []


def _hints(found: Compared) -> list[Problem]:
    return CLASSIFICATION.pair_notices(found.sums, found.gold, found.pred)


def test_labels_that_gold_lacks_are_told_once_each_where_they_first_stand() -> None:
    found = Compared("d1\ta\nd2\tb\nd3\ta\n", "d1\tx\nd2\tb\nd3\tx|y\n")
    hints = _hints(found)
    assert [(p.code, p.severity, p.place.unit) for p in hints] == [
        ("label-unknown", Severity.HINT, 0),
        ("label-unknown", Severity.HINT, 2),
    ]
    assert [at(found.texts[1], problem) for problem in hints] == ["x", "x|y"]
    assert [problem.message.split()[2] for problem in hints] == ["x", "y"]
    assert _hints(Compared("d1\ta\nd2\tb\n", "d1\tb\nd2\ta\n")) == []


def test_of_many_labels_that_gold_lacks_twenty_are_told() -> None:
    gold = "".join(f"d{k}\ta\n" for k in range(30))
    hints = _hints(
        Compared(gold, gold.replace("d", "d").replace("\ta", "\tx").replace("x\n", "x\n"))
    )
    assert len(hints) == 1
    pred = "".join(f"d{k}\tx{k}\n" for k in range(30))
    hints = _hints(Compared(gold, pred))
    assert [problem.place.unit for problem in hints] == list(range(20))
    assert "10 more such labels" in hints[-1].message
    assert not any("more such" in problem.message for problem in hints[:-1])


# Samples


def test_a_sample_adds_up_to_the_figures() -> None:
    found = Compared("d1\ta\nd2\tb\nd3\tb\nd4\tc\n", "d3\ta\nd1\ta\nd2\tb\nd9\tc\n")
    facts = [CLASSIFICATION.facts(unit)[0] for unit in found.gold]
    before = np.concatenate([[0], np.cumsum(facts)])
    starts = [int(before[segment.gold.start]) for segment in found.segments]
    sample = CLASSIFICATION.sample(found.comparisons, starts, int(before[-1]))
    total = sample.counts.sum(axis=0)
    for name, value in found.values().items():
        assert sample.statistics[name](total) == pytest.approx(value)
    # One row a document of gold, in gold's order.
    accuracy = sample.statistics["Accuracy"](sample.counts)
    assert accuracy.tolist() == [100.0, 100.0, 0.0, 0.0]


def test_a_unit_is_a_plain_value() -> None:
    assert units("d1\ta\n") == [Unit(b"d1\ta\n", 1, b"d1", (b"a",), True)]


def test_a_document_of_many_labels_does_not_hold_each_against_all() -> None:
    compared = 0

    class Label(bytes):
        def __eq__(self, other: object) -> bool:
            nonlocal compared
            compared += 1
            return bytes.__eq__(self, other)

        __hash__ = bytes.__hash__

    def labelled(first: int, *scores: float) -> list[Unit]:
        labels = tuple(Label(b"l%04d" % k) for k in range(first, first + 1000))
        return [Unit(b"", 1, b"d1", labels, True, labels[: len(scores)], scores)]

    segment = Segment(Kind.PAIR, range(1), range(1))
    [found] = compare(labelled(0), labelled(500, *([0.5] * 1000)), [segment])
    sums = ClassSums()
    sums.add([found])
    assert sums.counts.micro() == Count(500, 1000, 1000)
    assert compared < 50_000


def test_a_label_whose_scores_are_all_the_wrong_way_round_is_not_skipped() -> None:
    found = Compared("d1\ta\nd2\t\n", "d1\ta=0.1\nd2\ta=0.9\n")
    assert found.values()["ROC-AUC"] == 0
    assert found.task.skipped(found.sums) == []
