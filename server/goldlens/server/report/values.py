"""What stands in a report, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from goldlens.server.report.plots import Bars, Curve, Matrix

Drawing = Bars | Curve | Matrix


@dataclass(frozen=True, slots=True)
class Score:
    """A metric in points, None where it is undefined; `ci` is its interval, where it has one."""

    name: str
    score: float | None
    ci: tuple[float, float] | None
    correct: int | None
    gold: int | None
    predicted: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts. `left`: the columns that are words, not numbers; `fold`: its title if shut."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[int] = frozenset((0,))
    fold: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A section: what is said, then drawings with a caption each, then tables."""

    title: str
    said: Sequence[str] = ()
    drawings: Sequence[tuple[str, Drawing]] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; `tree` is what `server.trees.tree_at` says of its words, empty if too many."""

    name: str
    line: int
    wrong: int
    words: int
    tree: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Report:
    """All of it. `facts`: names and values; `level`: of the intervals, as 0.95."""

    title: str
    facts: Sequence[tuple[str, str]]
    level: float
    scores: Sequence[Score]
    parts: Sequence[Part]
    sentences: Sequence[Sentence]
