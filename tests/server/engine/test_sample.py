"""What the bootstrap draws from a pair: sentences and documents of gold, in its order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from goldlens.scoring.task import GOLD, PRED, Task
from goldlens.scoring.tasks import task_named
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair


def sampled(task: Task, metric: str, gold: str, pred: str, match: str = "auto") -> np.ndarray:
    """Precision's and recall's shares of each unit: correct of predicted and of gold, in points."""
    theirs = Document(task.format(GOLD), gold.encode())
    ours = Document(task.format(PRED), pred.encode())
    found = Pair(task, theirs, ours, match).sample()
    assert found is not None
    assert len(found.counts) == theirs.facts[0]
    statistics = (found.statistics[f"{metric}.{part}"] for part in ("precision", "recall"))
    return np.stack([statistic(found.counts) for statistic in statistics], axis=1)


def sentence(name: str, *words: tuple[str, str]) -> str:
    rows = [
        f"{k}\t{form}\t_\t{tag}\t_\t_\t{k - 1}\t{'dep' if k > 1 else 'root'}\t_\t_\n"
        for k, (form, tag) in enumerate(words, 1)
    ]
    return f"# sent_id = {name}\n{''.join(rows)}\n"


GOLD_SENTENCES = [
    sentence("s1", ("ab", "X"), ("cd", "X")),
    sentence("s2", ("ef", "X")),
    sentence("s3", ("gh", "X"), ("ij", "X"), ("kl", "X")),
]
"""Each with its own number of words."""

PRED_SENTENCES = [
    sentence("s1", ("ab", "X"), ("cd", "Y")),
    sentence("s2", ("ef", "Y")),
    sentence("s3", ("gh", "X"), ("ij", "X"), ("kl", "Y")),
]

UD = task_named("ud")
UPOS = [[50, 50], [0, 0], [200 / 3, 200 / 3]]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_sentences_that_come_in_another_order_count_for_their_own(order: tuple[int, ...]) -> None:
    """Paired by sent_id, so that two systems with orders of their own are drawn alike."""
    pred = "".join(PRED_SENTENCES[k] for k in order)
    found = sampled(UD, "UPOS", "".join(GOLD_SENTENCES), pred, "sent_id")
    assert found == pytest.approx(np.array(UPOS))


@pytest.mark.parametrize("missing", range(3))
@pytest.mark.parametrize("match", ["auto", "sent_id"])
def test_a_sentence_that_is_missing_keeps_its_own_unit(missing: int, match: str) -> None:
    pred = "".join(text for k, text in enumerate(PRED_SENTENCES) if k != missing)
    expected = np.array(UPOS)
    expected[missing] = 0
    found = sampled(UD, "UPOS", "".join(GOLD_SENTENCES), pred, match)
    assert found == pytest.approx(expected)


def test_a_sentence_that_gold_does_not_have_counts_for_the_one_before_it() -> None:
    extra = sentence("s9", ("zz", "X"), ("zz", "X"))
    gold = "".join(GOLD_SENTENCES)
    found = sampled(UD, "UPOS", gold, "".join([*PRED_SENTENCES, extra]), "sent_id")
    assert found == pytest.approx(np.array([*UPOS[:2], [40, 200 / 3]]))
    for at in (0, 1):
        pred = [*PRED_SENTENCES[:at], extra, *PRED_SENTENCES[at:]]
        found = sampled(UD, "UPOS", gold, "".join(pred), "sent_id")
        assert found == pytest.approx(np.array([[25, 50], *UPOS[1:]]))


def test_a_word_that_faces_none_counts_for_the_sentence_with_its_first_character() -> None:
    """And a sentence that is split or joined for the one in which it begins."""
    gold = sentence("a", ("ab", "X"), ("cd", "X")) + sentence("b", ("ef", "X"), ("gh", "X"))
    pred = sentence("a", ("ab", "X"), ("cde", "X"), ("f", "X"), ("gh", "X"))
    assert sampled(UD, "UPOS", gold, pred) == pytest.approx(np.array([[50, 50], [50, 50]]))
    assert sampled(UD, "Sentences", gold, pred) == pytest.approx(np.zeros((2, 2)))
    assert sampled(UD, "Sentences", pred, gold) == pytest.approx(np.zeros((1, 2)))


def test_sentences_of_spans_without_any_are_units() -> None:
    gold = "a\tB-X\n\nb\tO\n\nc\tB-X\nd\tB-Y\n\n"
    pred = "a\tB-X\n\nb\tB-X\n\nc\tB-X\nd\tO\n\n"
    expected = [[100, 100], [0, 0], [100, 50]]
    assert sampled(task_named("span"), "Micro", gold, pred) == pytest.approx(np.array(expected))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_documents_count_by_their_ids(order: tuple[int, ...]) -> None:
    rows = ["d1\ta\n", "d2\tb\n", "d3\ta\n"]
    pred = "".join(rows[k].replace("b", "a") for k in order)
    found = sampled(task_named("classification"), "Micro", "".join(rows), pred)
    assert found == pytest.approx(np.array([[100, 100], [0, 0], [100, 100]]))


def test_stems_do_not_add_up() -> None:
    task = task_named("stemming")
    gold = Document(task.format(GOLD), b"walk\twalks\n")
    assert Pair(task, gold, Document(task.format(PRED), b"walk\twalk\n")).sample() is None
