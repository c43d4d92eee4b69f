"""Keeping the garbage collector away from what stays.

A full collection looks at every object there is: with a million words open that takes over
100 ms, with 25,000 still 5 ms, and it comes in the middle of an edit. So what was made by opening a
file is frozen, and looked at again only after one was closed.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

PAUSE: Final = 2.0
"""Seconds between the closing of a file and the collection of what is left of it."""

MUCH: Final = 16 << 20
"""After so many bytes of messages there is a collection of what is young."""

_lock = threading.Lock()
_running = 0
_due: asyncio.TimerHandle | None = None
_come = 0


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


def freeze() -> None:
    """What there is now stays."""
    gc.freeze()


def settle() -> None:
    """Collects now, freezes what is left, and makes collections rare.

    An edit makes some hundred objects that go when it is done; no collection is due for them.
    """
    gc.set_threshold(20_000, 10, 10)
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _give_back()


def _give_back() -> None:
    """Gives the system what the C library has free: between what stays there is much of it."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def settle_soon() -> None:
    """Collects in a while, once for all that is closed until then. In the event loop."""
    global _due
    if _due is not None:
        _due.cancel()
    _due = asyncio.get_running_loop().call_later(PAUSE, settle)


def came_in(size: int) -> None:
    """So many bytes of messages have come in. In the event loop.

    A call that fails leaves a circle: its future, the error, the frames in the traceback, and what
    the client sent. Circles stay until a collection, and these come by the number of objects, not
    by their size.
    """
    global _come
    _come += size
    if _come >= MUCH and gc.isenabled():
        _come = 0
        gc.collect(1)
