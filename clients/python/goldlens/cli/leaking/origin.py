"""Where files come from: the commit they are of, and the release of their treebank."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from goldlens.cli.past.git import GitError, run

PATIENCE: Final = 10.0
"""Seconds that git is waited for."""

CHANGED: Final = "-dirty"
"""What stands behind a commit if the file is not as it is there."""

_RELEASE: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:r|ud[-_. ]?(?:treebanks?|release|version)?[-_. ]?[rv]?)(\d\.\d{1,2})"
    r"(?![0-9])",
    re.I,
)


def commit_of(path: str) -> str | None:
    """The commit checked out in the git repository that a file is in; None if it is in none.

    CHANGED stands behind it if the file has other bytes there, or is not there. Git is asked for
    names of objects only, which starts no other program.
    """
    real = Path(os.path.realpath(path))
    if not real.is_file():
        return None
    commit = _git(real.parent, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    if commit is None:
        return None
    there = _git(real.parent, "rev-parse", "--verify", "--quiet", f"HEAD:./{real.name}")
    here = _git(real.parent, "hash-object", "--no-filters", "--", real.name)
    return commit if there is not None and there == here else commit + CHANGED


def release_of(path: str, beginning: bytes = b"") -> str | None:
    """The release of Universal Dependencies that a file says it is of, such as r2.15.

    Its path says so, the last part first, or a comment before the first row; else it is None.
    """
    for part in reversed(Path(path).parts):
        if found := _RELEASE.findall(part):
            return f"r{found[-1]}"
    for line in beginning.decode("utf-8", "replace").removeprefix("\ufeff").splitlines():
        if not line.startswith("#"):
            return None
        if not _SAID.match(line) and (found := _RELEASE.findall(line)):
            return f"r{found[-1]}"
    return None


_SAID: Final = re.compile(r"#\s*(?:text|sent_id|new(?:doc|par))\b")
"""Comments that are about the text, and quote it."""


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = run(folder, *arguments, seconds=PATIENCE)
    except GitError:
        return None
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None
