"""What documents are and face while configurations, golds and settings come, change and go.

Whatever the way there, everything must be as if all had been opened a moment ago.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.bootstrap import nobody
from goldlens.server.asked import WorkspaceError
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import uri_of
from goldlens.server.workspace import Workspace

Put = Callable[[str, str], str]

SPANS = "Ada x B-PER\nsaw x O\nOslo x B-LOC\n\n"
CLASSES = '{"id": "d1", "labels": ["a"]}\n{"id": "d2", "labels": ["b"]}\n'
SCORES = '{"id": "d1", "scores": {"a": 0.7}}\n{"id": "d2", "scores": {"b": 0.95}}\n'
PAIR = '[[pair]]\ntask = "span"\ngold = "truth.txt"\npred = "{}.txt"\n'


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a file and gives its URI."""

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_bytes(text.encode())
        return uri_of(tmp_path / name)

    return write


def opened(folder: Path, *files: tuple[str, str]) -> Workspace:
    workspace = Workspace(folder)
    for uri, text in files:
        workspace.open(uri, text, 1)
    return workspace


def edit(workspace: Workspace, uri: str, line: int, old: str, new: str) -> set[str]:
    """Replaces a text in a line of an open document."""
    start = workspace.document(uri).text().decode().split("\n")[line].index(old)
    where = {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": start + len(old)},
    }
    return workspace.change(uri, 2, [{"range": where, "text": new}], Encoding.UTF16)


def counts(workspace: Workspace, uri: str) -> tuple[int, int, int]:
    scores: Any = workspace.scores(uri)
    micro = scores["metrics"]["Micro"]
    return micro["correct"], micro["gold"], micro["predicted"]


def codes(workspace: Workspace, uri: str) -> list[str]:
    return [found.problem.code for found in workspace.listing(uri, None).shown]


def rows(workspace: Workspace, uri: str, form: str, *metrics: Any, **fields: Any) -> str:
    """Results rows, at once."""
    return workspace.publishing.rows_later(uri, form, *metrics, **fields)(nobody)


def orders(*names: str) -> Sequence[tuple[str, ...]]:
    return list(permutations(names))


@pytest.mark.parametrize("order", orders("gold", "pred"))
class TestAnEditOfOpenGoldIsSeen:
    def test_after_other_settings(self, put: Put, tmp_path: Path, order: tuple[str, str]) -> None:
        uris = {name: put(f"{name}.iob2", SPANS) for name in order}
        workspace = opened(tmp_path, *((uris[name], SPANS) for name in order))
        workspace.configure({"maxProblems": 9})
        touched = edit(workspace, uris["gold"], 2, "B-LOC", "O")
        assert touched == set(uris.values())
        assert counts(workspace, uris["pred"]) == (1, 1, 2)
        assert codes(workspace, uris["pred"]) == ["span-error"]

    def test_after_another_configuration(
        self, put: Put, tmp_path: Path, order: tuple[str, str]
    ) -> None:
        config = put("goldlens.toml", PAIR.format("pred"))
        uris = {"gold": put("truth.txt", SPANS), "pred": put("pred.txt", SPANS)}
        workspace = opened(tmp_path, *((uris[name], SPANS) for name in order))
        assert counts(workspace, uris["pred"]) == (2, 2, 2)
        put("goldlens.toml", PAIR.format("pred") + "tag-column = 2\n")
        assert workspace.files_changed([config]) == set(uris.values())
        assert counts(workspace, uris["pred"]) == (0, 0, 0)
        assert set(codes(workspace, uris["pred"])) == {"iob2-tag"}
        edit(workspace, uris["gold"], 0, " x ", " B-PER ")
        assert counts(workspace, uris["pred"]) == (0, 1, 0)
        put("goldlens.toml", PAIR.format("pred"))
        workspace.files_changed([config])
        edit(workspace, uris["gold"], 2, "B-LOC", "O")
        assert counts(workspace, uris["pred"]) == (1, 1, 2)

    def test_after_another_task(self, put: Put, tmp_path: Path, order: tuple[str, str]) -> None:
        pair = '[[pair]]\ntask = "{}"\ngold = "truth.txt"\npred = "pred.txt"\n'
        config = put("goldlens.toml", pair.format("span"))
        text = "d1\ta\nd2\tB-X\n"
        uris = {"gold": put("truth.txt", text), "pred": put("pred.txt", text)}
        workspace = opened(tmp_path, *((uris[name], text) for name in order))
        assert counts(workspace, uris["pred"]) == (1, 1, 1)
        put("goldlens.toml", pair.format("classification"))
        workspace.save(config)
        workspace.files_changed([config])
        scores: Any = workspace.scores(uris["pred"])
        assert scores["metrics"]["Accuracy"] == {"value": 100}
        # Spans and classes have a Micro each, but the one is no change of the other.
        assert scores["since_open"]["Micro"] == 0
        edit(workspace, uris["gold"], 1, "B-X", "a")
        scores = workspace.scores(uris["pred"])
        assert scores["metrics"]["Accuracy"] == {"value": 50}
        assert scores["since_open"]["Accuracy"] == -50


