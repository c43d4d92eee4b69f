"""Cases from public trouble reports: what each expects is played to the letter.

Bootstrap intervals, which some cases expect, are tested elsewhere.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.problems import Problem, Severity, Side
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister, Located
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.wholefile import file_problems

CODES = {
    "char-stream-mismatch": {"stream-mismatch"},
    "blank-line-not-empty": {"blank-line"},
    "duplicate-feature": {"feats-duplicate"},
    "ufeats-error": {"feats-error"},
    "crlf": {"line-ending"},
    "empty-text": {"text-mismatch"},
    "head-self": {"head-cycle"},
    "unparsed-sentence": {"head-missing"},
    "las-error": {"las-error", "word-alignment"},
}
"""The cases' names of kinds, where the product has others."""

SEVERITIES = {"warning-or-hint": {Severity.WARNING, Severity.HINT}}


def _cases() -> dict[str, dict[str, Any]]:
    folder = os.environ.get("GOLDLENS_SHARED")
    found = {}
    for path in sorted(Path(folder or "", "cases").glob("*/expected.json")) if folder else ():
        expected = json.loads(path.read_text("utf-8"))
        if expected["kind"] == "ud":
            found[path.parent.name] = expected
    return found


CASES = _cases()

UNDERSTOOD = {
    "diagnostics", "max_errors", "forbidden_kinds", "no_error_lines", "line_count", "score",
    "scores", "lenient_scores", "scores_expected", "pred_b_LAS",
    "kind", "tags", "difficulty", "reference", "udvalidate_level2", "bootstrap",
}  # fmt: skip
"""Keys of an expectation that are played, or (the last line) say nothing of what is played."""


@dataclass(frozen=True)
class Checked:
    """A file, and all its problems."""

    document: Document
    problems: Sequence[Located]

    def of(self, kinds: str) -> list[Located]:
        codes: set[str] = set()
        for kind in kinds.split("|"):
            codes |= CODES.get(kind, {kind})
        return [found for found in self.problems if found.problem.code in codes]

    @property
    def errors(self) -> list[Located]:
        return [found for found in self.problems if found.severity is Severity.ERROR]

    def lines(self, found: Located) -> set[int]:
        """The lines, from 1, that a problem points to in this file."""
        places = [found.problem.place]
        places += [r.place for r in found.problem.related if r.place.side is Side.HERE]
        starts = self.document.line_starts
        return {int(starts[found.unit(place)]) + place.line + 1 for place in places}


def checked(folder: Path, name: str) -> Checked:
    """A file of a case; against gold, unless it is gold."""
    document = Document(UD, (folder / name).read_bytes())
    pair = None
    if name != "gold.conllu":
        gold = Document(UD, (folder / "gold.conllu").read_bytes(), checks=False)
        pair = Pair(UD, gold, document)
    lister = Lister(document, pair, _severity)
    return Checked(document, lister.list(file_problems(document), None, 0).shown)


def _severity(problem: Problem) -> Severity:
    return problem.severity


def evaluation(folder: Path, name: str = "pred.conllu", policy: str = "official") -> Evaluation:
    gold, pred = (io.BytesIO((folder / n).read_bytes()) for n in ("gold.conllu", name))
    return evaluate(gold, pred, Options(policy=policy))


@pytest.fixture
def case(request: pytest.FixtureRequest, shared: Path) -> tuple[Path, dict[str, Any]]:
    return shared / "cases" / request.param, CASES[request.param]


every_case = pytest.mark.parametrize(
    "case", sorted(CASES) or ["needs GOLDLENS_SHARED"], indirect=True
)


@every_case
def test_diagnostics(case: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = case
    for name in sorted(path.name for path in folder.glob("*.conllu")):
        own = expected if name == "pred.conllu" else expected.get(name, {})
        wanted = [e for e in expected.get("diagnostics", ()) if e["file"] == name]
        wanted += expected.get(name, {}).get("diagnostics", ())
        file = checked(folder, name)
        for entry in wanted:
            _is_found(file, entry)
        if "max_errors" in expected and wanted:
            assert len(file.errors) <= expected["max_errors"]
        for kind in own.get("forbidden_kinds", ()):
            assert not file.of(kind)
        for line in expected.get("no_error_lines", {}).get(name, ()):
            assert not [found for found in file.errors if found.line + 1 == line]
        if "line_count" in own:
            assert file.document.lines == own["line_count"]
        if expected.get("diagnostics") == [] and name == "pred.conllu":
            # Nothing is wrong that a score or a reader would feel.
            assert not [f for f in file.problems if f.severity <= Severity.WARNING]


def _is_found(file: Checked, entry: Mapping[str, Any]) -> None:
    found = file.of(entry["kind"])
    if "max_count" in entry:
        assert 1 <= len(found) <= entry["max_count"]
    wanted = set(entry.get("lines", [entry["line"]] if "line" in entry else []))
    if wanted:
        found = [f for f in found if file.lines(f) & wanted]
        named = set().union(*(file.lines(f) for f in found))
        # A line that cannot be read may be called blank where that is what it looks like.
        blank = {f.line + 1 for f in file.of("blank-line")}
        assert named | blank >= wanted
        # One cause, one diagnostic: no line is named twice.
        assert len({f.line for f in found}) == len(found)
    assert found
    for one in found:
        message = one.problem.message
        assert entry.get("must_mention", "") in message
        if "stream_offset" in entry:
            offset = entry["stream_offset"]
            assert f"offset {offset} of" in message or f"after {offset} characters" in message
        if "severity" in entry:
            assert one.severity in SEVERITIES[entry["severity"]]


@every_case
def test_scores(case: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = case
    found = evaluation(folder)
    if expected.get("score") == "refused":
        assert found.refused
        assert found.as_dict("", "")["metrics"] is None
    elif any(key in expected for key in ("scores", "scores_expected", "lenient_scores")):
        assert not found.refused
    figures = found.figures()
    for name, counts in expected.get("scores", {}).items():
        count = figures[name]
        assert count is not None
        assert (count.correct, count.gold, count.predicted) == (
            counts["correct"],
            counts["gold"],
            counts["pred"],
        )
        for figure, points in (
            (count.precision, counts["p"]),
            (count.recall, counts["r"]),
            (count.f1, counts["f1"]),
        ):
            assert figure == pytest.approx(points, abs=5e-5)
    for policy, key in (("official", "scores_expected"), ("lenient", "lenient_scores")):
        for name, points in expected.get(key, {}).items():
            count = evaluation(folder, policy=policy).figures()[name]
            assert count is not None
            assert count.f1 == pytest.approx(points, abs=5e-5)
    if "pred_b_LAS" in expected:
        count = evaluation(folder, "pred_b.conllu").figures()["LAS"]
        assert count is not None
        assert count.f1 == pytest.approx(expected["pred_b_LAS"], abs=5e-5)
    if expected["reference"].get("refuses") if "reference" in expected else False:
        # Where the script refuses, that is said, whatever the policy makes of it.
        assert [cause for cause in found.causes if cause.script]


@every_case
def test_nothing_expected_is_passed_over(case: tuple[Path, dict[str, Any]]) -> None:
    folder, expected = case
    files = {path.name for path in folder.glob("*.conllu")}
    assert set(expected) <= UNDERSTOOD | files
    assert {entry["file"] for entry in expected.get("diagnostics", ())} <= files
