"""Documents whose labels were taken for one another."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score
from sklearn.preprocessing import MultiLabelBinarizer

from goldlens.scoring.analysis.classes import ClassPair
from goldlens.scoring.analysis.tallies import by_label
from goldlens.scoring.classification.task import CLASSIFICATION


def class_pair(gold: str, pred: str) -> ClassPair:
    theirs, ours = (
        CLASSIFICATION.parse(CLASSIFICATION.split(side.encode())) for side in (gold, pred)
    )
    return ClassPair(theirs, ours, list(CLASSIFICATION.pair(theirs, ours, "auto")))


def single(labels: list[str]) -> str:
    return "".join(f"d{k}\t{label}\n" for k, label in enumerate(labels))


def several(labels: list[list[str]]) -> str:
    rows = (", ".join(f'"{label}"' for label in each) for each in labels)
    return "".join(f'{{"id": "d{k}", "labels": [{row}]}}\n' for k, row in enumerate(rows))


def test_a_label_that_was_taken_for_another() -> None:
    pair = class_pair(single(["a", "a", "b", "c"]), single(["a", "b", "b", "a"]))
    found = pair.confusions("Accuracy")
    assert [(one.gold, one.pred, one.count, one.gain) for one in found.listed] == [
        ("a", "b", 1, 25.0),
        ("c", "a", 1, 25.0),
    ]
    place = found.listed[0].places[0]
    assert (place.name, place.line, place.gold_line, place.text) == ("d1", 2, 2, "b")
    assert pair.matrix(9).labels == ("a", "b", "c")
    assert pair.matrix(9).counts == ((1, 1, 0), (0, 1, 0), (1, 0, 0))


def test_documents_with_several_labels_lack_some_and_have_others() -> None:
    gold = several([["a", "b"], ["a"], ["b", "c"]])
    pair = class_pair(gold, several([["a", "c"], ["a", "b"], []]))
    assert not pair.single
    found = {(one.gold, one.pred): one.count for one in pair.confusions("Micro").listed}
    assert found == {("b", "c"): 1, (None, "b"): 1, ("b", None): 1, ("c", None): 1}


def test_a_document_is_right_only_without_any_of_its_errors() -> None:
    pair = class_pair(several([["a", "b"], ["c"]]), several([[], ["b"]]))
    gains = {(one.gold, one.pred): one.gain for one in pair.confusions("Accuracy").listed}
    assert gains == {("a", None): 0, ("b", None): 0, ("c", "b"): 50}


def test_a_missing_document_lacks_its_labels() -> None:
    pair = class_pair(single(["a", "b"]), single(["a"]))
    [one] = pair.confusions("Accuracy").listed
    assert (one.gold, one.pred, one.gain) == ("b", None, 50.0)
    assert (one.places[0].line, one.places[0].gold_line) == (None, 2)


labels = st.sampled_from("abc")


@given(
    st.lists(st.tuples(labels, labels), min_size=1, max_size=8),
    st.sampled_from(["Accuracy", "Micro", "Macro"]),
)
def test_single_labels_are_those_of_scikit_learn(both: list[tuple[str, str]], metric: str) -> None:
    gold, pred = ([each[side] for each in both] for side in (0, 1))
    pair = class_pair(single(gold), single(pred))
    matrix = pair.matrix(9)
    expected = confusion_matrix(gold, pred, labels=[*matrix.labels, "none"])
    assert [[*row, 0] for row in matrix.counts] == expected.tolist()[:-1]

    def score(prediction: list[str]) -> float:
        if metric == "Accuracy":
            return 100 * float(accuracy_score(gold, prediction))
        names, average = sorted({*gold, *prediction}), metric.lower()
        return 100 * float(
            f1_score(gold, prediction, average=average, labels=names, zero_division=0)
        )

    before = score(pred)
    assert pair.tally.score(metric) == pytest.approx(before)
    for one in pair.confusions(metric).listed:
        mended = [a if (a, b) == (one.gold, one.pred) else b for a, b in both]
        assert one.gain == pytest.approx(score(mended) - before)


@pytest.mark.parametrize("metric", ["Accuracy", "Micro", "Macro"])
def test_as_many_labels_as_documents_take_no_longer_each_than_few(metric: str) -> None:
    # Each kind of error against all labels would not end in this test's time.
    size = 5_000
    pair = class_pair(
        single([f"g{k}" for k in range(size)]), single([f"p{k}" for k in range(size)])
    )
    found = pair.confusions(metric)
    assert found.distinct == size
    # Macro has one label less then: a label that was only predicted is gone.
    expected = 100 / (2 * size - 1 if metric == "Macro" else size)
    assert found.listed[0].gain == pytest.approx(expected)
    assert pair.matrix(3).counts == ((0, 0, 1), (0, 0, 1), (0, 0, size - 2))


@given(st.lists(st.tuples(st.sets(labels, min_size=1), st.sets(labels)), min_size=1, max_size=6))
def test_several_labels_are_those_of_scikit_learn(both: list[tuple[set[str], set[str]]]) -> None:
    gold, pred = ([sorted(each[side]) for each in both] for side in (0, 1))
    pair = class_pair(several(gold), several(pred))
    binary = MultiLabelBinarizer().fit([["a", "b", "c"]])
    theirs, ours = binary.transform(gold), binary.transform(pred)
    before = 100 * float(f1_score(theirs, ours, average="micro", zero_division=0))
    assert pair.tally.score("Micro") == pytest.approx(before)
    for one in pair.confusions("Micro").listed:
        mended = []
        for a, b in both:
            missed, extra = a - b, b - a
            facing = len(missed) == len(extra) == 1
            after = set(b)
            if one.gold in missed and (extra == {one.pred} if facing else one.pred is None):
                after.add(str(one.gold))
            if one.pred in extra and (missed == {one.gold} if facing else one.gold is None):
                after.discard(str(one.pred))
            mended.append(sorted(after))
        figure = f1_score(theirs, binary.transform(mended), average="micro", zero_division=0)
        assert one.gain == pytest.approx(100 * float(figure) - before)
    sums = by_label(pair.tally).groups
    assert sum(group.gold for group in sums) == len(list(chain(*gold)))
    assert sum(group.predicted or 0 for group in sums) == len(list(chain(*pred)))
