"""`goldlens score --official`: which script it runs, what it says, and the exit status."""

from __future__ import annotations

import json
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from goldlens.cli.official.options import pinned
from goldlens.scoring.ud import metrics
from goldlens.server.datasets.registry import OFFICIAL
from tests.clients.cli.official.scripts import script
from tests.clients.conftest import GOLD, PRED
from tests.clients.conftest import folder as folder
from tests.clients.conftest import run as run

pytestmark = pytest.mark.usefixtures("folder")

ANY = ("--official-any-hash",)
PAIR = ("score", "g.conllu", "p.conllu", "--official", "s.py")


def telling(found: dict[str, Any], **changes: dict[str, Any]) -> None:
    """Makes s.py a script that says what we say, but for some figures (fractions)."""
    official = found["official"]
    told = {}
    for name, ours in official["ours"].items():
        figures = {k: None if v is None else v / 100 for k, v in ours.items() if k in FIGURES}
        counts = {THEIRS[k]: v for k, v in ours.items() if k in THEIRS}
        told[name] = {**figures, **counts, **changes.get(name, {})}
    body = f"from types import SimpleNamespace\nnull = None\ntold = {json.dumps(told)}\n"
    body += "return {name: SimpleNamespace(**score) for name, score in told.items()}"
    Path("s.py").write_bytes(script(body))


FIGURES = ("precision", "recall", "f1", "aligned_accuracy")
THEIRS = {
    "correct": "correct",
    "gold": "gold_total",
    "predicted": "system_total",
    "aligned": "aligned_total",
}
ONE = """
return {name: Score() for name in (
"Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS",
"MLAS", "BLEX")}
""".strip()
"""A script to which everything is right."""


@pytest.fixture
def agreed(run: Any) -> dict[str, Any]:
    """Makes s.py a script that says what we say; what JSON has of the first run, with another."""
    Path("s.py").write_bytes(script(ONE))
    result = run(*PAIR, *ANY, "--json")
    assert result.exit_code == 1
    found: dict[str, Any] = json.loads(result.stdout)
    telling(found)
    return found


def test_the_pinned_hash_is_the_one_that_figures_are_held_to() -> None:
    assert pinned() == "1072e02af00b1a56205b5e8216d51dee9b8944a104d80744afaccc78859fcb16"


def test_no_difference_is_exit_status_0_and_said(run: Any, agreed: Any) -> None:
    result = run(*PAIR, *ANY)
    assert (result.exit_code, result.stderr) == (0, "")
    first, second, *_ = result.stdout.split("\n\n")
    header, *rows = second.split("\n")
    assert header.split()[:5] == ["Metric", "Precision", "official", "Recall", "official"]
    assert [row.split()[0] for row in rows] == list(metrics.OFFICIAL)
    assert rows[3].split() == ["UPOS", *["80.0000"] * 8]
    assert rows[0].split() == ["Tokens", *["100.0000"] * 6, "n/a", "n/a"]
    assert "UPOS" in first
    assert "both run on all 2 sentences of gold and those that face them; repaired: no tree" in (
        result.stdout
    )
    assert result.stdout.endswith("Difference: none in 49 figures, to four decimals\n")


def test_a_difference_is_exit_status_1_and_marked(run: Any, agreed: Any) -> None:
    telling(agreed, UPOS={"f1": 0.81}, LAS={"aligned_accuracy": None})
    result = run(*PAIR, *ANY)
    assert result.exit_code == 1
    rows = {line.split()[0]: line for line in result.stdout.split("\n\n")[1].split("\n")}
    assert rows["UPOS"].endswith("80.0000  ≠ 81.0000       80.0000   80.0000")
    assert rows["LAS"].endswith("80.0000     ≠ n/a")
    assert result.stdout.endswith(
        "Difference: 2 of 49 figures: UPOS F1 80.0000 ≠ 81.0000, LAS Aligned acc. 80.0000 ≠ n/a\n"
    )


def test_json_has_both_and_what_differs(run: Any, agreed: Any) -> None:
    telling(agreed, UPOS={"f1": 0.81})
    result = run(*PAIR, *ANY, "--json")
    found = json.loads(result.stdout)
    official = found["official"]
    assert official["ours"] == {name: found["metrics"][name] for name in metrics.OFFICIAL}
    assert official["metrics"]["UPOS"]["f1"] == pytest.approx(81)
    assert official["metrics"]["LAS"] == pytest.approx(official["ours"]["LAS"])
    [difference] = official["differences"]
    assert difference == pytest.approx(
        {"metric": "UPOS", "figure": "f1", "ours": 80, "official": 81}
    )
    assert official["script"] == {
        "path": "s.py",
        "sha256": sha256(Path("s.py").read_bytes()).hexdigest(),
        "pinned": False,
    }
    assert official["compared"] == {"gold": 2, "pred": 2}
    assert (official["repaired"], official["failed"]) == ([], None)


