"""workspace/executeCommand."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession, replace


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


def test_score(editor: SocketSession, pair: Pair) -> None:
    board = editor.command("goldlens.score", {"uri": pair.uri})
    assert board["metrics"]["LAS"]["f1"] == 80
    assert (board["uri"], board["version"]) == (pair.uri, 1)
    assert {"since_open", "since_save", "covered", "would_refuse"} <= set(board)


def test_score_of_a_file_without_gold_is_null(editor: SocketSession, pair: Pair) -> None:
    alone = (pair.folder / "alone.conllu").as_uri()
    editor.open(alone, pair.gold)
    assert editor.command("goldlens.score", {"uri": alone}) is None


def test_rows(editor: SocketSession, pair: Pair) -> None:
    fields = {"uri": pair.uri, "format": "json", "metrics": ["LAS"], "component": "parser"}
    [row] = json.loads(editor.command("goldlens.rows", fields))
    assert (row["metric"], row["component"], row["score"]) == ("LAS", "parser", 80)
    assert "LAS" in editor.command("goldlens.rows", {"uri": pair.uri, "format": "markdown"})


def test_set_gold(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "other.conllu").write_text(pair.pred, "utf-8")
    editor.command("goldlens.setGold", {"uri": pair.uri, "gold": "other.conllu"})
    assert editor.problems(pair.uri, 1) == []
    assert editor.las(pair.uri) == 100


def test_pairs(editor: SocketSession, pair: Pair) -> None:
    [found] = editor.command("goldlens.pairs", {})
    assert (found["pred"], found["gold"]) == (pair.uri, str(pair.gold_file))


def test_pairs_needs_no_arguments(editor: SocketSession) -> None:
    assert editor.call("workspace/executeCommand", {"command": "goldlens.pairs"})
    assert editor.call("workspace/executeCommand", {"command": "goldlens.pairs", "arguments": []})


def test_tree(editor: SocketSession, pair: Pair) -> None:
    tree = editor.command("goldlens.tree", {"uri": pair.uri, "line": 3})
    assert [word["form"] for word in tree["words"]] == ["We", "like", "tea"]
    assert [word["correct"] for word in tree["words"]] == [True, True, False]
    assert editor.command("goldlens.tree", {"uri": pair.uri, "line": 99}) is None


def test_the_worst_sentence_is_found_among_all_and_its_problems_are_shown(
    session: SocketSession, pair: Pair
) -> None:
    """However few problems may be shown, and wherever the last edit was."""
    pair.gold_file.write_text(forty(pair.gold), "utf-8")
    before, _, after = forty(pair.pred).rpartition("PRON\t_\t_\t2\tnsubj")
    worst = f"{before}NOUN\t_\t_\t2\tobj{after}"
    session.initialize(folder=pair.folder, options={"maxProblems": 3})
    session.open(pair.uri, worst)
    shown = session.problems(pair.uri, 1)
    assert all(problem["range"]["start"]["line"] < 20 for problem in shown)
    found = session.command("goldlens.seek", {"uri": pair.uri, "which": "worst"})
    assert found["line"] > worst.count("\n") - 8
    again = session.problems(pair.uri, 1)
    assert found["line"] in [problem["range"]["start"]["line"] for problem in again]
    following = session.command("goldlens.seek", {"uri": pair.uri, "which": "next", "line": 0})
    assert 0 < following["line"] < 20
    assert (found["name"], found["problems"]) == ("39-2", 2)


def forty(text: str) -> str:
    """A text forty times over, with other names of its sentences each time."""
    return "".join(text.replace("= s", f"= {number}-") for number in range(40))


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("goldlens.sore", [{}], "unknown command 'goldlens.sore'; expected one of goldlens.score"),
        ("goldlens.score", [], "goldlens.score expects “uri”"),
        ("goldlens.score", [{}], "goldlens.score expects “uri”"),
        ("goldlens.score", ["x"], "arguments\\[0\\] to be an object, not 'x'"),
        ("goldlens.score", [{}, {}], "one object in arguments, not 2"),
        ("goldlens.score", {}, "arguments to be an array, not an object"),
        ("goldlens.score", [{"uri": 1}], "uri to be a string, not 1"),
        ("goldlens.score", [{"uri": "file:///a", "url": 1}], "unknown.*did you mean “uri”"),
        ("goldlens.rows", [{"uri": "file:///a"}], "expects “format”"),
        ("goldlens.rows", [{"uri": "file:///a", "format": "pdf"}], "one of markdown, json, csv"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "metrics": "LAS"}], "to be an array"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "resamples": 2.5}], "from 100, not 2.5"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "seed": True}], "whole number.* true"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "seed": 2**64}], "at most 18446744073709"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "resamples": 10**7}], "at most 1000000,"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "level": 1}], "a share such as 0.95"),
        ("goldlens.rows", [{"uri": "x", "format": "csv", "reference": {"LAS": "1"}}], "a number"),
        ("goldlens.compare", [{"uri": "x"}], "expects “other”"),
        ("goldlens.compare", [{"uri": "x", "other": "y", "level": 2.0}], "a share such as 0.95"),
        ("goldlens.receipt", [{"uri": "x", "split": 1}], "split to be a string, not 1"),
        ("goldlens.setGold", [{"uri": "x"}], "expects “gold”"),
        ("goldlens.seek", [{"uri": "x", "which": "best"}], "which to be one of worst, next, prev"),
        ("goldlens.tree", [{"uri": "x", "line": -1}], "line to be a whole number from 0, not -1"),
        ("goldlens.tree", [{"uri": "x", "line": "3"}], "line to be a whole number"),
    ],
)
def test_bad_arguments_say_what_was_expected(
    editor: SocketSession, name: str, arguments: object, expected: str
) -> None:
    with pytest.raises(RpcError, match=expected) as caught:
        editor.call("workspace/executeCommand", {"command": name, "arguments": arguments})
    assert caught.value.code == -32602


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("goldlens.score", {}),
        ("goldlens.rows", {"format": "csv"}),
        ("goldlens.setGold", {"gold": "gold.conllu"}),
        ("goldlens.tree", {"line": 1}),
    ],
)
def test_what_cannot_be_done_says_why(
    editor: SocketSession, pair: Pair, name: str, more: dict[str, object]
) -> None:
    unknown = (pair.folder / "unknown.conllu").as_uri()
    with pytest.raises(RpcError, match=r"unknown\.conllu") as caught:
        editor.command(name, {"uri": unknown, **more})
    assert caught.value.code == -32803


def test_a_gold_that_is_not_there(editor: SocketSession, pair: Pair) -> None:
    with pytest.raises(RpcError, match=r"missing\.conllu") as caught:
        editor.command("goldlens.setGold", {"uri": pair.uri, "gold": "missing.conllu"})
    assert caught.value.code == -32803
    assert editor.las(pair.uri) == 80


def test_rows_against_another_system(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "other.conllu").write_text(pair.gold, "utf-8")
    asked = {
        "uri": pair.uri,
        "format": "json",
        "metrics": ["LAS"],
        "reference_pred": "other.conllu",
    }
    [row] = json.loads(editor.command("goldlens.rows", {**asked, "resamples": 200, "seed": 3}))
    assert (row["reference"], row["reference_ci"]) == (100, [100, 100])
    assert row["difference"] == -20
    assert (row["resamples"], row["seed"], row["level"]) == (200, 3, 0.95)
    low, high = row["ci"]
    assert low <= row["score"] <= high


def test_rows_follow_the_policy(editor: SocketSession, pair: Pair) -> None:
    broken = pair.pred.replace("\t0\troot", "\t9\troot", 1)
    editor.edit(pair.uri, 2, {"text": broken})
    editor.problems(pair.uri, 2)
    asked = {"uri": pair.uri, "format": "json"}
    with pytest.raises(RpcError, match="official policy refuses this pair for head-out-of-range"):
        editor.command("goldlens.rows", asked)
    rows = json.loads(editor.command("goldlens.rows", {**asked, "policy": "lenient"}))
    assert "policy:lenient" in rows[0]["signature"]
    assert rows[0]["pred_sha256"] == "unsaved buffer"


def test_a_report_is_of_what_is_in_the_editor(editor: SocketSession, pair: Pair) -> None:
    asked = {"uri": pair.uri, "resamples": 100}
    before = editor.command("goldlens.report", asked)
    assert before.startswith("<!doctype html>")
    assert "<td>LAS</td>" in before.replace(" class=text", "")
    assert "The worst sentences" in before
    editor.edit(pair.uri, 2, {"text": pair.gold})
    after = editor.command("goldlens.report", asked)
    assert "The worst sentences" not in after
    assert re.search(r"pred\.conllu \(SHA-256 [0-9a-f]{16}…\)", before)
    assert "pred.conllu (unsaved buffer)" in after


def test_a_report_needs_gold(editor: SocketSession, pair: Pair) -> None:
    alone = (pair.folder / "alone.conllu").as_uri()
    editor.open(alone, pair.gold)
    with pytest.raises(RpcError, match="has no gold"):
        editor.command("goldlens.report", {"uri": alone})


def test_compare(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "other.conllu").write_text(pair.gold, "utf-8")
    other = (pair.folder / "other.conllu").as_uri()
    asked = {"uri": pair.uri, "other": other, "metrics": ["LAS", "UPOS"]}
    found = editor.command("goldlens.compare", asked)
    assert [each["metric"] for each in found] == ["LAS", "UPOS"]
    assert (found[0]["a"], found[0]["b"], found[0]["difference"]) == (80, 100, -20)
    with pytest.raises(RpcError, match="no such file"):
        editor.command("goldlens.compare", {**asked, "other": "nowhere.conllu"})
    with pytest.raises(RpcError, match="unknown metric 'NAS'") as caught:
        editor.command("goldlens.compare", {**asked, "metrics": ["NAS"]})
    assert caught.value.code == -32602


@pytest.mark.parametrize("asked", [{"metrics": ["las"]}, {"reference": {"las": 80}}])
def test_rows_of_what_the_task_does_not_have(
    editor: SocketSession, pair: Pair, asked: dict[str, object]
) -> None:
    with pytest.raises(RpcError, match="unknown metric 'las'") as caught:
        editor.command("goldlens.rows", {"uri": pair.uri, "format": "json", **asked})
    assert caught.value.code == -32602


def test_edits_and_problems_come_while_rows_are_made(editor: SocketSession, pair: Pair) -> None:
    """The rows are those of the text for which they were asked."""
    asked = {"uri": pair.uri, "format": "json", "metrics": ["LAS"], "resamples": 1_000_000}
    params = {"command": "goldlens.rows", "arguments": [asked]}
    number = editor.ask("workspace/executeCommand", params)
    editor.edit(pair.uri, 2, replace(3, 19, 20, "2"))
    assert editor.problems(pair.uri, 2) == []
    assert editor.las(pair.uri) == 100
    assert not any(message.get("id") == number for message in editor.log)
    [row] = json.loads(editor.answer(number))
    assert row["score"] == 80


def test_rows_that_are_cancelled(editor: SocketSession, pair: Pair) -> None:
    asked = {"uri": pair.uri, "format": "json", "metrics": ["LAS"], "resamples": 1_000_000}
    number = editor.ask(
        "workspace/executeCommand", {"command": "goldlens.rows", "arguments": [asked]}
    )
    editor.send("$/cancelRequest", {"id": number})
    with pytest.raises(RpcError, match="cancelled") as caught:
        editor.answer(number)
    assert caught.value.code == -32800
    assert editor.las(pair.uri) == 80


def test_receipt(editor: SocketSession, pair: Pair) -> None:
    made = editor.command("goldlens.receipt", {"uri": pair.uri, "split": "test"})
    again = editor.command("goldlens.receipt", {"uri": pair.uri, "split": "test"})
    assert made == again
    assert made["split"] == "test"
    assert made["scores"]["LAS"]["f1"] == 80
    assert made["gold_sha256"] == hashlib.sha256(pair.gold.encode()).hexdigest()
    other = editor.command("goldlens.receipt", {"uri": pair.uri, "split": "dev"})
    assert other["id"] != made["id"]
    with pytest.raises(RpcError, match="only what JSON can say") as caught:
        editor.command("goldlens.receipt", {"uri": pair.uri, "split": "\ud800"})
    assert caught.value.code == -32803


def test_the_hash_of_a_gold_that_is_open(editor: SocketSession, pair: Pair) -> None:
    """It is that of its text as long as that is what is saved."""
    editor.open(pair.gold_uri, pair.gold)
    digest = hashlib.sha256(pair.gold.encode()).hexdigest()
    assert editor.command("goldlens.receipt", {"uri": pair.uri})["gold_sha256"] == digest
    editor.edit(pair.gold_uri, 2, replace(1, 2, 4, "Oui"))
    made = editor.command("goldlens.receipt", {"uri": pair.uri, "policy": "lenient"})
    assert made["gold_sha256"] == "unsaved buffer"
