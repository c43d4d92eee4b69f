"""`goldlens score --fail-under` and `--fail-if-worse-than`: figures that have to be held."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.gate import all_metrics, shown
from goldlens.scoring.stemming.indices import INDICES
from goldlens.scoring.tasks import NAMES
from goldlens.scoring.ud import metrics
from tests.clients.conftest import GOLD, PRED, Run
from tests.clients.rows import write

pytestmark = pytest.mark.usefixtures("folder")

SCORE = ("score", "g.conllu", "p.conllu")
"""LAS and UPOS are 80, UAS is 100."""

SPANS = "Ada\tB-PER\nran\tO\n\nso\tB-LOC\n\nit\tB-PER\n\n"
SPANS_PRED = SPANS.replace("B-LOC", "O")
"""Recall is 2 of 3, precision is 100: F1 is 80."""

CLASSES = "id\tlabel\na\tx\nb\ty\nc\tx\n"
STEMS = {
    "s.groups.tsv": "walk\twalks\ncat\tcats\n",
    "s.stems.tsv": "walk\tw\nwalks\tw\ncat\tc\ncats\tk\n",
}


def without_heads(text: str) -> str:
    """The text as a tagger leaves it."""
    rows = (line.split("\t") for line in text.split("\n"))
    return "\n".join("\t".join([*r[:6], "_", "_", "_", "_"] if r[1:] else r) for r in rows)


# --fail-under


def test_figures_that_are_held_change_nothing(run: Run) -> None:
    plain = run(*SCORE)
    result = run(*SCORE, "--fail-under", "LAS=80,UPOS=79.5,UAS=100")
    assert (result.exit_code, result.stdout, result.stderr) == (0, plain.stdout, "")


def test_each_figure_that_is_not_held_has_a_line(run: Run) -> None:
    result = run(*SCORE, "--fail-under", "LAS=88,UAS=99,UPOS=80.01")
    assert result.exit_code == 1
    assert result.stdout == run(*SCORE).stdout
    assert result.stderr == (
        "error[gate]: LAS is 80.00, under 88\nerror[gate]: UPOS is 80.00, under 80.01\n"
    )


def test_the_flag_may_be_given_several_times(run: Run) -> None:
    result = run(*SCORE, "--fail-under", "LAS=88", "--fail-under", "UPOS = 90, ")
    assert result.stderr.count("error[gate]") == 2


def test_precision_and_recall_can_be_held(run: Run) -> None:
    result = run(*SCORE, "--fail-under", "CLAS.precision=66,CLAS.recall=67")
    assert result.stderr == "error[gate]: CLAS.recall is 66.67, under 67\n"


def test_json_and_files_are_written_all_the_same(run: Run) -> None:
    result = run(*SCORE, "--json", "-o", "out.json", "--fail-under", "LAS=88")
    assert result.exit_code == 1
    assert json.loads(Path("out.json").read_text("utf-8"))["metrics"]["LAS"]["f1"] == 80.0
    assert json.loads(run(*SCORE, "--json", "--fail-under", "LAS=88").stdout)


def test_a_refused_pair_is_refused(run: Run) -> None:
    write("bad.conllu", GOLD.replace("\t2\tdet", "\t9\tdet"))
    result = run("score", "g.conllu", "bad.conllu", "--fail-under", "LAS=0")
    assert result.exit_code == 2
    assert "error[gate]" not in result.stderr


def test_a_figure_that_is_undefined_is_not_held(run: Run) -> None:
    write("tags.conllu", without_heads(GOLD))
    result = run("score", "g.conllu", "tags.conllu", "--fail-under", "LAS=0,UPOS=100")
    assert result.exit_code == 1
    assert result.stderr.endswith("error[gate]: LAS is undefined here, and was to be 0 at least\n")
    # Gold has no enhanced dependencies, so that there is no ELAS.
    result = run(*SCORE, "--fail-under", "ELAS=50")
    assert (result.exit_code, result.stderr.count("ELAS is undefined here")) == (1, 1)


def test_strict_metrics_must_be_asked_for(run: Run) -> None:
    result = run(*SCORE, "--fail-under", "LASFull.recall=50")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "LASFull.recall is a strict metric; add --strict" in result.output
    assert run(*SCORE, "--strict", "--fail-under", "LASFull.recall=50").exit_code == 0


def test_what_is_left_out_of_the_score_is_left_out_of_the_gate(run: Run) -> None:
    write("p.conllu", PRED[: PRED.index("# sent_id = two")])
    held = (*SCORE, "--policy", "lenient", "--fail-under", "UAS=90")
    assert run(*held).exit_code == 1
    assert run(*held, "--predicted-only").exit_code == 0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("LAS", "--fail-under has 'LAS'; give METRIC=POINTS"),
        ("=88", "--fail-under has '=88'; give METRIC=POINTS"),
        ("LAS=", "--fail-under has 'LAS='; give METRIC=POINTS"),
        ("LAS=nan", "--fail-under has 'LAS=nan'; give METRIC=POINTS"),
        ("LAS=88,UPOS=inf", "--fail-under has 'UPOS=inf'; give METRIC=POINTS"),
        (" , ", "--fail-under names no metric; give METRIC=POINTS"),
        ("las=88", "--fail-under names an unknown metric, 'las'; ud has Tokens, "),
        ("Micro=88", "--fail-under names an unknown metric, 'Micro'; ud has Tokens, "),
    ],
)
def test_calls_that_make_no_sense_score_nothing(run: Run, given: str, said: str) -> None:
    result = run(*SCORE, "--fail-under", given)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.output or said in str(result.exception) or said in result.stderr


def test_spans(run: Run) -> None:
    pair = (write("g.iob2", SPANS), write("p.iob2", SPANS_PRED))
    held = run("score", *pair, "--fail-under", "F1=80,Micro.precision=100,recall=66")
    assert (held.exit_code, held.stderr) == (0, "")
    result = run("score", *pair, "--fail-under", "F1=81,recall=67,Macro=90")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[:2] == [
        "error[gate]: F1 is 80.00, under 81", "error[gate]: recall is 66.67, under 67",
    ]  # fmt: skip
    assert run("score", *pair, "--fail-under", "LAS=1").exit_code == 2


def test_spans_that_are_not_well_formed(run: Run) -> None:
    pair = (write("g.iob2", SPANS), write("p.iob2", SPANS_PRED.replace("B-PER", "I-PER")))
    result = run("score", *pair, "--policy", "lenient", "--fail-under", "F1=99")
    assert result.exit_code == 1
    assert result.stderr.endswith(", under 99\n")


def test_classes(run: Run) -> None:
    pair = (write("g.tsv", CLASSES), write("p.tsv", CLASSES.replace("b\ty", "b\tx")))
    task = ("--task", "classification")
    assert run("score", *task, *pair, "--fail-under", "Accuracy=66.6").exit_code == 0
    result = run("score", *task, *pair, "--fail-under", "Accuracy=67,ROC-AUC=50")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        "error[gate]: Accuracy is 66.67, under 67",
        "error[gate]: ROC-AUC is undefined here, and was to be 50 at least",
    ]


def test_stems(run: Run) -> None:
    pair = [write(name, text) for name, text in STEMS.items()]
    name = next(iter(INDICES.values()))
    result = run("score", *pair, "--fail-under", f"{name}=1000")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"error[gate]: {name} is ")


def test_every_metric_of_trees_is_known() -> None:
    assert set(metrics.NAMES) <= set(all_metrics("ud"))
    assert all(all_metrics(task) for task in NAMES)


@pytest.mark.parametrize(
    ("score", "other", "text"),
    [(87.12, 88, "87.12"), (87.996, 88, "87.996"), (200 / 3, 66.667, "66.6667"), (80, 90, "80.00")],
)
def test_a_figure_never_looks_like_what_it_is_under(score: float, other: float, text: str) -> None:
    assert shown(score, other) == text


def test_a_quotient_in_binary_is_not_under_what_it_is(run: Run) -> None:
    # Two of three is 66.66…; a bound with all digits is held.
    assert run(*SCORE, "--fail-under", f"CLAS={200 / 3!r}").exit_code == 0
    assert run(*SCORE, "--fail-under", "CLAS=66.6666666667").exit_code == 0
    assert run(*SCORE, "--fail-under", "CLAS=66.667").exit_code == 1


# --fail-if-worse-than


def rows(
    run: Run, *arguments: str, task: str = "ud", pred: str = "p.conllu"
) -> list[dict[str, Any]]:
    """The rows of a system, which are also in rows.json."""
    gold = "g.conllu" if task == "ud" else "g.iob2"
    named = ("rows", task, "--gold", gold, "--pred", pred, "--json", "rows.json")
    assert run(*named, *arguments).exit_code == 0
    found: list[dict[str, Any]] = json.loads(Path("rows.json").read_text("utf-8"))
    return found


def changed(run: Run, **fields: object) -> None:
    """rows.json with one row, of LAS, and in it these fields."""
    Path("rows.json").unlink(missing_ok=True)
    [row] = rows(run, "--metrics", "LAS")
    row.update(fields)
    write("rows.json", json.dumps([row]))


WORSE = (*SCORE, "--fail-if-worse-than", "rows.json")


def test_the_same_system_is_not_worse(run: Run) -> None:
    rows(run)
    plain = run(*SCORE)
    result = run(*WORSE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, plain.stdout, "")


def test_a_score_is_worse_if_the_intervals_do_not_meet(run: Run) -> None:
    # Our interval of LAS is [66.67, 100].
    changed(run, score=90.0, ci=[100.0, 100.0])
    assert run(*WORSE).exit_code == 0
    changed(run, score=100.0, ci=[100.001, 100.002])
    result = run(*WORSE)
    assert result.exit_code == 1
    assert result.stderr == (
        "error[gate]: LAS is 80.00 [66.67, 100.00], worse beyond noise than 100.00 "
        "[100.00, 100.00] of rows.json\n"
    )
    assert result.stdout == run(*SCORE).stdout


def test_a_row_without_interval_is_held_to_ours_and_half_a_point(run: Run) -> None:
    changed(run, score=100.0, ci=None)
    assert run(*WORSE).exit_code == 0
    changed(run, score=100.001, ci=None)
    assert run(*WORSE).exit_code == 1


def test_a_better_score_is_never_worse(run: Run) -> None:
    changed(run, score=10.0, ci=[9.0, 11.0])
    assert run(*WORSE).exit_code == 0


def test_our_interval_is_made_as_that_of_the_row(run: Run) -> None:
    changed(run, score=99.0, ci=None)
    assert run(*WORSE).exit_code == 0
    # At a level that leaves nothing but the middle our interval is narrower.
    changed(run, score=99.0, ci=None, level=0.01)
    assert run(*WORSE).exit_code == 1


def test_metrics_without_intervals_have_half_a_point(run: Run) -> None:
    pair = [write(name, text) for name, text in STEMS.items()]
    named = ("rows", "stemming", "--gold", pair[0], "--pred", pair[1], "--json", "rows.json")
    assert run(*named).exit_code == 0
    held = ("score", *pair, "--fail-if-worse-than", "rows.json")
    assert run(*held).exit_code == 0
    found = json.loads(Path("rows.json").read_text("utf-8"))
    row = next(row for row in found if row["score"] is not None)
    for more, status in ((0.5, 0), (0.51, 1)):
        write("rows.json", json.dumps([{**row, "score": row["score"] + more}]))
        assert run(*held).exit_code == status


def test_rows_of_other_tasks_are_not_looked_at(run: Run) -> None:
    write("g.iob2", SPANS)
    write("p.iob2", SPANS_PRED)
    rows(run, "--metrics", "LAS")
    assert len(rows(run, task="span", pred="p.iob2")) == 3
    assert run(*WORSE).exit_code == 0
    assert run("score", "g.iob2", "p.iob2", "--fail-if-worse-than", "rows.json").exit_code == 0


def test_spans_are_held_to_their_names(run: Run) -> None:
    write("g.iob2", SPANS)
    write("p.iob2", SPANS.replace("B-LOC", "O").replace("B-PER", "O"))
    write("q.iob2", SPANS)
    rows(run, "--metrics", "F1,recall", task="span", pred="q.iob2")
    result = run("score", "g.iob2", "p.iob2", "--fail-if-worse-than", "rows.json")
    assert result.exit_code == 1
    assert [line.split(" is ")[0] for line in result.stderr.splitlines()] == [
        "error[gate]: F1", "error[gate]: recall",
    ]  # fmt: skip


def test_strict_metrics_are_held_without_being_shown(run: Run) -> None:
    rows(run, "--metrics", "LAS")
    rows(run, "--metrics", "LASFull")
    result = run(*WORSE)
    assert (result.exit_code, result.stdout, result.stderr) == (0, run(*SCORE).stdout, "")


def test_a_row_that_is_undefined_holds_nothing(run: Run) -> None:
    changed(run, score=None, ci=None)
    assert run(*WORSE).exit_code == 0


def test_a_score_that_has_become_undefined_is_worse(run: Run) -> None:
    rows(run, "--metrics", "LAS,UPOS")
    write("p.conllu", without_heads(PRED))
    result = run(*WORSE)
    assert result.exit_code == 1
    assert "error[gate]: LAS is undefined here, and was 80.00 [66.67, 100.00] of" in result.stderr


def test_both_gates_at_once(run: Run) -> None:
    changed(run, score=100.0, ci=[100.001, 100.002])
    result = run(*WORSE, "--fail-under", "UPOS=81")
    assert result.exit_code == 1
    assert [line.split()[1] for line in result.stderr.splitlines()] == ["UPOS", "LAS"]


def test_rows_of_another_gold_or_signature_are_warned_of(run: Run) -> None:
    changed(run, gold_sha256="0" * 64)
    result = run(*WORSE)
    assert result.exit_code == 0
    assert result.stderr.startswith("rows.json:1:1: warning[gate]: the rows are of another gold; ")
    rows(run, "--metrics", "LAS")
    result = run(*WORSE, "--match", "sent_id")
    assert "warning[gate]: the rows have another signature; " in result.stderr
    assert run(*WORSE).stderr == ""


def test_another_version_is_no_other_signature(run: Run) -> None:
    signature = "goldlens|task:ud|match:auto|policy:official|strict:yes|profile:none|version:0"
    changed(run, signature=signature)
    assert run(*WORSE).stderr == ""


def test_rows_are_never_overwritten_by_the_score(run: Run) -> None:
    changed(run)
    before = Path("rows.json").read_bytes()
    result = run(*WORSE, "-o", "rows.json")
    assert result.exit_code == 2
    assert "error[same-file]: -o would overwrite the rows" in result.stderr
    assert Path("rows.json").read_bytes() == before


def test_sentences_that_are_left_out_have_no_rows(run: Run) -> None:
    changed(run)
    result = run(*WORSE, "--predicted-only")
    assert (result.exit_code, result.stdout) == (2, "")


ROW = {"metric": "LAS", "score": 80.0, "ci": [70.0, 90.0], "signature": "goldlens|task:ud"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "error[file]: there is no such file"),
        ("", "error[rows-file]: the file is no JSON"),
        ("\xff", "error[rows-file]: the file is no JSON"),
        ("[" * 100_000, "error[rows-file]: the file is no JSON"),
        ("{}", "error[rows-file]: the file is no list of rows"),
        ("[1]", "error[rows-file]: the file is no list of rows"),
        ("[]", "error[rows-file]: the file has no row of ud; "),
        ([{}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "score": "80"}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "score": True}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "score": float("nan")}], "error[rows-file]: the file has an object that is no"),
        ([{**ROW, "score": 10**400}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "ci": [1]}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "ci": 3}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "seed": -1}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "resamples": 5}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "level": 2}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "signature": "x"}], "error[rows-file]: the file has an object that is no row"),
        ([{**ROW, "metric": "Nope"}], "error[rows-file]: ud has no metric 'Nope'"),
        (
            [{**ROW, "signature": "goldlens|task:span"}],
            "error[rows-file]: the file has no row of ud",
        ),
        (
            [ROW, {**ROW, "component": "other"}],
            "error[rows-file]: the file has 2 rows of LAS; name ",
        ),
    ],
)
def test_files_that_cannot_be_held_to(run: Run, text: Any, said: str) -> None:
    if text is not None:
        data = text if isinstance(text, str) else json.dumps(text)
        write("rows.json", data.encode("latin-1"))
    result = run(*WORSE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"rows.json:1:1: {said}")
    assert len(result.stderr.splitlines()) == 1


def test_rows_are_not_standard_input(run: Run) -> None:
    result = run(*SCORE, "--fail-if-worse-than", "-", stdin=b"[]")
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>:1:1: error[rows-file]: ")
