"""`goldlens analyze`: where errors come from, told in tables and as JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.analyze import command
from goldlens.scoring.analysis.analysis import EVERY
from tests.clients.conftest import GOLD, PRED, Process, Run

pytestmark = pytest.mark.usefixtures("folder")

PAIR = ("g.conllu", "p.conllu")


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_an_overview_has_the_costliest_the_most_frequent_and_groups(run: Run) -> None:
    result = run("analyze", *PAIR)
    assert (result.exit_code, result.stderr) == (0, "")
    found = lines(result.stdout)
    assert found[:3] == [
        "Costliest (gold → predicted) Count Share LAS gain At best Line",
        "DEPREL nsubj → obj 1 100.00 +20.00 +20.00 3",
        "UPOS VERB → NOUN 1 100.00 +0.00 +0.00 7",
    ]
    assert "Most frequent Count Share LAS gain At best Line" in found
    assert "Relation Gold Predicted UPOS UFeats Lemmas UAS LAS LAS prec. LAS F1" in found
    assert "nsubj 1 0 100.00 100.00 100.00 100.00 0.00 n/a 0.00" in found
    assert "LAS: 80.00" in found
    assert "Errors in deprel: 1, of 1 kind; without them LAS +20.00" in found
    assert "Left out: form, since no training file is named (--train)" in found


def test_words_that_face_none_are_told_apart(run: Run, folder: Path) -> None:
    split = PRED.replace("2\tcat\tcat", "2\tca\tca").replace(
        "3\tsleeps", "3\tt\tt\tNOUN\t_\t_\t2\tflat\t_\t_\n4\tsleeps"
    )
    Path("s.conllu").write_text(split.replace("\t3\tobj", "\t4\tobj"), "utf-8")
    found = lines(run("analyze", "g.conllu", "s.conllu").stdout)
    assert "Words that face none: 1 of gold, 2 of the prediction" in found
    heads = next(line for line in found if line.startswith("Errors in heads"))
    assert heads.endswith("of 1 gold's head faces no word")
    assert not any(line.startswith("Words that") for line in lines(run("analyze", *PAIR).stdout))


def test_one_thing_alone_with_its_matrix(run: Run) -> None:
    found = lines(run("analyze", *PAIR, "--what", "upos", "--metric", "UPOS").stdout)
    assert found[:2] == [
        "Gold → predicted Count Share UPOS gain At best Line",
        "UPOS VERB → NOUN 1 100.00 +20.00 +20.00 7",
    ]
    at = found.index("Gold \\ predicted VERB NOUN DET PUNCT")
    assert found[at + 1] == "VERB 1 1 0 0"
    assert not any(line.startswith("Costliest") for line in found)


def test_json_says_all_of_it(run: Run) -> None:
    found = json.loads(run("analyze", *PAIR, "--json").stdout)
    assert list(found) == [
        "task", "signature", "gold", "pred", "metric", "score", "costliest", "sections",
        "left_out", "unaligned", "covered",
    ]  # fmt: skip
    score = json.loads(run("score", *PAIR, "--policy", "lenient", "--json").stdout)
    assert found["score"] == score["metrics"]["LAS"]["f1"]
    for key in ("signature", "gold", "pred", "covered"):
        assert found[key] == score[key]
    assert found["costliest"][0]["places"] == [
        {"name": "one", "line": 3, "gold_line": 3, "text": "cat"}
    ]


def test_a_file_gets_the_tables(run: Run) -> None:
    shown = run("analyze", *PAIR).stdout
    assert run("analyze", *PAIR, "-o", "out.txt").stdout == ""
    assert Path("out.txt").read_text("utf-8") == shown


def test_top_limits_what_is_listed(run: Run) -> None:
    Path("p.conllu").write_text(PRED.replace("\tdet\t", "\tcase\t"), "utf-8")
    found = json.loads(run("analyze", *PAIR, "--what", "deprel", "--top", "1", "--json").stdout)
    [section] = found["sections"]
    assert len(section["confusions"]["listed"]) == len(found["costliest"]) == 1
    assert section["confusions"]["distinct"] == section["confusions"]["errors"] == 2


def test_a_pair_that_would_be_refused_is_analysed_and_that_is_said(run: Run) -> None:
    Path("p.conllu").write_text(PRED.replace("0\troot", "9\troot", 1), "utf-8")
    result = run("analyze", *PAIR)
    assert result.exit_code == 0
    assert result.stderr == (
        "p.conllu:1:1: warning[refused]: the official policy refuses this pair for 1 cause, and it "
        "is analysed all the same; “goldlens score” lists them\n"
    )
    assert "HEAD ROOT → – 1 100.00 +20.00 +20.00 4" in lines(result.stdout)
    refused = run("analyze", *PAIR, "--policy", "official")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "error[head-out-of-range]" in refused.stderr


def test_a_tagging_prediction_is_analysed_by_its_tags(run: Run) -> None:
    bare = re.sub(r"\t\d\t\w+\t_\t_$", "\t_\t_\t_\t_", PRED, flags=re.M)
    Path("p.conllu").write_text(bare, "utf-8")
    found = lines(run("analyze", *PAIR).stdout)
    assert "UPOS: 80.00" in found
    assert any(
        line.startswith("Left out: deprel, deprel-full, heads, since no word of the prediction")
        for line in found
    )
    wrong = run("analyze", *PAIR, "--metric", "LAS")
    assert wrong.exit_code == 2
    assert "LAS is undefined: no word of the prediction has a HEAD" in wrong.stderr


def test_words_seen_in_training_are_told_from_others(run: Run) -> None:
    Path("train.conllu").write_text("1\tcat\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    Path("more.conllu").write_text("1\tA\ta\tDET\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    call = ("analyze", *PAIR, "--what", "form", "--train", "train.conllu")
    found = lines(run(*call).stdout)
    assert found[1] == "seen 1 100.00 100.00 100.00 100.00 0.00"
    assert found[2].startswith("unseen 4 75.00 ")
    assert "seen 2 " in lines(run(*call, "--train", "more.conllu").stdout)[1]


def test_a_training_file_of_the_same_size_is_another_file(run: Run) -> None:
    Path("train.conllu").write_text(GOLD.replace("cat", "dog"), "utf-8")
    found = lines(run("analyze", *PAIR, "--what", "form", "--train", "train.conllu").stdout)
    assert [line.split()[:2] for line in found[1:3]] == [["seen", "4"], ["unseen", "1"]]


def test_an_overview_leaves_features_to_those_who_ask(run: Run) -> None:
    Path("g.conllu").write_text(GOLD.replace("VERB\t_\t_", "VERB\t_\tMood=Ind"), "utf-8")
    overview = lines(run("analyze", *PAIR).stdout)
    assert "FEATS Mood Ind → – 2 100.00 +0.00 +0.00 4" in overview
    assert not any(line.startswith("Feature") for line in overview)
    assert "Mood 2 0 0.00 n/a 0.00" in lines(run("analyze", *PAIR, "--what", "feats").stdout)


def test_an_overview_says_how_many_groups_it_does_not_show(run: Run) -> None:
    row = "1\tA\ta\tT{}\t_\t_\t0\troot\t_\t_\n\n"
    text = "".join(row.format(k) for k in range(12))
    Path("g.conllu").write_text(text, "utf-8")
    Path("p.conllu").write_text(text, "utf-8")
    found = lines(run("analyze", *PAIR).stdout)
    assert "Not shown: 2 groups of upos; --what shows all" in found
    assert sum(bool(re.match(r"T\d+ 1 1 ", line)) for line in found) == 10
    every = lines(run("analyze", *PAIR, "--what", "upos").stdout)
    assert sum(bool(re.match(r"T\d+ 1 1 ", line)) for line in every) == 12


def test_a_pair_without_errors_or_without_words_has_no_empty_tables(run: Run) -> None:
    Path("p.conllu").write_text(GOLD, "utf-8")
    perfect = run("analyze", *PAIR).stdout
    assert "→" not in perfect
    assert "LAS: 100.00" in perfect
    for name in PAIR:
        Path(name).write_text("", "utf-8")
    empty = run("analyze", *PAIR)
    assert empty.exit_code == 0
    assert empty.stdout.startswith("Signature: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--what", "tags"), "error[usage]: unknown what 'tags'; expected one of overview, upos"),
        (("--metric", "LASS"), "error[usage]: unknown metric 'LASS'; expected one of UPOS"),
        (("--what", "form"), "nothing is said of form: no training file is named"),
        (("--what", "document"), "nothing is said of document: gold has no “# newdoc”"),
        (("--top", "0"), "error[usage]: Invalid value for '--top'"),
        (("--train", "none.conllu"), "none.conllu:1:1: error[file]: there is no such file"),
        (("--train", "g.conllu"), "g.conllu:1:1: error[same-file]: this training file is g.conllu"),
        (("--train", "copy.conllu"), "copy.conllu:1:1: error[same-file]: this training file is g."),
        (("--train", "notes.txt"), "notes.txt:1:1: error[training]: this training file has no"),
        (("-o", "p.conllu"), "p.conllu:1:1: error[same-file]: -o would overwrite the prediction"),
        (("--train", "notes.txt", "-o", "notes.txt"), "-o would overwrite a training file"),
        (("--task", "span", "--train", "notes.txt"), "--train is for UD, and this is span"),
    ],
)
def test_a_call_that_is_wrong_writes_nothing(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    Path("copy.conllu").write_text(GOLD, "utf-8")
    Path("notes.txt").write_text("nothing of the kind\n", "utf-8")
    before = {path: path.read_bytes() for path in Path().iterdir()}
    result = run("analyze", *PAIR, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_spans_and_classes_have_tables_of_their_own(run: Run) -> None:
    Path("g.iob2").write_text("a\tB-X\nb\tO\nc\tB-Y\n\n", "utf-8")
    Path("p.iob2").write_text("a\tB-Y\nb\tB-X\nc\tB-Y\n\n", "utf-8")
    spans = lines(run("analyze", "g.iob2", "p.iob2").stdout)
    assert "type X → Y 1 50.00 +40.00 1" in spans
    assert "spurious – → X 1 50.00 +10.00 2" in spans
    alone = lines(run("analyze", "g.iob2", "p.iob2", "--what", "class").stdout)
    assert "type 1 50.00 +40.00 1" in alone
    Path("g.tsv").write_text("1\tx\n2\ty\n", "utf-8")
    Path("p.tsv").write_text("1\tx\n2\tx\n", "utf-8")
    classes = run("analyze", "--task", "classification", "g.tsv", "p.tsv").stdout
    assert "y → x 1 100.00 +50.00 2" in lines(classes)


def test_stems_are_told_where_to_go(run: Run) -> None:
    Path("g.tsv").write_text("run\trunning\n", "utf-8")
    Path("p.tsv").write_text("run\trun\nrunning\trun\n", "utf-8")
    result = run("analyze", "--task", "stemming", "g.tsv", "p.tsv")
    assert result.exit_code == 2
    assert "“goldlens stem --audit” lists the groups" in result.stderr


def test_one_file_may_be_standard_input(run: Run, process: Process) -> None:
    found = run("analyze", "g.conllu", "-", stdin=PRED.encode())
    assert found.stdout == run("analyze", *PAIR).stdout
    whole = process("analyze", "g.conllu", "-", "--json", stdin=PRED.encode())
    assert json.loads(whole.stdout)["pred"]["path"] == "<stdin>"
    twice = run("analyze", "g.conllu", "-", "--train", "-", stdin=b"")
    assert "only one of the files can be standard input" in twice.stderr


def test_the_help_names_all_that_can_be_asked() -> None:
    [what] = [option for option in command.params if option.name == "what"]
    said: Any = what
    named = set(re.findall(r"[a-z][a-z-]+", said.help.split("look at.")[1]))
    assert named == {*EVERY[1:]} | {"pans", "lassification"}
