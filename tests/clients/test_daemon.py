"""goldlens daemon: what it says and does, with real daemons."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from goldlens.client.place import Place, State, place_of, running
from goldlens.client.starting import stop
from goldlens.client.sync import Client
from tests.clients.client.fake import FakeDaemon
from tests.clients.conftest import Run

WAIT = 20.0


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to serve, which is the current one; daemons that live in the end are ended."""
    for variable, name in {
        "GOLDLENS_RUNTIME_DIR": "runtime",
        "GOLDLENS_LOG_DIR": "logs",
        "XDG_STATE_HOME": "state",
        "GOLDLENS_CACHE_DIR": "cache",
    }.items():
        monkeypatch.setenv(variable, str(tmp_path / name))
    folder = tmp_path / "work"
    (folder / "below").mkdir(parents=True)
    monkeypatch.chdir(folder)
    yield folder
    for lock in (tmp_path / "runtime").glob("*.lock"):
        place = Place(tmp_path / "runtime", tmp_path / "logs", "", lock.stem)
        if (state := place.living()) is not None:
            stop(state)


def living(folder: Path) -> State:
    state = running(folder)
    assert state is not None
    return state


def test_without_any_daemon(run: Run, work: Path) -> None:
    none = f"No daemon serves {work}; “goldlens daemon start” starts one.\n"
    for words, status, said in [
        (("status",), 1, none),
        (("status", "below"), 1, none.replace(str(work), f"{work}/below")),
        (("status", "--all"), 1, "No daemon runs.\n"),
        (("status", "--json"), 1, "[]\n"),
        (("status", "--all", "--json"), 1, "[]\n"),
        (("stop",), 0, none),
        (("stop", "--all"), 0, "No daemon runs.\n"),
    ]:
        result = run("daemon", *words)
        assert (result.exit_code, result.output) == (status, said), words
    # Nor has anything been made by looking.
    assert not place_of(work).runtime.exists()
    result = run("daemon", "logs")
    log = place_of(work).log
    said = f".:1:1: error[daemon]: there is no log at {log}; no daemon has run here\n"
    assert (result.exit_code, result.stderr) == (2, said)


def test_from_start_to_stop(run: Run, work: Path) -> None:
    result = run("daemon", "start")
    state = living(work)
    assert result.output == f"The daemon of {work} runs (process {state.pid}).\n"
    assert result.exit_code == 0
    # It serves what is below too.
    for path in (".", "below", "below/there-is-none.conllu", work):
        result = run("daemon", "status", path)
        assert result.exit_code == 0
        assert result.output.startswith(
            f"The daemon of {work} runs: process {state.pid}, version {state.version}, "
            f"since {state.started}, 0 predictions watched, 0 clients"
        )
    for path in (".", "below"):
        result = run("daemon", "start", path)
        assert result.output == f"The daemon of {work} runs already (process {state.pid}).\n"
        assert result.exit_code == 0
    with Client(state):
        assert "1 client," in run("daemon", "status").output
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert (told["pid"], told["root"], told["idle"]) == (state.pid, str(work), 1800)
    assert set(told) == {
        *("pid", "version", "root", "started"),
        *("connections", "editors", "watched", "memory", "idle", "config_trouble"),
    }
    result = run("daemon", "stop", "below")
    assert (result.exit_code, result.output) == (0, f"The daemon of {work} has ended.\n")
    assert running(work) is None
    assert not place_of(work).locked()


def test_how_it_is_started(run: Run, work: Path) -> None:
    assert run("daemon", "start", "--tcp", "--idle", "77", "--log", "debug").exit_code == 0
    state = living(work)
    assert state.address.startswith("tcp:127.0.0.1:")
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert told["idle"] == 77
    assert run("daemon", "stop").exit_code == 0
    assert run("daemon", "start", "--idle", "0").exit_code == 0
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert told["idle"] is None


