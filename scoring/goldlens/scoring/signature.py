"""A signature names all that changes a number, in one short string made to be quoted."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from functools import lru_cache

_METADATA = re.compile(r"goldlens-(.+)\.dist-info")


@lru_cache(maxsize=1)
def goldlens_version() -> str:
    """The version of this package, or "unknown" where it is not installed.

    The name of the metadata's folder says it. importlib.metadata, which costs a start of the
    command line 25 ms, is asked only where no such folder is found.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 (pathlib costs a start time)
        except OSError:
            continue
        for name in names:
            if found := _METADATA.fullmatch(name):
                return found[1]
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("goldlens")
    except PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a score was computed with. `str` gives the signature.

    `options`: names and values of what only this task knows, in a fixed order.
    """

    task: str
    match: str
    policy: str
    strict: bool = False
    only: str = ""
    profile: str = "none"
    options: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [
            f"task:{self.task}",
            f"match:{self.match}",
            f"policy:{self.policy}",
            f"strict:{'yes' if self.strict else 'no'}",
        ]
        if self.only:
            parts.append(f"only:{self.only}")
        parts += [f"{name}:{value}" for name, value in self.options]
        parts += [f"profile:{self.profile}", f"version:{goldlens_version()}"]
        return "|".join(["goldlens", *parts])