def test_another_threshold_is_read_again(put: Put, tmp_path: Path) -> None:
    pair = '[[pair]]\ngold = "gold.jsonl"\npred = "pred.jsonl"\nthreshold = '
    config = put("goldlens.toml", f"{pair}0.5\n")
    put("gold.jsonl", CLASSES)
    uri = put("pred.jsonl", SCORES)
    workspace = opened(tmp_path, (uri, SCORES))
    assert counts(workspace, uri) == (2, 2, 2)
    put("goldlens.toml", f"{pair}0.9\n")
    assert workspace.files_changed([config]) == {uri}
    assert counts(workspace, uri) == (1, 2, 1)


@pytest.mark.parametrize("order", orders("truth", "a", "b"))
def test_one_gold_may_be_read_in_several_ways(
    put: Put, tmp_path: Path, order: tuple[str, ...]
) -> None:
    """Two predictions whose tags stand in other columns, or with other thresholds."""
    put("goldlens.toml", PAIR.format("a") + PAIR.format("b") + "tag-column = 2\n")
    texts = {"truth": "Ada B-PER B-LOC\nsaw O O\n\n"}
    texts |= {"a": texts["truth"], "b": texts["truth"]}
    uris = {name: put(f"{name}.txt", text) for name, text in texts.items()}
    workspace = opened(tmp_path, *((uris[name], texts[name]) for name in order))
    edit(workspace, uris["truth"], 0, "B-LOC", "B-ORG")
    assert [counts(workspace, uris[name]) for name in "ab"] == [(0, 1, 1), (1, 1, 1)]
    touched = edit(workspace, uris["truth"], 0, "B-PER", "O")
    assert touched == set(uris.values())
    assert [counts(workspace, uris[name]) for name in "ab"] == [(0, 1, 1), (0, 0, 1)]
    workspace.close(uris["truth"])
    assert [counts(workspace, uris[name]) for name in "ab"] == [(1, 1, 1)] * 2


def test_a_gold_read_in_several_ways_is_rescored_when_saved(put: Put, tmp_path: Path) -> None:
    put("goldlens.toml", PAIR.format("a") + PAIR.format("b") + "tag-column = 2\n")
    text = "Ada B-PER B-LOC\n\n"
    uris = [put(f"{name}.txt", text) for name in ("truth", "a", "b")]
    workspace = Workspace(tmp_path)
    workspace.configure({"run": "onSave"})
    for uri in uris:
        workspace.open(uri, text, 1)
    edit(workspace, uris[0], 0, "B-PER B-LOC", "O O")
    assert [counts(workspace, uri) for uri in uris[1:]] == [(1, 1, 1)] * 2
    put("truth.txt", "Ada O O\n\n")
    workspace.save(uris[0])
    assert [counts(workspace, uri) for uri in uris[1:]] == [(0, 0, 1)] * 2


def test_a_prediction_may_be_the_gold_of_another(put: Put, tmp_path: Path) -> None:
    """It goes on facing its own, whatever the other needs."""
    put("goldlens.toml", PAIR.format("a") + "tag-column = 3\n")
    uris = [put("truth.txt", SPANS), put("a.txt", SPANS), put("b.iob2", SPANS)]
    workspace = opened(tmp_path, *((uri, SPANS) for uri in uris))
    workspace.set_gold(uris[2], "a.txt")
    edit(workspace, uris[0], 2, "B-LOC", "O")
    assert counts(workspace, uris[1]) == (1, 1, 2)
    edit(workspace, uris[1], 0, "B-PER", "O")
    assert [counts(workspace, uri) for uri in uris[1:]] == [(0, 1, 1), (1, 1, 2)]


