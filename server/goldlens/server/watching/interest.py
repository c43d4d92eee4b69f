"""What is to be watched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Interest:
    """`files`, whether they are there or not, and `folders` in which new ones may appear.

    `polling`: they are only looked at, since the system's events of them are not to be had.
    """

    files: frozenset[Path] = frozenset()
    folders: frozenset[Path] = frozenset()
    polling: bool = False
