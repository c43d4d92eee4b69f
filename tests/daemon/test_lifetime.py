"""From the start of a daemon to its end, however that comes."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from goldlens.client import starting
from goldlens.client.errors import Disconnected, StartFailed
from goldlens.client.place import State, place_of, running
from goldlens.client.sync import Client
from goldlens.client.sync import connect as client_of
from goldlens.server.daemon import lifetime, state
from goldlens.server.daemon.lifetime import Plan
from goldlens.server.daemon.listening import LONGEST, Listening
from goldlens.server.daemon.lock import Lock, Taken
from tests.daemon.conftest import Connect, Start, Work
from tests.daemon.session import WAIT, Daemon, Rpc, until

ENDED, CANNOT, ANOTHER = 0, 2, 3


@pytest.fixture
def place(tmp_path: Path, work: Work, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The root, as those who start a daemon of it by `goldlens.client` see it."""
    for variable, name in {
        "GOLDLENS_RUNTIME_DIR": "runtime",
        "GOLDLENS_LOG_DIR": "logs",
        "XDG_STATE_HOME": "state",
        "GOLDLENS_CACHE_DIR": "cache",
    }.items():
        monkeypatch.setenv(variable, str(tmp_path / name))
    yield work.folder
    living = running(work.folder)
    if living is not None:
        starting.stop(living)


def left(daemon: Daemon) -> set[str]:
    """What an ended daemon has left in its runtime folder."""
    return {path.name for path in daemon.runtime.iterdir()}


# Starting


def test_of_many_that_start_at_once_one_lives(start: Start, connect: Connect) -> None:
    daemons = [start(ready=False) for _ in range(4)]
    until(lambda: sum(daemon.process.poll() is None for daemon in daemons) == 1)
    [lives] = [daemon for daemon in daemons if daemon.process.poll() is None]
    assert [d.process.returncode for d in daemons if d is not lives] == [ANOTHER] * 3
    assert lives.wait_for_state()["pid"] == lives.process.pid
    assert connect(lives).greeted["pid"] == lives.process.pid


