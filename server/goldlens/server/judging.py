"""How severe a problem is to be taken, under some settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from goldlens.scoring.problems import CODES, Problem, Severity
from goldlens.server.config import Settings

_OFF: Final = tuple(code for code, known in CODES.items() if not known.on)


class Judge:
    """How severe each problem is; None hides it.

    `extra` has the codes that are looked for only because the settings ask for them, `excused`
    those that one notice says for the whole file (see `Format.notices`).
    """

    def __init__(self, settings: Settings) -> None:
        self._chosen: Mapping[str, Severity | None] = {
            code: settings.severity_of(code) for code in settings.severity
        }
        self.extra = tuple(code for code in _OFF if self._chosen.get(code) is not None)
        self.excused: frozenset[str] = frozenset()

    def __call__(self, problem: Problem) -> Severity | None:
        """The severity of a problem."""
        if problem.code in self.excused and problem.severity is not Severity.INFORMATION:
            return None
        if problem.code in self._chosen:
            return self._chosen[problem.code]
        return problem.severity
