"""Calls of the workspace, one at a time and in the order in which they came.

What is quick runs at once, in the event loop. What may take long runs in a thread, so that the
loop goes on reading and answering; whatever needs the workspace meanwhile waits for its turn. What
takes long and has all it needs runs apart: nobody waits for that but who asked.
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
        self._apart: set[asyncio.Future[Any]] = set()
        self._one_apart = threading.Lock()

    @property
    def busy(self) -> bool:
        """Whether a job runs in a thread; the workspace must be left alone then."""
        return self._thread is not None

    @property
    def working(self) -> bool:
        """Whether any thread works: on the workspace, or apart."""
        return self.busy or self._one_apart.locked()

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

    def apart(self, prepare: Callable[[], Callable[[], T]]) -> asyncio.Future[T]:
        """What the job that `prepare` makes returns or raises.

        `prepare` has a turn, in a thread. The job runs in one beside all else, so that it must
        leave the workspace alone; of such jobs one runs at a time. Cancelling the future takes it
        out of the queue, or drops its result.
        """
        # Now, not when the task begins: what comes next must find it in the queue.
        prepared = self.take(prepare, slow=True)
        future = self._loop.create_task(self._worked_apart(prepared))
        future.add_done_callback(lambda _: prepared.cancel())
        self._apart.add(future)
        future.add_done_callback(self._apart.discard)
        return future

    async def _worked_apart(self, prepared: asyncio.Future[Callable[[], T]]) -> T:
        job = await prepared
        turn = _Turn(job, self._loop.create_future(), True)

        def work() -> None:
            with self._one_apart:
                if turn.future.cancelled():
                    return
                outcome = _outcome(job)
            # Not sooner: who hears that it is done finds that nothing works any more.
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._settle, turn, *outcome)

        threading.Thread(target=work, name="goldlens-apart", daemon=True).start()
        found: T = await turn.future
        return found

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
        if self._apart:
            await asyncio.wait(self._apart)

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
