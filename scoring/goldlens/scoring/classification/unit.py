"""A row of a classification file, parsed: one document, or none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from goldlens.scoring.problems import Problem

Labels: TypeAlias = tuple[bytes, ...]
"""Distinct labels in the order of their bytes."""

FACTS: Final = ("documents", "unsingle", "scored", "outside")
"""What `Unit.facts` counts: documents; those without exactly one label of their own (as far as
they can be read); those with scores; those with a score outside 0 to 1."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One line. `id` is the document's, None where there is none (a blank line, a header).

    `labels` are those given, or (if not `explicit`) those whose score reaches the threshold.
    `scored` and `scores` are labels with a score, and the scores, in the order of the row. A row
    that cannot be read has `problems`; it may still say which document it is about.
    `first`: the line is a header, which it would be nowhere but at the start of its file.
    """

    text: bytes
    lines: int
    id: bytes | None = None
    labels: Labels = ()
    explicit: bool = False
    scored: tuple[bytes, ...] = ()
    scores: tuple[float, ...] = ()
    outside: bool = False
    problems: tuple[Problem, ...] = ()
    first: bool = False

    @property
    def readable(self) -> bool:
        """Whether the row says what it should."""
        return not self.problems

    @property
    def glued(self) -> bool:
        """Never: a line needs none but itself to be read."""
        return False

    @property
    def last(self) -> bool:
        """Whether the line has no end, so that what follows would be part of it."""
        return not self.lines

    @property
    def facts(self) -> tuple[int, int, int, int]:
        """Counts that add up over a file (see `FACTS`)."""
        if self.id is None:
            return 0, 0, 0, 0
        single = self.explicit and len(self.labels) == 1
        return 1, int(not single and not self.problems), int(bool(self.scores)), int(self.outside)
