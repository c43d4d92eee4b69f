"""A lock that lasts as long as the process that has it, however that ends."""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

TRIES: Final = 20
PAUSE: Final = 0.005
"""So often, and with so many seconds between, it is tried: whoever only looks whether the lock is
taken has it for a moment.
"""

_TAKEN: Final = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)


class Taken(Exception):
    """Another process has the lock."""


class Lock:
    """A locked file. The file itself stays: taking it away would let two have the lock."""

    def __init__(self, path: Path) -> None:
        """Takes the lock. Raises Taken, OSError."""
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._take()
        except BaseException:
            os.close(self._descriptor)
            raise

    def _take(self) -> None:
        for last in (*[False] * (TRIES - 1), True):
            try:
                if sys.platform == "win32":
                    msvcrt.locking(self._descriptor, msvcrt.LK_NBLCK, 1)
                else:
                    fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in _TAKEN:
                    raise
                if last:
                    raise Taken(str(self._path)) from error
                time.sleep(PAUSE)
            else:
                return

    @property
    def lost(self) -> bool:
        """Whether another could take it, since the file is no longer at its path."""
        try:
            return not os.path.samestat(self._path.stat(), os.fstat(self._descriptor))
        except OSError:
            return True

    def release(self) -> None:
        """Lets others have it."""
        os.close(self._descriptor)