def test_what_is_published_follows_the_configuration(put: Put, tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    put("base/line.txt", SPANS)
    put(
        "goldlens.toml",
        PAIR.format("pred")
        + 'component = "tagger"\nlanguage = "en"\ndataset = "ours"\nmetrics = ["F1", "recall"]\n'
        'policy = "lenient"\nreference = { recall = 40 }\nreference-source = "a paper"\n'
        'reference-pred = "base/line.txt"\nresamples = 200\nlevel = 0.9\nseed = 7\n',
    )
    put("truth.txt", SPANS)
    # A token is missing, for which the official policy would refuse the pair.
    uri = put("pred.txt", SPANS.replace("saw x O\n", ""))
    workspace = Workspace(tmp_path)
    found = json.loads(rows(workspace, uri, "json"))
    said = ("component", "language", "dataset", "metric", "resamples", "level", "seed")
    assert [tuple(row[name] for name in said) for row in found] == [
        ("tagger", "en", "ours", metric, 200, 0.9, 7) for metric in ("F1", "recall")
    ]
    kept = [(row["reference"], row["reference_source"], row["difference"]) for row in found]
    assert kept == [(100, "base/line.txt", -100), (40, "a paper", -100)]
    assert all("policy:lenient" in row["signature"] for row in found)
    compared = workspace.publishing.compare_later(uri, "base/line.txt")(nobody)
    assert [each["metric"] for each in compared] == ["F1", "recall"]
    assert workspace.publishing.receipt(uri)["treebank"] == "ours"
    with pytest.raises(WorkspaceError, match="the official policy refuses this pair"):
        rows(workspace, uri, "json", policy="official")
    # What is asked for comes before what is configured.
    [row] = json.loads(rows(workspace, uri, "json", ["Micro"], seed=8, level=0.5, resamples=100))
    assert (row["metric"], row["seed"], row["level"], row["resamples"]) == ("Micro", 8, 0.5, 100)
    asked: dict[str, Any] = {"component": "c", "language": "l", "dataset": "d"}
    asked |= {"reference": {"F1": 50}}
    row = json.loads(rows(workspace, uri, "json", reference_source="s", **asked))[0]
    assert tuple(row[name] for name in said[:3]) == ("c", "l", "d")
    assert (row["reference"], row["reference_source"]) == (50, "s")


class TestGoldByHand:
    def test_the_rest_of_the_pairs_configuration_holds(self, put: Put, tmp_path: Path) -> None:
        more = 'tag-column = 2\ncomponent = "tagger"\nseed = 7\n'
        put("goldlens.toml", PAIR.format("pred") + more)
        text = "Ada B-PER x\nsaw O x\n\n"
        put("truth.txt", text)
        put("other.txt", text.replace("PER", "LOC"))
        uri = put("pred.txt", text)
        workspace = opened(tmp_path, (uri, text))
        workspace.set_gold(uri, "other.txt")
        assert counts(workspace, uri) == (0, 1, 1)
        assert "| tagger |" in rows(workspace, uri, "markdown")

    def test_a_gold_that_gets_one_of_its_own_stays_the_gold_of_others(
        self, put: Put, tmp_path: Path
    ) -> None:
        put("goldlens.toml", PAIR.format("pred") + "tag-column = 2\n")
        text = "Ada B-PER x\n\n"
        truth, uri = put("truth.txt", text), put("pred.txt", text)
        put("other.txt", text)
        workspace = opened(tmp_path, (truth, text), (uri, text))
        assert workspace.set_gold(truth, "other.txt") == {truth, uri}
        edit(workspace, truth, 0, "B-PER", "O")
        assert counts(workspace, uri) == (0, 0, 1)

    @pytest.mark.parametrize("later", [False, True])
    def test_a_gold_that_nobody_knew_is_told_about_as_what_it_is(
        self, put: Put, tmp_path: Path, later: bool
    ) -> None:
        text = "d1\ta\nd1\tb\n"
        truth, uri = put("words.tsv", text), put("pred.tsv", "d1\ta\n")
        workspace = opened(tmp_path, (uri, "d1\ta\n"))
        if later:
            workspace.set_gold(uri, "words.tsv")
            touched = workspace.open(truth, text, 1)
        else:
            workspace.open(truth, text, 1)
            assert codes(workspace, truth) == []
            touched = workspace.set_gold(uri, "words.tsv")
        assert touched == {truth, uri}
        assert codes(workspace, truth) == ["id-duplicate"]

    def test_unsaved_edits_of_it_wait_until_they_are_saved(self, put: Put, tmp_path: Path) -> None:
        truth, uri = put("words.tsv", "d1\ta\n"), put("pred.tsv", "d1\ta\n")
        workspace = Workspace(tmp_path)
        workspace.configure({"run": "onSave"})
        workspace.open(truth, "d1\ta\n", 1)
        workspace.open(uri, "d1\ta\n", 1)
        edit(workspace, truth, 0, "a", "b")
        workspace.set_gold(uri, "words.tsv")
        edit(workspace, truth, 0, "d1", "d2")
        assert counts(workspace, uri) == (1, 1, 1)
