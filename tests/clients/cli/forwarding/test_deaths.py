"""`goldlens lsp` and a real daemon, which is killed at the worst of moments."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goldlens.client.place import place_of
from goldlens.client.starting import stop
from goldlens.client.sync import connect
from tests.clients.cli.forwarding.conftest import Workspace, until
from tests.lsp.session import StdioSession, replace

Start = Callable[..., StdioSession]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills with signals")


def editors(work: Workspace) -> int:
    with connect(work.folder) as client:
        return client.status().editors


@pytest.fixture
def joined(start: Start, work: Workspace) -> StdioSession:
    """An editor that has the prediction open, through a daemon that was started for it."""
    session = start("--daemon")
    session.initialize(folder=work.folder)
    session.open(work.uri, work.pred)
    assert len(session.problems(work.uri, 1)) == 1
    return session


def warned(session: StdioSession) -> str:
    params = session.notification("window/showMessage")
    assert params["type"] == 2
    message: str = params["message"]
    return message


def test_one_is_started_if_that_is_asked_for(joined: StdioSession, work: Workspace) -> None:
    assert work.daemon().root == str(work.folder)
    assert editors(work) == 1
    assert joined.las(work.uri) == 80
    assert joined.leave() == 0
    assert joined.stderr == b""
    until(lambda: editors(work) == 0, "the end of the connection")


def test_one_that_runs_is_joined_without_asking(
    joined: StdioSession, start: Start, work: Workspace
) -> None:
    second = start()
    second.initialize(folder=work.folder)
    assert editors(work) == 2
    assert second.leave() == 0


@pytest.mark.parametrize("deeper", [True, False])
def test_it_is_that_of_the_folder_or_of_one_above(
    joined: StdioSession, start: Start, work: Workspace, tmp_path: Path, deeper: bool
) -> None:
    (work.folder / "runs").mkdir()
    second = start()
    second.initialize(folder=work.folder / "runs" if deeper else tmp_path)
    assert editors(work) == (2 if deeper else 1)
    assert second.leave() == 0


def test_it_is_not_joined_if_that_is_not_wanted(
    joined: StdioSession, start: Start, work: Workspace
) -> None:
    second = start("--no-daemon")
    second.initialize(folder=work.folder)
    assert editors(work) == 1
    assert second.leave() == 0


def test_no_daemon_is_started_without_asking(start: Start, work: Workspace) -> None:
    session = start()
    session.initialize(folder=work.folder)
    session.open(work.uri, work.pred)
    assert len(session.problems(work.uri, 1)) == 1
    assert session.leave() == 0
    assert not place_of(work.folder).lock.exists()


@pytest.mark.parametrize("more", [{}, {"rootUri": "untitled:x"}, {"workspaceFolders": None}])
def test_without_a_folder_there_is_no_daemon(start: Start, work: Workspace, more: Any) -> None:
    session = start("--daemon")
    session.initialize(**more)
    session.open(work.uri, work.pred)
    assert len(session.problems(work.uri, 1)) == 1
    assert session.leave() == 0
    assert not place_of(work.folder).lock.exists()


def test_killed_in_the_middle_of_typing_twice(joined: StdioSession, work: Workspace) -> None:
    version = 1
    for _ in range(2):
        for k in range(40):
            version += 1
            joined.edit(work.uri, version, replace(3, 19, 20, str(k % 2 + 1)))
            if k == 20:
                work.kill()
        assert "another server" in warned(joined)
        # The head of "tea" is right, as gold has it.
        assert joined.problems(work.uri, version) == []
        assert joined.las(work.uri) == 100
    versions = [push["version"] for push in joined.pushed(work.uri)]
    assert versions == sorted(versions)
    assert joined.leave() == 0


def test_killed_in_the_middle_of_a_request(joined: StdioSession, work: Workspace) -> None:
    state = work.daemon()
    os.kill(state.pid, signal.SIGSTOP)
    number = joined.ask("workspace/executeCommand", {"command": "goldlens.pairs", "arguments": []})
    work.kill()
    [found] = joined.answer(number)
    assert found["gold"] == str(work.gold_file)
    assert work.daemon().pid != state.pid
    joined.settle()
    assert [m.get("id") for m in joined.log].count(number) == 1
    assert joined.leave() == 0


def test_killed_between_initialize_and_initialized(start: Start, work: Workspace) -> None:
    session = start("--daemon")
    folder = work.folder.as_uri()
    session.call("initialize", {"processId": None, "capabilities": {}, "rootUri": folder})
    work.kill()
    session.send("initialized", {})
    session.open(work.uri, work.pred)
    assert len(session.problems(work.uri, 1)) == 1
    assert session.leave() == 0


def test_killed_before_it_answers_initialize(
    joined: StdioSession, start: Start, work: Workspace
) -> None:
    os.kill(work.daemon().pid, signal.SIGSTOP)
    second = start()
    params = {"processId": None, "capabilities": {}, "rootUri": work.folder.as_uri()}
    number = second.ask("initialize", params)
    # Meanwhile it waits to be greeted.
    time.sleep(1)
    work.kill()
    assert second.answer(number)["serverInfo"]["name"] == "goldlens"
    assert second.leave() == 0


def test_two_editors_share_the_next_one_too(
    joined: StdioSession, start: Start, work: Workspace
) -> None:
    other = start()
    other.initialize({"general": {"positionEncodings": ["utf-8"]}}, work.folder)
    other.open(work.uri, work.pred.replace("NOUN", "VERB"), 5)
    other.problems(work.uri, 5)
    work.kill()
    for session in (joined, other):
        warned(session)
        session.settle()
    assert editors(work) == 2
    assert (joined.las(work.uri), other.las(work.uri)) == (80, 80)
    joined.edit(work.uri, 2, replace(3, 19, 20, "2"))
    assert joined.problems(work.uri, 2) == []
    assert joined.leave() == other.leave() == 0


def test_gold_named_by_hand_stays(joined: StdioSession, work: Workspace) -> None:
    other = work.folder / "other.txt"
    other.write_text(work.pred, "utf-8", newline="\n")
    joined.command("goldlens.setGold", {"uri": work.uri, "gold": str(other)})
    assert joined.las(work.uri) == 100
    work.kill()
    warned(joined)
    assert joined.las(work.uri) == 100
    assert joined.leave() == 0


def test_closed_while_the_daemon_hangs(joined: StdioSession, work: Workspace) -> None:
    os.kill(work.daemon().pid, signal.SIGSTOP)
    joined.close(work.uri)
    work.kill()
    warned(joined)
    assert joined.problems(work.uri) == []
    joined.settle()
    assert joined.leave() == 0


def test_killed_too_often_it_is_done_without(joined: StdioSession, work: Workspace) -> None:
    for _ in range(3):
        work.kill()
        said = warned(joined)
        assert joined.las(work.uri) == 80
    assert "3 daemons" in said
    joined.edit(work.uri, 2, replace(3, 19, 20, "2"))
    assert joined.problems(work.uri, 2) == []
    assert not place_of(work.folder).locked()
    assert joined.leave() == 0


def test_told_to_end_it_is_not_started_again(
    joined: StdioSession, start: Start, work: Workspace
) -> None:
    session = start()
    session.initialize(folder=work.folder)
    session.open(work.uri, work.pred)
    session.problems(work.uri, 1)
    assert joined.leave() == 0
    stop(work.daemon())
    warned(session)
    session.edit(work.uri, 2, replace(3, 19, 20, "2"))
    assert session.problems(work.uri, 2) == []
    assert not place_of(work.folder).locked()
    assert session.leave() == 0


def test_gone_after_the_end_of_input(joined: StdioSession, work: Workspace) -> None:
    number = joined.ask("workspace/executeCommand", {"command": "goldlens.pairs", "arguments": []})
    began = time.monotonic()
    joined.end_input()
    assert joined.status() == 1
    assert time.monotonic() - began < 2
    assert len(joined.answer(number)) == 1
    until(lambda: editors(work) == 0, "the end of the connection")


def test_gone_with_a_daemon_that_hangs(joined: StdioSession, work: Workspace) -> None:
    os.kill(work.daemon().pid, signal.SIGSTOP)
    joined.ask("workspace/executeCommand", {"command": "goldlens.pairs", "arguments": []})
    began = time.monotonic()
    joined.end_input()
    assert joined.status() == 1
    assert time.monotonic() - began < 2


def test_killed_itself_it_leaves_nothing_in_the_daemon(
    joined: StdioSession, work: Workspace
) -> None:
    joined.process.kill()
    until(lambda: editors(work) == 0, "the end of the connection")
