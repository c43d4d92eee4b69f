"""The examples on the pages of codes that spans, classes and stems have, as `check` tells them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from goldlens.cli.main import goldlens
from goldlens.scoring.classification.comparison import ClassSums
from goldlens.scoring.classification.task import CLASSIFICATION
from goldlens.scoring.problems import CODES, Problem
from goldlens.server.engine.opening import pair_of
from tests.docs.pages import EXTENSIONS, OTHER_TASKS, Fence, examples, front, languages

OF_THE_PAIR = frozenset({"label-unknown"})
"""Codes that depend on all of gold: said by the task once of a pair, and not by `check`."""

PAIRS = [
    (code, language)
    for code in CODES
    if code not in OF_THE_PAIR
    for language in languages(code)
    if language in EXTENSIONS and (code in OTHER_TASKS or language != "conllu")
]
ALSO = {"iob2-scheme": {"iob2-tag"}}
"""What comes with a code of necessity: tags of another scheme are no tags of IOB2."""

Problems = list[tuple[str, str]]
"""Codes and severities."""


@pytest.fixture
def problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Problems]:
    """What `goldlens check` says of a file of a page, by itself or against gold."""
    monkeypatch.chdir(tmp_path)

    def problems(fence: Fence, gold: Fence | None = None) -> Problems:
        named = ["--no-gold"] if gold is None else ["--gold", _written("gold", gold)]
        call = ["check", "--format", "json", *named, _written("pred", fence)]
        found = CliRunner().invoke(goldlens, call)
        assert found.exit_code in (0, 1), found.output
        return [(each["code"], each["severity"]) for each in json.loads(found.stdout)]

    return problems


def _written(name: str, fence: Fence) -> str:
    """The name of the file that was made of a fence."""
    kind = "".join(f".{word}" for word in fence.words if word in ("stems", "groups"))
    file = f"{name}{kind}{EXTENSIONS[fence.language]}"
    Path(file).write_bytes(fence.data)
    return file


def test_every_code_of_another_task_has_an_example_of_it() -> None:
    assert {code for code, _ in PAIRS} | OF_THE_PAIR >= OTHER_TASKS


@pytest.mark.parametrize(("code", "language"), PAIRS)
def test_a_faulty_file_has_the_one_problem_of_its_page(
    code: str, language: str, problems: Callable[..., Problems]
) -> None:
    files = examples(code, language)
    found = problems(files["faulty"], files.get("gold"))
    assert found.count((code, front(code).label)) == 1
    assert {name for name, _ in found} <= {code} | ALSO.get(code, set())


@pytest.mark.parametrize(("code", "language"), PAIRS)
def test_a_repaired_file_and_gold_have_none(
    code: str, language: str, problems: Callable[..., Problems]
) -> None:
    files = examples(code, language)
    assert problems(files.get("gold") or files["repaired"]) == []


@pytest.mark.parametrize(("code", "language"), PAIRS)
def test_the_official_policy_refuses_what_the_page_says_it_refuses(
    code: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = examples(code, language)
    gold = files.get("gold") or files["repaired"]
    if "stems" in gold.words:
        forms = [row.split(b"\t")[0] for row in gold.data.splitlines()]
        gold = Fence("tsv", ("gold", "groups"), b"\t".join(forms) + b"\n")
    call = ["score", _written("gold", gold), _written("pred", files["faulty"])]
    assert CliRunner().invoke(goldlens, call).exit_code == (2 if front(code).refuses else 0)
    assert CliRunner().invoke(goldlens, [*call, "--policy", "lenient"]).exit_code == 0


def test_a_label_that_gold_lacks_is_said_once_of_the_pair() -> None:
    files = examples("label-unknown", "jsonl")

    def said(gold: Fence, pred: Fence) -> list[Problem]:
        pair = pair_of(CLASSIFICATION, gold.data, pred.data, "auto")
        assert isinstance(pair.sums, ClassSums)
        return CLASSIFICATION.pair_notices(pair.sums, pair.gold.units, pair.pred.units)

    [found] = said(files["gold"], files["faulty"])
    assert found.code == "label-unknown"
    assert found.severity.label == front("label-unknown").label
    assert not found.refuses
    assert said(files["gold"], files["gold"]) == []
