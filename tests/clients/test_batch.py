"""`goldlens batch`: the rows of many pairs, what is known from before, and what fails alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.batching import pool
from goldlens.cli.batching.pairs import Question
from goldlens.cli.batching.work import Answer, answer
from tests.clients.conftest import GOLD, PRED, Run
from tests.clients.rows import write

CONFIG = """\
[[pair]]
gold = "gold/a.conllu"
pred = "runs/*/a.conllu"
component = "parser"
language = "en"
dataset = "A"
metrics = ["UPOS", "LAS"]
reference = { LAS = 80.4 }
reference-source = "a paper"

[[pair]]
task = "span"
gold = "gold/b.iob2"
pred = "runs/one/b.iob2"
component = "tagger"
metrics = ["F1"]
resamples = 200
"""

SPANS = "Ada\tB-PER\nran\tO\n\nRome\tB-LOC\n\n"
RING = GOLD.replace("2\tdet", "1\tdet")
LEDGER = Path(".goldlens-batch.jsonl")


@pytest.fixture(autouse=True)
def _here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Processes take their time to start; they have tests of their own.
    monkeypatch.setattr(pool, "in_pool", _at_once)
    write("goldlens.toml", CONFIG)
    write("gold/a.conllu", GOLD)
    write("gold/b.iob2", SPANS)
    write("runs/one/a.conllu", PRED)
    write("runs/two/a.conllu", PRED.replace("\tdet\t", "\tamod\t"))
    write("runs/one/b.iob2", SPANS.replace("B-LOC", "O"))


def _at_once(asked: Mapping[str, Question], jobs: int) -> Iterator[tuple[str, Answer]]:
    for name, question in asked.items():
        yield name, answer(question)


def rows_of(file: str = "rows.json") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Path(file).read_text("utf-8"))
    return found


def lines() -> list[dict[str, Any]]:
    """What the ledger has, without its header."""
    return [json.loads(line) for line in LEDGER.read_bytes().splitlines()[1:]]


def ended(stderr: str) -> str:
    """The last line on standard error, which says what became of all pairs."""
    return stderr.splitlines()[-1]


class TestRows:
    def test_each_match_of_a_glob_is_a_system_of_its_pair(self, run: Run) -> None:
        result = run("batch", "goldlens.toml")
        assert result.exit_code == 0
        assert result.stdout == (
            "| Component | Language | Metric | Score | 95% CI | Reference | Within noise |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n"
            "| parser/one | en | UPOS | 80.00 | [50.00, 100.00] |  |  |\n"
            "| parser/one | en | LAS | 80.00 | [66.67, 100.00] | 80.40 | yes |\n"
            "| parser/two | en | UPOS | 80.00 | [50.00, 100.00] |  |  |\n"
            "| parser/two | en | LAS | 60.00 | [33.33, 100.00] | 80.40 | yes |\n"
            "| tagger |  | F1 | 66.67 | [0.00, 100.00] |  |  |\n"
        )
        assert result.stderr == "3 pairs: 3 scored\n"

    def test_a_folder_stands_for_the_configuration_in_it(self, run: Run, tmp_path: Path) -> None:
        assert run("batch", ".").stdout == run("batch", "goldlens.toml").stdout
        toml = CONFIG.replace("[[pair]]", "[[tool.goldlens.pair]]")
        write(
            "other/pyproject.toml", toml.replace('"gold/', '"../gold/').replace('"runs', '"../runs')
        )
        assert run("batch", "other").stdout == run("batch", "goldlens.toml").stdout

    @pytest.mark.parametrize("options", [(), ("--policy", "lenient", "--seed", "7")])
    def test_they_are_those_of_the_verb_rows(self, run: Run, options: Sequence[str]) -> None:
        call = (
            *("--gold", "gold/a.conllu", "--pred", "runs/one/a.conllu", "--component", "parser"),
            *("--ref-pred", "runs/two/a.conllu", "--language", "en", "--reference", "UPOS=79"),
            *("--dataset", "A", "--metrics", "LAS,UPOS.recall,LASFull", "--level", "0.9", *options),
        )
        assert run("rows", "ud", *call, "--json", "one.json").exit_code == 0
        assert run("batch", *call, "--json", "rows.json").exit_code == 0
        assert rows_of() == rows_of("one.json")
        for form in ("markdown", "csv", "latex", "hf"):
            assert run("rows", "ud", *call, f"--{form}", "one").exit_code == 0
            assert run("batch", *call, f"--{form}", "many").exit_code == 0
            assert Path("many").read_bytes() == Path("one").read_bytes()
            Path("one").unlink()
            Path("many").unlink()

    def test_spans_read_as_conlleval_does(self, run: Run) -> None:
        write("gold/c.iob2", SPANS.replace("B-LOC", "I-LOC"))
        call = ("--gold", "gold/c.iob2", "--pred", "runs/one/b.iob2", "--metrics", "F1")
        lenient = (*call, "--reading", "conlleval")
        assert run("batch", *call).stdout == run("rows", "span", *call).stdout
        assert run("batch", *lenient).stdout == run("rows", "span", *lenient).stdout
        assert run("batch", *lenient).stdout != run("batch", *call).stdout

    def test_what_the_call_says_holds_for_every_pair(self, run: Run) -> None:
        run("batch", ".", "--language", "xx", "--resamples", "300", "--json", "rows.json")
        assert {(row["language"], row["resamples"]) for row in rows_of()} == {("xx", 300)}
        run("batch", ".", "--json", "default.json")
        assert [row["resamples"] for row in rows_of("default.json")] == [1000] * 4 + [200]

    def test_the_reference_of_a_pair(self, run: Run) -> None:
        toml = CONFIG.replace(
            'reference-source = "a paper"', 'reference-pred = "runs/one/a.conllu"'
        )
        write("goldlens.toml", toml)
        assert run("batch", ".", "--json", "rows.json").exit_code == 0
        row = rows_of()[3]
        assert (row["component"], row["metric"], row["difference"]) == ("parser/two", "LAS", -20.0)
        assert [row["reference_source"] for row in rows_of()[:4]] == ["runs/one/a.conllu", ""] * 2

    def test_a_system_keeps_its_name_when_another_one_goes(self, run: Run) -> None:
        Path("runs/two/a.conllu").unlink()
        assert "| parser/one | en |" in run("batch", ".").stdout

    @pytest.mark.parametrize(
        ("preds", "components"),
        [
            (["runs/one/a.conllu"], ["p"]),
            (["runs/*/a.conllu"], ["p/one", "p/two"]),
            (["runs/two/a.conllu", "runs/one/a.conllu"], ["p/two", "p/one"]),
            (["p.conllu", "runs/one/a.conllu"], ["p/p.conllu", "p/runs/one/a.conllu"]),
        ],
    )
    def test_predictions_on_the_command_line(
        self, run: Run, preds: list[str], components: list[str]
    ) -> None:
        # A shell that expands a glob after --pred leaves all but the first match by themselves.
        call = ("--gold", "gold/a.conllu", "--pred", *preds, "--metrics", "LAS", "--component", "p")
        assert run("batch", *call, "--json", "rows.json").exit_code == 0
        assert [row["component"] for row in rows_of()] == components

    def test_one_unit_gives_no_information(self, run: Run) -> None:
        write("gold/b.iob2", SPANS.partition("\n\n")[0] + "\n\n")
        write("runs/one/b.iob2", SPANS.partition("\n\n")[0] + "\n\n")
        for _ in range(2):
            warning = run("batch", ".").stderr.splitlines()[0]
            assert warning.startswith("gold/b.iob2:1:1: warning[one-unit]: gold has one unit")


class TestFiles:
    def test_are_extended(self, run: Run) -> None:
        run("batch", ".", "--json", "rows.json", "--markdown", "rows.md")
        write("runs/three/a.conllu", GOLD)
        assert run("batch", ".", "--json", "rows.json", "--markdown", "rows.md").exit_code == 0
        assert [row["component"] for row in rows_of()] == [
            *("parser/one", "parser/one", "parser/two", "parser/two", "tagger"),
            *("parser/three", "parser/three"),
        ]
        assert Path("rows.md").read_text("utf-8").count("\n") == 9

    @pytest.mark.parametrize(("form", "lost"), [("json", False), ("markdown", True)])
    def test_no_row_is_lost_to_another_one(self, run: Run, form: str, lost: bool) -> None:
        other = CONFIG.partition("\n\n")[0].replace('"A"', '"B"')
        write("goldlens.toml", f"{other}\n\n{CONFIG}")
        result = run("batch", ".", f"--{form}", "out")
        assert (result.exit_code, Path("out").exists()) == ((2, False) if lost else (0, True))
        if lost:
            assert result.stderr.startswith(
                "error[usage]: runs/one/a.conllu and runs/one/a.conllu would have the same rows in "
                "out (a table has no datasets); give each a component or a language of its own;"
            )

    def test_pairs_with_other_metrics_have_other_rows(self, run: Run) -> None:
        other = CONFIG.partition("\n\n")[0].replace('"UPOS", "LAS"', '"UAS"')
        write("goldlens.toml", f"{other}\n\n{CONFIG}")
        assert run("batch", ".", "--markdown", "rows.md").exit_code == 0
        assert Path("rows.md").read_text("utf-8").count("| UAS |") == 2

    @pytest.mark.parametrize("file", ["gold/a.conllu", "runs/two/a.conllu"])
    def test_inputs_are_never_overwritten(self, run: Run, file: str) -> None:
        before = Path(file).read_bytes()
        result = run("batch", ".", "--csv", file)
        assert result.exit_code == 2 and "[same-file]: --csv would overwrite" in result.stderr
        assert Path(file).read_bytes() == before


class TestLedger:
    def test_what_is_known_is_not_scored_again(self, run: Run) -> None:
        first = run("batch", ".")
        before = LEDGER.read_bytes()
        again = run("batch", ".")
        assert (again.exit_code, again.stdout) == (0, first.stdout)
        assert again.stderr == "3 pairs: 0 scored, 3 known from before\n"
        assert LEDGER.read_bytes() == before

    def test_the_rows_of_old_answers_come_from_the_ledger(self, run: Run) -> None:
        run("batch", ".")
        LEDGER.write_bytes(LEDGER.read_bytes().replace(b'"score":60.0', b'"score":61.0'))
        assert "| LAS | 61.00 |" in run("batch", ".").stdout
        assert "| LAS | 60.00 |" in run("batch", ".", "--force").stdout
        assert "| LAS | 60.00 |" in run("batch", ".").stdout

    @pytest.mark.parametrize(
        ("file", "old", "new", "scored"),
        [
            ("runs/one/a.conllu", "NOUN", "VERB", 1),
            ("gold/a.conllu", "\tDET", "\tPRON", 2),
            ("goldlens.toml", "resamples = 200", "resamples = 201", 1),
            ("goldlens.toml", "resamples = 200", "level = 0.9", 1),
            ("goldlens.toml", "resamples = 200", "seed = 3", 1),
            ("goldlens.toml", "resamples = 200", 'policy = "lenient"\nresamples = 200', 1),
            ("goldlens.toml", '"LAS"]', '"UAS", "LAS"]', 2),
            ("goldlens.toml", "80.4", "80.5", 2),
            ("goldlens.toml", 'component = "parser"', 'match = "stream"', 2),
            ("goldlens.toml", '"a paper"', '"a book"', 0),
            ("goldlens.toml", '"parser"', '"ours"', 0),
            ("goldlens.toml", 'dataset = "A"', 'dataset = "Z"', 0),
        ],
    )
    def test_only_what_figures_depend_on_makes_another_question(
        self, run: Run, file: str, old: str, new: str, scored: int
    ) -> None:
        run("batch", ".")
        text = Path(file).read_text("utf-8")
        assert old in text
        Path(file).write_text(text.replace(old, new), "utf-8")
        result = run("batch", ".", "--json", "rows.json")
        assert ended(result.stderr) == f"3 pairs: {scored} scored, {3 - scored} known from before"
        LEDGER.unlink()
        run("batch", ".", "--json", "fresh.json")
        assert rows_of() == rows_of("fresh.json")

    def test_a_changed_output_of_the_reference_is_another_question(self, run: Run) -> None:
        toml = CONFIG.replace('reference-source = "a paper"', 'reference-pred = "p.conllu"')
        write("goldlens.toml", toml)
        run("batch", ".")
        write("p.conllu", GOLD)
        assert ended(run("batch", ".").stderr) == "3 pairs: 2 scored, 1 known from before"

    def test_where_files_are_does_not_matter(self, run: Run) -> None:
        run("batch", ".")
        Path("runs").rename("moved")
        write("goldlens.toml", CONFIG.replace("runs/", "moved/"))
        assert ended(run("batch", ".").stderr) == "3 pairs: 0 scored, 3 known from before"

    def test_equal_files_are_scored_once(self, run: Run) -> None:
        write("runs/two/a.conllu", PRED)
        result = run("batch", ".", "--json", "rows.json")
        assert ended(result.stderr) == "3 pairs: 3 scored"
        assert len(lines()) == 2
        assert rows_of()[0]["score"] == rows_of()[2]["score"]

    @pytest.mark.parametrize(
        "end", ['{"id":"ID', "[1]\n{}\n", '{"id":"ID","task":"ud","rows":[{}]}']
    )
    def test_a_line_that_is_none_counts_for_nothing(self, run: Run, end: str) -> None:
        run("batch", ".")
        last = end.replace("ID", lines()[2]["id"]).encode()
        LEDGER.write_bytes(b"".join(LEDGER.read_bytes().splitlines(keepends=True)[:3]) + last)
        assert ended(run("batch", ".").stderr) == "3 pairs: 1 scored, 2 known from before"
        assert ended(run("batch", ".").stderr) == "3 pairs: 0 scored, 3 known from before"

    def test_it_may_stand_elsewhere(self, run: Run) -> None:
        run("batch", ".", "--ledger", "l")
        assert not LEDGER.exists()
        assert "3 known from before" in run("batch", ".", "--ledger", "l").stderr

    @pytest.mark.parametrize("text", ["[]\n", '{"a": 1}\n', "words"])
    def test_no_other_file_is_taken_for_one(self, run: Run, text: str) -> None:
        write("mine", text)
        result = run("batch", ".", "--ledger", "mine")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "mine:1:1: error[file]: this file is no ledger of a batch; name another with --ledger\n"
        )
        assert Path("mine").read_text("utf-8") == text

    def test_a_folder_is_none(self, run: Run) -> None:
        result = run("batch", ".", "--ledger", "gold")
        assert result.exit_code == 2
        assert result.stderr == (
            "gold:1:1: error[file]: this is a folder, not a file; name another ledger with "
            "--ledger\n"
        )


class TestFailures:
    def test_a_bad_pair_fails_alone(self, run: Run) -> None:
        write("runs/two/a.conllu", RING)
        result = run("batch", ".", "--json", "rows.json")
        assert result.exit_code == 1
        assert [row["component"] for row in rows_of()] == ["parser/one", "parser/one", "tagger"]
        first, *_, refused, end = result.stderr.splitlines()
        assert first.startswith("runs/two/a.conllu:2:15: error[head-cycle]: ")
        assert refused == (
            "runs/two/a.conllu:1:1: error[refused]: the official policy refuses this pair for 1 "
            "cause; repair them, or give the pair the policy lenient, which scores all the same"
        )
        assert end == "3 pairs: 2 scored, 1 failed"

    def test_it_is_tried_again(self, run: Run) -> None:
        write("runs/two/a.conllu", RING)
        run("batch", ".")
        assert len(lines()) == 2
        assert ended(run("batch", ".").stderr) == (
            "3 pairs: 0 scored, 2 known from before, 1 failed"
        )
        write("runs/two/a.conllu", GOLD)
        assert ended(run("batch", ".").stderr) == "3 pairs: 1 scored, 2 known from before"

    def test_of_many_causes_a_few_are_listed(self, run: Run) -> None:
        write("runs/two/a.conllu", GOLD.replace("\tdet", "\tdet\tx").replace("\t_\n", "\n") * 9)
        result = run("batch", ".")
        said = [line for line in result.stderr.splitlines() if line.startswith("runs/two/")]
        assert len(said) == 6 and ", of which 5 stand above; repair them" in said[5]

    @pytest.mark.parametrize(
        ("file", "data", "said"),
        [
            ("runs/two/a.conllu", b"\xff\xfe1\0", "runs/two/a.conllu:1:1: error[encoding]: "),
            ("gold/b.iob2", b"a\0b", "gold/b.iob2:1:1: error[encoding]: "),
            ("gold/b.iob2", None, "runs/one/b.iob2:1:1: error[gold-not-found]: no gold at "),
            ("runs/one/b.iob2", None, "runs/one/b.iob2:1:1: error[file]: no file matches; "),
        ],
    )
    def test_files(self, run: Run, file: str, data: bytes | None, said: str) -> None:
        Path(file).unlink()
        if data is not None:
            write(file, data)
        result = run("batch", ".")
        assert result.exit_code == 1
        assert result.stderr.startswith(said)
        assert ended(result.stderr) == "3 pairs: 2 scored, 1 failed"

    def test_a_missing_reference(self, run: Run) -> None:
        write("goldlens.toml", f'{CONFIG}reference-pred = "none.iob2"\n')
        result = run("batch", ".")
        assert result.exit_code == 1
        assert result.stderr.startswith(
            "none.iob2:1:1: error[file]: there is no such file; check the path\n"
        )

    def test_a_prediction_that_is_its_gold(self, run: Run) -> None:
        Path("runs/two/a.conllu").unlink()
        Path("runs/two/a.conllu").hardlink_to("gold/a.conllu")
        result = run("batch", ".")
        assert (result.exit_code, "error[same-file]: " in result.stderr) == (1, True)

    def test_metrics_that_the_task_does_not_have(self, run: Run) -> None:
        result = run("batch", ".", "--metrics", "LAS", "--json", "rows.json")
        assert result.exit_code == 1
        assert result.stderr.startswith(
            "runs/one/b.iob2:1:1: error[rows]: unknown metric 'LAS'; this task has Micro, "
        )
        assert len(rows_of()) == 2

    def test_the_same_bytes_fail_each_where_they_are(self, run: Run) -> None:
        write("runs/one/a.conllu", RING)
        write("runs/two/a.conllu", RING)
        said = run("batch", ".").stderr.splitlines()
        assert said[-2].startswith("runs/two/a.conllu:1:1: error[refused]: this is the same as ")
        assert said[-1] == "3 pairs: 1 scored, 2 failed"

    def test_where_all_fail_no_file_is_written(self, run: Run) -> None:
        call = ("--gold", "gold/a.conllu", "--pred", "none.conllu", "--json", "rows.json")
        assert run("batch", *call).exit_code == 1
        assert not Path("rows.json").exists()


class TestCalls:
    @pytest.mark.parametrize(
        ("call", "said"),
        [
            ([], "error[usage]: give one FILE, a goldlens.toml, or --gold and --pred;"),
            ([".", "gold"], "error[usage]: give one FILE, "),
            (["--pred", "p.conllu"], "error[usage]: --pred needs a gold; give --gold;"),
            (["--gold", "g.conllu"], "error[usage]: --gold needs predictions; give --pred;"),
            (["none.toml"], "none.toml:1:1: error[file]: there is no such file; check the path\n"),
            (["gold"], "gold:1:1: error[file]: there is no goldlens.toml in this folder; make one"),
            ([".", "--resamples", "9"], "error[usage]: 9 resamples are too few;"),
            ([".", "--reference", "LAS"], "error[usage]: --reference has 'LAS';"),
            (
                [".", "--jobs", "2", "--scheduler", "x:1"],
                "error[usage]: --jobs is for this machine",
            ),
            ([".", "--json", "none/rows"], "none/rows:1:1: error[file]: there is no folder "),
        ],
    )
    def test_that_are_wrong(self, run: Run, call: list[str], said: str) -> None:
        result = run("batch", *call)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(said)
        assert not LEDGER.exists()

    def test_a_configuration_with_problems_is_refused(self, run: Run) -> None:
        write("goldlens.toml", CONFIG.replace("resamples = 200", "resamples = 20\nseeds = 3"))
        result = run("batch", ".")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "goldlens.toml:17:13: error[config-value]: expected a whole number from 100, not 20\n"
            "goldlens.toml:18:1: error[config-key]: unknown key “seeds”; did you mean “seed”?\n"
        )

    def test_a_configuration_without_pairs(self, run: Run) -> None:
        write("goldlens.toml", "maxProblems = 3\n")
        result = run("batch", ".")
        assert result.exit_code == 2
        assert result.stderr.startswith("goldlens.toml:1:1: error[file]: there is no [[pair]] in ")
