"""Problems as people and programs are told of them: a path, lines and columns from 1.

The engine has byte offsets in blocks; here they become code points in lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from goldlens.scoring.problems import Severity, Side
from goldlens.server.engine.listing import Located
from goldlens.server.texts import Stretch, Text


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


def located(shown: Sequence[Located], text: Text, gold: Text | None) -> Iterator[Finding]:
    """Listed problems of a text, which may face `gold`, as findings."""
    for found in shown:
        problem = found.problem
        related: list[tuple[Stretch, str]] = []
        at = text.stretch(found.unit(problem.place), problem.place)
        for other in problem.related:
            where = text if other.place.side is Side.HERE else gold
            if where is not None:
                related.append((where.stretch(found.unit(other.place), other.place), other.message))
        yield Finding(at, found.severity, problem.code, problem.message, tuple(related))
