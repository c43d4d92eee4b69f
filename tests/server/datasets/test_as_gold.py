"""`data:NAME` as the gold of a configuration, of the systems on disk, and of an open document."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from goldlens.server.asked import WorkspaceError
from goldlens.server.config import parse
from goldlens.server.datasets import cached
from goldlens.server.datasets.registry import OFFICIAL, Entry, shipped
from goldlens.server.pairing import gold_for, pairs_with_gold
from goldlens.server.sources import uri_of
from goldlens.server.systems import Systems
from goldlens.server.workspace import Workspace
from tests.server.datasets.made import DATA, GOLD, table_of

PRED = GOLD.replace("DET", "NOUN")
OTHER = GOLD.replace("DET", "VERB").replace("VERB\t_\t_\t0", "NOUN\t_\t_\t0")
PAIR = '[[pair]]\ngold = "data:mine"\npred = "runs/*.conllu"\n'


@pytest.fixture
def config(entry: Entry, tmp_path: Path) -> Path:
    """A configuration with a data set, and a pair whose gold it is."""
    path = tmp_path / "project" / "goldlens.toml"
    (path.parent / "runs").mkdir(parents=True)
    path.write_text(f"{PAIR}\n{table_of(entry)}", "utf-8")
    return path


@pytest.fixture
def pred(config: Path) -> Path:
    path = config.parent / "runs" / "one.conllu"
    path.write_text(PRED, "utf-8")
    return path


def take(entry: Entry) -> Path:
    return cached.take(entry, io.BytesIO(DATA))


def damage(entry: Entry) -> None:
    cached.place(entry).chmod(0o644)
    cached.place(entry).write_text(OTHER, "utf-8")


def wrong(text: str) -> list[tuple[str, int, str, str]]:
    """Each problem of a configuration: its code, its line from 1, what it stands under, and what
    it says."""
    found = parse(text, Path("/project/goldlens.toml")).problems
    lines = [line.encode() for line in text.split("\n")]
    return [
        (
            p.code,
            p.place.line + 1,
            lines[p.place.line][p.place.start : p.place.end].decode(),
            p.message,
        )
        for p in found
    ]


def test_a_configuration_has_data_sets_of_its_own_besides_those_shipped(entry: Entry) -> None:
    config = parse(table_of(entry), Path("/project/goldlens.toml"))
    assert config.problems == ()
    assert config.known == {**shipped(), "mine": entry}
    section = table_of(entry).replace("[[dataset]]", "[[tool.goldlens.dataset]]")
    assert parse(section, Path("/project/pyproject.toml")).datasets == (entry,)


def test_a_faulty_data_set_is_a_problem_at_its_place(entry: Entry) -> None:
    text = table_of(entry)
    bad = text.replace("https:", "ftp:").replace('licence = "CC-BY-4.0"\n', "").replace("note", "n")
    assert [each[:3] for each in wrong(bad)] == [
        ("config-value", 1, "dataset"),
        ("config-value", 1, "dataset"),
        ("config-value", 3, '"ftp://data.test/mine.conllu"'),
        ("config-key", 6, "n"),
    ]
    config = parse(f"maxProblms = 3\n{bad}", Path("/project/goldlens.toml"))
    assert len(config.dataset_problems) == 4
    assert len(config.problems) == 5
    section = bad.replace("[[dataset]]", "[[tool.goldlens.dataset]]")
    assert len(parse(section, Path("/project/pyproject.toml")).dataset_problems) == 4


def test_what_is_wrong_with_a_pair_is_not_said_of_data_sets(entry: Entry) -> None:
    pair = PAIR.replace("data:mine", "gold.conllu")
    config = parse(f"{pair}zzz = 1\n{table_of(entry)}zzz = 1\n", Path("/project/goldlens.toml"))
    assert [each.message for each in config.problems] == ["unknown key “zzz”"] * 2
    assert config.dataset_problems == config.problems[1:]


def test_metrics_are_those_of_the_data_set_s_task(entry: Entry) -> None:
    pair = PAIR + 'metrics = ["LASS"]\n'
    [(code, line, where, said)] = wrong(pair + table_of(entry))
    assert (code, line, where) == ("config-value", 4, '"LASS"')
    assert "did you mean “LAS”" in said


def test_a_gold_that_no_data_set_is_called_is_a_problem_at_its_place(entry: Entry) -> None:
    own = table_of(entry)
    assert wrong(f"{PAIR}{own}") == []
    assert wrong(PAIR.replace("data:mine", "data:mien") + own) == [
        (
            *("config-value", 2, '"data:mien"'),
            "there is no data set “mien”; did you mean “mine”?",
        )
    ]
    [(*_, said)] = wrong(PAIR.replace("data:mine", f"data:{OFFICIAL}"))
    assert "is a script, not gold" in said


def test_the_gold_is_where_the_data_set_lies_whether_it_is_there_or_not(
    config: Path, pred: Path, entry: Entry
) -> None:
    read = parse(config.read_text("utf-8"), config)
    facing = gold_for(pred, read)
    assert facing is not None
    assert facing.gold == cached.place(entry)
    assert "goldlens data fetch mine" in str(facing.trouble)
    take(entry)
    assert facing.trouble is None
    assert pairs_with_gold(facing.gold, read) == list(read.pairs)
    damage(entry)
    assert "is damaged" in str(facing.trouble)


def test_systems_score_when_the_gold_comes_and_not_what_is_damaged(
    config: Path, pred: Path, entry: Entry
) -> None:
    systems = Systems(config.parent)
    list(systems.open())
    [system] = systems.all
    assert "goldlens data fetch mine" in str(system.trouble)
    place = cached.place(entry)
    assert place in systems.interest().files
    take(entry)
    systems.changed([place])
    assert system.trouble is None
    assert system.score is not None
    assert system.score.gold_sha256 == entry.sha256
    before = system.score
    damage(entry)
    systems.changed([place])
    assert "is damaged" in str(system.trouble)
    assert system.score == before
    take(entry)
    systems.changed([place])
    assert system.trouble is None


def tags(workspace: Workspace, uri: str) -> float | None:
    scores = workspace.scores(uri)
    if scores is None:
        return None
    metrics = scores["metrics"]
    assert isinstance(metrics, dict)
    return round(float(metrics["UPOS"]["f1"]), 2)


def codes(workspace: Workspace, uri: str) -> list[str]:
    return [found.problem.code for found in workspace.listing(uri, None).shown]


def test_an_open_document_is_compared_when_the_gold_comes_and_not_with_what_is_damaged(
    config: Path, pred: Path, entry: Entry
) -> None:
    workspace, uri = Workspace(config.parent), uri_of(pred)
    workspace.open(uri, PRED, 1)
    assert (tags(workspace, uri), codes(workspace, uri)) == (None, ["gold-not-found"])
    place = cached.place(entry)
    assert place in workspace.interest().files
    take(entry)
    assert workspace.files_changed([uri_of(place)]) == {uri}
    assert (tags(workspace, uri), codes(workspace, uri)) == (66.67, ["tag-error"])
    damage(entry)
    assert workspace.files_changed([uri_of(place)]) == {uri}
    assert (tags(workspace, uri), codes(workspace, uri)) == (None, ["gold-not-found"])
    take(entry)
    assert workspace.files_changed([uri_of(place)]) == {uri}
    assert tags(workspace, uri) == 66.67


def test_gold_by_hand(config: Path, entry: Entry) -> None:
    workspace = Workspace(config.parent)
    uri = uri_of(config.parent / "else.conllu")
    workspace.open(uri, PRED, 1)
    for name, said in (
        ("data:mine", "goldlens data fetch mine"),
        ("data:mien", "did you mean “mine”"),
        (f"data:{OFFICIAL}", "is a script"),
    ):
        with pytest.raises(WorkspaceError, match=said):
            workspace.set_gold(uri, name)
    assert tags(workspace, uri) is None
    take(entry)
    assert workspace.set_gold(uri, "data:mine") == {uri}
    assert tags(workspace, uri) == 66.67


def test_gold_by_hand_instead_of_a_data_set(config: Path, pred: Path, entry: Entry) -> None:
    take(entry)
    workspace, uri = Workspace(config.parent), uri_of(pred)
    workspace.open(uri, PRED, 1)
    (config.parent / "same.conllu").write_text(PRED, "utf-8")
    workspace.set_gold(uri, "../same.conllu")
    assert tags(workspace, uri) == 100
    damage(entry)
    workspace.files_changed([uri_of(cached.place(entry))])
    assert tags(workspace, uri) == 100
