"""What is said of a system that is watched: as JSON, and as a line of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from goldlens.cli.lines import counted, one_line
from goldlens.cli.table import points
from goldlens.scoring.counts import Figure
from goldlens.server.history import moment
from goldlens.server.system import Score, System
from goldlens.server.systems import Change, Event

SHOWN: Final = {
    "ud": ("LAS", "UAS", "UPOS", "Lemmas"),
    "span": ("Micro", "Macro"),
    "classification": ("Accuracy", "Macro", "ROC-AUC"),
    "stemming": ("UI", "OI", "F0.5"),
}
"""The metrics of each task that people see if nobody names any."""


def value(score: Score | None, metric: str) -> float | None:
    """A metric's score, or its precision or recall (`LAS.recall`); None where there is none."""
    if score is None:
        return None
    figures: Mapping[str, Figure | None] = score.figures
    if metric in figures:
        figure = figures[metric]
        return None if figure is None else figure.score
    name, _, part = metric.rpartition(".")
    figure = figures.get(name)
    try:
        return None if figure is None else figure.part(part)
    except KeyError:
        return None


def change(score: Score | None, before: Score | None, metric: str) -> float | None:
    """By how many points a metric has changed; None where it is or was undefined."""
    now, was = value(score, metric), value(before, metric)
    return None if now is None or was is None else now - was


def all_metrics(system: System) -> tuple[str, ...]:
    """The metrics that are asked for, by hand or by the pair; else all there are."""
    named = system.metrics or system.pairing.pair.metrics
    return named or (tuple(system.score.figures) if system.score is not None else ())


def shown_metrics(system: System) -> tuple[str, ...]:
    """The metrics that people see."""
    named = system.metrics or system.pairing.pair.metrics
    if named or system.score is None:
        return named
    task = system.task.name if system.task is not None else ""
    usual = tuple(name for name in SHOWN.get(task, ()) if name in system.score.figures)
    return usual or tuple(system.score.figures)[:3]


def as_dict(found: Change) -> dict[str, object]:
    """A change as JSON has it; `metrics` is null for a system that has no score yet."""
    system = found.system
    score, names = system.score, all_metrics(system)
    problems = {"errors": score.errors, "warnings": score.warnings} if score else None
    return {
        "time": moment(system.at),
        "event": str(found.event),
        "system": system.name,
        "pred": str(system.pairing.pred),
        "gold": str(system.pairing.gold),
        "task": system.task.name if system.task is not None else system.pairing.task,
        "metrics": {name: value(score, name) for name in names} if score else None,
        "since_start": {name: change(score, system.start, name) for name in names},
        "since_last": {name: change(score, system.before, name) for name in names},
        "problems": problems,
        "refused": score.refused if score else None,
        "final": score is not None and system.trouble is None and found.event != Event.GONE,
        "trouble": system.trouble,
        "pred_sha256": score.pred_sha256 if score else None,
        "gold_sha256": score.gold_sha256 if score else None,
    }


def as_line(found: Change) -> str:
    """A change as a line of text."""
    system = found.system
    parts = [clock(system.at), f"{found.event:<7}", label(system)]
    if found.event is not Event.GONE:
        parts += said(system)
    if system.trouble and found.event is not Event.GONE:
        parts.append(f"— {'stale: ' if system.score else ''}{system.trouble}")
    return one_line("  ".join(parts))


def said(system: System) -> Sequence[str]:
    """The metrics of a system with their changes, and its problems."""
    score = system.score
    if score is None:
        return ()
    found = []
    for name in shown_metrics(system):
        text = f"{name} {points(value(score, name))}"
        told = [
            f"{delta:+.2f} since {when}"
            for before, when in ((system.start, "start"), (system.before, "last"))
            if (delta := change(score, before, name)) is not None and before is not score
        ]
        found.append(f"{text} ({', '.join(told)})" if told else text)
    found.append(f"{counted(score.errors, 'error')}, {counted(score.warnings, 'warning')}")
    if score.refused:
        found.append("refused by the official policy")
    return found


def label(system: System) -> str:
    """What to call a system among all others: its name, and what it was tried on."""
    data = data_of(system)
    return f"{system.name} [{data}]" if data else system.name


def data_of(system: System) -> str:
    """The language and the data set of a system, as far as the configuration tells."""
    pair = system.pairing.pair
    return "/".join(part for part in (pair.language, pair.dataset) if part)


def clock(seconds: float) -> str:
    """The time of day of a moment, here."""
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S")
