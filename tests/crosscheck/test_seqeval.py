"""Spans against seqeval 1.2.2: the figures of the oracle files, and random tags.

`mode="strict", scheme=IOB2` is the strict reading, seqeval's default mode that of conlleval.
"""

from __future__ import annotations

import json
import os
import random
import re
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from seqeval.metrics import classification_report  # type: ignore[import-untyped]
from seqeval.scheme import IOB2  # type: ignore[import-untyped]

from goldlens.scoring.counts import Count, Mean
from goldlens.scoring.spans.schemes import lenient_spans
from goldlens.scoring.spans.task import SPANS, Spans
from goldlens.server.engine.scoreboard import Scoreboard
from tests.scoring.spans.pairs import counts, label_sums, pair, text_of


def oracle(name: str) -> Any:
    """What an oracle file says; nothing where there is none (the tests then skip)."""
    folder = os.environ.get("GOLDLENS_SHARED")
    path = Path(folder or "", "oracle", name)
    return json.loads(path.read_text("utf-8")) if folder and path.is_file() else {}


SYSTEMS: Mapping[str, Any] = oracle("spans.json")
CORNERS = {case["name"]: case for case in oracle("spans-corner.json")}

OURS = {
    # What seqeval cannot read, or reads as a span though it is no tag: correct, gold, predicted.
    "empty_tag": (0, 1, 0),
    "bioes_e": (0, 1, 1),
    "zero": (1, 1, 1),
    "bilou_u": (0, 1, 0),
    "bare_dash": (0, 1, 0),
    "bioes_s": (0, 1, 0),
    "o_lower": (1, 1, 1),
    "label_without_prefix": (0, 1, 0),
    "no_sentence": (0, 0, 0),
    "sentence_count": (0, 0, 0),
    "underscore_sep": (0, 1, 0),
    "no_sep": (0, 1, 0),
    "b_dash": (0, 1, 0),
    "b_dash_both": (0, 0, 0),
    # White space around a tag is no part of it.
    "cr_in_tag": (1, 1, 1),
    "space_in_tag": (1, 1, 1),
}
"""Corners in which the specification differs from seqeval."""


def names(found: Mapping[str, Any]) -> list[str]:
    return sorted(found) or ["needs GOLDLENS_SHARED"]


@pytest.mark.parametrize("name", names(SYSTEMS))
def test_every_system_scores_what_seqeval_says(name: str, shared: Path) -> None:
    expected = SYSTEMS[name]
    folder = shared / "data" / "spans"
    held = pair((folder / expected["gold"]).read_bytes(), (folder / name).read_bytes())
    micro, macro = (Scoreboard(held).figures()[part] for part in ("Micro", "Macro"))
    assert isinstance(micro, Count) and isinstance(macro, Mean)
    for part, value in expected["micro"].items():
        assert getattr(micro, part) == pytest.approx(value, abs=5e-5)
    assert macro.f1 == pytest.approx(expected["macro_f1"], abs=5e-5)


@pytest.mark.parametrize("name", names(CORNERS))
def test_every_corner_is_scored_as_seqeval_does_or_as_specified(name: str, shared: Path) -> None:
    case = CORNERS[name]
    gold, pred = (
        "\n".join(["".join(f"w\t{tag}\n" for tag in one) for one in case[side]] + [""])
        for side in ("gold", "pred")
    )
    held = pair(gold, pred)
    if name in OURS:
        assert counts(held) == OURS[name]
        return
    assert case["status"] == "ok"
    micro, macro = (Scoreboard(held).figures()[part] for part in ("Micro", "Macro"))
    assert isinstance(micro, Count) and isinstance(macro, Mean)
    figures = re.search(r"P/R/F (.+?)/(.+?)/(.+?); macro F (.+?);", case["outcome"])
    assert figures is not None
    ours = [micro.precision, micro.recall, micro.f1, macro.f1]
    for value, theirs in zip(ours, figures.groups(), strict=True):
        # seqeval has no number where there is no label; the specification has 0.
        assert value == pytest.approx(0 if theirs == "nan" else 100 * float(theirs), abs=5e-3)
    for side, document in (("gold", held.gold), ("pred", held.pred)):
        spans = re.search(side + r" spans (\[.*?\])", case["outcome"])
        assert spans is not None
        found = [
            (start, end, label.decode())
            for unit in document.units
            for start, end, label in unit.reading.spans
        ]
        assert str(found) == spans[1]


TAGS = ("O", "O", "B-P", "I-P", "I-P", "B-L", "I-L", "B-a-b", "I-a-b")


def sentences(throw: random.Random) -> tuple[list[list[str]], list[list[str]]]:
    """Gold and a prediction of as many tokens; the prediction is like gold here and there."""
    gold = [throw.choices(TAGS, k=throw.randint(1, 8)) for _ in range(throw.randint(1, 5))]
    pred = [[tag if throw.random() < 0.7 else throw.choice(TAGS) for tag in one] for one in gold]
    return gold, pred


def report(gold: list[list[str]], pred: list[list[str]], **how: Any) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return dict(
            classification_report(gold, pred, output_dict=True, zero_division=0, digits=9, **how)
        )


def same(
    gold: Sequence[Sequence[str]], pred: Sequence[Sequence[str]], theirs: Any, task: Spans
) -> None:
    texts = [text_of([" ".join(one) for one in side]) for side in (gold, pred)]
    held = pair(texts[0], texts[1], task)
    figures = Scoreboard(held).figures()
    for name, figure in (("micro avg", figures["Micro"]), ("macro avg", figures["Macro"])):
        assert isinstance(figure, Count | Mean)
        for part, key in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            assert getattr(figure, part) == pytest.approx(100 * theirs[name][key]), (gold, pred)
    for label, count in label_sums(held).by_label().items():
        assert count.gold == theirs[label]["support"]
        assert count.f1 == pytest.approx(100 * theirs[label]["f1-score"])


@pytest.mark.parametrize("seed", range(4))
def test_random_tags_in_the_strict_reading(seed: int) -> None:
    throw = random.Random(seed)
    checked = 0
    for _ in range(500):
        gold, pred = sentences(throw)
        if not any(tag.startswith("B") for one in (*gold, *pred) for tag in one):
            continue
        same(gold, pred, report(gold, pred, mode="strict", scheme=IOB2), SPANS)
        checked += 1
    assert checked > 400


@pytest.mark.parametrize("seed", range(4))
def test_random_tags_in_the_reading_of_conlleval(seed: int) -> None:
    throw = random.Random(seed)
    lenient = Spans(reading="conlleval")
    checked = 0
    for _ in range(500):
        gold, pred = sentences(throw)
        if not any(lenient_spans([t.encode() for t in one]) for one in (*gold, *pred)):
            continue
        same(gold, pred, report(gold, pred), lenient)
        checked += 1
    assert checked > 400
