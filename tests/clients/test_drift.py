"""`goldlens drift`, and `--profile` of the verbs that score."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.clients.conftest import GOLD

PRED = GOLD.replace("cat\tcat\tNOUN", "cat\tcats#1\tPROPN").replace("sleep\tVERB", "sleep#3\tAUX")


@pytest.fixture(autouse=True)
def pair(folder: Path) -> None:
    (folder / "p.conllu").write_text(PRED, "utf-8")


def told(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_scores_errors_and_confusions_side_by_side(run: Any) -> None:
    result = run("drift", "g.conllu", "p.conllu", "--profile", "proiel")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = told(result.stdout)
    assert "UPOS 60.00 50.00 100.00 +50.00" in lines
    assert "Lemmas 60.00 50.00 75.00 +25.00" in lines
    assert "XPOS 100.00 100.00 n/a n/a" in lines
    assert "UPOS 2 50.00 0 n/a" in lines
    assert "UPOS NOUN → PROPN 1 50.00" in lines
    assert "p.conllu:3: cat: gold has cat, not cats#1" in lines
    assert "Left out: 1 word of gold and 1 of the prediction, of the classes NUM, PUNCT" in lines
    assert "Not comparable: XPOS, AllTags" in lines
    assert [line.split("|profile:")[1].split("|")[0] for line in lines if "Signature" in line] == [
        "none",
        "proiel",
    ]


def test_json_has_all_of_it(run: Any) -> None:
    found = json.loads(run("drift", "g.conllu", "p.conllu", "--profile", "proiel", "--json").stdout)
    assert found["profile"] == "proiel"
    assert found["metrics"]["UPOS"]["reconciled"]["f1"] == 100
    assert found["metrics"]["XPOS"]["reconciled"] is None
    assert found["dropped"] == ["XPOS", "AllTags"]
    assert found["left_out"] == {"gold": 1, "pred": 1}
    assert found["columns"]["UPOS"]["written"]["top_share"] == 50
    assert found["columns"]["UPOS"]["reconciled"]["top_share"] is None
    assert found["lemmas"] == [
        {"form": "cat", "gold": "cat", "pred": "cats#1", "gold_line": 3, "line": 3}
    ]
    assert "|profile:proiel|" in found["signature"]["reconciled"]


def test_score_and_rows_have_the_figures_of_the_drift(run: Any) -> None:
    drift = json.loads(run("drift", "g.conllu", "p.conllu", "--profile", "proiel", "--json").stdout)
    under = {name: both["reconciled"] for name, both in drift["metrics"].items()}
    for flags in ([], ["--match", "sent_id"], ["--predicted-only"], ["--annotated-only"]):
        result = run("score", "g.conllu", "p.conllu", "--json", "--profile", "proiel", *flags)
        score = json.loads(result.stdout)
        assert score["metrics"] == under
        assert "|profile:proiel|" in score["signature"]
    args = ["--gold", "g.conllu", "--pred", "p.conllu", "--profile", "proiel", "--json", "-"]
    rows = json.loads(run("rows", "ud", *args).stdout)
    assert {row["metric"]: row["score"] for row in rows} == {
        name: None if figure is None else figure["f1"] for name, figure in under.items()
    }
    assert all("|profile:proiel|" in row["signature"] for row in rows)
    receipt = json.loads(
        run("receipt", "make", "g.conllu", "p.conllu", "--profile", "proiel").stdout
    )
    assert "|profile:proiel|" in receipt["signature"]
    compared = run("compare", "g.conllu", "p.conllu", "g2.conllu", "--profile", "proiel")
    assert compared.exit_code == 2  # there is no g2.conllu


def test_a_score_without_a_profile_is_what_it_was(run: Any) -> None:
    plain = run("score", "g.conllu", "p.conllu", "--json").stdout
    assert run("score", "g.conllu", "p.conllu", "--json", "--profile", "none").stdout == plain
    assert "|profile:none|" in plain


def test_a_file_is_a_profile_and_the_signature_tells_its_version(run: Any) -> None:
    Path("mine.toml").write_text('[upos]\nPROPN = "NOUN"\n', "utf-8")
    first = json.loads(
        run("score", "g.conllu", "p.conllu", "--profile", "mine.toml", "--json").stdout
    )
    assert first["metrics"]["UPOS"]["f1"] == 80
    Path("mine.toml").write_text('[upos]\nPROPN = "NOUN"\nAUX = "VERB"\n', "utf-8")
    other = json.loads(
        run("score", "g.conllu", "p.conllu", "--profile", "mine.toml", "--json").stdout
    )
    assert other["metrics"]["UPOS"]["f1"] == 100
    assert "|profile:mine@" in first["signature"] != other["signature"]


def test_a_batch_scores_again_when_the_profile_has_changed(run: Any) -> None:
    config = '[[pair]]\ngold = "g.conllu"\npred = "p.conllu"\nprofile = "mine.toml"\n'
    Path("goldlens.toml").write_text(config + 'metrics = ["UPOS"]\n', "utf-8")
    for text, score in (("", 60.0), ('upos.PROPN = "NOUN"\n', 80.0)):
        Path("mine.toml").write_text(text, "utf-8")
        result = run("batch", "goldlens.toml", "--json", "-", "--jobs", "1")
        [row] = json.loads(result.stdout)
        assert row["score"] == score
        assert "|profile:mine@" in row["signature"]


BAD = '[upos]\nPROPM = "NOUN"\nAUX = "é"\n[exclude]\nupos = ["PUNCT", "é", "NUMM"]\n'


@pytest.mark.parametrize(
    "verb",
    [
        ["drift", "g.conllu", "p.conllu", "-o", "out"],
        ["score", "g.conllu", "p.conllu", "-o", "out"],
        ["rows", "ud", "--gold", "g.conllu", "--pred", "p.conllu", "--json", "out"],
        ["compare", "g.conllu", "p.conllu", "p.conllu", "-o", "out"],
    ],
)
def test_what_is_wrong_with_a_profile_is_an_error_at_its_place(run: Any, verb: list[str]) -> None:
    Path("bad.toml").write_text(BAD, "utf-8")
    result = run(*verb, "--profile", "bad.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    lines = result.stderr.splitlines()
    assert [line.split(" error")[0] for line in lines] == [
        "bad.toml:2:1:",
        "bad.toml:3:7:",
        "bad.toml:5:18:",
        "bad.toml:5:23:",
    ]
    assert "unknown class “PROPM”; did you mean “PROPN”?" in lines[0]
    assert not Path("out").exists()


def test_a_batch_lists_the_pair_whose_profile_is_wrong(run: Any) -> None:
    Path("bad.toml").write_text(BAD, "utf-8")
    config = '[[pair]]\ngold = "g.conllu"\npred = "p.conllu"\nprofile = "bad.toml"\n'
    Path("goldlens.toml").write_text(config, "utf-8")
    result = run("batch", "goldlens.toml")
    assert result.exit_code == 1
    assert "unknown class “PROPM”" in result.stderr


@pytest.mark.parametrize(
    ("profile", "says"),
    [("proeil", "did you mean “proiel”?"), ("gone.toml", "no such file"), (".", "a folder")],
)
def test_a_profile_that_is_not_there(run: Any, profile: str, says: str) -> None:
    result = run("drift", "g.conllu", "p.conllu", "--profile", profile)
    assert result.exit_code == 2
    assert says in result.stderr


def test_a_profile_is_for_trees(run: Any) -> None:
    for name in ("g.iob2", "p.iob2"):
        Path(name).write_text("a\tO\n\n", "utf-8")
    result = run("score", "g.iob2", "p.iob2", "--profile", "proiel")
    assert result.exit_code == 2
    assert "a profile is for UD, and this is span" in result.stderr


def test_a_refused_pair_and_an_output_over_an_input(run: Any) -> None:
    Path("mine.toml").write_text("", "utf-8")
    result = run("drift", "g.conllu", "p.conllu", "--profile", "mine.toml", "-o", "mine.toml")
    assert result.exit_code == 2
    assert Path("mine.toml").read_text("utf-8") == ""
    Path("p.conllu").write_text(PRED.replace("cat", "dog"), "utf-8")
    result = run("drift", "g.conllu", "p.conllu", "--profile", "proiel")
    assert result.exit_code == 2
    assert "stream-mismatch" in result.stderr


def test_tags_of_spans_are_no_trees(run: Any) -> None:
    for name in ("g.iob2", "p.iob2"):
        Path(name).write_text("Rome B-LOC\nfell O\n\n", "utf-8")
    done = run("drift", "g.iob2", "p.iob2", "--profile", "proiel")
    assert done.exit_code == 2
    assert done.stderr == (
        "p.iob2:1:1: error[task]: this looks like IOB2, as g.iob2 does, and CoNLL-U is expected; "
        "name another file\n"
    )
