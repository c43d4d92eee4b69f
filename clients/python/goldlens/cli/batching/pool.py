"""Questions answered by the cores of this machine, each in one of a few processes."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Final

from goldlens.cli.batching.pairs import Question
from goldlens.cli.batching.work import Answer, answer
from goldlens.cli.lines import line

_AHEAD: Final = 2
"""Questions in the pool for each of its processes: none waits, and few are suspected."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_pool(asked: Mapping[str, Question], jobs: int) -> Generator[tuple[str, Answer], None, None]:
    """Each name with its answer, as they come.

    Where a process dies (killed, or out of memory), nobody knows for which question: those that
    were in the pool are asked again, at the end and each in a pool of its own. The one that kills
    its process there, too, fails alone.
    """
    waiting, suspects = deque(asked), list[str]()
    while waiting:
        suspects += yield from _pool(asked, waiting, jobs)
    for name in suspects:
        if (yield from _pool(asked, deque([name]), 1)):
            message = "the process that scored this pair was killed, twice; is there memory enough?"
            path = asked[name].pred
            yield name, Answer(errors=(line(path, 1, 1, "error", "killed", message),))


def _pool(
    asked: Mapping[str, Question], waiting: deque[str], jobs: int
) -> Generator[tuple[str, Answer], None, list[str]]:
    """Answers what is waiting until a process dies; gives what was in the pool then."""
    before = set(active_children())
    # Spawned, on every system: a fork of a process with threads may hang.
    pool = ProcessPoolExecutor(min(jobs, len(waiting)), get_context("spawn"), _undisturbed)
    inside: dict[str, Future[Answer]] = {}
    ended = False
    try:
        while waiting or inside:
            while waiting and len(inside) < _AHEAD * jobs:
                name = waiting.popleft()
                # Kept first: to hand it over may be what fails.
                inside[name] = Future()
                with _uninterrupted():
                    inside[name] = pool.submit(answer, asked[name])
            wait(inside.values(), return_when=FIRST_COMPLETED)
            for name in [name for name, future in inside.items() if future.done()]:
                found = inside[name].result()
                del inside[name]
                yield name, found
        ended = True
        return []
    except BrokenProcessPool:
        return list(inside)
    finally:
        if not ended:
            for child in set(active_children()) - before:
                child.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits, in this process; one that is started meanwhile never hears it.

    It goes to all processes of a terminal, but it is for the first one to end the others.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _undisturbed() -> None:
    """The same where signals cannot be held back: as soon as a process can say so itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
