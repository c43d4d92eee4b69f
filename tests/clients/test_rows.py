"""`goldlens rows`: what is printed, what is written, and which calls are refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import yaml

from tests.clients.conftest import GOLD, PRED, Run

ROWS = ("rows", "ud", "--gold", "g.conllu", "--pred", "p.conllu")
NAMED = (*ROWS, "--component", "parser", "--language", "en", "--dataset", "two sentences")

SPANS = "Ada\tB-PER\nran\tO\n\nso\tO\n\n"


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    Path("b.conllu").write_text(PRED.replace("\tdet\t", "\tamod\t"), "utf-8")


class TestMarkdown:
    def test_is_printed_where_no_file_is_named(self, run: Run) -> None:
        result = run(*NAMED, "--metrics", "LAS, UPOS", "--reference", "LAS=80.4,UPOS=90")
        assert result.exit_code == 0
        assert result.stdout == (
            "| Component | Language | Metric | Score | 95% CI | Reference | Within noise |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n"
            "| parser | en | LAS | 80.00 | [66.67, 100.00] | 80.40 | yes |\n"
            "| parser | en | UPOS | 80.00 | [50.00, 100.00] | 90.00 | yes |\n"
        )
        assert result.stderr == ""

    def test_has_all_metrics_where_none_is_named(self, run: Run) -> None:
        lines = run(*ROWS).stdout.splitlines()
        assert [line.split(" | ")[2] for line in lines[2:6]] == [
            "Tokens", "Sentences", "Words", "UPOS",
        ]  # fmt: skip

    def test_strict_metrics_can_be_asked_for(self, run: Run) -> None:
        assert "| LASFull.recall | 80.00 |" in run(*ROWS, "--metrics", "LASFull.recall").stdout
        assert "LASFull" not in run(*ROWS).stdout


class TestJson:
    def test_every_field(self, run: Run) -> None:
        result = run(
            *NAMED, "--metrics", "LAS", "--reference", "LAS=70", "--reference-source", "a paper",
            "--ref-pred", "b.conllu", "--resamples", "200", "--level", "0.9", "--seed", "7",
            "--json", "-",
        )  # fmt: skip
        [row] = json.loads(result.stdout)
        assert row["signature"].startswith("goldlens|task:ud|match:auto|policy:official|")
        assert (row["score"], row["reference"], row["reference_ci"]) == (80.0, 70.0, None)
        assert (row["resamples"], row["level"], row["seed"], row["units"]) == (200, 0.9, 7, 2)
        assert (row["correct"], row["gold"], row["predicted"]) == (4, 5, 5)
        assert row["difference"] == 20.0
        assert row["reference_source"] == "a paper"
        assert len(row["gold_sha256"]) == len(row["pred_sha256"]) == 64
        assert row["gold_sha256"] != row["pred_sha256"]

    @pytest.mark.parametrize(
        ("flags", "sources"),
        [
            ((), ["b.conllu", "b.conllu"]),
            (("--reference-source", "ours"), ["ours", "ours"]),
            (("--reference", "LAS=70"), ["", "b.conllu"]),
            (("--reference", "LAS=70", "--reference-source", "a paper"), ["a paper", "b.conllu"]),
        ],
    )
    def test_where_references_come_from(
        self, run: Run, flags: tuple[str, ...], sources: list[str]
    ) -> None:
        call = (*ROWS, "--metrics", "LAS,UAS", "--ref-pred", "b.conllu", "--json", "-")
        found = json.loads(run(*call, *flags).stdout)
        assert [row["reference_source"] for row in found] == sources

    def test_the_same_seed_gives_the_same_bytes(self, run: Run) -> None:
        call = (*NAMED, "--json", "-", "--seed", "5")
        assert run(*call).stdout_bytes == run(*call).stdout_bytes

    def test_a_reference_system_is_the_reference_where_nothing_is_published(self, run: Run) -> None:
        result = run(*ROWS, "--metrics", "LAS", "--ref-pred", "p.conllu", "--json", "-")
        [row] = json.loads(result.stdout)
        assert row["reference"] == row["score"]
        assert row["reference_ci"] == row["ci"]
        assert (row["difference_ci"], row["differ"], row["within_noise"]) == ([0, 0], False, True)
        assert row["reference_source"] == "p.conllu"


class TestTasks:
    def test_spans(self, run: Run) -> None:
        Path("g.iob2").write_text(SPANS, "utf-8")
        Path("p.iob2").write_text(SPANS.replace("B-PER", "B-LOC"), "utf-8")
        result = run("rows", "span", "--gold", "g.iob2", "--pred", "p.iob2", "--metrics", "F1")
        assert "| F1 | 0.00 | [0.00, 0.00] |" in result.stdout

    def test_one_unit_gives_no_information(self, run: Run) -> None:
        Path("g.iob2").write_text("Ada\tB-PER\n\n", "utf-8")
        Path("p.iob2").write_text("Ada\tB-PER\n\n", "utf-8")
        result = run("rows", "span", "--gold", "g.iob2", "--pred", "p.iob2", "--metrics", "F1")
        assert result.exit_code == 0 and "[100.00, 100.00]" in result.stdout
        assert result.stderr == (
            "g.iob2:1:1: warning[one-unit]: gold has one sentence, which gives an interval no "
            "width; trust none of them\n"
        )

    def test_classes(self, run: Run) -> None:
        Path("g.tsv").write_text("id\tlabel\na\tx\nb\ty\n", "utf-8")
        Path("p.tsv").write_text("id\tlabel\na\tx\nb\tx\n", "utf-8")
        call = ("rows", "classification", "--gold", "g.tsv", "--pred", "p.tsv")
        assert "| Accuracy | 50.00 | [0.00, 100.00] |" in run(*call).stdout


class TestFiles:
    def test_all_formats_at_once(self, run: Run) -> None:
        result = run(
            *NAMED, "--metrics", "LAS", "--json", "r.json", "--markdown", "r.md", "--csv", "r.csv",
            "--latex", "r.tex", "--hf", "card.md",
        )  # fmt: skip
        assert (result.exit_code, result.output) == (0, "")
        assert json.loads(Path("r.json").read_text("utf-8"))[0]["metric"] == "LAS"
        assert Path("r.md").read_text("utf-8").count("\n") == 3
        [record] = csv.DictReader(Path("r.csv").read_text("utf-8").splitlines())
        assert record["score"] == "80.0"
        assert "\\toprule" in Path("r.tex").read_text("utf-8")
        matter = Path("card.md").read_text("utf-8").split("---\n")[1]
        assert yaml.safe_load(matter)["model-index"][0]["name"] == "parser"

    def test_a_file_that_is_there_is_extended_and_updated(self, run: Run) -> None:
        Path("README.md").write_text("# Ours\n\ntext\n", "utf-8")
        run(*NAMED, "--metrics", "LAS,UPOS", "--markdown", "README.md")
        before = Path("README.md").read_text("utf-8")
        run(*NAMED, "--metrics", "LAS,UAS", "--reference", "LAS=1", "--markdown", "README.md")
        after = Path("README.md").read_text("utf-8")
        assert before.startswith("# Ours\n\ntext\n\n| Component |")
        lines = after.splitlines()
        assert [line.split(" | ")[2] for line in lines[6:]] == ["LAS", "UPOS", "UAS"]
        assert lines[6].endswith("| 1.00 | no |")

    def test_one_that_cannot_be_read_stays_and_so_do_all_others(self, run: Run) -> None:
        Path("r.csv").write_text("component,language,dataset,metric\na\n", "utf-8")
        result = run(*NAMED, "--json", "r.json", "--csv", "r.csv")
        assert result.exit_code == 2
        assert result.stderr == (
            "r.csv:2:1: error[rows-file]: 1 cells where the header has 4; repair the row\n"
        )
        assert Path("r.csv").read_text("utf-8") == "component,language,dataset,metric\na\n"
        assert not Path("r.json").exists()

    def test_a_file_that_is_no_text(self, run: Run) -> None:
        Path("r.md").write_bytes(b"\n\xff")
        result = run(*NAMED, "--markdown", "r.md")
        assert result.exit_code == 2
        assert result.stderr.startswith("r.md:2:1: error[rows-file]: the file is no UTF-8 text")

    def test_line_ends_of_the_file_stay(self, run: Run) -> None:
        Path("r.md").write_bytes(b"a\r\n\r\nb\n")
        run(*NAMED, "--metrics", "LAS", "--markdown", "r.md")
        assert Path("r.md").read_bytes().startswith(b"a\r\n\r\nb\n\n|")


class TestBadCalls:
    @pytest.mark.parametrize(
        ("flags", "what"),
        [
            (["--resamples", "99"], "99 resamples are too few; there must be at least 100"),
            (["--level", "1"], "the level 1.0 is none; give one between 0 and 1"),
            (["--level", "95"], "the level 95.0 is none"),
            (["--metrics", "LASS"], "unknown metric 'LASS'; did you mean LAS? this task"),
            (["--reference", "LASS=80"], "unknown metric 'LASS'"),
            (["--reference", "LAS=80", "--reference", "UAS=1,LAS=81"], "--reference has LAS twice"),
            (["--reference", "las=80"], "unknown metric 'las'"),
            (["--resamples", "3000000000000"], "3000000000000 resamples are too many"),
            (["--seed", "18446744073709551616"], "is not in the range"),
            (["--reference", "LAS"], "--reference has 'LAS'; give METRIC=POINTS, as LAS=88.1"),
            (["--reference", "=80"], "--reference has '=80'"),
            (["--reference", "LAS=high"], "--reference has 'LAS=high'"),
            (["--reference", "LAS=881"], "the reference LAS is 881.0; give points, 0 to 100"),
            (["--reference", "LAS=nan"], "the reference LAS is nan; give points, 0 to 100"),
            (["--seed", "-1"], "-1 is not in the range"),
            (["--json", "x", "--csv", "x"], "two formats would go to one place"),
            (["--json", "-", "--csv", "-"], "two formats would go to one place"),
            (["--json", "p.conllu"], "--json would overwrite the prediction; name another file"),
            (["--json", "."], "--json names a folder"),
            (["--pred", "nowhere"], "nowhere:1:1: error[file]"),
            (["--ref-pred", "nowhere"], "nowhere:1:1: error[file]"),
            (["--gold", "-", "--pred", "-"], "only one of the files can be standard input"),
        ],
    )
    def test_are_refused_in_one_line(self, run: Run, flags: list[str], what: str) -> None:
        result = run(*ROWS, *flags)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert what in result.stderr and result.stderr.count("\n") == 1

    def test_a_pair_that_the_official_policy_refuses(self, run: Run) -> None:
        Path("p.conllu").write_text(PRED.replace("\t0\troot", "\t1\troot", 1), "utf-8")
        result = run(*ROWS)
        assert result.exit_code == 2
        assert "error[refused]" in result.stderr and result.stdout == ""
        assert run(*ROWS, "--policy", "lenient").exit_code == 0

    def test_a_reference_system_that_is_refused(self, run: Run) -> None:
        Path("b.conllu").write_text(GOLD.replace("\t0\troot", "\t1\troot", 1), "utf-8")
        result = run(*ROWS, "--ref-pred", "b.conllu")
        assert result.exit_code == 2
        assert "b.conllu:" in result.stderr
