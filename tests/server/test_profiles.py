"""Profiles in files and in configurations: followed by whatever scores, or said not to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.problems import Severity
from goldlens.scoring.ud.profile import PROIEL
from goldlens.scoring.ud.reconciled import Reconciled
from goldlens.scoring.ud.task import UD
from goldlens.server import profiles
from goldlens.server.cache.cache import Text
from goldlens.server.config import PairConfig, parse
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.pairing import gold_for
from goldlens.server.profiles import BadProfile, followed, profile_of, trouble
from goldlens.server.roles import task_for
from goldlens.server.sources import uri_of
from goldlens.server.systems import Event, Systems
from goldlens.server.telling import listing_of
from goldlens.server.workspace import Workspace
from tests.server.cache.remembering import InMemory, cache

GOLD = "1\tZeus\tZeus\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tis\tbe\tVERB\t_\t_\t0\troot\t_\t_\n\n"
PRED = GOLD.replace("NOUN", "PROPN")
CONFIG = '[[pair]]\ngold = "gold/a.conllu"\npred = "runs/*/a.conllu"\nprofile = "{}"\n'
MINE = '[upos]\nPROPN = "NOUN"\n'


def project(folder: Path, profile: str = "proiel") -> Path:
    """A folder with a pair under a profile; the prediction."""
    for name, text in (
        ("gold/a.conllu", GOLD),
        ("runs/x/a.conllu", PRED),
        ("goldlens.toml", CONFIG.format(profile)),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "runs/x/a.conllu"


def said(problem: BadProfile) -> list[tuple[int, int, str]]:
    return [(p.place.line, p.place.start, p.code) for p in problem.problems]


def test_a_built_in_profile_needs_no_file() -> None:
    assert profile_of("proiel") is PROIEL
    assert followed("none") is None
    assert trouble("proiel") is None


def test_a_file_is_read_and_each_fault_is_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE, "utf-8")
    assert profile_of(str(path)).upos == (("PROPN", "NOUN"),)
    path.write_text('"é" = 1\n[upos]\n"PROPM" = "NOUN"\nAUX = "VRB"\n', "utf-8")
    with pytest.raises(BadProfile) as caught:
        profile_of(str(path))
    assert said(caught.value) == [
        (0, 0, "config-key"),
        (2, 0, "config-key"),
        (3, 6, "config-value"),
    ]
    assert f"{path}:1:1: unknown key “é”" in str(trouble(str(path)))


@pytest.mark.parametrize(
    ("data", "says"),
    [(b"a = [", "not TOML"), (b"\xff\xfe", "UTF-8"), (b"[upos\n", "not TOML")],
)
def test_what_is_no_toml_is_told(tmp_path: Path, data: bytes, says: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(data)
    with pytest.raises(BadProfile, match=says):
        profile_of(str(path))


def test_a_name_that_is_none_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(BadProfile, match="did you mean “proiel”"):
        profile_of("proeil")
    with pytest.raises(BadProfile, match="there is no such file"):
        profile_of(str(tmp_path / "gone.toml"))


def test_a_configuration_names_a_profile_or_its_file() -> None:
    path = Path("/p/goldlens.toml")
    assert parse(CONFIG.format("proiel"), path).pairs[0].profile == "proiel"
    assert parse(CONFIG.format("my/a.toml"), path).pairs[0].profile == "/p/my/a.toml"
    [problem] = parse(CONFIG.format("proeil"), path).problems
    assert (problem.code, problem.place.line) == ("config-value", 3)
    assert "did you mean “proiel”?" in problem.message


def upos(scores: Any) -> float | None:
    figure = scores["metrics"]["UPOS"]
    return None if figure is None else float(figure["f1"])


def test_an_editor_s_score_follows_the_profile_while_typing(tmp_path: Path) -> None:
    uri = uri_of(project(tmp_path))
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    scores: Any = workspace.scores(uri)
    assert "|profile:proiel|" in scores["signature"]
    assert upos(scores) == 100
    assert scores["metrics"]["XPOS"] is None
    # What is shown at a place is about the text as it is written.
    shown = workspace.listing(uri, None).shown
    assert [found.problem.code for found in shown] == ["tag-error"]
    tag = {"start": {"line": 0, "character": 12}, "end": {"line": 0, "character": 17}}
    workspace.change(uri, 2, [{"range": tag, "text": "ADJ"}], Encoding.UTF16)
    assert upos(workspace.scores(uri)) == 50


def test_a_profile_that_cannot_be_followed_gives_no_score_and_a_reason(tmp_path: Path) -> None:
    pred = project(tmp_path, "mine.toml")
    config = parse(CONFIG.format("mine.toml"), tmp_path / "goldlens.toml")
    facing = gold_for(pred, config)
    assert facing is not None
    assert "no such file" in str(facing.trouble)
    workspace = Workspace(tmp_path)
    workspace.open(uri_of(pred), PRED, 1)
    assert workspace.scores(uri_of(pred)) is None
    [told] = [f.problem for f in workspace.listing(uri_of(pred), None).shown]
    assert (told.code, told.severity) == ("config-value", Severity.ERROR)
    assert f"{tmp_path / 'mine.toml'}: there is no such file" in told.message
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    assert facing.trouble is None


def told_of(workspace: Workspace, uri: str) -> list[tuple[str, str]]:
    """The codes and messages of what is said of a whole file."""
    shown = [found.problem for found in workspace.listing(uri, None).shown]
    return [(p.code, p.message) for p in shown if p.code in ("config-value", "gold-not-found")]


def test_a_fault_in_a_profile_is_told_at_its_place_and_not_as_gold_that_is_missing(
    tmp_path: Path,
) -> None:
    uri = uri_of(project(tmp_path, "mine.toml"))
    (tmp_path / "mine.toml").write_text('[upos]\nPROPN = "NOUM"\nAUX = 1\n', "utf-8")
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    [(code, message)] = told_of(workspace, uri)
    assert code == "config-value"
    assert f"{tmp_path / 'mine.toml'}:2:9: unknown class “NOUM”" in message
    assert "(and 1 more); correct it there" in message


def test_a_name_that_no_profile_has_is_not_scored_without_one(tmp_path: Path) -> None:
    """It is a fault of the configuration; a plain score would be another than was asked for."""
    pred = project(tmp_path, "proeil")
    uri = uri_of(pred)
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    assert workspace.scores(uri) is None
    [(code, message)] = told_of(workspace, uri)
    assert code == "config-value"
    assert f"{tmp_path / 'goldlens.toml'}:4:11: " in message
    assert "did you mean “proiel”?" in message
    systems = Systems(tmp_path, ())
    list(systems.open())
    [system] = systems.all
    assert (system.score, "goldlens.toml:4:11: " in str(system.trouble)) == (None, True)
    (tmp_path / "goldlens.toml").write_text(CONFIG.format("none"), "utf-8")
    systems.changed([tmp_path / "goldlens.toml"])
    assert figure_of(systems) == 50


def test_a_profile_that_changes_scores_open_documents_anew(tmp_path: Path) -> None:
    pred = project(tmp_path, "mine.toml")
    uri, profile = uri_of(pred), tmp_path / "mine.toml"
    profile.write_text("", "utf-8")
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    assert profile in workspace.interest().files
    assert upos(workspace.scores(uri)) == 50
    revision = workspace.revision(uri)
    profile.write_text(MINE, "utf-8")
    assert workspace.files_changed([uri_of(profile)]) == {uri}
    scores: Any = workspace.scores(uri)
    assert (upos(scores), scores["since_open"]["UPOS"]) == (100, 0)
    assert workspace.revision(uri) != revision
    profile.write_text("[upso]\n", "utf-8")
    assert workspace.files_changed([uri_of(profile)]) == {uri}
    assert workspace.scores(uri) is None
    [(code, message)] = told_of(workspace, uri)
    assert (code, "mine.toml:1:2: unknown key “upso”" in message) == ("config-value", True)
    profile.unlink()
    assert workspace.files_changed([uri_of(profile)]) == {uri}
    assert "there is no such file" in told_of(workspace, uri)[0][1]
    assert profile in workspace.interest().files
    profile.write_text(MINE, "utf-8")
    workspace.files_changed([uri_of(profile)])
    assert (upos(workspace.scores(uri)), told_of(workspace, uri)) == (100, [])


def test_a_profile_that_was_mended_unseen_is_followed_when_anything_is_asked(
    tmp_path: Path,
) -> None:
    uri = uri_of(project(tmp_path, "mine.toml"))
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    assert workspace.news() == {uri}
    assert upos(workspace.scores(uri)) == 100


def test_a_profile_that_is_saved_in_the_editor_counts(tmp_path: Path) -> None:
    uri = uri_of(project(tmp_path, "mine.toml"))
    profile = tmp_path / "mine.toml"
    profile.write_text("", "utf-8")
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    workspace.open(uri_of(profile), MINE, 1)
    assert upos(workspace.scores(uri)) == 50
    profile.write_text(MINE, "utf-8")
    assert uri in workspace.save(uri_of(profile))
    assert upos(workspace.scores(uri)) == 100


def test_documents_under_no_such_profile_are_left_alone(tmp_path: Path) -> None:
    uri = uri_of(project(tmp_path))
    workspace = Workspace(tmp_path)
    workspace.open(uri, PRED, 1)
    revision = workspace.revision(uri)
    assert workspace.files_changed([uri_of(tmp_path / "mine.toml")]) == set()
    assert workspace.revision(uri) == revision


def test_gold_that_is_open_does_not_hide_the_trouble(tmp_path: Path) -> None:
    pred = project(tmp_path, "mine.toml")
    workspace = Workspace(tmp_path)
    workspace.open(uri_of(tmp_path / "gold/a.conllu"), GOLD, 1)
    workspace.open(uri_of(pred), PRED, 1)
    assert workspace.scores(uri_of(pred)) is None


def test_a_file_that_is_gone_leaves_every_figure_undefined(tmp_path: Path) -> None:
    profile = followed(str(tmp_path / "gone.toml"))
    assert profile is not None
    found = Reconciled(profile).figures(UD.sums(), (1, 1, 0), (1, 1, 0), strict=True)
    assert set(found.values()) == {None}


def test_a_task_under_no_such_profile_leaves_every_figure_undefined() -> None:
    pair = PairConfig("g.conllu", "p.conllu", profile_fault="goldlens.toml:4:11: no such profile")
    found = task_for(pair, Path("p.conllu"), b"").figures(UD.sums(), (1, 1, 0), (1, 1, 0))
    assert set(found.values()) == {None}


def test_systems_on_disk_follow_it_too(tmp_path: Path) -> None:
    project(tmp_path)
    systems = Systems(tmp_path, ())
    list(systems.open())
    [system] = systems.all
    assert system.score is not None
    figure = system.score.figures["UPOS"]
    assert figure is not None
    assert (figure.score, system.score.figures["XPOS"]) == (100, None)


def figure_of(systems: Systems) -> float | None:
    [system] = systems.all
    figure = system.score.figures["UPOS"] if system.score is not None else None
    return None if figure is None else figure.score


def test_another_profile_in_the_configuration_is_another_score(tmp_path: Path) -> None:
    project(tmp_path, "none")
    systems = Systems(tmp_path, ())
    list(systems.open())
    assert figure_of(systems) == 50
    config = tmp_path / "goldlens.toml"
    config.write_text(CONFIG.format("proiel"), "utf-8")
    systems.changed([config])
    assert figure_of(systems) == 100


def test_a_profile_that_breaks_makes_the_score_of_a_system_stale(tmp_path: Path) -> None:
    pred = project(tmp_path, "mine.toml")
    profile = tmp_path / "mine.toml"
    profile.write_text(MINE, "utf-8")
    systems = Systems(tmp_path, ())
    list(systems.open())
    [system] = systems.all
    assert (figure_of(systems), system.trouble) == (100, None)
    profile.write_text("[upos]\nPROPM = 1\n", "utf-8")
    pred.write_text(GOLD, "utf-8")
    systems.changed([pred])
    assert "unknown class “PROPM”" in str(system.trouble)


def test_a_profile_that_changes_scores_systems_anew(tmp_path: Path) -> None:
    project(tmp_path, "mine.toml")
    profile = tmp_path / "mine.toml"
    profile.write_text("", "utf-8")
    systems = Systems(tmp_path, ())
    list(systems.open())
    [system] = systems.all
    assert (figure_of(systems), system.is_current) == (50, True)
    assert profile in systems.interest().files
    assert systems.outdated() == []
    profile.write_text(MINE, "utf-8")
    assert (systems.outdated(), system.is_current) == ([profile], False)
    assert [change.event for change in systems.changed([profile])] == [Event.SCORE]
    assert (figure_of(systems), system.is_current, systems.outdated()) == (100, True, [])
    assert systems.changed([profile]) == []


def test_a_profile_that_breaks_and_is_mended_again(tmp_path: Path) -> None:
    project(tmp_path, "mine.toml")
    profile = tmp_path / "mine.toml"
    profile.write_text(MINE, "utf-8")
    systems = Systems(tmp_path, ())
    list(systems.open())
    [system] = systems.all
    profile.write_text("[upos]\nPROPN = 'NOUM'\n", "utf-8")
    assert [change.event for change in systems.changed([profile])] == [Event.TROUBLE]
    assert f"{profile}:2:9: unknown class “NOUM”" in str(system.trouble)
    listing = listing_of(system, 100)
    assert listing is not None
    assert [found.problem.code for found in listing.shown] == ["config-value"]
    profile.write_text("", "utf-8")
    assert [change.event for change in systems.changed([profile])] == [Event.SCORE]
    assert figure_of(systems) == 50


def test_gold_that_changes_after_a_profile_was_mended_unseen_is_scored_under_it(
    tmp_path: Path,
) -> None:
    project(tmp_path, "mine.toml")
    gold, profile = tmp_path / "gold/a.conllu", tmp_path / "mine.toml"
    systems = Systems(tmp_path, ())
    list(systems.open())
    assert figure_of(systems) is None
    profile.write_text(MINE, "utf-8")
    gold.write_text(GOLD.replace("VERB", "AUX"), "utf-8")
    systems.changed([gold])
    assert figure_of(systems) == 50


def test_what_is_kept_between_runs_is_of_no_profile() -> None:
    store = InMemory()

    def opened(task: Any) -> Pair:
        first = cache(store)
        theirs = first.document(UD, Text(GOLD.encode(), Path("gold"), checks=False))
        ours = first.document(UD, Text(PRED.encode(), Path("pred")))
        pair = first.pair(task, theirs, ours)
        first.renew(pair, "0" * 64, "1" * 64)
        first.finish()
        return pair

    def right(pair: Pair) -> int:
        figure: Any = pair.task.figures(pair.sums, (1, 2, 0), (1, 2, 0))["UPOS"]
        return int(figure.correct)

    assert [right(opened(task)) for task in (UD, Reconciled(PROIEL), UD)] == [1, 2, 1]


def test_a_suffix_says_that_a_name_is_a_file() -> None:
    assert profiles.file_of("a.toml") == Path("a.toml")
    assert profiles.file_of("proiel") is None
