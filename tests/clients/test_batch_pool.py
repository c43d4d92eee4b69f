"""The processes of `goldlens batch`: killed, interrupted, and on a Dask cluster."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from distributed import Client, LocalCluster

from goldlens.cli.batching.cluster import on_cluster
from goldlens.cli.batching.pairs import Question
from goldlens.cli.batching.pool import in_pool
from goldlens.cli.batching.work import Answer, answer
from tests.clients.conftest import GOLD, PRED, Run
from tests.clients.rows import write
from tests.processes import ended

LEDGER = Path(".goldlens-batch.jsonl")
SYSTEMS = 24

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture(autouse=True)
def _here(folder: Path) -> None:
    """A hundred sentences of gold, and many systems, each wrong in another number of them."""
    write("gold.conllu", GOLD * 100)
    for k in range(SYSTEMS):
        write(f"runs/s{k:02}/p.conllu", PRED * (k + 1) + GOLD * (99 - k))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A Dask cluster of two workers, each a process that is started again when it is killed."""
    made: Any = LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with made:
        yield made


def question(pred: str) -> Question:
    folder = Path.cwd()
    return Question(str(folder / "gold.conllu"), str(folder / pred), task="ud", metrics=("LAS",))


def questions(number: int = 4) -> dict[str, Question]:
    return {f"s{k:02}": question(f"runs/s{k:02}/p.conllu") for k in range(number)}


def piped() -> Question:
    """A question that whoever answers it waits for, until somebody writes to its pipe."""
    os.mkfifo("pipe.conllu")
    return question("pipe.conllu")


def fed() -> threading.Thread:
    """Writes the prediction to the pipe, as soon as somebody reads it."""
    thread = threading.Thread(target=Path("pipe.conllu").write_text, args=(PRED * 100,))
    thread.start()
    return thread


def until(holds: Callable[[], bool]) -> None:
    """Waits for something to come true."""
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come true in a minute")


