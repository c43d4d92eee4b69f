"""Predictions held against one gold, and the flags of how they are drawn from and shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import line
from goldlens.cli.options import adding, match_option, policy_option

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.cli.tasks import TaskFlags
    from goldlens.scoring.bootstrap import Resampling
    from goldlens.scoring.results.systems import System

F = TypeVar("F", bound=Callable[..., Any])


resampling_options = adding(
    click.option(
        "--resamples",
        type=int,
        default=1000,
        show_default=True,
        help="How often the test set is drawn again, at least 100 times.",
    ),
    click.option(
        "--level",
        type=float,
        default=0.95,
        show_default=True,
        help="The level of the intervals.",
    ),
    click.option(
        "--seed",
        type=click.IntRange(0, 2**64 - 1),
        default=20260101,
        show_default=True,
        help="The same seed gives the same intervals everywhere.",
    ),
)
"""Adds --resamples, --level and --seed."""


pair_options = adding(match_option, policy_option)
"""Adds --match and --policy."""


def resampling_of(resamples: int, level: float, seed: int) -> Resampling:
    """How to draw. Raises UsageError for what makes no sense."""
    from goldlens.scoring.bootstrap import Resampling

    try:
        return Resampling(resamples, level, seed)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def names_of(text: str) -> list[str]:
    """Names between commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def evaluated_all(
    gold: str,
    preds: Sequence[str],
    flags: TaskFlags,
    match: str,
    policy: str,
    metrics: Sequence[str],
) -> list[Evaluated] | None:
    """Each prediction against gold; None, and every cause told, where one is refused.

    `metrics` are those that will be wanted. What is to be said of the files goes to standard
    error. Raises Trouble, Troubles and UsageError.
    """
    found = each_evaluated(gold, preds, flags, match, policy, metrics)
    notices = dict.fromkeys(notice for one in found for notice in one.notices)
    if notices:
        outputs.complain("\n".join([*notices, ""]))
    refused = [one for one in found if one.refused]
    for one in refused:
        one.say_refused()
    return None if refused else found


def each_evaluated(
    gold: str,
    preds: Sequence[str],
    flags: TaskFlags,
    match: str,
    policy: str,
    metrics: Sequence[str],
) -> list[Evaluated]:
    """Each prediction against gold, and nothing said of it.

    Raises Trouble, Troubles and UsageError.
    """
    theirs, *opened = inputs.open_all(gold, *preds)
    try:
        from goldlens.cli.evaluated import evaluated
        from goldlens.cli.tasks import beginning_of

        task = flags.task(beginning_of(opened[0].file), preds[0], gold)
        strict = task.name == "ud" and _wants_strict(metrics)
        found = []
        for ours in opened:
            theirs.file.seek(0)
            found.append(evaluated(theirs, ours, task, match, policy, strict))
        if any(map(opened[-1].same_as, opened[:-1])):
            message = "both predictions are this file; give two, unless that is meant"
            said = line(opened[-1].name, 1, 1, "warning", "same-file", message)
            found[-1] = replace(found[-1], notices=(*found[-1].notices, said))
    finally:
        for each in (theirs, *opened):
            each.file.close()
    return found


def say_few(found: Evaluated) -> None:
    """Warns where a test set is so small that its intervals say nothing."""
    if int(found.pair.gold.facts[0]) == 1:
        noun = found.pair.gold.format.fact_names[0].removesuffix("s")
        message = f"gold has one {noun}, which gives an interval no width; trust none of them"
        outputs.complain(line(found.gold, 1, 1, "warning", "one-unit", message) + "\n")


def system_of(found: Evaluated) -> System:
    """What an evaluation says of a system."""
    from goldlens.scoring.results.systems import System

    return System(found.board.figures(), found.pair.sample(), found.task.name)


def _wants_strict(metrics: Sequence[str]) -> bool:
    from goldlens.scoring.ud.metrics import STRICT

    return any(name.partition(".")[0] in STRICT for name in metrics)
