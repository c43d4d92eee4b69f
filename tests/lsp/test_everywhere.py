"""Problems of predictions that nobody has open: `scope = "workspace"`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession

CONFIG = '[[pair]]\ngold = "gold.conllu"\npred = "runs/*/out.conllu"\n'

PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


@pytest.fixture(params=["alone", "daemon"])
def via(request: pytest.FixtureRequest) -> str:
    served: str = request.param
    return served


@pytest.fixture
def runs(pair: Pair) -> Path:
    """Two systems, of which `a` has one error and `b` none."""
    (pair.folder / "goldlens.toml").write_text(CONFIG, "utf-8")
    for name, text in (("a", pair.pred), ("b", pair.gold)):
        (pair.folder / "runs" / name).mkdir(parents=True)
        (pair.folder / "runs" / name / "out.conllu").write_text(text, "utf-8")
    return pair.folder / "runs"


def uri(runs: Path, name: str) -> str:
    return (runs / name / "out.conllu").as_uri()


def codes(problems: list[Any]) -> list[str]:
    return [problem["code"] for problem in problems]


def test_all_predictions_show_and_follow_the_disk(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder, options={"scope": "workspace"})
    assert codes(session.problems(uri(runs, "a"))) == ["las-error"]
    assert session.problems(uri(runs, "b")) == []
    told = session.notification("goldlens/scores")
    assert round(told["metrics"]["LAS"]["f1"], 4) in (80, 100)
    (runs / "b/out.conllu").write_text(pair.pred, "utf-8")
    assert codes(session.problems(uri(runs, "b"))) == ["las-error"]
    (runs / "c").mkdir()
    (runs / "c/out.conllu").write_text(pair.pred, "utf-8")
    assert codes(session.problems(uri(runs, "c"))) == ["las-error"]
    (runs / "a/out.conllu").unlink()
    assert session.problems(uri(runs, "a")) == []


def test_without_it_only_open_documents_show(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder)
    session.open(uri(runs, "b"), pair.pred)
    assert codes(session.problems(uri(runs, "b"))) == ["las-error"]
    session.settle()
    assert session.pushed(uri(runs, "a")) == []


def test_a_buffer_wins_over_the_disk_until_it_is_closed(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder, options={"scope": "workspace"})
    assert codes(session.problems(uri(runs, "a"))) == ["las-error"]
    session.open(uri(runs, "a"), pair.gold)
    assert session.problems(uri(runs, "a"), 1) == []
    pushed = len(session.pushed(uri(runs, "a")))
    (runs / "a/out.conllu").write_text(pair.pred.replace("nsubj", "obj"), "utf-8")
    session.notification("goldlens/scores")
    session.settle()
    assert len(session.pushed(uri(runs, "a"))) == pushed
    session.close(uri(runs, "a"))
    assert session.problems(uri(runs, "a")) == []
    assert "las-error" in codes(session.problems(uri(runs, "a")))


def test_it_may_be_turned_on_and_off(session: SocketSession, runs: Path, pair: Pair) -> None:
    session.initialize(folder=pair.folder)
    change = "workspace/didChangeConfiguration"
    session.send(change, {"settings": {"goldlens": {"scope": "workspace"}}})
    assert codes(session.problems(uri(runs, "a"))) == ["las-error"]
    session.send(change, {"settings": {"goldlens": {"scope": "open"}}})
    assert session.problems(uri(runs, "a")) == []
    config = pair.folder / "goldlens.toml"
    config.write_text(f'scope = "workspace"\n{CONFIG}', "utf-8")
    session.send(change, {"settings": {"goldlens": {}}})
    assert codes(session.problems(uri(runs, "a"))) == ["las-error"]


def test_clients_that_pull_ask_and_wait_for_news(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(capabilities=PULLS, folder=pair.folder, options={"scope": "workspace"})
    known: dict[str, str] = {}
    while len(known) < 2:
        asked = [{"uri": where, "value": value} for where, value in known.items()]
        report = session.call("workspace/diagnostic", {"previousResultIds": asked})
        for item in report["items"]:
            if item["kind"] == "full":
                assert codes(item["items"]) == (["las-error"] if "/a/" in item["uri"] else [])
            known[item["uri"]] = item["resultId"]
    asked = [{"uri": where, "value": value} for where, value in known.items()]
    waiting = session.ask("workspace/diagnostic", {"previousResultIds": asked})
    session.settle()
    assert not any(message.get("id") == waiting for message in session.log)
    (runs / "b/out.conllu").write_text(pair.pred, "utf-8")
    kinds = {item["uri"]: item["kind"] for item in session.answer(waiting)["items"]}
    assert kinds == {uri(runs, "a"): "unchanged", uri(runs, "b"): "full"}
    assert session.pushed(uri(runs, "b")) == []
    again = session.ask("workspace/diagnostic", {"previousResultIds": []})
    assert len(session.answer(again)["items"]) == 2


def test_a_folder_below_may_have_a_configuration_of_its_own(
    connect: Callable[[], SocketSession], runs: Path, pair: Pair
) -> None:
    above = connect()
    above.initialize(folder=pair.folder, options={"scope": "workspace"})
    assert codes(above.problems(uri(runs, "a"))) == ["las-error"]
    below = runs / "below"
    below.mkdir()
    for name, text in (("gold", pair.gold), ("other", pair.pred)):
        (below / f"{name}.conllu").write_text(text, "utf-8")
    config = '[[pair]]\ngold = "gold.conllu"\npred = "oth*.conllu"\n'
    (below / "goldlens.toml").write_text(config, "utf-8")
    editor = connect()
    editor.initialize(folder=below, options={"scope": "workspace"})
    assert codes(editor.problems((below / "other.conllu").as_uri())) == ["las-error"]


def test_a_client_that_knows_there_is_nothing_is_not_answered_again(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(capabilities=PULLS, folder=pair.folder)
    assert session.call("workspace/diagnostic", {"previousResultIds": []}) == {"items": []}
    waiting = session.ask("workspace/diagnostic", {"previousResultIds": []})
    session.settle()
    assert not any(message.get("id") == waiting for message in session.log)
    session.send("$/cancelRequest", {"id": waiting})
    with pytest.raises(RpcError):
        session.answer(waiting)
