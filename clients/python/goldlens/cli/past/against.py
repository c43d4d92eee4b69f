"""`goldlens check --against REV`: which problems of a file are new since a revision.

A problem is the same as before if its code, its message and the text of its line are. Lines may
move, and so may their problems; of several that are the same, as many are old as there were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import click

from goldlens.cli import inputs
from goldlens.cli.check import Checker
from goldlens.cli.lines import Trouble
from goldlens.cli.past.git import GitError, Revision
from goldlens.cli.past.past import Past
from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.text import BOM
from goldlens.server.config import lexical
from goldlens.server.findings import Finding

Key: TypeAlias = tuple[str, str, bytes]

_OF_NO_LINE: Final = frozenset(
    (
        "sentence-missing",
        "id-missing",
        "form-missing",
        "iob2-scheme",
        "score-range",
        "label-unknown",
    )
)
"""Codes of problems that stand at some line, and are about what is missing or about the file."""

_WHERE: Final = re.compile(
    r"(?<=at offset )\d+(?= of the character)|(?<=after )\d+(?= character)|(?<=\()\d+(?= more )"
    r"|(?<=; LAS )\d+/\d+$"
)
"""Numbers in messages that say where in the file something is, how much more there is, or what else
of the sentence is right.
"""


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
        yield (finding.code, _WHERE.sub("#", finding.message), _text(finding, texts)), finding


def _text(finding: Finding, texts: list[bytes]) -> bytes:
    at = finding.at
    whole = at.line == at.column == at.end_column == 1
    if whole or finding.code in _OF_NO_LINE or at.line > len(texts):
        return b""
    return texts[at.line - 1].rstrip(b"\r\n")


class Since:
    """Checks files, and leaves out what was found in them in a revision already."""

    def __init__(self, checker: Checker, name: str, files: Sequence[str]) -> None:
        """`name` is what git takes for a commit, or `A...B`, the last one that both have.

        Raises Trouble if one of the files is in no repository that has the revision, UsageError
        for standard input.
        """
        if inputs.STDIN in files:
            raise click.UsageError("--against needs files; standard input was not there before")
        self._now, self._name = checker, name
        self._revisions: dict[Path, Revision] = {}
        self._then: dict[Path, Checker] = {}
        for file in files:
            if Path(file).is_file():
                self._revision(file)

    def check(self, file: str) -> Iterator[Finding]:
        """The new problems of a file: all, if it is new itself. Raises Trouble."""
        found = list(self._now.check(file))
        revision, path = self._revision(file), Path(file)
        try:
            old = revision.read(path)
        except GitError as error:
            raise Trouble(file, "git", str(error)) from error
        if old is None or not found:
            yield from found
            return
        then = self._checker(revision).look(file, path, old)
        yield from new_findings(found, inputs.read_bytes(file), then, old)

    def _revision(self, file: str) -> Revision:
        """The revision of the repository that a file is in; one object for each repository."""
        folder = lexical(Path(file)).parent
        if folder not in self._revisions:
            try:
                found = Revision(folder, self._name)
            except GitError as error:
                raise Trouble(file, "git", str(error)) from error
            known = (each for each in self._revisions.values() if each.top == found.top)
            self._revisions[folder] = next(known, found)
        return self._revisions[folder]

    def _checker(self, revision: Revision) -> Checker:
        if revision.top not in self._then:
            self._then[revision.top] = self._now.among(Past(revision))
        return self._then[revision.top]
