"""Work that waits until nobody waits for anything else, done bit by bit in a thread."""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Hashable, Iterator
from typing import Final

_PAUSE: Final = 0.002
_AT_END: Final = 10.0

log = logging.getLogger(__name__)


class Writer:
    """Does jobs one after the other. Between its bits a job lets others have their turn."""

    def __init__(self) -> None:
        self._jobs: dict[Hashable, tuple[float, Iterator[object]]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._hurry = threading.Event()

    def add(self, key: Hashable, job: Iterator[object], wait: float) -> None:
        """Does a job after some seconds; each step of the iterator is a bit of it.

        It takes the place of one of the same key that has not begun.
        """
        with self._changed:
            self._jobs[key] = time.monotonic() + wait, job
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="cache", daemon=True)
                self._thread.start()
                # At the end of the program what waits is done at once.
                atexit.register(self.finish)

    def finish(self, seconds: float = _AT_END) -> None:
        """Does without a pause what is left to do; waits for it so many seconds at most."""
        with self._changed:
            thread = self._thread
            self._hurry.set()
            self._changed.notify()
        if thread is not None:
            thread.join(seconds)
        self._hurry.clear()
        atexit.unregister(self.finish)

    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                for _ in job:
                    self._hurry.wait(_PAUSE)
            except Exception as error:
                # What cannot be kept is computed again: never a reason to fail.
                log.info("cache: something was not kept: %s: %s", type(error).__name__, error)

    def _next(self) -> Iterator[object] | None:
        """The job that is to be done now, once there is one; None if none is left."""
        with self._changed:
            while self._jobs:
                key = min(self._jobs, key=lambda key: self._jobs[key][0])
                left = self._jobs[key][0] - time.monotonic()
                if left <= 0 or self._hurry.is_set():
                    return self._jobs.pop(key)[1]
                self._changed.wait(left)
            self._thread = None
            return None
