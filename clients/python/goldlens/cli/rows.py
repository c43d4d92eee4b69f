"""`goldlens rows`: rows for the table of a paper, with intervals and a verdict on the reference."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import outputs
from goldlens.cli.lines import Trouble
from goldlens.cli.options import file_options, label_options
from goldlens.cli.profiles import profile_named
from goldlens.cli.systems import (
    evaluated_all,
    names_of,
    pair_options,
    resampling_of,
    resampling_options,
    say_few,
    system_of,
)
from goldlens.cli.tasks import TaskFlags, task_options
from goldlens.scoring.tasks import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from goldlens.scoring.results.rows import Row

FORMATS: Final = ("json", "markdown", "csv", "latex", "hf")
"""The formats of rows, each with a flag of its name."""


@click.command(name="rows")
@click.argument("task", metavar="TASK", type=click.Choice(NAMES))
@click.option("--gold", required=True, metavar="FILE", help="The gold.")
@click.option("--pred", required=True, metavar="FILE", help="The prediction.")
@click.option("--ref-pred", metavar="FILE", help="The reference's own output for the same gold.")
@label_options
@resampling_options
@pair_options
@task_options
@file_options
def command(
    task: str,
    gold: str,
    pred: str,
    ref_pred: str | None,
    references: Sequence[str],
    metrics: str,
    resamples: int,
    level: float,
    seed: int,
    match: str,
    policy: str,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
    profile: str,
    **others: Any,
) -> int:
    """Makes results rows of a prediction of TASK: score, interval, reference, within noise.

    Without a file to write to, prints a Markdown table. In a file that is there rows of the same
    component, language, dataset and metric are replaced, others are added, and all else stays.
    """
    files = {name: others[name] for name in FORMATS if others[name] is not None}
    check_files(files, {"gold": gold, "the prediction": pred, "the reference": ref_pred})
    resampling = resampling_of(resamples, level, seed)
    published = references_of(references)
    names = names_of(metrics)
    reconciled = profile_named(profile)
    flags = TaskFlags(task, threshold, token_column, tag_column, reading, reconciled)
    preds = [pred] if ref_pred is None else [pred, ref_pred]
    found = evaluated_all(gold, preds, flags, match, policy, [*names, *published])
    if found is None:
        return 2

    from goldlens.scoring.results.rows import Labels, rows

    ours = found[0]
    labels = Labels(
        others["component"],
        others["language"],
        others["dataset"],
        others["reference_source"],
        published,
        str(ours.board.signature()),
        ours.gold_sha256,
        ours.pred_sha256,
        ours.task.name,
        # What is said of where references come from is about the published ones, if there are any.
        (not published and others["reference_source"]) or ref_pred or "",
    )
    systems = [system_of(one) for one in found]
    try:
        table = rows(systems[0], names, labels, ours.pair.size, resampling, *systems[1:])
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    say_few(ours)
    _write(table, files)
    return 0


def references_of(given: Sequence[str]) -> dict[str, float]:
    """Published points by metric. Raises UsageError."""
    found: dict[str, float] = {}
    for text in given:
        for name, points in map(_reference, names_of(text)):
            if name in found and found[name] != points:
                raise click.UsageError(f"--reference has {name} twice; give one figure for it")
            found[name] = points
    return found


def _reference(text: str) -> tuple[str, float]:
    name, equals, value = (part.strip() for part in text.rpartition("="))
    try:
        if not (name and equals):
            raise ValueError
        return name, float(value)
    except ValueError as error:
        message = f"--reference has {text!r}; give METRIC=POINTS, as LAS=88.1"
        raise click.UsageError(message) from error


def check_files(files: Mapping[str, str], named: Mapping[str, str | None]) -> None:
    """Raises Trouble or UsageError where writing would fail for sure."""
    given = [(what, path) for what, path in named.items() if path not in (None, "-")]
    for name, file in files.items():
        try:
            outputs.refuse_unwritable(file, *((what, str(path)) for what, path in given))
        except Trouble as trouble:
            message = trouble.message.replace("-o", f"--{name}")
            raise Trouble(trouble.path, trouble.code, message) from trouble
    places = [file if file == "-" else os.path.realpath(file) for file in files.values()]
    if len(set(places)) < len(places):
        raise click.UsageError("two formats would go to one place; name a file for each")


def _write(table: Sequence[Row], files: Mapping[str, str]) -> None:
    """Puts rows into files by format, or prints them where there are none. Raises Trouble."""
    # Not sooner: merging is for those who have got so far.
    from goldlens.cli.extending import extend

    extend(table, files or {"markdown": "-"})