class TestPool:
    def test_answers_are_those_of_one_process(self) -> None:
        asked = questions()
        assert dict(in_pool(asked, 2)) == {name: answer(each) for name, each in asked.items()}
        assert active_children() == []

    def test_and_of_threads(self) -> None:
        # A worker of a cluster may answer several questions at a time.
        asked = questions(12)
        with ThreadPoolExecutor(4) as threads:
            found = dict(zip(asked, threads.map(answer, asked.values()), strict=True))
        assert found == {name: answer(each) for name, each in asked.items()}

    def test_what_a_killed_process_had_is_asked_again(self) -> None:
        asked = {"pipe": piped(), **questions()}
        answering = in_pool(asked, 2)
        found = dict([next(answering)])
        self._kill_all()
        feeder = fed()
        found |= dict(answering)
        feeder.join()
        Path("pipe.conllu").unlink()
        write("pipe.conllu", PRED * 100)
        assert found == {name: answer(each) for name, each in asked.items()}

    def test_a_pair_that_kills_its_process_fails_alone(self) -> None:
        asked = {"pipe": piped(), **questions()}
        answering = in_pool(asked, 2)
        found = dict([next(answering)])
        self._kill_all()
        done = threading.Event()
        killer = threading.Thread(target=self._kill_the_reader, args=(done,))
        killer.start()
        found |= dict(answering)
        done.set()
        killer.join()
        errors = {name: each.errors for name, each in found.items() if each.errors}
        assert errors == {
            "pipe": (
                f"{Path.cwd()}/pipe.conllu:1:1: error[killed]: the process that scored this pair "
                "was killed, twice; is there memory enough?",
            )
        }
        assert found.keys() == asked.keys()

    def test_whoever_stops_listening_leaves_no_process_behind(self) -> None:
        answering = in_pool({"pipe": piped(), **questions()}, 2)
        next(answering)
        answering.close()
        assert active_children() == []

    @staticmethod
    def _kill_all() -> None:
        for child in active_children():
            child.kill()
            child.join()

    @staticmethod
    def _kill_the_reader(done: threading.Event) -> None:
        """Kills whatever process opens the pipe to read it."""
        while not done.wait(0.05):
            try:
                writer = os.open("pipe.conllu", os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                continue
            TestPool._kill_all()
            os.close(writer)


class TestCommand:
    def test_as_many_processes_as_wanted_give_the_same_bytes(self, run: Run) -> None:
        call = ("batch", "--gold", "gold.conllu", "--pred", "runs/*/p.conllu", "--force")
        assert run(*call, "--jobs", "1", "--json", "one.json").exit_code == 0
        assert run(*call, "--jobs", "3", "--json", "three.json").exit_code == 0
        assert Path("one.json").read_bytes() == Path("three.json").read_bytes()
        assert len({row["score"] for row in json.loads(Path("one.json").read_text())}) > SYSTEMS

    def test_after_ctrl_c_what_is_done_is_known(self) -> None:
        write("short.conllu", GOLD)
        toml = '[[pair]]\ngold = "short.conllu"\npred = "p.conllu"\n'
        toml += '[[pair]]\ngold = "gold.conllu"\npred = "runs/s00/p.conllu"\nresamples = '
        write("goldlens.toml", f"{toml}400000")
        call = [sys.executable, "-m", "goldlens.cli", "batch", "."]
        running = subprocess.Popen(call, stderr=subprocess.PIPE, start_new_session=True, text=True)
        try:
            until(lambda: LEDGER.exists() and LEDGER.read_bytes().count(b"\n") == 2)
            os.killpg(running.pid, signal.SIGINT)
            stderr = running.communicate(timeout=30)[1]
        finally:
            running.kill()
        assert running.returncode == 130
        assert stderr == "interrupted; what is scored is in .goldlens-batch.jsonl: run it again\n"
        write("goldlens.toml", f"{toml}1000")
        again = subprocess.run(call, capture_output=True, text=True, timeout=60, check=True)
        assert again.stderr == "2 pairs: 1 scored, 1 known from before\n"


class TestCluster:
    def test_with_a_worker_killed_midway_all_pairs_are_done(self, run: Run, cluster: Any) -> None:
        call = ("batch", "--gold", "gold.conllu", "--pred", "runs/*/p.conllu")
        local = run(*call, "--json", "local.json", "--ledger", "local")
        with Client(cluster.scheduler_address) as client:  # type: ignore[no-untyped-call]
            pids = list(client.run(os.getpid).values())
        killer = threading.Thread(target=self._kill_after, args=(pids[0], SYSTEMS // 4))
        killer.start()
        away = run(*call, "--json", "away.json", "--scheduler", cluster.scheduler_address)
        killer.join()
        assert (local.exit_code, away.exit_code) == (0, 0)
        assert away.stderr == f"{SYSTEMS} pairs: {SYSTEMS} scored\n"
        assert Path("away.json").read_bytes() == Path("local.json").read_bytes()

    def test_what_a_killed_worker_had_in_hand_is_given_to_another(self, cluster: Any) -> None:
        asked = {"pipe": piped(), **questions()}
        address = cluster.scheduler_address
        answering = on_cluster(asked, address)
        found = dict(next(answering) for _ in range(4))
        assert "pipe" not in found
        with Client(address) as client:  # type: ignore[no-untyped-call]
            [busy] = [worker for worker, tasks in client.processing().items() if tasks]
            pid = client.run(os.getpid, workers=[busy])[busy]
            os.kill(pid, signal.SIGKILL)
        # It has the pipe open as long as it is there, and must not be who is fed.
        until(lambda: ended(pid))
        feeder = fed()
        found |= dict(answering)
        feeder.join()
        Path("pipe.conllu").unlink()
        write("pipe.conllu", PRED * 100)
        assert found == {name: answer(each) for name, each in asked.items()}

    def test_a_scheduler_file_names_a_cluster(self, cluster: Any) -> None:
        write("scheduler.json", json.dumps({"address": cluster.scheduler_address}))
        found = dict(on_cluster(questions(2), "scheduler.json"))
        assert found == dict(in_pool(questions(2), 2))

    def test_a_pair_fails_alone(self, cluster: Any) -> None:
        asked = {"bad": question("none.conllu"), **questions(2)}
        found = dict(on_cluster(asked, cluster.scheduler_address))
        assert found["bad"] == answer(asked["bad"])
        assert found["bad"].errors == (
            f"{Path.cwd()}/none.conllu:1:1: error[file]: there is no such file; check the path",
        )
        assert not found["s00"].errors and not found["s01"].errors

    def test_no_answer_is_taken_from_another_version(
        self, cluster: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("goldlens.cli.batching.cluster.scorer_digest", lambda: "0" * 64)
        [(_, found)] = on_cluster(questions(1), cluster.scheduler_address)
        assert found == Answer(
            errors=(
                f"{Path.cwd()}/runs/s00/p.conllu:1:1: error[worker]: a worker has another version "
                "of Goldlens; install the same one everywhere",
            )
        )

    def test_where_no_scheduler_is(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("goldlens.cli.batching.cluster._PATIENCE", "1s")
        call = ("--gold", "gold.conllu", "--pred", "runs/s00/p.conllu")
        result = run("batch", *call, "--scheduler", "tcp://127.0.0.1:1")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == (
            "tcp://127.0.0.1:1:1:1: error[scheduler]: no Dask scheduler answers here; check the "
            "address, and that it is running\n"
        )

    @pytest.mark.parametrize(
        ("named", "why"),
        [
            ("nowhere.json", "this is no address of a scheduler (missing port number in "),
            ("http://node1:8786", "this is no address of a scheduler (unknown address scheme "),
            ("node1:eighty", "this is no address of a scheduler (invalid literal for int() "),
            ("", "this is no address of a scheduler ("),
            ("gold.conllu", "this is no scheduler file of Dask ("),
            ("empty.json", "this is no scheduler file of Dask ("),
            ("number.json", "this is no scheduler file of Dask ("),
        ],
    )
    def test_what_cannot_be_a_scheduler_is_not_waited_for(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, named: str, why: str
    ) -> None:
        def connect(**arguments: object) -> None:
            raise AssertionError("a client was made, which waits")

        monkeypatch.setattr("distributed.Client", connect)
        write("empty.json", "{}")
        write("number.json", '{"address": 5}')
        call = ("--gold", "gold.conllu", "--pred", "runs/s00/p.conllu")
        result = run("batch", *call, "--scheduler", named)
        assert (result.exit_code, result.stdout) == (2, "")
        [line] = result.stderr.splitlines()
        assert line.startswith(f"{named}:1:1: error[scheduler]: {why}")
        assert line.endswith("name an address, as tcp://node1:8786, or such a file")

    def test_without_dask(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        call = ("--gold", "gold.conllu", "--pred", "runs/s00/p.conllu")
        result = run("batch", *call, "--scheduler", "tcp://127.0.0.1:1")
        assert result.exit_code == 2
        assert result.stderr.startswith(
            "error[usage]: --scheduler needs dask.distributed; install it with pip install "
            "goldlens[cluster];"
        )

    @staticmethod
    def _kill_after(pid: int, answers: int) -> None:
        until(lambda: LEDGER.exists() and LEDGER.read_bytes().count(b"\n") > answers)
        os.kill(pid, signal.SIGKILL)
