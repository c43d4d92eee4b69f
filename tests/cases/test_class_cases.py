"""Cases from public trouble reports about classification: what each expects is played."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.classification.task import CLASSIFICATION
from goldlens.scoring.problems import Problem
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.listing import Lister, Located
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems

CODES = {
    "duplicate-id": "id-duplicate",
    "missing-id": "id-missing",
    "scores-outside-0-1": "score-range",
}
"""The cases' names of kinds, where the product has others."""

UNDERSTOOD = {
    "macro_f1", "macro_f1_any_of", "micro_f1", "accuracy", "f1_at_0.5", "auc_mean",
    "auc_per_label", "auc_neg", "diagnostics", "after_edit", "pred_bad.tsv",
    "kind", "tags", "difficulty",
}  # fmt: skip
"""Keys of an expectation that are played, or (the last line) say nothing of what is played."""


def _cases() -> dict[str, dict[str, Any]]:
    folder = os.environ.get("GOLDLENS_SHARED")
    found = {}
    for path in sorted(Path(folder or "", "cases").glob("*/expected.json")) if folder else ():
        expected = json.loads(path.read_text("utf-8"))
        if str(expected["kind"]).startswith("class"):
            found[path.parent.name] = expected
    return found


CASES = _cases()


def opened(folder: Path, pred: str) -> Pair:
    gold = next(path for path in folder.iterdir() if path.stem == "gold")
    texts = gold.read_bytes(), (folder / pred).read_bytes()
    return Pair(CLASSIFICATION, *(Document(CLASSIFICATION, text) for text in texts))


def listed(pair: Pair) -> Sequence[Located]:
    """All problems of the prediction."""
    lister = Lister(pair.pred, pair, lambda problem: problem.severity)
    return lister.list(file_problems(pair.pred), None, 0).shown


def figures(pair: Pair) -> dict[str, float | None]:
    return {k: f.score if f else None for k, f in Scoreboard(pair).figures().items()}


def areas(pair: Pair) -> dict[str, float]:
    """ROC-AUC of each label from 0 to 1."""
    found = CLASSIFICATION.labels(pair.sums)
    return {k: row["roc_auc"] / 100 for k, row in found.items() if row["roc_auc"] is not None}


def check_figures(pair: Pair, expected: Mapping[str, Any]) -> None:
    found = figures(pair)
    for key, name in (
        ("macro_f1", "Macro"), ("accuracy", "Accuracy"), ("micro_f1", "Micro"),
        ("f1_at_0.5", "Macro"), ("f1_at_0.5", "Micro"),
    ):  # fmt: skip
        if key in expected:
            assert found[name] == pytest.approx(expected[key], abs=5e-5)
    if "macro_f1_any_of" in expected:
        # Our reading: a label is in the prediction if its score reaches the threshold.
        assert found["Macro"] == pytest.approx(expected["macro_f1_any_of"]["left_out"], abs=5e-5)
    if "auc_mean" in expected:
        assert found["ROC-AUC"] == pytest.approx(100 * expected["auc_mean"], abs=5e-5)
    if "auc_per_label" in expected:
        assert areas(pair) == pytest.approx(expected["auc_per_label"])


def check_problems(pair: Pair, expected: Sequence[Mapping[str, Any]]) -> None:
    found = [located for located in listed(pair) if located.problem.code in CODES.values()]
    assert len(found) == len(expected)
    for wanted in expected:
        (located,) = [f for f in found if f.problem.code == CODES[wanted["kind"]]]
        if "line" in wanted:
            assert located.line == wanted["line"] - 1
        if "id" in wanted:
            assert wanted["id"] in located.problem.message
        if "severity" in wanted:
            assert located.severity.label == wanted["severity"]


@pytest.mark.usefixtures("shared")
def test_there_are_cases() -> None:
    assert len(CASES) >= 5
    for expected in CASES.values():
        assert set(expected) <= UNDERSTOOD


@pytest.mark.parametrize("name", CASES)
def test_case(shared: Path, name: str) -> None:
    folder, expected = shared / "cases" / name, CASES[name]
    pred = next(path.name for path in folder.iterdir() if path.stem == "pred")
    pair = opened(folder, pred)
    check_figures(pair, expected)
    check_problems(pair, expected.get("diagnostics", ()))
    if "auc_neg" in expected:
        worse = areas(opened(folder, "pred_neg.jsonl"))
        assert worse == pytest.approx(dict.fromkeys(expected["auc_per_label"], expected["auc_neg"]))
    if "pred_bad.tsv" in expected:
        bad = opened(folder, "pred_bad.tsv")
        check_problems(bad, expected["pred_bad.tsv"]["diagnostics"])
        refusing = {found.problem.code for found in listed(bad) if found.problem.refuses}
        assert refusing == {"id-duplicate", "id-missing"}
    if "after_edit" in expected:
        check_edit(pair, expected["after_edit"])


def check_edit(pair: Pair, expected: Mapping[str, Any]) -> None:
    """The edit gives what a fresh start on the edited text gives; undone, the same bits."""
    before, line = figures(pair), expected["line"] - 1
    old, new = pair.pred.line(line), expected["new"].encode()
    edit = Edit(line, 0, line, len(old), new)
    pair.apply(1, pair.pred.edit(edit, Encoding.UTF8))
    check_figures(pair, expected)
    fresh = Pair(CLASSIFICATION, pair.gold, Document(CLASSIFICATION, pair.pred.text()))
    assert figures(pair) == figures(fresh)
    pair.apply(1, pair.pred.edit(Edit(line, 0, line, len(new), old), Encoding.UTF8))
    assert figures(pair) == before


def test_a_duplicate_says_where_the_first_one_stands() -> None:
    texts = b"d1\ta\nd2\tb\n", b"d1\ta\nd2\tb\nd1\tb\n"
    pair = Pair(CLASSIFICATION, *(Document(CLASSIFICATION, text) for text in texts))
    (found,) = listed(pair)
    problem: Problem = found.problem
    assert (problem.code, found.line) == ("id-duplicate", 2)
    assert (problem.place.start, problem.place.end) == (0, 2)
    (related,) = problem.related
    assert (related.place.unit, related.place.start, related.place.end) == (0, 0, 2)
    assert figures(pair)["Accuracy"] == 100.0
