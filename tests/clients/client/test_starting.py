"""Daemons started, replaced and ended: real processes, well and ill."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from goldlens.client import starting
from goldlens.client.dialing import dial_and_greet
from goldlens.client.errors import Disconnected, NoDaemon, OtherVersion, StartFailed, StopFailed
from goldlens.client.place import State, place_of, running
from goldlens.client.starting import current, launch, stop
from goldlens.client.sync import Client, connect
from tests.clients.client.conftest import Program, Serve
from tests.clients.client.fake import HELD, VERSION, occupied
from tests.processes import ended


def test_one_that_is_started_answers_and_ends(root: Path, program: Program) -> None:
    state = launch(root)
    assert state.root == str(root)
    assert running(root) == state
    with Client(state) as client:
        assert client.state.pid == state.pid != os.getpid()
    stop(state)
    assert running(root) is None
    assert not place_of(root).locked()
    until(lambda: ended(state.pid))


def test_what_is_left_of_one_that_ended_is_cleared_away(root: Path, program: Program) -> None:
    state = launch(root)
    with Client(state) as client:
        client.end()
    until(lambda: ended(state.pid))


def test_it_belongs_to_no_terminal_and_no_folder(root: Path, program: Program) -> None:
    state = launch(root)
    assert os.getsid(state.pid) == state.pid
    assert Path(f"/proc/{state.pid}/cwd").readlink() == Path("/")
    streams = [Path(f"/proc/{state.pid}/fd/{number}").readlink() for number in range(3)]
    assert streams == [Path("/dev/null"), Path("/dev/null"), place_of(root).err]
    assert stat.S_IMODE(place_of(root).err.stat().st_mode) == 0o600
    stop(state)


def test_one_that_lives_is_taken_as_it_is(root: Path, program: Program) -> None:
    state = launch(root)
    assert launch(root) == state
    stop(state)


def test_several_who_start_at_once_get_the_same_one(root: Path, program: Program) -> None:
    found: list[State] = []
    threads = [threading.Thread(target=lambda: found.append(launch(root))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 4
    assert len(set(found)) == 1
    stop(found[0])


def test_another_one_that_is_starting_is_waited_for(
    root: Path, program: Program, serve: Serve
) -> None:
    where = place_of(root)
    where.make()
    found: list[State] = []
    launching = threading.Thread(target=lambda: found.append(launch(root)))
    with occupied(where.lock):
        launching.start()
        until(lambda: program.begun and ended(program.begun[0]))
        # One try is enough as long as another one has the lock.
        time.sleep(0.3)
        assert launching.is_alive()
        assert len(program.begun) == 1
    serve(root)
    launching.join(30)
    assert found


def test_if_the_other_one_comes_to_nothing_it_is_tried_again(root: Path, program: Program) -> None:
    where = place_of(root)
    where.make()
    found: list[State] = []
    launching = threading.Thread(target=lambda: found.append(launch(root)))
    with occupied(where.lock):
        launching.start()
        until(lambda: program.begun and ended(program.begun[0]))
    launching.join(30)
    assert [state.pid for state in found] == program.begun[1:]
    stop(found[0])


def test_one_that_comes_too_late_is_ended(root: Path, program: Program, serve: Serve) -> None:
    """Or else it would have the lock when the other one, which was not told to start, has ended."""
    program("never-listens")
    found: list[State] = []
    launching = threading.Thread(target=lambda: found.append(launch(root)))
    launching.start()
    until(lambda: program.begun)
    serve(root)
    launching.join(30)
    assert found
    until(lambda: ended(program.begun[0]))


def test_stale_files_are_no_hindrance(root: Path, program: Program) -> None:
    state = launch(root)
    os.kill(state.pid, 9)
    until(lambda: ended(state.pid))
    assert place_of(root).state.exists()
    assert place_of(root).socket.exists()
    assert running(root) is None
    another = launch(root)
    assert another.pid != state.pid
    stop(another)


def test_tcp_is_used_when_asked_and_where_the_path_of_a_socket_is_too_long(
    root: Path, program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    state = launch(root, tcp=True)
    assert state.endpoint is not None
    Client(state).close()
    stop(state)
    monkeypatch.setenv("GOLDLENS_RUNTIME_DIR", str(tmp_path / ("x" * 100)))
    state = launch(root)
    assert state.endpoint is not None
    Client(state).close()
    stop(state)


@pytest.mark.parametrize(
    ("behaviour", "said"), [("crashes", ": OSError: no space"), ("crashes-silently", "")]
)
def test_one_that_crashes_is_told_with_what_it_said_and_where_to_look(
    root: Path, program: Program, behaviour: str, said: str
) -> None:
    program(behaviour)
    where = place_of(root)
    where.make()
    where.err.write_text("OSError: of another day\n")
    with pytest.raises(StartFailed) as caught:
        launch(root)
    assert str(caught.value) == (
        f"the daemon of {root} ended as it started (status 1){said}; "
        f"see {where.log} and {where.err}"
    )


@pytest.mark.parametrize("behaviour", ["never-listens", "never-greets"])
def test_one_that_does_not_answer_is_told_and_ended(
    root: Path, program: Program, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    program(behaviour)
    monkeypatch.setattr(starting, "PATIENCE", 1.5)
    with pytest.raises(StartFailed, match=f"does not answer.*{place_of(root).log}"):
        launch(root)
    assert not place_of(root).locked()


@pytest.mark.parametrize("behaviour", ["does-not-end", "ignores-signals"])
def test_one_that_does_not_end_when_told_is_made_to(
    root: Path, program: Program, monkeypatch: pytest.MonkeyPatch, behaviour: str
) -> None:
    monkeypatch.setattr(starting, "TERMINATE", 0.2)
    monkeypatch.setattr(starting, "KILL", 0.6)
    program(behaviour)
    state = launch(root)
    stop(state)
    assert running(root) is None
    until(lambda: ended(state.pid))


def test_one_that_is_gone_already_harms_nobody_else(
    root: Path, serve: Serve, state: Callable[[], State], monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon = serve()
    was = state()
    daemon.stop()
    monkeypatch.setattr(os, "kill", lambda *arguments: pytest.fail("a signal was sent"))
    stop(was)


def test_a_signal_is_for_the_one_that_was_told_only(
    root: Path, serve: Serve, state: Callable[[], State], monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(end=lambda params: None)
    monkeypatch.setattr(starting, "TERMINATE", 0.1)
    monkeypatch.setattr(starting, "KILL", 0.2)
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append(pid))
    now = state()
    before = State(now.pid + 1, now.version, now.root, "before", now.address, None)
    with pytest.raises(StopFailed, match=f"end process {before.pid}"):
        stop(before)
    assert not sent
    with pytest.raises(StopFailed):
        stop(now)
    assert sent == [now.pid, now.pid]


def test_without_a_daemon_there_is_none_unless_one_is_to_start(
    root: Path, program: Program
) -> None:
    assert current(root) is None
    with pytest.raises(NoDaemon, match=f"no daemon serves {root}.*goldlens daemon start"):
        connect(root)
    (root / "pred.conllu").touch()
    with connect(root / "pred.conllu", start=True) as client:
        assert client.state.root == str(root)
        client.end()


def test_none_is_started_for_a_path_that_is_mistyped(root: Path, program: Program) -> None:
    """It would serve the folder above, or one that is not there either."""
    for path in (root / "rusn", root / "rusn/pred.conllu"):
        with pytest.raises(StartFailed, match=f"{path}: there is no such folder or file"):
            connect(path, start=True)
    assert current(root) is None


@pytest.mark.parametrize("start", [False, True])
def test_another_version_is_told_to_end_and_ours_takes_its_root(
    root: Path, serve: Serve, program: Program, start: bool
) -> None:
    old = serve(version="0.0.1")
    (root / "runs").mkdir()
    with connect(root / "runs", start=start) as client:
        assert client.state.version == VERSION
        assert client.state.root == str(root)
        old.wait_for("end")
        client.end()


def test_another_version_that_comes_back_is_told_and_left(
    root: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch, state: Callable[[], State]
) -> None:
    serve(version="0.0.1")

    def launched(where: Path | str, **more: object) -> State:
        serve(version="0.0.1")
        return state()

    monkeypatch.setattr(starting, "launch", launched)
    with pytest.raises(OtherVersion, match=r"Goldlens 0\.0\.1"):
        current(root)


def test_a_greeting_of_another_version_is_refused_whatever_the_state_says(
    serve: Serve, state: Callable[[], State]
) -> None:
    for greeting in (
        {"version": "0.0.1", "pid": 1, "root": "/", "protocol": 1},
        {"version": VERSION, "pid": 1, "root": "/", "protocol": 2},
    ):
        daemon = serve(hello=lambda params, greeting=greeting: greeting)
        with pytest.raises(OtherVersion, match="goldlens daemon stop"):
            dial_and_greet(state(), 5)
        daemon.stop()


def test_a_held_request_does_not_keep_it_from_ending(
    serve: Serve, state: Callable[[], State]
) -> None:
    daemon = serve(**{"goldlens.score": lambda params: HELD})
    was = state()
    with Client(was) as client:
        waiting = threading.Thread(target=lambda: refused(lambda: client.score("a")))
        waiting.start()
        daemon.wait_for("goldlens.score")
        stop(was)
        waiting.join(10)
    assert not waiting.is_alive()


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(Disconnected):
        call()


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)
