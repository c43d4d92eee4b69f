"""The shared cases of files that change, against a server of its own and against a daemon."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.playing import copied, expected, lines, pred, run
from tests.lsp.session import SocketSession

SEEN = 2.0
"""Seconds within which every change is seen."""

Case = Callable[[str], Path]


@pytest.fixture(params=["alone", "daemon"])
def via(request: pytest.FixtureRequest) -> str:
    served: str = request.param
    return served


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Case:
    return lambda number: copied(shared, number, tmp_path / "case")


def begin(session: SocketSession, folder: Path) -> None:
    """Plays what comes before the first script, and sees that the score is what it was."""
    for line in lines(folder):
        if "run" in line:
            break
        if "wait" not in line:
            session.put(line)
    session.problems(pred(folder), 1)
    assert session.las(pred(folder)) == 80


def becomes(session: SocketSession, uri: str, score: float | None, within: float = SEEN) -> None:
    """Waits until a document scores so."""
    until = time.monotonic() + within
    while True:
        board = session.command("goldlens.score", {"uri": uri})
        found = None if board is None else round(board["metrics"]["LAS"]["f1"], 4)
        if found == score:
            return
        assert time.monotonic() < until, f"{found} after {within} s"
        time.sleep(0.05)


def test_86_a_link_that_is_turned(session: SocketSession, case: Case) -> None:
    folder = case("86")
    run(folder, "setup.sh")
    (folder / "goldlens.toml").write_text(
        '[[pair]]\ngold = "gold.conllu"\npred = "*/pred.conllu"\n', "utf-8"
    )
    session.initialize(folder=folder)
    latest = (folder / "latest/pred.conllu").as_uri()
    becomes(session, latest, 80)
    turned = folder / "turned"
    turned.symlink_to("run_b")
    turned.replace(folder / "latest")
    becomes(session, latest, 100)


def test_95_the_same_event_many_times(session: SocketSession, case: Case) -> None:
    folder = case("95")
    begin(session, folder)
    told = len(session.pushed(pred(folder)))
    run(folder, "step.sh")
    session.put(*(line for line in lines(folder) if "DidChangeWatched" in str(line.get("method"))))
    for line in lines(folder)[5:]:
        if "wait" not in line:
            session.put(line)
    becomes(session, pred(folder), expected(folder)["after"]["LAS"])
    session.settle()
    time.sleep(1)
    session.settle()
    assert len(session.pushed(pred(folder))) - told <= expected(folder)["max_rescores"]
    assert session.pushed(pred(folder))[-1]["diagnostics"] == []


def test_98_gold_written_in_two_pieces(session: SocketSession, case: Case) -> None:
    folder = case("98")
    begin(session, folder)
    writing = threading.Thread(target=run, args=(folder, "slow.sh"))
    writing.start()
    while writing.is_alive():
        board = session.command("goldlens.score", {"uri": pred(folder)})
        assert board is None or round(board["metrics"]["LAS"]["f1"], 4) == 80
        time.sleep(0.05)
    writing.join()
    time.sleep(SEEN)
    becomes(session, pred(folder), expected(folder)["final"]["LAS"])
    [problem] = session.pushed(pred(folder))[-1]["diagnostics"]
    assert problem["code"] == "las-error"


def test_99_gold_deleted_and_restored(session: SocketSession, case: Case) -> None:
    folder = case("99")
    config = '[[pair]]\ngold = "data/gold.conllu"\npred = "pred.conllu"\n'
    (folder / "goldlens.toml").write_text(config, "utf-8")
    if not (folder / "data").exists():
        run(folder, "step_back.sh")
    begin(session, folder)
    shutil.rmtree(folder / "data")
    becomes(session, pred(folder), None)
    session.settle()
    codes = {problem["code"] for problem in session.pushed(pred(folder))[-1]["diagnostics"]}
    assert codes == {"gold-not-found"}
    run(folder, "step_back.sh")
    becomes(session, pred(folder), expected(folder)["after_restore"]["LAS"])
    session.settle()
    [problem] = session.pushed(pred(folder))[-1]["diagnostics"]
    line = problem["range"]["start"]["line"]
    assert line == expected(folder)["after_restore"]["las_error_lsp_line"]


def test_100_a_burst(session: SocketSession, case: Case) -> None:
    folder = case("100")
    run(folder, "make_pairs.sh")
    begin(session, folder)
    gone = (folder / "pairs/150.pred.conllu").as_uri()
    session.open(gone, (folder / "pairs/150.pred.conllu").read_text("utf-8"))
    session.problems(gone, 1)
    told = len(session.pushed(pred(folder)))
    run(folder, "burst.sh")
    becomes(session, pred(folder), expected(folder)["after"]["LAS"])
    becomes(session, gone, None)
    session.settle()
    assert session.pushed(pred(folder))[-1]["diagnostics"] == []
    assert [p["code"] for p in session.pushed(gone)[-1]["diagnostics"]] == ["gold-not-found"]
    # Not one for each file of the burst.
    assert len(session.pushed(pred(folder))) - told <= 3
