"""`goldlens compare`: paired intervals, and what only one of two systems has wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import GOLD, PRED, Run

B = PRED.replace("\tdet\t", "\tamod\t")
"""Like the prediction, with one more relation wrong: LAS is 60."""


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    Path("b.conllu").write_text(B, "utf-8")


def test_a_table_of_both_and_their_difference(run: Run) -> None:
    result = run("compare", "g.conllu", "p.conllu", "b.conllu", "--metrics", "LAS,UPOS")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split() == [
        "Metric", "A", "95%", "CI", "B", "95%", "CI", "A", "-", "B", "95%", "CI", "Differ",
    ]  # fmt: skip
    assert lines[1].split() == [
        "LAS", "80.00", "[66.67,", "100.00]", "60.00", "[33.33,", "100.00]", "20.00", "[0.00,",
        "33.33]", "no",
    ]  # fmt: skip
    assert lines[2].split()[-4:] == ["0.00", "[0.00,", "0.00]", "no"]


def test_what_only_one_of_them_has_wrong(run: Run) -> None:
    result = run("compare", "g.conllu", "p.conllu", "b.conllu")
    assert result.stdout.split("\n\n", 1)[1] == (
        "A is p.conllu, B is b.conllu.\n"
        "Only A is wrong 0 times, only B 1 time, both 2 times.\n"
        "\n"
        "g.conllu:1: one\n"
        "  only B: b.conllu:2: las-error: The relation is amod, gold has det; LAS 1/3\n"
    )


def test_the_other_way_round(run: Run) -> None:
    result = run("compare", "g.conllu", "b.conllu", "p.conllu", "--metrics", "LAS")
    assert "Only A is wrong 1 time, only B 0 times" in result.stdout
    assert " -20.00 " in result.stdout


def test_a_limit_to_what_is_listed(run: Run) -> None:
    Path("b.conllu").write_text(B.replace("punct\t_", "dep\t_"), "utf-8")
    call = ("compare", "g.conllu", "p.conllu", "b.conllu")
    assert "g.conllu:6: two" in run(*call).stdout
    cut = run(*call, "--limit", "1").stdout
    assert "g.conllu:6: two" not in cut
    assert cut.endswith("\n… and 1 more sentence of gold; --limit lists more.\n")
    none = run(*call, "--limit", "0").stdout
    assert none.endswith("Only A is wrong 0 times, only B 2 times, both 2 times.\n")


def test_only_errors_that_touch_the_metrics_are_listed(run: Run) -> None:
    Path("b.conllu").write_text(B.replace("cat\tcat", "cat\tdog"), "utf-8")
    call = ("compare", "g.conllu", "p.conllu", "b.conllu")
    assert "lemma-error" in run(*call).stdout
    assert "lemma-error" not in run(*call, "--metrics", "LAS").stdout
    assert "las-error" not in run(*call, "--metrics", "Lemmas").stdout


def test_json(run: Run) -> None:
    result = run("compare", "g.conllu", "p.conllu", "b.conllu", "--json", "--metrics", "LAS")
    [found] = json.loads(result.stdout)
    assert list(found) == [
        "metric", "a", "a_ci", "b", "b_ci", "difference", "difference_ci", "differ",
    ]  # fmt: skip
    assert (found["metric"], found["a"], found["b"], found["difference"]) == ("LAS", 80, 60, 20)
    assert found["differ"] is False


def test_a_system_and_itself(run: Run) -> None:
    result = run("compare", "g.conllu", "p.conllu", "p.conllu", "--json")
    for found in json.loads(result.stdout):
        assert found["difference"] == 0 and found["difference_ci"] == [0, 0]
        assert found["differ"] is False


def test_case_66_overlapping_intervals_and_yet_they_differ(run: Run, shared: Path) -> None:
    [case] = (shared / "cases").glob("66-*")
    files = [case / name for name in ("gold.conllu", "pred.conllu", "pred_b.conllu")]
    [found] = json.loads(run("compare", *files, "--metrics", "LAS", "--json").stdout)
    assert (found["difference_ci"], found["differ"]) == ([25.0, 25.0], True)
    assert found["a_ci"][0] < found["b_ci"][1]


def test_spans(run: Run) -> None:
    gold = "Ada\tB-PER\nran\tO\n\nBob\tB-PER\nin\tO\nRome\tB-LOC\n\n"
    Path("g.iob2").write_text(gold, "utf-8")
    Path("a.iob2").write_text(gold.replace("Rome\tB-LOC", "Rome\tO"), "utf-8")
    Path("b.iob2").write_text(gold.replace("ran\tO", "ran\tB-ORG"), "utf-8")
    said = run("compare", "g.iob2", "a.iob2", "b.iob2").stdout
    assert "Only A is wrong 1 time, only B 1 time, both 0 times." in said
    assert "g.iob2:1:\n  only B: b.iob2:2: span-error: Spurious" in said
    assert "g.iob2:4:\n  only A: a.iob2:6: span-error: Missing" in said


def test_documents(run: Run) -> None:
    Path("g.tsv").write_text("id\tlabel\na\tx\nb\ty\nc\tx\n", "utf-8")
    Path("a.tsv").write_text("id\tlabel\na\tx\nb\tx\nc\tx\n", "utf-8")
    Path("b.tsv").write_text("id\tlabel\nc\tx\nb\ty\na\ty\n", "utf-8")
    said = run("compare", "g.tsv", "a.tsv", "b.tsv", "--task", "classification").stdout
    assert "g.tsv:2: a\n  only B: b.tsv:4: class-error: The label is y, gold has x" in said
    assert "g.tsv:3: b\n  only A: a.tsv:3: class-error: The label is x, gold has y" in said


@pytest.mark.parametrize(
    ("flags", "what"),
    [
        (["--resamples", "10"], "too few"),
        (["--level", "0"], "between 0 and 1"),
        (["--metrics", "LASS"], "unknown metric 'LASS'"),
        (["-o", "b.conllu"], "-o would overwrite"),
        (["--limit", "-1"], "not in the range"),
    ],
)
def test_bad_calls_are_refused_in_one_line(run: Run, flags: list[str], what: str) -> None:
    result = run("compare", "g.conllu", "p.conllu", "b.conllu", *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    assert what in result.stderr and result.stderr.count("\n") == 1


def test_a_pair_that_is_refused(run: Run) -> None:
    Path("b.conllu").write_text(GOLD.replace("\t0\troot", "\t1\troot", 1), "utf-8")
    result = run("compare", "g.conllu", "p.conllu", "b.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "error[refused]" in result.stderr
