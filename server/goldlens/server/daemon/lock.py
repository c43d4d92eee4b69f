"""A lock that lasts as long as the process that has it, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class Taken(Exception):
    """Another process has the lock."""


class Lock:
    """A locked file. The file itself stays: taking it away would let two have the lock."""

    def __init__(self, path: Path) -> None:
        """Takes the lock without waiting. Raises Taken, OSError."""
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise Taken(str(path)) from error

    def release(self) -> None:
        """Lets others have it."""
        os.close(self._descriptor)