def test_one_in_the_stead_of_a_dead_one_is_started_as_that_was(run: Run, work: Path) -> None:
    assert run("daemon", "start", "--idle", "77").exit_code == 0
    os.kill(living(work).pid, signal.SIGKILL)
    while place_of(work).locked():
        time.sleep(0.01)
    assert run("daemon", "start").exit_code == 0
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert told["idle"] == 77
    assert run("daemon", "stop").exit_code == 0
    assert run("daemon", "start").exit_code == 0
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert told["idle"] == 1800


def test_a_file_stands_for_its_folder(run: Run, work: Path) -> None:
    (work / "x.conllu").write_text("", "utf-8")
    assert run("daemon", "start", "x.conllu").exit_code == 0
    assert living(work).root == str(work)


def test_wrong_calls(run: Run, work: Path) -> None:
    result = run("daemon", "start", "nowhere")
    said = "nowhere:1:1: error[daemon]: there is no such folder; name one that holds predictions\n"
    assert (result.exit_code, result.stderr) == (2, said)
    for words in (
        ("start", "--idle", "-1"),
        ("start", "--idle", "soon"),
        ("start", "--log", "loud"),
        ("logs", "-n", "-1"),
        ("status", "a", "b"),
        ("restart",),
    ):
        result = run("daemon", *words)
        assert (result.exit_code, result.stdout) == (2, "")
    assert running(work) is None


def test_a_verb_is_needed(run: Run, work: Path) -> None:
    result = run("daemon")
    said = "error[usage]: Missing command; “goldlens daemon --help” says what there is\n"
    assert (result.exit_code, result.stderr) == (2, said)


def test_a_path_that_is_mistyped_ends_no_daemon(run: Run, work: Path) -> None:
    run("daemon", "start")
    result = run("daemon", "stop", "belwo")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"belwo:1:1: error[daemon]: there is no such folder, and the daemon of {work} is not ended "
        "for it; correct the path, or name that folder\n"
    )
    assert running(work) is not None
    assert run("daemon", "stop", "belwo", "--all").exit_code == 0
    assert running(work) is None


def test_a_folder_that_is_gone_still_names_its_daemon(run: Run, work: Path) -> None:
    run("daemon", "start", "below")
    (work / "below").rmdir()
    result = run("daemon", "stop", "below")
    assert (result.exit_code, result.output) == (0, f"The daemon of {work}/below has ended.\n")


def test_a_configuration_that_is_wrong_is_told(run: Run, work: Path) -> None:
    config = work / "goldlens.toml"
    config.write_text(
        '[[pair]]\ngold = "g.conllu"\npred = "*/p.conllu"\nlangauge = "en"\n', "utf-8"
    )
    run("daemon", "start")
    wrong = f"{config}:4:1: error[config-key]: "

    def told() -> str:
        return str(json.loads(run("daemon", "status", "--json").output)[0]["config_trouble"])

    until(lambda: told().startswith(wrong))
    [_, line] = run("daemon", "status").output.splitlines()
    assert line.startswith(wrong)
    until(lambda: f"the configuration is wrong: {line}" in run("daemon", "logs").output)


def until(holds: Callable[[], bool]) -> None:
    """Waits for something to come true."""
    end = time.monotonic() + WAIT
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_folder_of_sockets_that_is_not_ours_alone(run: Run, work: Path) -> None:
    runtime = place_of(work).runtime
    runtime.mkdir(mode=0o755)
    for verb in ("start", "stop", "status", "logs"):
        result = run("daemon", verb)
        assert result.exit_code == 2
        assert result.stderr.startswith(f".:1:1: error[daemon]: {runtime}: is open to others")
        assert len(result.stderr.splitlines()) == 1
    assert run("daemon", "status", "--all").exit_code == 2
    assert list(runtime.iterdir()) == []


def test_one_that_does_not_start_is_told_in_a_line(run: Run, work: Path) -> None:
    place = place_of(work)
    place.make()
    place.lock.mkdir()
    result = run("daemon", "start")
    assert result.exit_code == 2
    [line] = result.stderr.splitlines()
    assert line.startswith(f".:1:1: error[daemon]: the daemon of {work} ended as it started")
    assert f"cannot lock {place.lock}" in line


