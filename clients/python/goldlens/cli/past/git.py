"""A revision as git has it: which files it holds, and their bytes.

Only commands that read objects are run, and none that could start a program named in the
repository: no hooks, pagers, filters, monitors or remotes.
"""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
from functools import cached_property
from pathlib import Path
from typing import Final

_QUIET: Final = (
    *("--no-pager", "-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false"),
)
_INHERITED: Final = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
)
"""What git tells its hooks. It is about the repository that a hook runs in; we look for ours."""

_SAFE: Final = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # What a partial clone lacks is not fetched: that would start what its remote says.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
_LINK: Final = "120000"
_MOST_LINKS: Final = 40
_LFS: Final = b"version https://git-lfs.github.com/spec/"


class GitError(Exception):
    """A revision cannot be had. `str` says why, and what to do about it."""


class Revision:
    """The files of a commit. Paths are those of the file system, and need not exist any more."""

    def __init__(self, folder: Path, name: str) -> None:
        """The commit that `name` means in the repository of `folder`; `A...B` is their merge base.

        Raises GitError.
        """
        self.top = _top(folder)
        self.commit = self._resolved(name)

    def __contains__(self, path: Path) -> bool:
        """Whether there was a file at a path."""
        return self._object(path) is not None

    def covers(self, path: Path) -> bool:
        """Whether a path lies in the repository, and git does not ignore it.

        What git ignores has no past; it is as it is.
        """
        inside = self._inside(path)
        if inside is None:
            return False
        return inside in self._files or not self._ignores(inside)

    def read(self, path: Path) -> bytes | None:
        """The bytes of the file at a path, None if there was none. Raises GitError."""
        found = self._object(path)
        if found is None:
            return None
        data = self._git("cat-file", "blob", found)
        if data is None:
            message = f"git does not have the contents of {path} in {self.commit[:12]}; fetch them"
            raise GitError(message)
        if data.startswith(_LFS):
            message = f"{path} is kept with Git LFS, whose earlier contents are not read; leave"
            raise GitError(f"{message} out --against for it")
        return data

    def _object(self, path: Path) -> str | None:
        """The name of the object with a file's contents; links are followed."""
        inside = self._inside(path)
        for _ in range(_MOST_LINKS):
            mode, name = self._files.get(inside or "", ("", None))
            if inside is None or name is None or mode != _LINK:
                return name
            target = self._git("cat-file", "blob", name) or b""
            inside = posixpath.normpath(
                posixpath.join(posixpath.dirname(inside), os.fsdecode(target))
            )
        return None

    def _inside(self, path: Path) -> str | None:
        """A path as the commit names it, None if it lies outside of the repository.

        A folder that is a link now is taken for what it leads to; the file itself is not.
        """
        real = Path(os.path.realpath(path.parent)) / path.name
        if not real.is_relative_to(self.top):
            return None
        return real.relative_to(self.top).as_posix()

    def _ignores(self, inside: str) -> bool:
        # With the dot no name looks like one of git's patterns.
        return self._git("check-ignore", "-q", "--", f"./{inside}") is not None

    def _resolved(self, name: str) -> str:
        one, dots, other = name.partition("...")
        if not dots:
            return self._commit(name, name)
        ends = [self._commit(each or "HEAD", name) for each in (one, other)]
        base = self._git("merge-base", *ends)
        if base is None:
            message = f"{name} has no merge base; fetch more of the history, or name a commit"
            raise GitError(message)
        return _line(base).partition("\n")[0]

    def _commit(self, name: str, given: str) -> str:
        # What begins with a dash would be an option.
        asked = ("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        found = None if name.startswith("-") else self._git(*asked)
        if found is None:
            message = f"git knows no revision {given!r} here; see whether it is spelt right"
            raise GitError(f"{message}, or fetch it first")
        return _line(found)

    @cached_property
    def _files(self) -> dict[str, tuple[str, str]]:
        """Mode and object of every file by its path."""
        listed = self._git("ls-tree", "-r", "-z", "--full-tree", self.commit)
        if listed is None:
            raise GitError(f"git cannot list the files of {self.commit[:12]}; fetch them")
        files = {}
        for entry in listed.split(b"\0")[:-1]:
            about, _, path = entry.partition(b"\t")
            mode, kind, name = about.decode("ascii").split()
            if kind == "blob":
                files[os.fsdecode(path)] = mode, name
        return files

    def _git(self, *arguments: str) -> bytes | None:
        done = run(self.top, *arguments)
        return done.stdout if done.returncode == 0 else None


def _top(folder: Path) -> Path:
    """The uppermost folder of the repository that a folder is in. Raises GitError."""
    done = run(folder, "rev-parse", "--show-toplevel")
    if done.returncode == 0 and (top := _line(done.stdout)):
        return Path(os.path.realpath(top))
    if b"dubious ownership" in done.stderr:
        raise GitError(
            f"git does not trust the repository of {folder}, which belongs to somebody else; "
            "name it in git's setting safe.directory"
        )
    raise GitError(f"{folder} is in no git repository; leave out --against")


def _line(output: bytes) -> str:
    return os.fsdecode(output.removesuffix(b"\n"))


def _program() -> str:
    found = shutil.which("git")
    if found is None or not Path(found).is_absolute():
        raise GitError("git is not installed, or not on the PATH; install it")
    return found


def run(
    folder: Path, *arguments: str, seconds: float | None = None
) -> subprocess.CompletedProcess[bytes]:
    """What git says in a folder, whatever its status; nothing that a repository names is started.

    Raises GitError where it cannot be run, or has not ended after so many seconds.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _INHERITED}
    try:
        return subprocess.run(
            [_program(), *_QUIET, *arguments],
            cwd=folder,
            env={**environment, **_SAFE},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except OSError as error:
        why = error.strerror or error
        raise GitError(f"git cannot be run in {folder} ({why}); see whether both exist") from error
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git has not ended in {folder} after {seconds:g} seconds") from error
