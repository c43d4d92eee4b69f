"""Where files come from: the commit they are of, and the release of their treebank."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

PATIENCE: Final = 10.0
"""Seconds that git is waited for."""

CHANGED: Final = "-dirty"
"""What stands behind a commit if the file is not as it is there."""

_INHERITED: Final = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
)
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
    program = shutil.which("git")
    if program is None or not Path(program).is_absolute():
        return None
    environment = {k: v for k, v in os.environ.items() if k not in _INHERITED}
    try:
        done = subprocess.run(
            [program, *arguments],
            cwd=folder,
            env={**environment, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else None
