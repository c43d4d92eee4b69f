"""Who reads something is waited for, however slowly it comes; who reads nothing is cut off."""

from __future__ import annotations

import asyncio

from goldlens.server.patience import Patience
from tests.daemon.session import WAIT

SECONDS = 0.02


class Slow:
    """Bytes that go out one after the other: so many wait each time somebody looks."""

    def __init__(self, *waiting: int) -> None:
        self.waiting = list(waiting)
        self.aborted = asyncio.Event()

    def get_write_buffer_size(self) -> int:
        return self.waiting.pop(0)

    def abort(self) -> None:
        self.aborted.set()


async def test_who_takes_something_each_time_has_time_until_it_takes_nothing() -> None:
    slow = Slow(100, 99, 60, 60)
    patience = Patience(SECONDS)
    patience.begin(slow, slow.abort)
    await asyncio.wait_for(slow.aborted.wait(), WAIT)
    assert slow.waiting == []


async def test_what_is_written_meanwhile_is_no_sign_that_nothing_is_read() -> None:
    slow = Slow(100, 140, 140)
    patience = Patience(SECONDS)
    patience.wrote(100)
    patience.begin(slow, slow.abort)
    patience.wrote(50)
    await asyncio.wait_for(slow.aborted.wait(), WAIT)
    assert slow.waiting == []


async def test_what_is_written_meanwhile_is_no_sign_that_something_is_read() -> None:
    slow = Slow(100, 150, 0)
    patience = Patience(SECONDS)
    patience.wrote(100)
    patience.begin(slow, slow.abort)
    patience.wrote(50)
    await asyncio.wait_for(slow.aborted.wait(), WAIT)
    assert slow.waiting == [0]


async def test_a_closed_outlet_is_let_go_whatever_goes_out() -> None:
    slow = Slow()
    Patience(SECONDS).outlast(slow)
    await asyncio.wait_for(slow.aborted.wait(), WAIT)


async def test_who_has_read_all_is_left_alone() -> None:
    slow, other = Slow(100, 100), Slow(100, 100)
    patience = Patience(SECONDS)
    patience.begin(slow, slow.abort)
    patience.end()
    Patience(2 * SECONDS).begin(other, other.abort)
    await asyncio.wait_for(other.aborted.wait(), WAIT)
    assert (slow.waiting, slow.aborted.is_set()) == ([100], False)


async def test_patience_may_have_no_end() -> None:
    slow, other = Slow(100, 100), Slow(100, 100)
    Patience(None).begin(slow, slow.abort)
    Patience(SECONDS).begin(other, other.abort)
    await asyncio.wait_for(other.aborted.wait(), WAIT)
    assert (slow.waiting, slow.aborted.is_set()) == ([100], False)
