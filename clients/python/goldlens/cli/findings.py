"""The problems of one file, as the command line speaks of them: paths, lines and columns from 1.

The engine has byte offsets in blocks; here they become code points in lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.cli.texts import Stretch, Text
from goldlens.scoring.problems import CODES, Problem, Severity, Side
from goldlens.scoring.task import GOLD, Task
from goldlens.scoring.text import not_text
from goldlens.server.config import FILE, PYPROJECT, Settings
from goldlens.server.config_text import Configuration
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.wholefile import file_problems
from goldlens.server.roles import Role

CONFIGURATIONS: Final = frozenset({FILE, PYPROJECT})
_OFF: Final = tuple(code for code, known in CODES.items() if not known.on)


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem, where it is, and the other places that have to do with it."""

    at: Stretch
    severity: Severity
    code: str
    message: str
    related: tuple[tuple[Stretch, str], ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The finding as JSON has it."""
        return {
            **self.at.as_dict(),
            "severity": self.severity.label,
            "code": self.code,
            "message": self.message,
            "related": [{**place.as_dict(), "message": said} for place, said in self.related],
        }


def findings(
    name: str,
    data: bytes,
    settings: Settings,
    role: Role,
    path: Path | None = None,
    gold: Text | None = None,
    match: str = "auto",
    trouble: str | None = None,
    too_large: str | None = None,
) -> Iterator[Finding]:
    """All problems of a file, in order of line and column.

    `role` says how it is read, `path` tells a configuration from an annotated file. `gold` is what
    the file faces, matched by `match`; `trouble` says why the gold that it should face cannot be
    had, `too_large` why the two cannot be compared. What is no text at all is one `encoding`.
    Raises Incomparable (see `scoring.task`).
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


class Judge:
    """How severe each problem is under some settings; None hides it."""

    def __init__(self, settings: Settings) -> None:
        self._chosen: Mapping[str, Severity | None] = {
            code: settings.severity_of(code) for code in settings.severity
        }
        self.extra = tuple(code for code in _OFF if self._chosen.get(code) is not None)
        self.excused: frozenset[str] = frozenset()

    def __call__(self, problem: Problem) -> Severity | None:
        """The severity of a problem."""
        if problem.code in self.excused and problem.severity is not Severity.INFORMATION:
            # One notice for the whole file says it (see `Format.notices`).
            return None
        if problem.code in self._chosen:
            return self._chosen[problem.code]
        return problem.severity


def _listed(
    text: Text, gold: Text | None, pair: Pair | None, judge: Judge, extra: Sequence[Problem]
) -> Iterator[Finding]:
    listing = Lister(text.document, pair, judge).list(extra, None, 0)
    for found in listing.shown:
        problem: Problem = found.problem
        related: list[tuple[Stretch, str]] = []
        at = text.stretch(found.unit(problem.place), problem.place)
        for other in problem.related:
            where = text if other.place.side is Side.HERE else gold
            if where is not None:
                related.append((where.stretch(found.unit(other.place), other.place), other.message))
        yield Finding(at, found.severity, problem.code, problem.message, tuple(related))
