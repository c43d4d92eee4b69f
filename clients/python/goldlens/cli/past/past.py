"""The files of a workspace as they were in a revision, for checks that compare with then."""

from __future__ import annotations

import tomllib
from pathlib import Path

from goldlens.cli.lines import Trouble
from goldlens.cli.past.git import GitError, Revision
from goldlens.scoring.problems import Problem
from goldlens.server import sources
from goldlens.server.config import DATA, FILE, PYPROJECT, lexical
from goldlens.server.datasets import cached
from goldlens.server.pairing import Pairing, no_gold
from goldlens.server.sources import Unreadable


class Past:
    """What `check.Disk` is for now.

    What lies outside of the repository, and what git ignores, has no past, and is as it is now.
    """

    def __init__(self, revision: Revision) -> None:
        self._revision = revision

    def read(self, path: Path) -> bytes:
        """The bytes of a text file as it was. Raises Unreadable, and Trouble if git fails."""
        data = self._then(path) if self._kept(path) else sources.read(path)
        if data is None:
            raise Unreadable("there was no such file")
        return data

    def configuration(self, start: Path) -> Path | None:
        """The configuration that held for a file: the nearest one in the folders above it."""
        for folder in lexical(start).parents:
            if self._is_file(folder / FILE):
                return folder / FILE
            if self._is_file(folder / PYPROJECT) and self._has_section(folder / PYPROJECT):
                return folder / PYPROJECT
        return None

    def trouble(self, facing: Pairing) -> Problem | None:
        """Why the gold that a file faces could not be had."""
        if facing.pair.gold.startswith(DATA):
            return facing.trouble
        if self._is_file(facing.gold):
            return None
        return facing.trouble or no_gold(f"no gold at {facing.gold}")

    def _kept(self, path: Path) -> bool:
        """Whether git knows, or would know, what the file was."""
        # The bytes of a data set are the same at all times.
        return self._revision.covers(path) and not path.is_relative_to(cached.folder())

    def _is_file(self, path: Path) -> bool:
        return path in self._revision if self._kept(path) else path.is_file()

    def _has_section(self, pyproject: Path) -> bool:
        try:
            tool = tomllib.loads(self.read(pyproject).decode("utf-8")).get("tool")
        except (Unreadable, ValueError, RecursionError):
            return False
        return isinstance(tool, dict) and "goldlens" in tool

    def _then(self, path: Path) -> bytes | None:
        try:
            return self._revision.read(path)
        except GitError as error:
            raise Trouble(str(path), "git", str(error)) from error
