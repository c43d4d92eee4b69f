"""Rows as text: what is undefined, and what has to be escaped."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
import yaml

from goldlens.scoring.bootstrap import Resampling
from goldlens.scoring.results.card import model_index
from goldlens.scoring.results.formats import FORMATS, as_csv, as_json, json_text, latex, markdown
from goldlens.scoring.results.rows import rows
from tests.scoring.results.rowmaking import LABELS, row, system

NASTY = 'a|b\\c & "d", 50%_#$ {~^}\n<e>\u2028f'


def test_markdown() -> None:
    table = [row(references={"LAS": 75.2}), row("ELAS"), row("F0.5")]
    assert markdown(table) == (
        "| Component | Language | Metric | Score | 95% CI | Reference | Within noise |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        "| parser | en | LAS | 75.00 | [75.00, 75.00] | 75.20 | yes |\n"
        "| parser | en | ELAS | n/a | n/a |  |  |\n"
        "| parser | en | F0.5 | 12.50 | n/a |  |  |\n"
    )


def test_latex() -> None:
    assert latex([row(component="a_b", references={"LAS": 70}), row("ELAS")]) == (
        "\\begin{tabular}{lllrrrl}\n"
        "\\toprule\n"
        "Component & Language & Metric & Score & 95\\% CI & Reference & Within noise \\\\\n"
        "\\midrule\n"
        "a\\_b & en & LAS & 75.00 & [75.00, 75.00] & 70.00 & no \\\\\n"
        "parser & en & ELAS & n/a & n/a &  &  \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("level", "head"), [(0.95, "95% CI"), (0.9, "90% CI"), (0.999, "99.9% CI"), (0.683, "68.3% CI")]
)
def test_the_head_names_the_level(level: float, head: str) -> None:
    table = rows(system(), ["LAS"], LABELS, 5, Resampling(level=level))
    assert f" | {head} | " in markdown(table).partition("\n")[0]


def test_a_markdown_cell_stays_one_cell() -> None:
    line = markdown([row(component=NASTY)]).splitlines()[2]
    assert line.startswith('| a\\|b\\\\c & "d", 50%_#$ {~^} \\<e> f | en | LAS |')


def test_a_latex_cell_stays_one_cell() -> None:
    line = latex([row(component=NASTY)]).split("\n")[4]
    assert line.startswith(
        'a\\textbar{}b\\textbackslash{}c \\& "d", 50\\%\\_\\#\\$ \\{\\textasciitilde{}'
        "\\textasciicircum{}\\} \\textless{}e\\textgreater{} f & en & LAS &"
    )


def test_csv_says_all_that_json_says_with_undefined_cells_empty() -> None:
    table = [row(component=NASTY, references={"LAS": 75.2}), row("ELAS")]
    first, second = csv.DictReader(io.StringIO(as_csv(table), newline=""))
    assert first["component"] == NASTY
    assert (first["score"], first["ci_low"], first["ci_high"]) == ("75.0", "75.0", "75.0")
    assert (first["within_noise"], first["differ"], first["units"]) == ("true", "", "5")
    assert second["score"] == second["ci_low"] == second["reference"] == second["correct"] == ""
    objects = json.loads(as_json(table))
    names = [
        name
        for field in objects[0]
        for name in ((f"{field}_low", f"{field}_high") if field.endswith("ci") else (field,))
    ]
    assert list(first) == names


def test_json_is_a_list_of_objects_with_nulls() -> None:
    found = json.loads(as_json([row(component=NASTY), row("ELAS")]))
    assert [each["component"] for each in found] == [NASTY, "parser"]
    assert found[1]["score"] is None and found[1]["ci"] is None


def test_json_that_is_none_is_never_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text([{"score": float("nan")}])


def test_the_keys_of_a_model_index_come_in_the_order_of_the_hubs_pages() -> None:
    assert model_index([row()]).startswith(
        "model-index:\n- name: parser\n  results:\n  - task:\n      type: token-classification\n"
    )


def test_a_model_index() -> None:
    table = [row(references={"LAS": 75.2}), row("LAS.recall"), row("ELAS"), row(language="no")]
    [model] = yaml.safe_load(model_index(table))["model-index"]
    assert model["name"] == "parser"
    english, norwegian = model["results"]
    assert english["task"] == {"type": "token-classification", "name": "Universal Dependencies"}
    assert english["dataset"] == {
        "name": "EWT test", "type": "ewt-test", "args": {"language": "en"},
    }  # fmt: skip
    assert [(m["name"], m["type"], m["value"]) for m in english["metrics"]] == [
        ("LAS", "f1", 75.0),
        ("LAS.recall", "recall", 75.0),
        ("ELAS", "f1", None),
    ]
    args = english["metrics"][0]["args"]
    assert (args["ci"], args["reference"], args["within_noise"]) == ([75.0, 75.0], 75.2, True)
    assert norwegian["dataset"]["args"]["language"] == "no"


def test_a_model_index_has_what_the_hub_needs_even_of_a_row_without_labels() -> None:
    bare = row(component="", language="", dataset="日本")
    [model] = yaml.safe_load(model_index([bare]))["model-index"]
    assert model["name"] and model["results"][0]["dataset"]["name"] == "日本"
    assert model["results"][0]["dataset"]["type"]


def test_no_rows_are_text_too() -> None:
    for write in FORMATS.values():
        assert write([]).endswith("\n")


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_ever_nan(form: str) -> None:
    table = rows(system(), [], replace(LABELS, references={}), 5)
    assert "nan" not in FORMATS[form](table).lower()
