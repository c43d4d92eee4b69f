"""What an error costs: the difference that scoring anew makes, after the cells were changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given

from goldlens.scoring.analysis.agreement import NEEDS, Agreement
from goldlens.scoring.analysis.confusion import Confusion
from goldlens.scoring.analysis.differences import COLUMNS
from goldlens.scoring.analysis.features import features
from goldlens.scoring.analysis.whatif import Priced, confusions, costliest
from goldlens.scoring.counts import Count
from tests.scoring.analysis.brute import DEPREL, FEATS, LEMMA, UPOS, XPOS, Word
from tests.scoring.analysis.slow import PAIRS, Slow, rewritten, scored, texts_of, tree_pair
from tests.strategies import TextPair, pairs

CELLS = {"upos": UPOS, "xpos": XPOS, "lemma": LEMMA, "deprel": DEPREL, "deprel-full": DEPREL}
CONTENT = ("CLAS", "MLAS", "BLEX")

Change = Callable[[list[str], list[str]], None]
"""Changes a predicted word's cells, given gold's, if the word is concerned."""


def change_of(column: str, one: Confusion) -> Change:
    """Takes a confusion away from a word that has it."""

    def cell(ours: list[str], theirs: list[str]) -> None:
        at = CELLS[column]
        a, b = theirs[at], ours[at]
        if column == "deprel":
            a, b = a.partition(":")[0], b.partition(":")[0]
        if (a, b) == (one.gold, one.pred) and (column != "lemma" or a != "_"):
            ours[at] = theirs[at]

    def feature(ours: list[str], theirs: list[str]) -> None:
        held = [features(cells[FEATS])[0].get(one.of or "") for cells in (theirs, ours)]
        if held == [one.gold, one.pred]:
            kept = [p for p in ours[FEATS].split("|") if p.partition("=")[0] != one.of and p != "_"]
            kept += [p for p in theirs[FEATS].split("|") if p.partition("=")[0] == one.of]
            ours[FEATS] = "|".join(kept) or "_"

    return feature if column == "feats" else cell


def without(pred: str, slow: Slow, change: Change) -> str:
    """The prediction as it would be."""

    def changed(number: int, cells: list[str]) -> None:
        theirs = slow.there.get(id(slow.pred[number]))
        if theirs is not None:
            change(cells, theirs.cells)

    return rewritten(pred, changed)


def concerned(slow: Slow, one: Confusion) -> Iterator[tuple[Word, Word]]:
    """The words whose heads are confused in one way."""
    for a, b in slow.pairs:
        tags = ["ROOT" if w.head is None else w.head.cells[UPOS] for w in (a, b)]
        if tags == [one.gold, one.pred] and not slow.head_right(a, b):
            yield a, b


def check_cells(gold: str, pred: str, column: str, metrics: list[str], most: int) -> None:
    """Each of the most frequent confusions, taken away in the file, gives what was foretold."""
    slow, fast = Slow(gold, pred), Agreement.of(tree_pair(gold, pred))
    before = scored(gold, pred)
    by_metric = {metric: confusions(fast, column, metric, most) for metric in metrics}
    for k, one in enumerate(by_metric[metrics[0]].listed):
        after = scored(gold, without(pred, slow, change_of(column, one)))
        for metric, found in by_metric.items():
            assert found.listed[k].gain == after[metric].f1 - before[metric].f1, (one, metric)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("column", [*CELLS, "feats"])
def test_changed_cells_score_what_was_foretold(shared: Path, name: str, column: str) -> None:
    check_cells(*texts_of(shared, name), column, list(NEEDS), 3)


@given(pairs())
def test_any_changed_cells_score_what_was_foretold(both: TextPair) -> None:
    for column in [*CELLS, "feats"]:
        check_cells(both.gold, both.pred, column, list(NEEDS), 2)


def check_whole(gold: str, pred: str, column: str) -> None:
    """All errors of a column, taken away in the file, give what was foretold."""

    def change(ours: list[str], theirs: list[str]) -> None:
        if column == "feats":
            kept = [p for p in ours[FEATS].split("|") if is_other(p)]
            kept += [p for p in theirs[FEATS].split("|") if not is_other(p)]
            ours[FEATS] = "|".join(kept) or "_"
        elif column != "lemma" or theirs[LEMMA] != "_":
            at = CELLS[column]
            same = column == "deprel" and _relation(ours[at]) == _relation(theirs[at])
            ours[at] = ours[at] if same else theirs[at]

    slow, fast = Slow(gold, pred), Agreement.of(tree_pair(gold, pred))
    before, after = scored(gold, pred), scored(gold, without(pred, slow, change))
    for metric in NEEDS:
        found = confusions(fast, column, metric, 0)
        assert found.gain == after[metric].f1 - before[metric].f1, metric


def is_other(part: str) -> bool:
    """Whether a part of FEATS is none of the universal features."""
    return part == "_" or not features(part)[0]


def _relation(label: str) -> str:
    return label.partition(":")[0]


@pytest.mark.parametrize("column", [*CELLS, "feats"])
def test_a_column_without_errors_scores_what_was_foretold(shared: Path, column: str) -> None:
    check_whole(*texts_of(shared, PAIRS[1]), column)


@given(pairs())
def test_any_column_without_errors_scores_what_was_foretold(both: TextPair) -> None:
    for column in [*CELLS, "feats"]:
        check_whole(both.gold, both.pred, column)


@given(pairs())
def test_heads_that_nothing_can_mend_are_counted(both: TextPair) -> None:
    slow, fast = Slow(both.gold, both.pred), Agreement.of(tree_pair(both.gold, both.pred))
    wrong = [(a, b) for a, b in slow.pairs if not slow.head_right(a, b)]
    lasting = [a for a, _ in wrong if a.head is not None and id(a.head) not in slow.here]
    found = confusions(fast, "heads", "UAS")
    unread = sum(a.head is None and a.cells[6] != "0" for a, _ in wrong)
    assert found.lasting == len(lasting) + unread
    words = fast.count("UAS")
    mended = words.correct + len(wrong) - found.lasting
    assert found.gain == Count(mended, words.gold, words.predicted).f1 - words.f1


def check_heads(gold: str, pred: str, most: int) -> None:
    """The same for heads, which may make no tree: by counting words one by one."""
    slow, fast = Slow(gold, pred), Agreement.of(tree_pair(gold, pred))
    metrics = [metric for metric in NEEDS if metric not in ("UPOS", "XPOS", "UFeats", "Lemmas")]
    before = {metric: slow.count(metric) for metric in metrics}
    assert before == {metric: fast.count(metric) for metric in metrics}
    by_metric = {metric: confusions(fast, "heads", metric, most) for metric in metrics}
    for k, one in enumerate(by_metric["LAS"].listed):
        was = {id(b): b.head for b in slow.pred}
        found = list(concerned(slow, one))
        assert len(found) == one.count
        for a, b in found:
            if a.head is None:
                b.head = None
            elif id(a.head) in slow.here:
                b.head = slow.here[id(a.head)]
        for metric in metrics:
            gain = by_metric[metric].listed[k].gain
            assert gain == slow.count(metric).f1 - before[metric].f1, (one, metric)
        for b in slow.pred:
            b.head = was[id(b)]


@pytest.mark.parametrize("name", PAIRS[1:3])
def test_changed_heads_score_what_was_foretold(shared: Path, name: str) -> None:
    check_heads(*texts_of(shared, name), 3)


@given(pairs())
def test_any_changed_heads_score_what_was_foretold(both: TextPair) -> None:
    check_heads(both.gold, both.pred, 3)


@given(pairs())
def test_at_best_the_words_are_right_in_all_that_counts(both: TextPair) -> None:
    slow, fast = Slow(both.gold, both.pred), Agreement.of(tree_pair(both.gold, both.pred))
    for column in ("upos", "lemma", "deprel"):
        for metric in NEEDS:
            before = slow.count(metric)
            right = fast.right(metric).tolist()
            for one in confusions(fast, column, metric).listed:
                correct, predicted = before.correct, before.predicted
                for (a, b), is_right in zip(slow.pairs, right, strict=True):
                    if not _has(column, a, b, one):
                        continue
                    counts = a.content or metric not in CONTENT
                    correct += counts and not is_right
                    predicted += (a.content - b.content) if metric in CONTENT else 0
                assert one.bound == Count(correct, before.gold, predicted).f1 - before.f1
                if metric != "MLAS" and one.gain is not None:
                    assert one.gain <= one.bound + 1e-9


def _has(column: str, a: Word, b: Word, one: Confusion) -> bool:
    if column == "deprel":
        return (a.relation, b.relation) == (one.gold, one.pred)
    at = CELLS[column]
    return (a.cells[at], b.cells[at]) == (one.gold, one.pred)


def test_the_costliest_are_chosen_among_all_and_not_only_the_most_frequent(shared: Path) -> None:
    fast = Agreement.of(tree_pair(*texts_of(shared, "en_ewt.p2")))
    columns = [Priced(fast, column, "LAS") for column in ("upos", "deprel", "heads")]
    every = [
        (priced.column, one)
        for priced in columns
        for one in priced.listed().listed
        if one.gain is not None
    ]
    every.sort(key=lambda each: -(each[1].gain or 0))
    found = costliest(columns, 60)
    assert [one.gain for _, one in found] == [one.gain for _, one in every[:60]]
    assert {column for column, _ in found} == {"deprel", "heads"}


def test_one_that_costs_much_may_be_rare() -> None:
    gold = "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n" + "".join(
        f"{k}\tb\tb\tX\t_\t_\t1\tobj\t_\t_\n" for k in range(2, 9)
    )
    pred = gold.replace("8\tb\tb\tX\t_\t_\t1\tobj", "8\tb\tb\tX\t_\t_\t1\tdep")
    for k in (2, 3):
        pred = pred.replace(f"{k}\tb\tb\tX\t_\t_\t1\tobj", f"{k}\tb\tb\tX\t_\t_\t{k + 2}\tcase")
    fast = Agreement.of(tree_pair(gold + "\n", pred + "\n"))
    priced = Priced(fast, "deprel", "LAS")
    assert [one.pred for one in priced.listed(1).listed] == ["case"]
    assert [(c, one.pred, one.gain) for c, one in costliest([priced], 1)] == [
        ("deprel", "dep", 12.5)
    ]


def test_columns_have_names_of_their_own() -> None:
    assert set(COLUMNS) == {*CELLS, "feats", "heads"}
