"""The problems of one file, as `goldlens check` finds them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import GOLD, Task
from goldlens.scoring.text import not_text
from goldlens.server.config import FILE, PYPROJECT, Settings
from goldlens.server.config_text import Configuration
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.findings import Finding, located
from goldlens.server.judging import Judge
from goldlens.server.roles import Role
from goldlens.server.texts import Stretch, Text

CONFIGURATIONS: Final = frozenset({FILE, PYPROJECT})


def findings(
    name: str,
    data: bytes,
    settings: Settings,
    role: Role,
    path: Path | None = None,
    gold: Text | None = None,
    match: str = "auto",
    trouble: Problem | None = None,
    too_large: str | None = None,
) -> Iterator[Finding]:
    """All problems of a file, in order of line and column.

    `role` says how it is read, `path` tells a configuration from an annotated file. `gold` is what
    the file faces, matched by `match`; `trouble` says why there is nothing that it could be
    held against, `too_large` why the two cannot be compared. What is no text at all is one
    `encoding`. Raises Incomparable (see `scoring.task`).
    """
    if why := not_text(data):
        yield Finding(Stretch(name, 1, 1, 1, 1), Severity.ERROR, "encoding", why)
        return
    judge = Judge(settings)
    if path is not None and path.name in CONFIGURATIONS:
        document = Document(Configuration(path), data, judge=judge)
        text = Text(name, data, document)
        yield from _listed(text, None, None, judge, ())
        return
    document = Document(role.format, data, extra=judge.extra, judge=judge)
    judge.excused = frozenset(document.format.excused(document.facts.tolist()))
    if judge.excused:
        document.rejudge(judge)
    pair = None
    if gold is not None and role.task is not None:
        pair = Pair(role.task, gold.document, document, match)
    extra = file_problems(document, trouble, too_large, pair)
    yield from _listed(Text(name, data, document), gold, pair, judge, extra)


def gold_text(name: str, data: bytes, task: Task) -> Text:
    """A gold file, to hold others against."""
    return Text(name, data, Document(task.format(GOLD), data, checks=False))


def _listed(
    text: Text, gold: Text | None, pair: Pair | None, judge: Judge, extra: Sequence[Problem]
) -> Iterator[Finding]:
    listing = Lister(text.document, pair, judge).list(extra, None, 0)
    yield from located(listing.shown, text, gold)
