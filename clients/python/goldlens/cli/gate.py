"""What `goldlens score` may be asked to hold: figures that must not be under, or worse than, some.

A gate says what is not held on standard error, a line for each metric, and the exit status is 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import click

from goldlens.cli import outputs
from goldlens.cli.lines import one_line
from goldlens.cli.options import adding

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.cli.gate_rows import Standards
    from goldlens.scoring.counts import Figure

F = TypeVar("F", bound=Callable[..., Any])

Told: TypeAlias = "Callable[[Mapping[str, Figure | None]], None]"
"""Whoever wants to know the figures that came out."""

_BINARY: Final = 1e-9
"""Figures are quotients in binary, and what they are held against is typed in decimal."""


gate_options = adding(
    click.option(
        "--fail-under",
        "fail_under",
        multiple=True,
        metavar="M=V,…",
        help="Exit with 1 if a metric has fewer points.",
    ),
    click.option(
        "--fail-if-worse-than",
        "worse_than",
        metavar="ROWS",
        help="Exit with 1 if a metric is worse, beyond noise, than its row in this file.",
    ),
)
"""Adds --fail-under and --fail-if-worse-than."""


@dataclass(slots=True)
class Gate:
    """What figures are held against; `figures` are those that came out, once they have."""

    under: Sequence[tuple[str, float]] = ()
    standards: Standards | None = None
    figures: Mapping[str, Figure | None] = field(default_factory=dict)

    @classmethod
    def of(cls, fail_under: Sequence[str], worse_than: str | None) -> Gate:
        """The gate of a command line. Raises UsageError, and Trouble for a file of rows."""
        under = [_bound(part) for text in fail_under for part in text.split(",") if part.strip()]
        if fail_under and not under:
            raise click.UsageError("--fail-under names no metric; give METRIC=POINTS, as LAS=88")
        if worse_than is None:
            return cls(under)
        from goldlens.cli.gate_rows import Standards

        return cls(under, Standards.of(worse_than))

    def require(self, task: str, *, strict: bool = False, only: str = "") -> None:
        """Refuses, before anything is scored, what cannot be held of a task.

        `strict`, `only`: what of UD is scored. Raises UsageError, and Trouble for rows.
        """
        if self.under:
            _require(task, [name for name, _ in self.under], strict=strict)
        if self.standards is not None:
            if only:
                message = "rows are of all sentences, so --fail-if-worse-than takes no flag"
                raise click.UsageError(f"{message} ending -only")
            self.standards.require(task, all_metrics(task))

    def told(self, figures: Mapping[str, Figure | None]) -> None:
        """Takes in the figures that came out."""
        self.figures = figures

    def status(self, task: str, evaluated: Callable[[bool], Evaluated]) -> int:
        """Says on standard error what is not held; 1 if there is anything, else 0.

        `evaluated` scores the pair by the engine, with the strict metrics if told so; it is only
        called for what needs intervals.
        """
        failures = self.failures(task)
        if self.standards is not None:
            found = evaluated(self.standards.strict)
            outputs.complain("".join(f"{each}\n" for each in self.standards.warnings(found)))
            failures += self.standards.failures(found)
        outputs.complain("".join(f"error[gate]: {one_line(each)}\n" for each in failures))
        return 1 if failures else 0

    def failures(self, task: str) -> list[str]:
        """What of `--fail-under` is not held, a line for each metric."""
        if not self.under:
            return []
        from goldlens.scoring.results.systems import System, UnknownMetric

        system = System(self.figures, None, task)
        said = []
        for name, least in self.under:
            try:
                score = system.score(name)
            except UnknownMetric:
                # The task knows it, and these files do not have it.
                score = None
            if score is None:
                said.append(f"{name} is undefined here, and was to be {least:g} at least")
            elif score < least - _BINARY:
                said.append(f"{name} is {shown(score, least)}, under {least:g}")
        return said


def shown(score: float, other: float) -> str:
    """Points to two decimals, or to as many as tell them from other points."""
    for decimals in range(2, 12):
        text = f"{score:.{decimals}f}"
        if float(text) != round(other, decimals):
            return text
    return repr(score)


def all_metrics(task: str) -> Collection[str]:
    """The names of all metrics that a task may have, and of their precision and recall."""
    from goldlens.server.config import metrics_of

    return metrics_of({"task": task})


def _require(task: str, names: Iterable[str], *, strict: bool) -> None:
    known = all_metrics(task)
    for name in names:
        if name not in known:
            listed = ", ".join(n for n in known if not n.endswith((".precision", ".recall")))
            message = f"--fail-under names an unknown metric, {name!r}; {task} has {listed}"
            raise click.UsageError(message)
        if task == "ud" and not strict:
            from goldlens.scoring.ud.metrics import STRICT

            if name.partition(".")[0] in STRICT:
                raise click.UsageError(f"{name} is a strict metric; add --strict to have it scored")


def _bound(text: str) -> tuple[str, float]:
    name, equals, value = (part.strip() for part in text.rpartition("="))
    try:
        least = float(value)
    except ValueError:
        least = float("nan")
    if not (name and equals and isfinite(least)):
        message = f"--fail-under has {text.strip()!r}; give METRIC=POINTS, as LAS=88"
        raise click.UsageError(message)
    return name, least