def test_without_the_flag_json_says_nothing_of_it(run: Any) -> None:
    assert "official" not in json.loads(run("score", "g.conllu", "p.conllu", "--json").stdout)


def test_the_output_may_go_to_a_file_but_not_over_the_script(run: Any, agreed: Any) -> None:
    before = Path("s.py").read_bytes()
    result = run(*PAIR, *ANY, "-o", "s.py")
    assert result.exit_code == 2
    assert "-o would overwrite the official script" in result.stderr
    assert Path("s.py").read_bytes() == before
    assert run(*PAIR, *ANY, "-o", "out.txt").exit_code == 0
    assert Path("out.txt").read_text("utf-8").endswith("to four decimals\n")


# Which script.


def test_a_script_with_another_hash_is_refused(run: Any) -> None:
    Path("s.py").write_bytes(script(ONE))
    result = run(*PAIR)
    assert (result.exit_code, result.stdout) == (2, "")
    [said] = result.stderr.splitlines()
    assert said.startswith("s.py:1:1: error[official-hash]: this is not the pinned official script")
    assert sha256(Path("s.py").read_bytes()).hexdigest() in said and pinned() in said
    assert "--official-any-hash" in said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--official", "nowhere.py"), "nowhere.py:1:1: error[file]: there is no such file"),
        (("--official", "data:conll18_ud_eval"), "run “goldlens data fetch conll18_ud_eval”"),
        (("--official", "data:conll17"), "data:conll17:1:1: error[data]:"),
        (("--official", "-"), "--official names a file"),
        (ANY, "--official names the script that the other flags are about"),
        (("--official-timeout", "5"), "--official names the script that the other flags are about"),
        (("--official", "s.py", "--official-timeout", "0"), "'--official-timeout'"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_status_2(
    flags: tuple[str, ...], said: str, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(tmp_path / "data"))
    result = run("score", "g.conllu", "p.conllu", *flags)
    assert (result.exit_code, result.stdout) == (2, "")
    [line] = result.stderr.splitlines()
    assert said in line


def test_the_copy_in_the_cache_is_looked_at_too(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLDLENS_DATA_DIR", str(tmp_path / "data"))
    path = tmp_path / "data" / f"{OFFICIAL}-{pinned()[:12]}" / "conll18_ud_eval.py"
    path.parent.mkdir(parents=True)
    path.write_bytes(script(ONE))
    result = run("score", "g.conllu", "p.conllu", "--official", f"data:{OFFICIAL}")
    assert result.exit_code == 2
    assert "is damaged" in result.stderr


@pytest.mark.parametrize("name", ["g.iob2", "g.jsonl"])
def test_it_is_for_trees_only(name: str, run: Any, agreed: Any) -> None:
    task = {"g.iob2": "span", "g.jsonl": "classification"}[name]
    Path(name).write_text("a\tB-X\n\n", "utf-8")
    Path(f"p{name}").write_text("a\tB-X\n\n", "utf-8")
    result = run("score", name, f"p{name}", "--task", task, "--official", "s.py", *ANY)
    assert result.exit_code == 2
    assert "--official" in result.stderr and "are for UD" in result.stderr


# What becomes of a script that fails: the scores are there all the same.


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (script("raise ValueError('no')"), "it ended with status 1: ValueError: no"),
        (script("import time\ntime.sleep(100)"), "it took more than 2 seconds and was ended"),
        (script("print('LAS 90')\nreturn {}"), "what it printed is no table of figures"),
        (script("return {'MyScore': Score()}"), "it tells none of the metrics"),
    ],
)
def test_a_script_that_fails_is_exit_status_1(text: bytes, said: str, run: Any) -> None:
    Path("s.py").write_bytes(text)
    result = run(*PAIR, *ANY, "--official-timeout", "2" if "sleep" in text.decode() else "60")
    assert result.exit_code == 1
    [line] = result.stderr.splitlines()
    assert line.startswith("s.py:1:1: error[official]: the official script has no figures: ")
    assert said in line
    assert result.stdout == run("score", "g.conllu", "p.conllu", "--policy", "lenient").stdout


def test_json_says_that_it_failed(run: Any) -> None:
    Path("s.py").write_bytes(script("raise ValueError('no')"))
    found = json.loads(run(*PAIR, *ANY, "--json").stdout)
    assert found["metrics"]["UPOS"]["f1"] == 80
    assert "ValueError: no" in found["official"]["failed"]
    assert found["official"]["metrics"] is found["official"]["differences"] is None


