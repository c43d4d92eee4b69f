"""Cases of stemming from public trouble reports: what each expects is played to the letter."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.stemming.evaluate import (
    Evaluation,
    evaluate,
    read_dictionary,
    read_outputs,
)
from goldlens.scoring.stemming.indices import indices
from goldlens.scoring.stemming.policies import Pairs
from goldlens.scoring.stemming.rows import decoded

CODES = {"missing-form": "form-missing", "empty-stem": "row-format"}
POLICIES = {"primary": "PRIMARY_OUTPUT", "all": "ALL_CANDIDATES", "any": "ANY_CANDIDATE"}
MODES = {"all_words": "ALL_WORDS", "lowercase_groups_only": "LOWERCASE_GROUPS_ONLY"}
UNDERSTOOD = {
    *POLICIES, *MODES, "groups_left", "one_group", "under", "over_one_group",
    "diagnostics", "score", "kind", "tags", "difficulty",
}  # fmt: skip


def _cases() -> dict[str, dict[str, Any]]:
    folder = os.environ.get("GOLDLENS_SHARED")
    found = {}
    for path in sorted(Path(folder or "", "cases").glob("*/expected.json")) if folder else ():
        expected = json.loads(path.read_text("utf-8"))
        if expected["kind"] == "stem":
            found[path.parent.name] = expected
    return found


CASES = _cases()


def evaluated(
    folder: Path, name: str = "pred.stems.tsv", gold_name: str = "gold.groups.tsv"
) -> Evaluation:
    gold = read_dictionary((folder / gold_name).read_bytes())
    return evaluate(gold, read_outputs((folder / name).read_bytes()))


def pairs(expected: dict[str, int]) -> Pairs:
    return Pairs(**expected)


def index(found: Evaluation, key: str) -> float | None:
    return indices(found.pairs["ALL_WORDS"]["PRIMARY_OUTPUT"], "PRIMARY_OUTPUT")[key]


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, shared: Path) -> None:
    folder, expected = shared / "cases" / name, CASES[name]
    assert set(expected) <= UNDERSTOOD
    for diagnostic in expected.get("diagnostics", ()):
        found = evaluated(folder, diagnostic["file"])
        code = CODES[diagnostic["kind"]]
        causes = found.refused
        assert {cause.problem.code for cause in causes} == {code}
        if "lines" in diagnostic:
            assert [cause.line + 1 for cause in causes] == diagnostic["lines"]
        if "form" in diagnostic:
            assert [diagnostic["form"] in cause.problem.message for cause in causes] == [True]
        if expected["score"] == "refused":
            assert found.pairs == {}
    counts = {key: expected[key] for key in (*POLICIES, *MODES) if key in expected}
    found = evaluated(folder)
    for key, its in counts.items():
        by_policy = found.pairs[MODES.get(key, "ALL_WORDS")]
        policies = [POLICIES[key]] if key in POLICIES else POLICIES.values()
        assert {by_policy[policy] for policy in policies} == {pairs(its)}
    if "one_group" in expected:
        one = evaluated(folder, "pred_one.stems.tsv", "gold_one.groups.tsv")
        assert one.pairs["ALL_WORDS"]["PRIMARY_OUTPUT"] == pairs(expected["one_group"])
        assert index(found, "UI") == expected["under"]
        assert index(one, "OI") == expected["over_one_group"]
        assert not found.problems and not one.problems
    if "groups_left" in expected:
        gold = read_dictionary((folder / "gold.groups.tsv").read_bytes())
        kept = gold.kept("LOWERCASE_GROUPS_ONLY")
        assert kept is not None
        left = [
            [decoded(form) for form in group.forms]
            for group, stays in zip(gold.groups, kept, strict=True)
            if stays
        ]
        assert left == expected["groups_left"]


def test_there_are_cases(shared: Path) -> None:
    assert len(CASES) >= 3
