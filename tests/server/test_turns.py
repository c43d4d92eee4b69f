"""Calls of the workspace: one at a time, in the order they came, slow ones in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from goldlens.server.turns import Turns


class Slow:
    """A job that ends when told to."""

    def __init__(self, log: list[str]) -> None:
        self.log, self.go, self.begun = log, threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert threading.current_thread() is not threading.main_thread()
        assert self.go.wait(10)
        self.log.append("slow")
        return "slow"


async def test_a_quick_job_runs_at_once() -> None:
    idle: list[int] = []
    turns = Turns(lambda: idle.append(1))
    assert turns.take(lambda: 3).result() == 3
    assert idle


async def test_jobs_wait_for_a_slow_one_in_order() -> None:
    log: list[str] = []
    idle: list[list[str]] = []
    turns = Turns(lambda: idle.append(list(log)))
    job = Slow(log)
    slow = turns.take(job, slow=True)
    turns.do(lambda: log.append("a"))
    last = turns.take(lambda: log.append("b"))
    assert turns.busy and log == [] and idle == []
    job.go.set()
    await asyncio.wait_for(last, 10)
    assert slow.result() == "slow"
    assert log == ["slow", "a", "b"]
    assert not turns.busy and idle == [["slow", "a", "b"]]


async def test_a_cancelled_job_does_not_run() -> None:
    log: list[str] = []
    turns = Turns(lambda: None)
    job = Slow(log)
    slow = turns.take(job, slow=True)
    never = turns.take(lambda: log.append("never"))
    last = turns.take(lambda: log.append("last"))
    never.cancel()
    slow.cancel()
    assert turns.busy  # what runs is not stopped, only its result dropped
    job.go.set()
    await asyncio.wait_for(last, 10)
    assert log == ["slow", "last"]


@pytest.mark.parametrize("slow", [False, True])
async def test_what_a_job_raises_is_its_callers(slow: bool) -> None:
    turns = Turns(lambda: None)

    def fail() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await turns.take(fail, slow=slow)
    assert turns.take(lambda: 1).result() == 1


@pytest.mark.parametrize("slow", [False, True])
async def test_what_nobody_waits_for_is_logged(
    slow: bool, caplog: pytest.LogCaptureFixture
) -> None:
    turns = Turns(lambda: None)

    def fail() -> None:
        raise KeyError("lost")

    turns.do(fail, slow=slow)
    await turns.idle()
    await asyncio.sleep(0)
    assert "lost" in caplog.text


class TestApart:
    """Jobs that have taken what they need, and leave the workspace to others."""

    async def test_others_have_their_turns_meanwhile(self) -> None:
        turns, log = Turns(lambda: None), list[str]()
        job = Slow(log)
        apart = turns.apart(lambda: job)
        assert await asyncio.to_thread(job.begun.wait, 10)
        assert turns.working and not turns.busy
        assert turns.take(lambda: "quick").result() == "quick"
        assert await asyncio.wait_for(turns.take(lambda: "long", slow=True), 10) == "long"
        job.go.set()
        assert await asyncio.wait_for(apart, 10) == "slow"

    async def test_what_is_prepared_comes_before_what_comes_later(self) -> None:
        turns, log = Turns(lambda: None), list[str]()

        def prepare() -> Callable[[], None]:
            log.append("prepared")
            return lambda: None

        apart = turns.apart(prepare)
        turns.do(lambda: log.append("later"))
        await asyncio.wait_for(apart, 10)
        assert log == ["prepared", "later"]

    async def test_what_is_prepared_has_a_turn(self) -> None:
        turns, log = Turns(lambda: None), list[str]()
        before = Slow(log)
        slow = turns.take(before, slow=True)
        apart = turns.apart(lambda: lambda: log.append("apart"))
        await asyncio.sleep(0.02)
        assert log == []
        before.go.set()
        await asyncio.wait_for(apart, 10)
        assert log == ["slow", "apart"] and slow.done()

    async def test_one_runs_at_a_time_and_one_that_is_cancelled_does_not(self) -> None:
        turns, log = Turns(lambda: None), list[str]()
        first = Slow(log)
        begun = turns.apart(lambda: first)
        assert await asyncio.to_thread(first.begun.wait, 10)
        never = turns.apart(lambda: lambda: log.append("never"))
        last = turns.apart(lambda: lambda: log.append("last"))
        await turns.take(lambda: None, slow=True)
        await asyncio.sleep(0.02)
        assert log == []
        never.cancel()
        first.go.set()
        await asyncio.wait_for(last, 10)
        assert log == ["slow", "last"] and begun.result() == "slow" and never.cancelled()

    async def test_what_either_raises_is_its_callers(self) -> None:
        turns = Turns(lambda: None)

        def fail() -> Callable[[], None]:
            raise KeyError("x")

        for prepare in (fail, lambda: fail):
            with pytest.raises(KeyError):
                await asyncio.wait_for(turns.apart(prepare), 10)

    async def test_idle_waits_for_them_too(self) -> None:
        turns, log = Turns(lambda: None), list[str]()
        job = Slow(log)
        turns.apart(lambda: job)
        threading.Timer(0.05, job.go.set).start()
        await asyncio.wait_for(turns.idle(), 10)
        assert log == ["slow"] and not turns.working
