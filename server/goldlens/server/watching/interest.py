"""What is to be watched."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Interest:
    """`files`, whether they are there or not, and `folders` in which new ones may appear."""

    files: frozenset[Path] = frozenset()
    folders: frozenset[Path] = field(default_factory=frozenset)
