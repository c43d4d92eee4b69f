"""Noticing that the editor which started the server is gone.

Usually its end of the pipe closes. Where another process holds that open, only the process number
from `initialize` is left to go by.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Final

EVERY: Final = 1.5
"""Seconds between two looks."""


class Watch:
    """Looks now and then whether a process lives, and calls `on_end` once when it does not."""

    def __init__(self, process: int, on_end: Callable[[], None]) -> None:
        self._process, self._on_end = process, on_end
        self._was_parent = os.getppid() == process
        self._loop = asyncio.get_running_loop()
        self._next = self._loop.call_later(EVERY, self._look)

    def _look(self) -> None:
        # A dead process that nobody has taken notice of still counts as there, but its children
        # have another parent at once.
        orphaned = self._was_parent and os.getppid() != self._process
        if orphaned or not exists(self._process):
            self._on_end()
        else:
            self._next = self._loop.call_later(EVERY, self._look)

    def stop(self) -> None:
        """Looks no more."""
        self._next.cancel()


def exists(process: int) -> bool:
    """Whether there is a process of that number; on Windows, where asking would end it, True."""
    if os.name == "nt":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # there, but not ours
    return True
