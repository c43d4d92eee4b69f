"""`goldlens score`: figures, what is said of them, and where they go."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import on_terminal
from tests.clients.rows import write

pytestmark = pytest.mark.usefixtures("folder")

SECOND = "# sent_id = two"


def figures(stdout: str) -> dict[str, list[str]]:
    """The rows of the plain table by their first cell."""
    return {line.split()[0]: line.split()[1:] for line in stdout.split("\n\n")[0].split("\n")}


def edit(file: str, old: str, new: str) -> None:
    text = Path(file).read_text("utf-8")
    assert old in text
    Path(file).write_text(text.replace(old, new), "utf-8")


def without_second(file: str) -> None:
    text = Path(file).read_text("utf-8")
    Path(file).write_text(text[: text.index(SECOND)], "utf-8")


def test_the_table_has_counts_made_by_hand(run: Any) -> None:
    result = run("score", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    assert result.stderr == ""
    rows = figures(result.stdout)
    assert list(rows) == ["Metric", *["Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX"]]  # fmt: skip # noqa: E501
    assert rows["UPOS"] == ["80.00", "80.00", "80.00", "80.00", "4", "5", "5"]
    assert rows["LAS"] == ["80.00", "80.00", "80.00", "80.00", "4", "5", "5"]
    assert rows["UAS"] == ["100.00", "100.00", "100.00", "100.00", "5", "5", "5"]
    # Content words: cat, sleeps, Run; only the label of cat is wrong, and the tag of Run.
    assert rows["CLAS"] == ["66.67", "66.67", "66.67", "66.67", "2", "3", "3"]
    assert rows["MLAS"][4:] == ["1", "3", "3"]
    assert rows["Sentences"] == ["100.00", "100.00", "100.00", "n/a", "2", "2", "2"]


def test_numbers_are_aligned_to_the_right(run: Any) -> None:
    lines = run("score", "g.conllu", "p.conllu").stdout.split("\n\n")[0].split("\n")
    assert len({len(line) for line in lines}) == 1
    assert lines[0].startswith("Metric ") and lines[0].endswith("Predicted")


def test_below_the_table_stand_signature_and_coverage(run: Any) -> None:
    below = run("score", "g.conllu", "p.conllu").stdout.split("\n\n")[1].split("\n")
    assert below[0].startswith("Signature: goldlens|task:ud|match:auto|policy:official|strict:no|")
    assert below[1] == "Compared: all 2 sentences of gold"
    assert below[2] == "Official script: would score this pair too"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--match", "sent_id"], "match:sent_id|"),
        (["--match", "stream"], "match:stream|"),
        (["--policy", "lenient"], "policy:lenient|"),
        (["--strict"], "strict:yes|"),
        (["--predicted-only"], "only:predicted|"),
        (["--annotated-only"], "only:annotated|"),
        (["--predicted-only", "--annotated-only"], "only:annotated|"),
        (["--task", "ud"], "task:ud|"),
    ],
)
def test_every_option_is_in_the_signature(run: Any, options: list[str], part: str) -> None:
    result = run("score", *options, "g.conllu", "p.conllu")
    assert result.exit_code == 0
    assert part in result.stdout


def test_strict_adds_the_strict_metrics(run: Any) -> None:
    rows = figures(run("score", "--strict", "g.conllu", "p.conllu").stdout)
    assert {"UFeatsAll", "AllTagsAll", "LASFull"} <= set(rows)


def test_json_has_the_counts_in_full(run: Any) -> None:
    result = run("score", "--json", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["task"] == "ud"
    assert found["gold"]["path"] == "g.conllu"
    assert len(found["pred"]["sha256"]) == 64
    assert found["metrics"]["LAS"] == {
        "correct": 4,
        "gold": 5,
        "predicted": 5,
        "aligned": 5,
        "precision": 80.0,
        "recall": 80.0,
        "f1": 80.0,
        "aligned_accuracy": 80.0,
    }
    assert found["metrics"]["CLAS"]["f1"] == pytest.approx(200 / 3, abs=1e-12)
    assert found["metrics"]["Words"]["aligned_accuracy"] is None
    assert found["covered"] == {"compared": 2, "missing": [], "extra": [], "mismatch": []}
    assert found["would_refuse"] == []


def test_what_the_prediction_lacks_counts_unless_left_out(run: Any) -> None:
    without_second("p.conllu")
    all_of_it = run("score", "--match", "sent_id", "g.conllu", "p.conllu")
    assert figures(all_of_it.stdout)["Words"][4:] == ["3", "5", "3"]
    assert "Compared: 1 of 2 sentences of gold" in all_of_it.stdout
    assert "Missing: 1 sentence of gold" in all_of_it.stdout
    assert "counted against recall: two (line 6)" in all_of_it.stdout
    part = run("score", "--predicted-only", "g.conllu", "p.conllu")
    assert figures(part.stdout)["Words"][4:] == ["3", "3", "3"]
    assert "Compared: the one sentence of gold that the prediction has" in part.stdout
    assert "left out: two (line 6)" in part.stdout


def test_what_gold_lacks_counts_against_precision(run: Any) -> None:
    without_second("g.conllu")
    result = run("score", "--match", "sent_id", "g.conllu", "p.conllu")
    assert figures(result.stdout)["Words"][4:] == ["3", "3", "5"]
    assert "Extra: 1 sentence that gold lacks, counted against precision: two (line 6)" in (
        result.stdout
    )


def test_annotated_only_leaves_out_what_has_no_heads_yet(run: Any) -> None:
    edit("p.conllu", "NOUN	_	_	0	root", "NOUN	_	_	_	_")
    edit("p.conllu", "PUNCT	_	_	1	punct", "PUNCT	_	_	_	_")
    rows = figures(run("score", "--annotated-only", "g.conllu", "p.conllu").stdout)
    assert rows["Words"][4:] == ["3", "3", "3"]
    assert run("score", "--predicted-only", "g.conllu", "p.conllu").exit_code == 2


def test_other_text_counts_as_wrong_under_the_lenient_policy(run: Any) -> None:
    edit("p.conllu", "Run	", "Ran	")
    result = run("score", "--policy", "lenient", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    assert "Compared: 1 of 2 sentences of gold" in result.stdout
    assert "Mismatch: 1 sentence of gold whose text differs, counted as wrong: two (line 6)" in (
        result.stdout
    )
    assert "would refuse this pair, for 1 cause (stream-mismatch 1)" in result.stdout
    assert figures(result.stdout)["Words"][4:] == ["3", "5", "5"]


def test_only_the_first_sentences_are_named(run: Any) -> None:
    more = "".join(
        f"# sent_id = m{n}\n1\tx{n}\tx\tX\t_\t_\t0\troot\t_\t_\n\n" for n in range(7)
    )  # fmt: skip
    with Path("g.conllu").open("a", encoding="utf-8") as file:
        file.write(more)
    result = run("score", "--match", "sent_id", "g.conllu", "p.conllu")
    assert "m4 (line 22) and 2 more; --json names all" in result.stdout


def test_a_tagging_prediction_has_no_attachment(run: Any) -> None:
    for old in ("2	det", "3	obj", "0	root", "1	punct"):
        edit("p.conllu", f"_	_	{old}", "_	_	_	_")
    result = run("score", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    rows = figures(result.stdout)
    assert rows["LAS"] == ["n/a"] * 7
    assert rows["UPOS"][2] == "80.00"
    assert "Note: no word of the prediction has a HEAD" in result.stdout
    assert "UAS, LAS, CLAS, MLAS, BLEX are undefined" in result.stdout
    assert (
        json.loads(run("score", "--json", "g.conllu", "p.conllu").stdout)["metrics"]["LAS"] is None
    )


# Refused pairs


def spoil() -> None:
    """A cause in gold, and two in the prediction, the later one in the first column asked."""
    edit("g.conllu", "DET	_	_	2	det", "DET	_	_	7	det")
    edit("p.conllu", "VERB	_	_	0	root", "VERB	_	_	x	root")
    edit("p.conllu", "PUNCT	_	_	1	punct", "PUNCT	_	_	9	punct")


def test_a_refused_pair_names_every_cause_in_order(run: Any) -> None:
    spoil()
    result = run("score", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert [line.split(": ")[0] for line in lines[:-1]] == [
        "g.conllu:2:15",
        "p.conllu:4:25",
        "p.conllu:8:17",
    ]
    assert lines[0].split(": ")[1] == "error[head-out-of-range]"
    assert lines[1].split(": ")[1] == "error[head-not-a-number]"
    assert lines[-1].startswith(
        "error[refused]: the official policy refuses this pair for 3 causes"
    )
    assert "--policy lenient" in lines[-1]


def test_a_refused_pair_is_scored_under_the_lenient_policy(run: Any) -> None:
    spoil()
    result = run("score", "--policy", "lenient", "g.conllu", "p.conllu")
    assert result.exit_code == 0
    assert "for 3 causes" in result.stdout


def test_a_refused_pair_in_json_has_no_metrics_and_every_cause(run: Any) -> None:
    spoil()
    result = run("score", "--json", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    found = json.loads(result.stdout)
    assert found["metrics"] is None
    assert [(cause["side"], cause["line"], cause["code"]) for cause in found["would_refuse"]] == [
        ("gold", 2, "head-out-of-range"),
        ("pred", 4, "head-not-a-number"),
        ("pred", 8, "head-out-of-range"),
    ]
    assert len(result.stderr.splitlines()) == 4


def test_a_refused_pair_leaves_the_output_file_alone(run: Any) -> None:
    spoil()
    Path("out").write_text("before", "utf-8")
    assert run("score", "-o", "out", "g.conllu", "p.conllu").exit_code == 2
    assert Path("out").read_text("utf-8") == "before"


def test_columns_count_characters(run: Any) -> None:
    edit(
        "p.conllu",
        "3	sleeps	sleep	VERB	_	_	0",
        "3	sleeps	šłéëp	VERB	_	_	x",
    )
    assert run("score", "g.conllu", "p.conllu").stderr.startswith("p.conllu:4:25: ")


def test_bytes_that_are_no_utf8_are_a_cause_with_their_offset(run: Any) -> None:
    data = Path("p.conllu").read_bytes()
    Path("p.conllu").write_bytes(data.replace(b"cat\tcat", b"cat\tc\xe9t"))
    result = run("score", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    first = result.stderr.splitlines()[0]
    assert first.startswith("p.conllu:3:7: error[encoding]: ")
    assert "0xE9" in first and "offset 7" in first


# Where it comes from and goes to


@pytest.mark.parametrize("side", ["gold", "pred"])
def test_a_dash_is_standard_input(run: Any, side: str) -> None:
    args = ["-", "p.conllu"] if side == "gold" else ["g.conllu", "-"]
    given = Path("g.conllu" if side == "gold" else "p.conllu").read_bytes()
    result = run("score", "--json", *args, stdin=given)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["metrics"]["LAS"]["correct"] == 4
    assert found[side]["path"] == "<stdin>"
    plain = json.loads(run("score", "--json", "g.conllu", "p.conllu").stdout)
    assert found[side]["sha256"] == plain[side]["sha256"]


def test_a_pipe_named_as_a_file_can_be_scored() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as out:
        out.write(Path("p.conllu").read_bytes())
    try:
        done = subprocess.run(
            [sys.executable, "-m", "goldlens.cli", "score", "g.conllu", f"/dev/fd/{reader}"],
            pass_fds=[reader],
            capture_output=True,
            check=False,
            timeout=60,
        )
    finally:
        os.close(reader)
    assert done.returncode == 0, done.stderr
    assert figures(done.stdout.decode())["LAS"][2] == "80.00"


def test_standard_input_begins_where_it_stands() -> None:
    data = Path("p.conllu").read_bytes()
    Path("behind").write_bytes(b"no part of it\n" + data)
    with Path("behind").open("rb", buffering=0) as file:
        file.seek(len(b"no part of it\n"))
        done = subprocess.run(
            [sys.executable, "-m", "goldlens.cli", "score", "--json", "g.conllu", "-"],
            stdin=file,
            capture_output=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pred"]["sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_o_writes_what_would_be_printed(run: Any, options: list[str]) -> None:
    printed = run("score", *options, "g.conllu", "p.conllu").stdout
    result = run("score", *options, "-o", "out", "g.conllu", "p.conllu")
    assert (result.exit_code, result.output) == (0, "")
    assert Path("out").read_text("utf-8") == printed
    assert sorted(path.name for path in Path().iterdir()) == ["g.conllu", "out", "p.conllu"]


def test_o_replaces_a_file_in_one_step_and_keeps_its_mode(run: Any) -> None:
    out = Path("out")
    out.write_text("before", "utf-8")
    out.chmod(0o640)
    Path("other").hardlink_to(out)
    assert run("score", "-o", "out", "g.conllu", "p.conllu").exit_code == 0
    assert out.read_text("utf-8").startswith("Metric")
    assert stat.S_IMODE(out.stat().st_mode) == 0o640
    # Another file has taken the name: whoever has the old one open reads on undisturbed.
    assert Path("other").read_text("utf-8") == "before"


def test_o_writes_through_a_link(run: Any) -> None:
    Path("real").write_text("before", "utf-8")
    Path("link").symlink_to("real")
    assert run("score", "-o", "link", "g.conllu", "p.conllu").exit_code == 0
    assert Path("link").is_symlink()
    assert Path("real").read_text("utf-8").startswith("Metric")


def test_o_does_not_replace_what_is_no_regular_file(run: Any) -> None:
    # A pipe stands for /dev/null, which root would lose for good if this went wrong.
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run("score", "-o", "pipe", "g.conllu", "p.conllu").exit_code == 0
        assert os.read(reader, 6) == b"Metric"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)


def test_nothing_is_left_behind_when_writing_fails(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    result = run("score", "-o", "out", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    assert result.output.startswith("out:1:1: error[file]: ")
    assert "No space left on device" in result.output
    assert sorted(path.name for path in Path().iterdir()) == ["g.conllu", "p.conllu"]


# On a terminal


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_terminal_gets_a_set_table_with_nothing_cut_short(columns: int) -> None:
    shown = on_terminal(["score", "g.conllu", "p.conllu"], columns)
    assert "\x1b[1m" in shown
    assert "p.conllu against g.conllu" in shown
    assert "…" not in shown
    for cell in ("Aligned acc.", "100.00", "66.67", "Signature: goldlens|"):
        assert cell in shown


def test_progress_shows_on_a_terminal_only_and_for_large_files_only(
    process: Any,
) -> None:
    sentences = 12_000_000 // len(Path("g.conllu").read_bytes())
    for name in ("g.conllu", "p.conllu"):
        Path(f"large-{name}").write_bytes(Path(name).read_bytes() * sentences)
    large = ["score", "large-g.conllu", "large-p.conllu"]
    assert "/23.9 MB" in on_terminal(large, errors_too=True)
    assert process(*large).stderr == b""
    assert on_terminal(["score", "g.conllu", "p.conllu"], errors_too=True) == ""


def test_many_causes_of_one_code_are_cut_and_counted(run: Any) -> None:
    gold = "".join("1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n" for _ in range(30))
    write("gold.conllu", gold)
    write("pred.conllu", gold.replace("\tX\t_", "\tX"))
    result = run("score", "gold.conllu", "pred.conllu")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert len(lines) == 22
    assert lines[20] == "… and 10 more column-count; --json lists them all"
    assert "for 30 causes; repair them" in lines[21]


def test_files_of_two_tasks_are_told_apart(run: Any) -> None:
    write("gold.conllu", "1\tw\tw\tX\t_\t_\t0\troot\t_\t_\n\n")
    write("pred.iob2", "w\tO\n\n")
    result = run("score", "gold.conllu", "pred.iob2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "pred.iob2:1:1: error[task]: by its name this is IOB2, and gold.conllu CoNLL-U; "
        "name files of one task, or say which with --task\n"
    )


def test_tags_that_are_not_read_are_told_below_the_score(run: Any) -> None:
    write("gold.iob2", "a\tB-X\nb\tO\n\n")
    for pred, said in (("a\tI-X\nb\tO\n\n", "iob2-malformed 1"), ("a\tX\nb\tO\n\n", "iob2-tag 1")):
        write("pred.iob2", pred)
        result = run("score", "gold.iob2", "pred.iob2")
        assert result.exit_code == 0
        assert f"Faulty: {said} in pred.iob2, not read" in result.stdout


@pytest.mark.parametrize(
    "pred", ["a\tb-x\nb\ti-x\nc\to\n\n", "a\tS-X\nb\tB_X\nc\t_\n\n", "a\tB\u2013X\nb\t-\nc\t0\n\n"]
)
def test_a_column_of_misspelt_tags_is_a_column_of_tags(run: Any, pred: str) -> None:
    write("gold.iob2", "a\tB-X\nb\tI-X\nc\tO\n\n")
    write("pred.iob2", pred)
    result = run("score", "gold.iob2", "pred.iob2")
    assert result.exit_code == 0
    assert "Faulty: iob2-tag 3 in pred.iob2, not read" in result.stdout


@pytest.mark.parametrize("column", ["1", "3", "-3"])
def test_a_column_without_tags_is_an_error(run: Any, column: str) -> None:
    write("gold.iob2", "a\tB-X\nb\tO\n\n")
    write("pred.iob2", "a\tB-X\nb\tB-X\n\n")
    result = run("score", "--tag-column", column, "gold.iob2", "pred.iob2")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "gold.iob2:1:1: error[columns]" in result.stderr


@pytest.mark.parametrize("threshold", ["nan", "inf", "-inf"])
def test_a_threshold_is_a_finite_number(run: Any, threshold: str) -> None:
    write("gold.tsv", "1\tx\n")
    write("pred.tsv", "1\tx=0.7\n")
    result = run("score", "--threshold", threshold, "gold.tsv", "pred.tsv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a threshold is a finite number" in result.stderr


def test_labels_that_look_alike_are_spelt_out_in_the_table(run: Any) -> None:
    write("gold.tsv", "1\tcaf\u00e9\n2\tx\n3\ty\u2028z\n")
    write("pred.tsv", "1\tcafe\u0301\n2\tx\u00a0\n3\ty\u2028z\n")
    labels = [
        line.split("  ")[0] for line in run("score", "gold.tsv", "pred.tsv").stdout.split("\n")
    ]
    assert {"caf\u00e9", "cafe\\u0301", "x", "x\\xa0", "y\\u2028z"} <= set(labels)
