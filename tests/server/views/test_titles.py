"""What stands above files and sentences."""

from __future__ import annotations

from typing import Any

import pytest

from goldlens.scoring.spans.task import Spans
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.views.titles import title_of, title_of_file


def rows(*words: str) -> str:
    """A sentence of words as FORM/UPOS/HEAD."""
    made = []
    for number, word in enumerate(words, 1):
        form, tag, head = word.split("/")
        relation = "root" if head == "0" else "dep"
        made.append(f"{number}\t{form}\t{form}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n")
    return "".join(made) + "\n"


def pair(gold: str, pred: str, task: Any = UD, match: str = "auto") -> Pair:
    return Pair(task, *(Document(task, text.encode()) for text in (gold, pred)), match)


@pytest.mark.parametrize(
    ("pred", "title"),
    [
        (rows("a/X/0", "b/X/1"), "LAS 2/2 · right"),
        (rows("a/X/0", "b/X/0"), "LAS 1/2 · UAS 1/2"),
        (rows("a/X/0", "b/Y/1"), "LAS 2/2 · UPOS 1/2"),
        (rows("ab/X/0"), "LAS 0/2 · UAS 0/2 · UPOS 0/2 · XPOS 0/2 · UFeats 0/2 · Lemmas 0/2"),
        (rows("c/X/0"), "Not compared: the text differs from gold"),
    ],
)
def test_a_sentence_has_its_main_figure_and_those_that_are_not_full(pred: str, title: str) -> None:
    assert title_of(pair(rows("a/X/0", "b/X/1"), pred), 0) == title


def test_a_sentence_that_gold_lacks() -> None:
    named = "# sent_id = {}\n".format
    gold = named("a") + rows("a/X/0")
    held = pair(gold, gold + named("b") + rows("b/X/0"), match="sent_id")
    assert title_of(held, 0) == "LAS 1/1 · right"
    assert title_of(held, 1) == "Not compared: gold has no such sentence"
    assert title_of(held, 2) == title_of(held, -1) == ""


def test_spans_that_are_too_many_are_told() -> None:
    held = pair("a\tB-X\nb\tO\n\nc\tO\n\n", "a\tB-X\nb\tB-X\n\nc\tO\n\n", Spans())
    assert title_of(held, 0) == "Micro 1/1 (+1)"
    assert title_of(held, 1) == ""


def board(metrics: Any, changes: Any) -> dict[str, Any]:
    return {"metrics": metrics, "since_save": changes}


def test_a_file_has_three_figures_and_what_has_changed() -> None:
    metrics = {
        "Tokens": {"f1": 100.0},
        "LAS": {"f1": 88.126},
        "UAS": {"f1": 90.0},
        "UPOS": {"f1": 95.0},
    }
    changes = {"LAS": -0.5, "UAS": 0.004, "UPOS": None}
    assert title_of_file(board(metrics, changes)) == "LAS 88.13 (-0.50) · UAS 90.00 · UPOS 95.00"
    metrics = {"Accuracy": {"value": 50.0}, "Micro": {"f1": 75.0}, "ROC-AUC": {"value": None}}
    assert title_of_file(board(metrics, {})) == "Micro 75.00 · Accuracy 50.00"
    assert title_of_file(board(None, None)) == "No figures yet"
