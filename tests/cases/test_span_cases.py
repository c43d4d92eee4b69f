"""Cases from public trouble reports about spans: what each expects is played to the letter."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.bootstrap import interval, resampled
from goldlens.scoring.counts import Count, Mean
from goldlens.scoring.problems import Severity
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from tests.scoring.spans.pairs import counts, label_sums, listed, pair

CODES = {
    "iob2-bad-tag": "iob2-tag",
    "iob2-orphan-I": "iob2-malformed",
    "iob2-type-change": "iob2-malformed",
}
"""The cases' names of kinds."""

OF_FORM = {"iob2-tag", "iob2-malformed", "encoding", "token-text", "stream-mismatch"}
"""Codes that say something of a file's form; what differs from gold is expected nowhere."""


def _cases() -> dict[str, dict[str, Any]]:
    folder = os.environ.get("GOLDLENS_SHARED")
    found = {}
    for path in sorted(Path(folder or "", "cases").glob("*/expected.json")) if folder else ():
        expected = json.loads(path.read_text("utf-8"))
        if expected["kind"] == "span":
            found[path.parent.name] = expected
    return found


CASES = _cases()

UNDERSTOOD = {
    "diagnostics", "diagnostics_any_of", "max_severity", "span", "if_supported",
    "pred_missing.iob2", "score_or_refuse", "bootstrap", "one_unit",
    "kind", "tags", "difficulty", "seqeval_default_f1",
}  # fmt: skip
"""Keys of an expectation that are played, or (the last line) say nothing of what is played."""


def lines_of(diagnostics: list[dict[str, Any]]) -> dict[str, set[int]]:
    """The lines of each code that are expected in the prediction."""
    found: dict[str, set[int]] = defaultdict(set)
    for one in diagnostics:
        assert one["file"] == "pred.iob2"
        lines = one["lines"] if "lines" in one else [one["line"]]
        found[CODES[one["kind"]]].update(lines)
    return found


def said(held: Pair) -> dict[str, set[int]]:
    """The lines of each code that says something of the prediction's form."""
    found: dict[str, set[int]] = defaultdict(set)
    for one in listed(held.pred, held):
        if one.problem.code in OF_FORM:
            found[one.problem.code].add(one.line + 1)
    return found


def drawn(held: Pair) -> tuple[float, float]:
    """The interval of the micro F1."""
    sample = held.sample()
    assert sample is not None
    (sums,) = resampled([sample], 20260101, 1000)
    found = interval(sample.statistics["Micro"](sums), 0.95)
    return found.low, found.high


@pytest.mark.parametrize("name", sorted(CASES) or ["needs GOLDLENS_SHARED"])
def test_case(name: str, shared: Path) -> None:
    expected = CASES[name]
    assert expected.keys() <= UNDERSTOOD
    folder = shared / "cases" / name
    held = pair((folder / "gold.iob2").read_bytes(), (folder / "pred.iob2").read_bytes())
    choices = expected.get("diagnostics_any_of", [expected.get("diagnostics", [])])
    assert said(held) in [lines_of(choice) for choice in choices]
    if "max_severity" in expected:
        own = [one for one in listed(held.pred) if one.severity < Severity.HINT]
        assert not own
    if "span" in expected:
        micro, macro = (Scoreboard(held).figures()[part] for part in ("Micro", "Macro"))
        assert isinstance(micro, Count) and isinstance(macro, Mean)
        wanted = expected["span"]
        assert counts(held) == tuple(wanted["micro"][key] for key in ("correct", "gold", "pred"))
        for part, key in (("precision", "p"), ("recall", "r"), ("f1", "f1")):
            if key in wanted["micro"]:
                assert getattr(micro, part) == pytest.approx(wanted["micro"][key], abs=5e-5)
        labels = {
            label: [count.correct, count.gold, count.predicted]
            for label, count in label_sums(held).by_label().items()
        }
        assert macro.f1 == pytest.approx(wanted.get("macro_f1", macro.f1), abs=5e-5)
        assert labels == wanted.get("per_label", labels)
    for key, files in (("bootstrap", ""), ("one_unit", "_one")):
        if key in expected:
            limits = expected[key]["F1"] if key == "bootstrap" else expected[key]
            gold, pred = (
                (folder / f"{side}{files}.iob2").read_bytes() for side in ("gold", "pred")
            )
            assert drawn(pair(gold, pred)) == tuple(limits)
    if "if_supported" in expected:
        assert counts(held) == tuple(expected["if_supported"]["micro"])
    if "pred_missing.iob2" in expected:
        other = pair(
            (folder / "gold.iob2").read_bytes(), (folder / "pred_missing.iob2").read_bytes()
        )
        assert counts(other) == tuple(expected["pred_missing.iob2"]["micro"])


def test_a_file_of_another_scheme_is_named_so(shared: Path) -> None:
    folder = shared / "cases" / "44-iobes-file-read-as-iob2"
    held = pair((folder / "gold.iob2").read_bytes(), (folder / "pred.iob2").read_bytes())
    named = [one for one in listed(held.pred) if one.problem.code == "iob2-scheme"]
    assert [(one.line + 1, one.severity) for one in named] == [(3, Severity.WARNING)]
    assert "IOBES" in named[0].problem.message
