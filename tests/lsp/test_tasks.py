"""Spans, classes and stems in an editor: opened, edited, and told about while typing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.session import SocketSession, replace

IOB2 = "Ada\tB-PER\nLovelace\tI-PER\nsaw\tO\nOslo\tB-LOC\n\nBo\tB-PER\nran\tO\n\n"
CLASSES = "d1\ta\nd2\tb\nd3\ta\n"
SCORED = (
    '{"id": "d1", "labels": ["a"]}\n{"id": "d2", "labels": []}\n{"id": "d3", "labels": ["a"]}\n'
)
GROUPS = "walk\twalks\nsing\tsings\tsung\n"
STEMS = "walk\twalk\nwalks\twalk\nsing\tsing\nsings\tsing\nsung\tsung\n"


def faced(session: SocketSession, folder: Path, gold: str, pred: str, *texts: str) -> str:
    """Writes gold and a prediction, opens the prediction, and gives its URI."""
    (folder / gold).write_text(texts[0], "utf-8")
    (folder / pred).write_text(texts[1], "utf-8")
    session.initialize(folder=folder)
    uri = (folder / pred).as_uri()
    session.open(uri, texts[1])
    return uri


def told(problems: list[Any]) -> list[tuple[str, int, int, int]]:
    """Code, line and columns of each problem."""
    return [
        (p["code"], p["range"]["start"]["line"], p["range"]["start"]["character"],
         p["range"]["end"]["character"])
        for p in problems
    ]  # fmt: skip


def metrics(session: SocketSession, uri: str) -> dict[str, Any]:
    board = session.command("goldlens.score", {"uri": uri})
    found: dict[str, Any] = board["metrics"]
    return found


def test_tags_are_underlined_and_scored_as_typed(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, "gold.iob2", "pred.iob2", IOB2, IOB2)
    assert session.problems(uri, 1) == []
    assert metrics(session, uri)["Micro"]["f1"] == 100
    session.edit(uri, 2, replace(0, 4, 5, "I"))
    problems = session.problems(uri, 2)
    assert ("iob2-malformed", 0, 4, 9) in told(problems)
    assert metrics(session, uri)["Micro"] == pytest.approx(
        {"correct": 2, "gold": 3, "predicted": 2, "aligned": None, "precision": 100,
         "recall": 200 / 3, "f1": 80, "aligned_accuracy": None}
    )  # fmt: skip
    session.edit(uri, 3, replace(0, 4, 5, "B"))
    assert session.problems(uri, 3) == []
    assert metrics(session, uri)["Micro"]["f1"] == 100


def test_the_repair_of_a_tag_is_ready_for_an_editor(session: SocketSession, tmp_path: Path) -> None:
    (tmp_path / "gold.iob2").write_text(IOB2, "utf-8")
    abilities = {"textDocument": {"publishDiagnostics": {"dataSupport": True}}}
    session.initialize(folder=tmp_path, capabilities=abilities)
    uri = (tmp_path / "pred.iob2").as_uri()
    session.open(uri, IOB2.replace("B-LOC", "b-LOC").replace("Bo\tB-PER", "Bo\tB-LOC"))
    found = {p["code"]: p for p in session.problems(uri, 1)}
    assert found["iob2-tag"]["data"]["repair"]["newText"] == "B-LOC"
    assert "data" not in found["span-error"]


def test_a_sentence_of_another_length_is_one_mismatch(
    session: SocketSession, tmp_path: Path
) -> None:
    uri = faced(session, tmp_path, "gold.iob2", "pred.iob2", IOB2, IOB2)
    session.problems(uri, 1)
    session.edit(uri, 2, replace(0, 0, 0, "Miss\tO\n"))
    assert [code for code, *_ in told(session.problems(uri, 2))] == ["stream-mismatch"]
    board = session.command("goldlens.score", {"uri": uri})
    assert board["metrics"]["Micro"]["correct"] == 1
    assert board["covered"]["compared"] == 1
    assert [cause["code"] for cause in board["would_refuse"]] == ["stream-mismatch"]


def test_an_edit_of_open_gold_is_seen(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, "gold.iob2", "pred.iob2", IOB2, IOB2)
    session.problems(uri, 1)
    gold = (tmp_path / "gold.iob2").as_uri()
    session.open(gold, IOB2)
    session.edit(gold, 2, replace(3, 5, 10, "O"))
    session.settle()
    assert metrics(session, uri)["Micro"]["correct"] == 2
    assert metrics(session, uri)["Micro"]["predicted"] == 3


def test_the_language_an_editor_gives_a_file_counts(session: SocketSession, tmp_path: Path) -> None:
    session.initialize(folder=tmp_path)
    uri = (tmp_path / "unheard.of").as_uri()
    item = {"uri": uri, "languageId": "iob2", "version": 1, "text": "Ada I-PER\n"}
    session.send("textDocument/didOpen", {"textDocument": item})
    assert [code for code, *_ in told(session.problems(uri, 1))] == ["iob2-malformed"]


def test_a_table_that_nobody_speaks_of_is_let_alone(session: SocketSession, tmp_path: Path) -> None:
    session.initialize(folder=tmp_path)
    uri = (tmp_path / "prices.tsv").as_uri()
    item = {"uri": uri, "languageId": "tsv", "version": 1, "text": "apple\n"}
    session.send("textDocument/didOpen", {"textDocument": item})
    assert session.problems(uri, 1) == []


def test_classes_face_gold_by_id(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, "gold.tsv", "pred.tsv", CLASSES, "d3\ta\nd1\ta\nd2\tb\n")
    assert session.problems(uri, 1) == []
    assert metrics(session, uri)["Accuracy"] == {"value": 100}
    session.edit(uri, 2, replace(1, 3, 4, "b"))
    assert told(session.problems(uri, 2)) == [("class-error", 1, 3, 4)]
    assert metrics(session, uri)["Accuracy"]["value"] == pytest.approx(200 / 3)
    session.edit(uri, 3, replace(1, 0, 2, "d3"))
    codes = [code for code, *_ in told(session.problems(uri, 3))]
    assert codes == ["id-duplicate", "id-missing"]


def test_scores_are_ranked_live(session: SocketSession, tmp_path: Path) -> None:
    rows = [{"id": f"d{k}", "scores": {"a": score}} for k, score in ((1, 0.9), (2, 0.2), (3, 0.8))]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    uri = faced(session, tmp_path, "gold.jsonl", "pred.jsonl", SCORED, text)
    assert session.problems(uri, 1) == []
    assert metrics(session, uri)["ROC-AUC"] == {"value": 100}
    at = text.split("\n")[1].index("0.2")
    session.edit(uri, 2, replace(1, at, at + 3, "0.85"))
    session.problems(uri, 2)
    assert metrics(session, uri)["ROC-AUC"] == {"value": 50}
    board = session.command("goldlens.score", {"uri": uri})
    assert board["labels"]["a"]["roc_auc"] == 50


def test_a_threshold_and_a_task_from_the_configuration(
    session: SocketSession, tmp_path: Path
) -> None:
    (tmp_path / "goldlens.toml").write_text(
        '[[pair]]\ntask = "classification"\ngold = "truth.jsonl"\npred = "out/*.jsonl"\n'
        "threshold = 0.95\n",
        "utf-8",
    )
    (tmp_path / "out").mkdir()
    text = '{"id": "d1", "scores": {"a": 0.9}}\n'
    uri = faced(session, tmp_path, "truth.jsonl", "out/one.jsonl", SCORED.split("\n")[0], text)
    session.problems(uri, 1)
    board = session.command("goldlens.score", {"uri": uri})
    assert board["metrics"]["Micro"]["predicted"] == 0
    assert "threshold:0.95" in board["signature"]


def test_stems_face_the_groups_of_a_dictionary(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, "gold.groups.tsv", "pred.stems.tsv", GROUPS, STEMS)
    assert session.problems(uri, 1) == []
    assert metrics(session, uri)["UI"] == {"value": pytest.approx(50)}
    session.edit(uri, 2, replace(4, 5, 9, "sing"))
    session.problems(uri, 2)
    assert metrics(session, uri)["UI"] == {"value": 0}
    session.edit(uri, 3, replace(4, 0, 9, ""))
    problems = told(session.problems(uri, 3))
    assert "form-missing" in [code for code, *_ in problems]


def test_a_dictionary_is_checked_as_what_it_is(session: SocketSession, tmp_path: Path) -> None:
    uri = faced(session, tmp_path, "gold.groups.tsv", "pred.stems.tsv", GROUPS, STEMS)
    session.problems(uri, 1)
    gold = (tmp_path / "gold.groups.tsv").as_uri()
    session.open(gold, GROUPS)
    assert session.problems(gold, 1) == []
    session.edit(gold, 2, replace(0, 0, 0, "walk\twalk\n"))
    assert [code for code, *_ in told(session.problems(gold, 2))] == ["form-duplicate"]


@pytest.mark.parametrize(
    ("gold", "pred", "text", "metric"),
    [
        ("gold.iob2", "pred.iob2", IOB2, "Micro"),
        ("gold.tsv", "pred.tsv", CLASSES, "Accuracy"),
        ("gold.groups.tsv", "pred.stems.tsv", None, "F1"),
    ],
)
def test_rows_of_every_task(
    session: SocketSession, tmp_path: Path, gold: str, pred: str, text: str | None, metric: str
) -> None:
    uri = faced(session, tmp_path, gold, pred, text or GROUPS, text or STEMS)
    session.problems(uri, 1)
    asked = {"uri": uri, "format": "json", "metrics": [metric], "resamples": 100}
    [row] = json.loads(session.command("goldlens.rows", asked))
    assert row["metric"] == metric
    if text:
        assert (row["score"], row["ci"]) == (100, [100, 100])
    else:
        assert row["ci"] is None
        assert row["score"] == pytest.approx(200 / 3)
