"""Keeping the garbage collector away from what is large and stays.

A full collection with a million words open takes over 100 ms: an edit would wait for it. What was
made by opening a large file is frozen instead. It is freed all the same when it is closed, by its
reference counts.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_running = 0


@contextmanager
def undisturbed() -> Iterator[None]:
    """Runs what makes many lasting objects without collections, and freezes them after it."""
    global _running
    with _lock:
        _running += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _running -= 1
            # Another connection may be opening a file in its own thread.
            if not _running:
                gc.enable()
        gc.freeze()


def unfreeze(*, still_large: bool) -> None:
    """After a large file was closed: what is left counts again, unless others are large too."""
    gc.unfreeze()
    if still_large:
        gc.freeze()
