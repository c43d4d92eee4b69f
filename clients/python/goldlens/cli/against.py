"""`goldlens check --against REV`: which problems of a file are new since a revision.

A problem is the same as before if its code, its message and the text of its line are. Lines may
move, and so may their problems; of several that are the same, as many are old as there were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from goldlens.cli.against_git import GitError, Revision
from goldlens.cli.findings import Finding
from goldlens.cli.lines import Trouble
from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.text import BOM
from goldlens.server.config import lexical

Key: TypeAlias = tuple[str, str, bytes]

_OF_NO_LINE: Final = frozenset(
    ("sentence-missing", "id-missing", "form-missing", "iob2-scheme", "score-range", "label-unknown")
)
"""Codes of problems that stand at some line, and are about what is missing or about the file."""

_WHERE: Final = re.compile(r"\b(at offset|after|\() ?\d+ (?=characters?\b|more\b|of the character)")
"""Numbers in messages that say where in the file something is, or how much more there is."""


def new_findings(
    now: Iterable[Finding], data: bytes, then: Iterable[Finding], old: bytes
) -> Iterator[Finding]:
    """Those of the findings in `data` that were not in `old`, in their order.

    Where there are more of one kind than there were, the last ones are new.
    """
    known = Counter(key for key, _ in _keyed(then, old))
    for key, finding in _keyed(now, data):
        if known[key]:
            known[key] -= 1
        else:
            yield finding


def _keyed(findings: Iterable[Finding], data: bytes) -> Iterator[tuple[Key, Finding]]:
    """Each finding and what it is known again by."""
    texts: list[bytes] | None = None
    for finding in findings:
        if texts is None:
            texts = lines(data.removeprefix(BOM))
        yield (finding.code, _WHERE.sub(r"\1 # ", finding.message), _text(finding, texts)), finding


def _text(finding: Finding, texts: list[bytes]) -> bytes:
    at = finding.at
    whole = at.line == at.column == at.end_column == 1
    if whole or finding.code in _OF_NO_LINE or at.line > len(texts):
        return b""
    return texts[at.line - 1].rstrip(b"\r\n")


class Revisions:
    """One revision of the repositories that files are in, each looked up once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._by_folder: dict[Path, Revision] = {}

    def of(self, file: str) -> Revision:
        """The revision of the repository that a file is in. Raises Trouble."""
        folder = lexical(Path(file)).parent
        if folder not in self._by_folder:
            try:
                self._by_folder[folder] = self._found(folder)
            except GitError as error:
                raise Trouble(file, "git", str(error)) from error
        return self._by_folder[folder]

    def _found(self, folder: Path) -> Revision:
        found = Revision(folder, self.name)
        same = (r for r in self._by_folder.values() if r.top == found.top)
        return next(same, found)
