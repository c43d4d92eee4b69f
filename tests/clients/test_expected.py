"""Files of another task, empty files and swapped ones: named as such, by every verb alike."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import GOLD, Run
from tests.clients.rows import write

SPANS = "Ada\tB-PER\nsleeps\tO\n\nParis\tB-LOC\n\n"
LABELS = '{"id": "a", "labels": ["x"]}\n{"id": "b", "labels": []}\n'

PAIRS = {
    "score": "score {} {}",
    "lenient": "score --policy lenient {} {}",
    "check": "check --gold {} {}",
    "rows": "rows ud --gold {} --pred {}",
    "compare": "compare {} q.conllu {}",
    "analyze": "analyze {} {}",
    "report": "report {} {} -o out",
    "receipt": "receipt make {} {}",
    "drift": "drift {} {} --profile proiel",
    "calibration": "calibration {} {}",
}
"""How each verb is given a gold and a prediction."""


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    """Files whose names say that they are trees, and which are not."""
    Path("q.conllu").write_bytes(Path("p.conllu").read_bytes())
    write("spans.conllu", SPANS)
    write("labels.conllu", LABELS)
    write("empty.conllu", "")


@pytest.mark.parametrize("verb", PAIRS)
@pytest.mark.parametrize(("odd", "what"), [("spans", "IOB2"), ("labels", "JSON Lines")])
def test_a_prediction_of_another_task_is_one_line(run: Run, verb: str, odd: str, what: str) -> None:
    result = run(*PAIRS[verb].format("g.conllu", f"{odd}.conllu").split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"{odd}.conllu:1:1: error[task]: this looks like {what}, and g.conllu like CoNLL-U; "
        "name files of one task\n"
    )
    assert not Path("out").exists()


@pytest.mark.parametrize("verb", PAIRS)
def test_a_gold_of_another_task_is_one_line(run: Run, verb: str) -> None:
    result = run(*PAIRS[verb].format("labels.conllu", "p.conllu").split())
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("labels.conllu:1:1: error[task]: this looks like JSON Lines, and ")


@pytest.mark.parametrize("verb", [verb for verb in PAIRS if verb not in ("drift", "calibration")])
def test_trees_are_no_spans_either(run: Run, verb: str) -> None:
    for name, text in (("g.iob2", SPANS), ("q.iob2", SPANS), ("trees.iob2", GOLD)):
        write(name, text)
    call = PAIRS[verb].replace("rows ud", "rows span").replace("q.conllu", "q.iob2")
    result = run(*call.format("g.iob2", "trees.iob2").split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "trees.iob2:1:1: error[task]: this looks like CoNLL-U, and g.iob2 like IOB2; "
        "name files of one task\n"
    )


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        ("score spans.conllu tags.conllu", "say “--task span”"),
        ("score --task ud spans.txt tags.txt", "say “--task span”"),
        ("score --task classification spans.txt tags.txt", "say “--task span”"),
        ("score --task stemming spans.txt tags.txt", "say “--task span”"),
        ("compare spans.conllu tags.conllu more.conllu", "say “--task span”"),
        ("analyze spans.conllu tags.conllu", "say “--task span”"),
        ("report spans.conllu tags.conllu -o out", "say “--task span”"),
        ("receipt make spans.conllu tags.conllu", "say “--task span”"),
        ("rows ud --gold spans.txt --pred tags.txt", "say “goldlens rows span”"),
        ("drift spans.conllu tags.conllu --profile none", "name another file"),
        ("calibration spans.conllu tags.conllu", "name another file"),
        ("stem spans.txt tags.txt", "name another file"),
        ("check --gold spans.conllu tags.conllu", "rename it, or say its task in goldlens.toml"),
    ],
)
def test_where_both_are_of_another_task_it_is_said_how_to_name_it(
    run: Run, call: str, remedy: str
) -> None:
    for name in ("spans.txt", "tags.txt", "tags.conllu", "more.conllu"):
        write(name, SPANS)
    result = run(*call.split())
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert ":1:1: error[task]: this looks like IOB2, as spans." in line
    assert line.endswith(f" is expected; {remedy}")


def test_one_file_is_held_against_its_name(run: Run) -> None:
    checked, perturbed = run("check", "spans.conllu"), run("perturb", "spans.conllu")
    what = "spans.conllu:1:1: error[task]: this looks like IOB2, and CoNLL-U is expected; "
    for result, remedy in ((checked, "rename it, or say its"), (perturbed, "say “--task span”")):
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(what + remedy)
    assert run("perturb", "--task", "span", "spans.conllu").exit_code == 0


def test_what_is_said_to_be_the_task_holds_whatever_the_name(run: Run) -> None:
    write("tags.conllu", SPANS)
    assert run("score", "--task", "span", "spans.conllu", "tags.conllu").exit_code == 0
    write("goldlens.toml", '[[pair]]\ntask = "span"\ngold = "spans.conllu"\npred = "t*.conllu"\n')
    assert run("check", "tags.conllu").exit_code == 0


def test_a_broken_file_is_scored_and_checked_as_ever(run: Run) -> None:
    write("broken.conllu", GOLD.replace("\t", " "))
    scored = run("score", "--policy", "lenient", "g.conllu", "broken.conllu")
    assert (scored.exit_code, scored.stderr) == (0, "")
    checked = run("check", "--no-gold", "broken.conllu")
    assert checked.exit_code == 1
    assert "error[column-count]" in checked.stdout and checked.stderr == "5 errors in 1 file\n"


def test_a_column_of_tokens_that_no_row_has_is_an_error(run: Run) -> None:
    for name in ("g.iob2", "p.iob2"):
        write(name, SPANS)
    result = run("score", "g.iob2", "p.iob2", "--token-column", 10**30)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("g.iob2:1:1: error[columns]: no row has 1")
    assert run("score", "g.iob2", "p.iob2", "--token-column", -2).exit_code == 0


# Empty files


@pytest.mark.parametrize("verb", [verb for verb in PAIRS if verb != "compare"])
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the file is empty"),
        ("\n \n", "the file has nothing but blank lines"),
        ("# a\n", "the file has nothing but comments"),
    ],
)
@pytest.mark.parametrize("call", [("odd.conllu", "p.conllu"), ("g.conllu", "odd.conllu")])
def test_an_empty_file_is_called_so_before_all_else(
    run: Run, verb: str, text: str, why: str, call: tuple[str, str]
) -> None:
    write("odd.conllu", text)
    result = run(*PAIRS[verb].format(*call).split())
    said = result.stderr.splitlines()
    warning = f"odd.conllu:1:1: warning[empty]: {why}, and CoNLL-U is expected; "
    assert said[0].startswith(warning)
    assert sum("[empty]" in line for line in said) == 1


@pytest.mark.parametrize(
    ("gold", "pred", "what"),
    [
        ("g.iob2", "e.iob2", "IOB2"),
        ("e.jsonl", "p.jsonl", "a table of labels"),
        ("e.groups.tsv", "p.stems.tsv", "a table of stems"),
    ],
)
def test_an_empty_file_of_any_task_is_called_so(run: Run, gold: str, pred: str, what: str) -> None:
    texts = {"g.iob2": SPANS, "p.jsonl": LABELS, "p.stems.tsv": "roses\trose\n"}
    for name in (gold, pred):
        write(name, texts.get(name, ""))
    [empty] = {gold, pred} - set(texts)
    warning = f"{empty}:1:1: warning[empty]: the file is empty, and {what} is expected; "
    assert run("score", gold, pred).stderr.startswith(warning)
    if "stems" in pred:
        assert run("stem", gold, pred).stderr.startswith(warning)


def test_what_an_empty_file_scores_stays(run: Run) -> None:
    write("other.conllu", "")
    both = run("score", "--json", "empty.conllu", "other.conllu")
    assert both.exit_code == 0
    metrics = json.loads(both.stdout)["metrics"]
    assert {figure["f1"] for figure in metrics.values() if figure} == {0}
    assert "error[stream-mismatch]" in run("score", "g.conllu", "empty.conllu").stderr
    lenient = run("score", "--policy", "lenient", "--json", "g.conllu", "empty.conllu")
    assert json.loads(lenient.stdout)["metrics"]["LAS"]["f1"] == 0


def test_one_empty_file(run: Run) -> None:
    for verb in ("check", "perturb"):
        result = run(verb, "empty.conllu")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.startswith("empty.conllu:1:1: warning[empty]: the file is empty, ")


# The same file twice, and the other order


@pytest.mark.parametrize(
    "call",
    [
        "compare g.conllu p.conllu g.conllu",
        "compare g.conllu g.conllu p.conllu",
        "rows ud --gold g.conllu --pred p.conllu --ref-pred g.conllu",
        *(PAIRS[verb].format("g.conllu", "g.conllu") for verb in PAIRS),
    ],
)
def test_gold_is_no_prediction(run: Run, call: str) -> None:
    result = run(*call.split())
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert line.startswith("g.conllu:1:1: error[same-file]: ")


def test_a_system_held_against_itself_is_asked_about(run: Run) -> None:
    for call in (
        "compare g.conllu p.conllu ./p.conllu",
        "rows ud --gold g.conllu --pred p.conllu --ref-pred ./p.conllu",
    ):
        result = run(*call.split())
        assert result.exit_code == 0
        warning = "./p.conllu:1:1: warning[same-file]: both predictions are this file; "
        assert result.stderr.startswith(warning)


@pytest.mark.parametrize("verb", [verb for verb in PAIRS if verb not in ("check", "compare")])
def test_names_that_look_swapped_are_told_by_every_verb(run: Run, verb: str) -> None:
    write("x.pred.conllu", GOLD)
    write("x.gold.conllu", Path("p.conllu").read_bytes())
    result = run(*PAIRS[verb].format("x.pred.conllu", "x.gold.conllu").split())
    warning = "x.pred.conllu:1:1: warning[swapped]: gold and prediction look swapped; "
    assert result.stderr.startswith(warning)


def test_names_of_spans_that_look_swapped_are_told_too(run: Run) -> None:
    for name in ("x.pred.iob2", "x.gold.iob2"):
        write(name, SPANS)
    result = run("score", "x.pred.iob2", "x.gold.iob2")
    assert result.exit_code == 0
    assert result.stderr.startswith("x.pred.iob2:1:1: warning[swapped]: ")


@pytest.mark.parametrize("verb", ["score", "stem"])
def test_a_dictionary_is_no_prediction(run: Run, verb: str) -> None:
    write("w.groups.tsv", "rose\troses\n")
    write("w.stems.tsv", "rose\trose\nroses\trose\n")
    assert run(verb, "w.groups.tsv", "w.stems.tsv").exit_code == 0
    result = run(verb, "w.stems.tsv", "w.groups.tsv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("w.groups.tsv:1:1: error[swapped]: this is a dictionary, ")


def test_every_file_that_is_missing_is_said(run: Run) -> None:
    result = run("compare", "g.conllu", "a.conllu", "b.conllu")
    assert result.exit_code == 2
    assert [line[:8] for line in result.stderr.splitlines()] == ["a.conllu", "b.conllu"]


# Checked without gold


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_that_no_gold_was_found_is_said_and_not_on_standard_output(run: Run, form: str) -> None:
    alone = run("check", "--format", form, "p.conllu")
    assert "checked without gold (none was found; --gold names one)\n" in alone.stderr
    assert "without gold" not in alone.stdout
    if form in ("json", "sarif"):
        json.loads(alone.stdout)
    for call in (["--no-gold", "p.conllu"], ["--gold", "g.conllu", "p.conllu"]):
        assert "without gold" not in run("check", "--format", form, *call).stderr


def test_only_those_that_could_have_a_gold_are_counted(run: Run) -> None:
    for name in ("x.gold.conllu", "x.pred.conllu", "no.gold.conllu"):
        write(name, GOLD)
    write("goldlens.toml", "")
    found = ["x.gold.conllu", "x.pred.conllu", "no.gold.conllu", "goldlens.toml"]
    assert run("check", *found).stderr == "no problems in 4 files\n"
    some = run("check", *found, "p.conllu").stderr
    assert some == (
        "no problems in 5 files, 1 of them checked without gold "
        "(none was found; --gold names one)\n"
    )
    assert run("check", "none.conllu").stderr.count("\n") == 1