def test_all_of_them(run: Run, work: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    states = []
    for folder in (work, other):
        run("daemon", "start", folder)
        states.append(living(folder))
    assert states[0].pid != states[1].pid
    both = {state.pid: state.root for state in states}
    told = json.loads(run("daemon", "status", "--all", "--json").output)
    assert {each["pid"]: each["root"] for each in told} == both
    assert len(run("daemon", "status", "--all").output.splitlines()) == 2
    assert len(run("daemon", "status").output.splitlines()) == 1
    result = run("daemon", "stop", "--all")
    assert result.exit_code == 0
    said = sorted(f"The daemon of {root} has ended." for root in both.values())
    assert sorted(result.output.splitlines()) == said
    assert run("daemon", "status", "--all").output == "No daemon runs.\n"


def test_one_that_does_not_answer(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldlens.cli.daemon._ANSWER", 0.5)
    monkeypatch.setattr("goldlens.client.starting.TERMINATE", 0.5)
    monkeypatch.setattr("goldlens.client.starting.KILL", 3.0)
    run("daemon", "start")
    state = living(work)
    os.kill(state.pid, signal.SIGSTOP)
    result = run("daemon", "status")
    assert result.output.startswith(
        f"The daemon of {work} (process {state.pid}) does not answer: hello: "
    )
    [told] = json.loads(run("daemon", "status", "--json").output)
    assert (told["pid"], told["root"]) == (state.pid, str(work))
    assert "did not answer within" in told["trouble"]
    # It is ended all the same.
    result = run("daemon", "stop")
    assert (result.exit_code, result.output) == (0, f"The daemon of {work} has ended.\n")
    assert running(work) is None


def test_one_of_another_version_is_replaced(run: Run, work: Path) -> None:
    place = place_of(work)
    place.make()
    with FakeDaemon(place.runtime, place.root, place.name, version="0.0.1") as old:
        result = run("daemon", "start")
        assert [method for method, *_ in old.asked] == ["hello", "end"]
    assert result.exit_code == 0
    state = living(work)
    assert state.version != "0.0.1"
    assert "has ended: Goldlens 0.0.1" in result.output
    assert f"runs (process {state.pid})" in result.output


# Logs


def test_the_end_of_the_log(run: Run, work: Path) -> None:
    run("daemon", "start")
    listens = run("daemon", "logs", "below").output
    assert f"the daemon of {work} listens on unix:" in listens
    run("daemon", "stop")
    # It is there when the daemon is not.
    said = run("daemon", "logs").output.splitlines()
    assert "the daemon ends: it was told to" in said[-1]
    assert run("daemon", "logs", "-n", "1").output.splitlines() == said[-1:]
    assert run("daemon", "logs", "-n", "0").output == ""
    place_of(work).err.write_text("Fatal Python error\n", "utf-8")
    assert run("daemon", "logs", "-n", "1").output.splitlines() == [
        "What its process wrote on standard error:",
        "Fatal Python error",
        "",
        said[-1],
    ]


def test_the_log_is_followed_also_when_it_is_rotated(work: Path) -> None:
    place = place_of(work)
    place.make()
    place.log.write_text("one\ntwo\n", "utf-8")
    command = [sys.executable, "-m", "goldlens.cli", "daemon", "logs", "-n", "1", "-f"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as follower:
        assert follower.stdout is not None
        try:
            assert follower.stdout.readline() == b"two\n"
            with place.log.open("a", encoding="utf-8") as file:
                file.write("thr")
                file.flush()
                time.sleep(0.3)
                file.write("ee\nfour\n")
            assert [follower.stdout.readline() for _ in range(2)] == [b"three\n", b"four\n"]
            with place.log.open("a", encoding="utf-8") as file:
                file.write("last\n")
            place.log.rename(f"{place.log}.1")
            place.log.write_text("first\n", "utf-8")
            assert [follower.stdout.readline() for _ in range(2)] == [b"last\n", b"first\n"]
            follower.send_signal(signal.SIGINT)
            assert follower.wait(WAIT) == 130
            assert follower.stderr is not None
            assert b"Traceback" not in follower.stderr.read()
        finally:
            with suppress(ProcessLookupError):
                follower.kill()
