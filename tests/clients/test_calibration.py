"""`goldlens calibration`, and `score --calibration`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import GOLD, PRED

pytestmark = pytest.mark.usefixtures("folder")


def confident(text: str, *parts: str) -> str:
    """A text whose words have these MISC cells, in turn."""
    given = iter(parts)
    lines = text.split("\n")
    for k, line in enumerate(lines):
        if "\t" in line:
            lines[k] = line.removesuffix("_") + next(given, "_")
    return "\n".join(lines)


@pytest.fixture
def pred() -> str:
    text = confident(PRED, "Conf=0.9", "Conf=DEPREL:0.4,HEAD:1", "Conf=0.97", "Conf=UPOS:0.6")
    Path("p.conllu").write_text(text, "utf-8")
    return text


def test_tables_of_bins_thresholds_and_columns(run: Any, pred: str) -> None:
    result = run("calibration", "g.conllu", "p.conllu")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "Confidence Cells Mean conf. Accuracy"
    assert "0 to below 0.5 1 40.00 0.00" in lines
    assert "0.5 to below 0.7 1 60.00 0.00" in lines
    assert "0.9 to below 0.95 6 90.00 100.00" in lines
    assert "0.95 to 1 7 97.43 100.00" in lines
    assert "from 0.95 7 46.67 100.00" in lines
    assert "Left out: 15 cells of aligned words without a confidence" in lines


def test_json_is_what_the_score_has_too(run: Any, pred: str) -> None:
    alone = json.loads(run("calibration", "g.conllu", "p.conllu", "--json").stdout)
    beside = json.loads(run("score", "g.conllu", "p.conllu", "--calibration", "--json").stdout)
    assert beside["calibration"] == alone["calibration"]
    assert beside["metrics"]["UPOS"]["f1"] == 80
    assert alone["gold"] == beside["gold"]
    assert [b["cells"] for b in alone["calibration"]["bins"]] == [1, 1, 0, 0, 6, 7]
    assert alone["calibration"]["bins"][2]["accuracy"] is None
    plain = json.loads(run("score", "g.conllu", "p.conllu", "--json").stdout)
    assert "calibration" not in plain


def test_the_score_shows_the_tables_below_its_own(run: Any, pred: str) -> None:
    result = run("score", "g.conllu", "p.conllu", "--calibration")
    assert result.exit_code == 0
    assert result.stdout.index("Metric") < result.stdout.index("Mean conf.")


def test_every_confidence_that_is_wrong_is_an_error_at_its_place(run: Any) -> None:
    text = confident(PRED, "Conf=1.5", "é=é|Conf=UPSO:0.5", "Conf=nan", "Conf=0.5|Conf=0.5")
    Path("p.conllu").write_text(text, "utf-8")
    for verb in (["calibration"], ["calibration", "--json"], ["score", "--calibration"]):
        result = run(*verb, "g.conllu", "p.conllu", "-o", "out.txt")
        assert (result.exit_code, result.stdout) == (2, "")
        starts = [line.split(" error")[0] for line in result.stderr.splitlines()]
        assert starts == [f"p.conllu:{at}:" for at in ("2:28", "3:37", "4:39", "7:38")]
        assert "outside 0 to 1" in result.stderr
        assert not Path("out.txt").exists()


def test_of_many_wrong_ones_some_are_listed(run: Any) -> None:
    rows = "".join(f"{k}\ta\ta\tX\t_\t_\t{k - 1}\tdep\t_\tConf=2\n" for k in range(1, 80))
    Path("p.conllu").write_text(rows + "\n", "utf-8")
    Path("g.conllu").write_text(rows + "\n", "utf-8")
    result = run("calibration", "g.conllu", "p.conllu")
    lines = result.stderr.splitlines()
    assert (result.exit_code, len(lines)) == (2, 51)
    assert "29 more confidences" in lines[-1]


@pytest.mark.parametrize("verb", [["calibration"], ["score", "--calibration"]])
def test_without_confidences_it_says_what_to_write(run: Any, verb: list[str]) -> None:
    result = run(*verb, "g.conllu", "p.conllu")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("p.conllu:1:1: error[confidence]: ")
    assert "Conf=UPOS:0.97,HEAD:0.8" in result.stderr


def test_a_pair_that_is_refused_has_no_calibration(run: Any, pred: str) -> None:
    Path("p.conllu").write_text(pred.replace("\t3\tobj", "\t9\tobj"), "utf-8")
    result = run("calibration", "g.conllu", "p.conllu")
    assert result.exit_code == 2
    assert "head-out-of-range" in result.stderr
    result = run("score", "g.conllu", "p.conllu", "--calibration", "--json")
    assert json.loads(result.stdout)["calibration"] is None
    assert run("calibration", "g.conllu", "p.conllu", "--policy", "lenient").exit_code == 0


def test_sentences_without_heads_are_left_out_where_the_score_leaves_them_out(run: Any) -> None:
    text = confident(PRED, *["Conf=0.9"] * 5).replace("\t0\troot\t_\tConf", "\t_\troot\t_\tConf", 1)
    Path("p.conllu").write_text(text, "utf-8")
    result = run("score", "g.conllu", "p.conllu", "--calibration", "--annotated-only", "--json")
    assert json.loads(result.stdout)["calibration"]["cells"] == 12


def test_a_prediction_without_heads_has_cells_of_four_columns(run: Any) -> None:
    rows = [line.split("\t") for line in confident(PRED, *["Conf=0.9"] * 5).split("\n")]
    text = "\n".join("\t".join([*r[:6], "_", *r[7:]]) if len(r) == 10 else r[0] for r in rows)
    Path("p.conllu").write_text(text, "utf-8")
    result = run("calibration", "g.conllu", "p.conllu", "--json")
    assert list(json.loads(result.stdout)["calibration"]["columns"]) == [
        "UPOS",
        "XPOS",
        "LEMMA",
        "FEATS",
    ]


def test_it_reads_standard_input_and_never_writes_over_its_input(run: Any, pred: str) -> None:
    result = run("calibration", "g.conllu", "-", stdin=pred.encode())
    assert result.exit_code == 0
    result = run("calibration", "g.conllu", "p.conllu", "-o", "p.conllu")
    assert (result.exit_code, Path("p.conllu").read_text("utf-8")) == (2, pred)
    assert Path("g.conllu").read_text("utf-8") == GOLD


def test_it_is_for_trees(run: Any) -> None:
    for name in ("g.iob2", "p.iob2"):
        Path(name).write_text("a\tO\n\n", "utf-8")
    result = run("score", "g.iob2", "p.iob2", "--calibration")
    assert result.exit_code == 2
    assert "are for UD" in result.stderr
    result = run("score", "g.conllu", "p.conllu", "--calibration", "--profile", "proiel")
    assert (result.exit_code, "--profile" in result.stderr) == (2, True)


def test_tags_of_spans_are_no_trees(run: Any) -> None:
    for name in ("g.iob2", "p.iob2"):
        Path(name).write_text("Rome B-LOC\nfell O\n\n", "utf-8")
    done = run("calibration", "g.iob2", "p.iob2")
    assert done.exit_code == 2
    assert done.stderr == (
        "p.iob2:1:1: error[task]: this looks like IOB2, as g.iob2 does, and CoNLL-U is expected; "
        "name another file\n"
    )