def test_a_chain_too_long_for_it_is_its_own_limit(run: Any) -> None:
    rows = [f"{k}\tw\t_\tX\t_\t_\t{k - 1}\tdep\t_\t_\n" for k in range(1, 31)]
    for name in ("g.conllu", "p.conllu"):
        Path(name).write_text(GOLD + "".join(rows) + "\n", "utf-8")
    Path("s.py").write_bytes(script("return evaluate(gold, pred)"))
    [said] = run(*PAIR, *ANY).stderr.splitlines()
    assert (
        "the sentence of gold at line 10 has a chain of 30; this is a limit of the script" in said
    )


def test_nothing_compared_is_nothing_to_run_it_on(run: Any) -> None:
    Path("s.py").write_bytes(script(ONE))
    Path("p.conllu").write_text(PRED.replace("cat", "dog").replace("Run", "Go"), "utf-8")
    result = run(*PAIR, *ANY)
    assert result.exit_code == 1
    assert "no sentence is compared" in result.stderr


def test_metrics_that_a_script_does_not_tell_are_named(run: Any, agreed: Any) -> None:
    told = {k: v for k, v in agreed["official"]["ours"].items() if k != "BLEX"}
    telling({"official": {"ours": told}})
    result = run(*PAIR, *ANY)
    assert result.exit_code == 0
    assert "Not compared: the script does not tell BLEX" in result.stdout


# Policies and repairs.


def break_tree() -> None:
    """Two words of the second sentence of the prediction hang from each other."""
    text = PRED.replace("\t0\troot\t_\t_\n2\t!", "\t2\troot\t_\t_\n2\t!")
    assert text != PRED
    Path("p.conllu").write_text(text, "utf-8")


def test_what_the_script_would_refuse_is_listed_and_repaired_for_it(run: Any) -> None:
    Path("s.py").write_bytes(script(ONE))
    break_tree()
    result = run(*PAIR, *ANY)
    assert result.stderr.splitlines() == [
        "p.conllu:7:20: warning[head-cycle]: sentence two: word 1 made the root, word 2 attached "
        "to it, as dep",
        "warning[official]: the official script would refuse this pair, for 1 cause; what is said "
        "above was done for its run only",
    ]
    assert "policy:lenient" in result.stdout
    assert "repaired: 1 tree of the prediction" in result.stdout
    # Both heads are those of gold by accident: that is said, and the first table has them wrong.
    assert "in the first table, F1 is another: UAS 60.0000 (100.0000 here)" in result.stdout


def test_json_lists_every_repair(run: Any) -> None:
    Path("s.py").write_bytes(script(ONE))
    break_tree()
    found = json.loads(run(*PAIR, *ANY, "--json").stdout)
    [cause] = found["would_refuse"]
    [repair] = found["official"]["repaired"]
    assert {k: v for k, v in repair.items() if k not in ("repair", "tree")} == cause
    assert repair["tree"] is True and "made the root" in repair["repair"]
    assert found["metrics"]["UAS"]["correct"] == 3
    assert found["official"]["ours"]["UAS"]["correct"] == 5


def test_under_the_official_policy_a_refused_pair_is_refused(run: Any) -> None:
    Path("s.py").write_bytes(script("raise ValueError('never run')"))
    break_tree()
    result = run(*PAIR, *ANY, "--policy", "official", "--json")
    assert result.exit_code == 2
    assert "error[refused]" in result.stderr and "never run" not in result.stderr
    found = json.loads(result.stdout)
    assert (found["metrics"], found["official"]) == (None, None)


def test_a_prediction_without_heads_has_no_attachment_on_either_side(run: Any) -> None:
    rows = [line.split("\t") for line in PRED.split("\n")]
    for row in rows:
        row[6:7] = ["_"] if len(row) == 10 else row[6:7]
    Path("p.conllu").write_text("\n".join("\t".join(row) for row in rows), "utf-8")
    Path("s.py").write_bytes(script(ONE))
    official = json.loads(run(*PAIR, *ANY, "--json").stdout)["official"]
    none = {name for name, figures in official["metrics"].items() if figures is None}
    assert none == {"UAS", "LAS", "CLAS", "MLAS", "BLEX"}
    assert none == {name for name, figures in official["ours"].items() if figures is None}
    assert not any(each["metric"] in none for each in official["differences"])


def test_gates_are_held_too(run: Any, agreed: Any) -> None:
    result = run(*PAIR, *ANY, "--fail-under", "LAS=90")
    assert result.exit_code == 1
    assert "error[gate]: LAS is 80.00, under 90" in result.stderr
    telling(agreed, UPOS={"f1": 0.81})
    assert "error[gate]" in run(*PAIR, *ANY, "--fail-under", "LAS=90").stderr


def test_a_terminal_is_told_that_it_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    from goldlens.cli.official import run as running
    from goldlens.cli.official.options import Script

    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(running.sys, "stderr", terminal)
    with running._waiting(Script("s.py", b"", 5)):
        pass
    assert "The official script is at work (at most 5 seconds)" in terminal.getvalue()
