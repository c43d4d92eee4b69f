"""Whether other processes are still there."""

from __future__ import annotations

import os
from pathlib import Path


def ended(process: int) -> bool:
    """Whether there is no such process, not even as a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


def alive(process: int) -> bool:
    """Whether a process runs, and is no zombie; looks into /proc."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text("ascii")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"
