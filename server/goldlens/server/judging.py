"""How severe a problem is to be taken, under some settings."""

from __future__ import annotations

from typing import Final

from goldlens.scoring.problems import CODES, Problem, Severity
from goldlens.server.config import Settings

_OFF: Final = tuple(code for code, known in CODES.items() if not known.on)


def asked_for(settings: Settings) -> tuple[str, ...]:
    """The codes that are looked for only because the settings ask for them."""
    return tuple(code for code in _OFF if settings.severity_of(code) is not None)


def judged(problem: Problem, settings: Settings, excused: frozenset[str]) -> Severity | None:
    """How severe a problem shows; None for not at all.

    `excused` has the codes that one notice says for the whole file (see `Format.notices`).
    """
    if problem.code in excused and problem.severity is not Severity.INFORMATION:
        return None
    if problem.code in settings.severity:
        return settings.severity_of(problem.code)
    return problem.severity


class Judge:
    """How severe each problem is; None hides it (see `judged`).

    `extra` has the codes that are looked for only because the settings ask for them.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.extra = asked_for(settings)
        self.excused: frozenset[str] = frozenset()

    def __call__(self, problem: Problem) -> Severity | None:
        """The severity of a problem."""
        return judged(problem, self._settings, self.excused)
