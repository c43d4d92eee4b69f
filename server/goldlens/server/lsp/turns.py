"""Calls of the workspace, one at a time and in the order in which they came.

What is quick runs at once, in the event loop. What may take long runs in a thread, so that the
loop goes on reading and answering; whatever needs the workspace meanwhile waits for its turn.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Turn:
    job: Callable[[], Any]
    future: asyncio.Future[Any]
    slow: bool


class Turns:
    """A queue of jobs of which at most one runs."""

    def __init__(self, on_idle: Callable[[], None]) -> None:
        """`on_idle` is called, in the loop, each time no job runs or waits any more."""
        self._loop = asyncio.get_running_loop()
        self._on_idle = on_idle
        self._waiting: deque[_Turn] = deque()
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether a job runs in a thread; the workspace must be left alone then."""
        return self._thread is not None

    def take(self, job: Callable[[], T], *, slow: bool = False) -> asyncio.Future[T]:
        """What `job` returns or raises, when its turn has come; at once if nothing else runs.

        Cancelling the future takes the job out of the queue. One that runs already is not
        stopped, but its result is dropped.
        """
        future: asyncio.Future[T] = self._loop.create_future()
        self._waiting.append(_Turn(job, future, slow))
        if not self.busy:
            self._go_on()
        return future

    def do(self, job: Callable[[], object], *, slow: bool = False) -> None:
        """Like `take`, for a job whose result nobody waits for: what it raises is logged."""
        if slow or self.busy:
            self.take(job, slow=slow).add_done_callback(_logged)
            return
        try:
            job()
        except Exception:
            log.exception("a job on the workspace failed")
        self._on_idle()

    async def idle(self) -> None:
        """Waits until all jobs that are here now are done."""
        await self.take(lambda: None)

    def _go_on(self) -> None:
        while self._waiting and not self.busy:
            turn = self._waiting.popleft()
            if turn.future.cancelled():
                continue
            if turn.slow:
                self._thread = threading.Thread(
                    target=self._work, args=(turn,), name="goldlens-work", daemon=True
                )
                self._thread.start()
            else:
                self._settle(turn, *_outcome(turn.job))
        if not self.busy:
            self._on_idle()

    def _work(self, turn: _Turn) -> None:
        result, error = _outcome(turn.job)
        # The loop is closed if the server has ended in the meantime: nobody waits any more.
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._worked, turn, result, error)

    def _worked(self, turn: _Turn, result: Any, error: Exception | None) -> None:
        self._thread = None
        self._settle(turn, result, error)
        self._go_on()

    def _settle(self, turn: _Turn, result: Any, error: Exception | None) -> None:
        if turn.future.cancelled():
            if error is not None:
                log.error("a cancelled job failed", exc_info=error)
        elif error is not None:
            turn.future.set_exception(error)
        else:
            turn.future.set_result(result)


def _outcome(job: Callable[[], Any]) -> tuple[Any, Exception | None]:
    try:
        return job(), None
    except Exception as error:
        return None, error


def _logged(future: asyncio.Future[Any]) -> None:
    if not future.cancelled() and (error := future.exception()) is not None:
        log.error("a job on the workspace failed", exc_info=error)