def test_all_who_start_one_at_once_get_it(place: Path) -> None:
    found: list[State] = []
    threads = [
        threading.Thread(target=lambda: found.append(starting.launch(place))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * WAIT)
    assert len(found) == 3
    assert len({each.pid for each in found}) == 1


def test_what_a_killed_daemon_left_is_cleared_away(start: Start, connect: Connect) -> None:
    killed = start()
    killed.kill()
    assert left(killed) == {"test.json", "test.sock", "test.lock"}
    killed.file("json").write_text("{", "utf-8")
    later = start(ready=False)
    json = later.file("json")
    until(lambda: json.exists() and json.read_text("utf-8") != "{")
    assert later.state["pid"] == later.process.pid
    assert connect(later).greeted["pid"] == later.process.pid
    assert later.end() == ENDED
    assert left(later) == {"test.lock"}


def test_who_only_looks_whether_it_lives_does_not_hinder_it(tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    timer = threading.Timer(0.02, os.close, (descriptor,))
    timer.start()
    lock = Lock(path)
    timer.join()
    with pytest.raises(Taken):
        Lock(path)
    assert not lock.lost
    path.unlink()
    assert lock.lost
    lock.release()


def test_a_path_that_is_too_long_for_a_socket(
    tmp_path: Path, start: Start, connect: Connect
) -> None:
    fits = tmp_path / ("x" * (LONGEST - len(str(tmp_path)) - len("//test.sock")))
    assert not Listening(fits / "test.sock", asyncio.Protocol, tcp=False).tcp
    daemon = start(runtime=Path(f"{fits}x"))
    assert daemon.state["address"].startswith("tcp:127.0.0.1:")
    assert connect(daemon, greet=daemon.state["token"]).greeted["pid"] == daemon.process.pid


def test_a_log_that_cannot_be_written(tmp_path: Path, start: Start) -> None:
    (tmp_path / "logs").write_text("a file where a folder should be", "utf-8")
    daemon = start(ready=False)
    assert daemon.process.wait(WAIT) == CANNOT
    assert daemon.err.read_text("utf-8").splitlines() == [
        f"goldlens: cannot write the log {daemon.log}: File exists"
    ]


def test_a_lock_that_cannot_be_had_at_all(start: Start, tmp_path: Path) -> None:
    (tmp_path / "runtime" / "test.lock").mkdir(parents=True)
    daemon = start(ready=False)
    assert daemon.process.wait(WAIT) == CANNOT
    [said] = daemon.err.read_text("utf-8").splitlines()
    assert said.startswith(f"goldlens: cannot lock {daemon.file('lock')}: ")


@pytest.fixture
def collections() -> Iterator[None]:
    """Garbage is collected as before, after a daemon ran in this process."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.usefixtures("collections", "place")
def test_a_full_disk_is_said_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def dump(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(state.json, "dump", dump)
    (tmp_path / "runtime").mkdir(mode=0o700)
    plan = Plan(tmp_path / "work", tmp_path / "runtime", "test", None, 60, False)
    assert lifetime.run(plan) == CANNOT
    said = "goldlens: cannot listen: [Errno 28] No space left on device\n"
    assert capsys.readouterr().err == said
    assert [path.name for path in plan.runtime.iterdir()] == ["test.lock"]


def test_who_starts_one_is_told_why_it_does_not(place: Path, tmp_path: Path) -> None:
    lock = place_of(place).lock
    lock.mkdir(parents=True)
    lock.parent.chmod(0o700)
    with pytest.raises(StartFailed, match=r"status 2\): goldlens: cannot lock .*Is a directory"):
        starting.launch(place)


def test_its_version_is_that_of_what_runs(tmp_path: Path, start: Start, connect: Connect) -> None:
    """Also after another one was installed over it."""
    packages = tmp_path / "packages"
    metadata = packages / "goldlens-9.8.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: goldlens\nVersion: 9.8\n", "utf-8")
    others = os.environ.get("PYTHONPATH", "")
    daemon = start(PYTHONPATH=f"{packages}{os.pathsep}{others}" if others else str(packages))
    assert daemon.state["version"] == "9.8"
    metadata.write_text("Metadata-Version: 2.1\nName: goldlens\nVersion: 9.9\n", "utf-8")
    assert connect(daemon).greeted["version"] == "9.8"


# The end


def test_a_signal_ends_it_in_order(start: Start, connect: Connect) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        daemon = start()
        rpc = connect(daemon)
        rpc.call("subscribe")
        assert daemon.end(number) == ENDED
        rpc.ended()
        assert left(daemon) == {"test.lock"}
        assert f"the daemon ends: it got {number.name}" in daemon.said()


def test_end_is_answered_before_it_ends(start: Start, connect: Connect) -> None:
    daemon = start()
    one, two = connect(daemon), connect(daemon)
    one.send([0, 7, "end", []], [0, 8, "end", [{}]])
    assert one.answer(7) is None
    assert one.answer(8) is None
    assert daemon.process.wait(WAIT) == ENDED
    two.ended()
    assert left(daemon) == {"test.lock"}


def test_it_ends_while_it_works(start: Start, connect: Connect, work: Work) -> None:
    """Intervals that would take minutes."""
    work.path("gold.conllu").write_text(work.gold * 3000, "utf-8")
    work.path("runs/one.conllu").write_text(work.wrong * 3000, "utf-8")
    daemon = start()
    rpc = connect(daemon)
    for _ in range(3):
        rpc.ask("goldlens.rows", uri=work.one, format="json", resamples=100_000)
    assert rpc.call("status")["pid"] == daemon.process.pid
    begun = time.monotonic()
    assert rpc.call("end") is None
    assert daemon.process.wait(WAIT) == ENDED
    assert time.monotonic() - begun < 10
    assert left(daemon) == {"test.lock"}


def test_it_has_no_children_and_few_threads(common: Daemon) -> None:
    tasks = Path(f"/proc/{common.process.pid}/task")

    def visit() -> None:
        sessions = [Rpc(common.dial()) for _ in range(20)]
        for session in sessions:
            session.call("goldlens.pairs")
            session.close()

    visit()
    assert all((task / "children").read_text() == "" for task in tasks.iterdir())
    before = len(list(tasks.iterdir()))
    visit()
    until(lambda: len(list(tasks.iterdir())) <= before)


# The end when nobody is there


def test_without_anybody_it_ends(start: Start, connect: Connect) -> None:
    daemon = start("--idle", "0.5")
    # Who says no hello is nobody.
    rpc = connect(daemon, greet=False)
    assert daemon.process.wait(WAIT) == ENDED
    rpc.ended()
    assert left(daemon) == {"test.lock"}
    assert "nobody was there for 0.5 seconds" in daemon.said()


def test_as_long_as_somebody_is_there_it_stays(start: Start, connect: Connect) -> None:
    daemon = start("--idle", "0.5")
    rpc = connect(daemon)
    with pytest.raises(subprocess.TimeoutExpired):
        daemon.process.wait(1.2)
    assert rpc.call("lsp") is None
    with pytest.raises(subprocess.TimeoutExpired):
        daemon.process.wait(1.2)
    rpc.close()
    assert daemon.process.wait(WAIT) == ENDED


def test_who_comes_as_it_ends_is_served_or_finds_none(place: Path) -> None:
    outcomes = set()
    for _ in range(2):
        found = starting.launch(place, idle=0.05)
        for number in range(200):
            try:
                with Client(found, timeout=WAIT) as client:
                    outcomes.add(client.status().pid == found.pid)
            except Disconnected:
                outcomes.add(None)
                break
            # A little longer each time: sooner or later it ends at that very moment.
            time.sleep(0.04 + 0.0002 * number)
    assert outcomes == {True, None}
    # One who wants it to be there finds it there.
    with client_of(place, start=True) as client:
        assert client.status().pid


# What others do to its files


def found_again(daemon: Daemon, connect: Connect) -> None:
    """Its state is back within 5 s, and leads to it."""
    until(lambda: daemon.file("json").exists() and daemon.file("sock").exists(), 5)
    assert connect(daemon).greeted["pid"] == daemon.process.pid
    assert daemon.file("lock").exists()


def test_what_is_deleted_under_it_is_made_again(start: Start, connect: Connect) -> None:
    daemon = start()
    before = connect(daemon)
    for path in (*(daemon.file(suffix) for suffix in ("sock", "json", "lock")), daemon.runtime):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
        until(path.exists, 5)
        found_again(daemon, connect)
    assert daemon.runtime.stat().st_mode & 0o777 == 0o700
    assert before.call("status")["connections"] == 5
    # It has the lock that others find there, too.
    assert start(ready=False).process.wait(WAIT) == ANOTHER
    assert daemon.end() == ENDED
    assert left(daemon) == {"test.lock"}


def test_one_whose_place_another_has_taken_ends(start: Start, connect: Connect) -> None:
    first = start()
    shutil.rmtree(first.runtime)
    second = start(ready=False)
    until(lambda: second.file("json").exists())
    if second.state["pid"] == second.process.pid:
        ends, lives, status = first, second, ENDED
    else:
        # The first was quicker.
        ends, lives, status = second, first, ANOTHER
    assert ends.process.wait(WAIT) == status
    assert lives.state["pid"] == lives.process.pid
    assert connect(lives).greeted["pid"] == lives.process.pid
    assert lives.file("sock").exists()


def test_it_stays_where_its_folder_cannot_be_made_again(
    tmp_path: Path, start: Start, connect: Connect
) -> None:
    daemon = start()
    before = connect(daemon)
    shutil.rmtree(daemon.runtime)
    daemon.runtime.write_text("in the way", "utf-8")
    until(lambda: "cannot listen any more, and tries again" in daemon.said(), 8)
    assert before.call("status")["connections"] == 1
    daemon.runtime.unlink()
    found_again(daemon, connect)


def test_a_root_that_is_deleted_and_made_again(start: Start, connect: Connect, work: Work) -> None:
    daemon = start()
    rpc = connect(daemon)
    rpc.call("subscribe")
    assert rpc.about("goldlens/scores", work.one)["metrics"]["LAS"]["f1"] == 80
    shutil.rmtree(work.folder)
    rpc.expect(lambda m: m[1] == "goldlens/gone" and m[2][0]["uri"] == work.one, "gone")
    assert rpc.call("status")["watched"] == 0
    work.make()
    work.path("runs/one.conllu").write_text(work.gold, "utf-8")
    until(lambda: rpc.call("status")["watched"] == 2)
    score = rpc.expect(
        lambda m: m[2][0]["uri"] == work.one and m[2][0]["metrics"] is not None, "a score"
    )
    assert score[2][0]["metrics"]["LAS"]["f1"] == 100


# Its log

LOGGING = """
import logging, sys
from pathlib import Path
from goldlens.server.lsp import logs
log = logs.start_file(Path(sys.argv[1]), "debug", 10_000)
for number in range(20_000):
    logging.getLogger("test").debug("line %d", number)
    if number % 500 == 0:
        log.queue.join()
log.stop()
"""


def test_the_log_is_rotated(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "x.log"
    subprocess.run([sys.executable, "-c", LOGGING, str(path)], check=True)
    names = sorted(each.name for each in path.parent.iterdir())
    assert names == ["x.log", "x.log.1", "x.log.2", "x.log.3"]
    assert max(each.stat().st_size for each in path.parent.iterdir()) <= 10_000
    assert path.read_text("utf-8").endswith("DEBUG test: line 19999\n")


FULL = """
import logging, os, resource, sys
from pathlib import Path
from goldlens.server.lsp import logs
log = logs.start_file(Path(sys.argv[1]), "debug")
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
for number in range(5000):
    logging.getLogger("test").debug("line %d", number)
log.stop()
print("goes on")
"""


def test_a_full_disk_stops_the_log_and_nothing_else(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "x.log")], capture_output=True, check=True
    )
    assert (done.stdout, done.stderr) == (b"goes on\n", b"")


async def test_it_takes_no_more_connections_than_it_can_have(tmp_path: Path) -> None:
    listening = Listening(tmp_path / "x", asyncio.Protocol, tcp=False, most=2)
    await listening.open()

    async def come() -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bool]:
        reader, writer = await asyncio.open_unix_connection(tmp_path / "x")
        with contextlib.suppress(TimeoutError):
            return reader, writer, await asyncio.wait_for(reader.read(1), 0.2) != b""
        return reader, writer, True

    come_in = [await come() for _ in range(4)]
    assert [stays for *_, stays in come_in] == [True, True, False, False]
    come_in[0][1].close()
    await come_in[0][1].wait_closed()
    come_in += [await come() for _ in range(2)]
    assert [stays for *_, stays in come_in[4:]] == [True, False]
    for _, writer, _ in come_in:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    listening.close()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_it_may_have_more_files_open(start: Start) -> None:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    try:
        daemon = start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    limits = Path(f"/proc/{daemon.process.pid}/limits").read_text("utf-8")
    [files] = [line.split() for line in limits.splitlines() if line.startswith("Max open files")]
    assert int(files[3]) == min(4096, hard)


def test_nobody_is_hung_up_on_by_a_full_backlog(common: Daemon) -> None:
    """More come at once than the system keeps waiting."""
    sockets: list[socket.socket] = []
    try:
        for _ in range(300):
            sockets.append(common.dial())
        last = Rpc(common.dial())
        assert last.call("status")["pid"] == common.process.pid
        last.close()
    finally:
        for sock in sockets:
            sock.close()
