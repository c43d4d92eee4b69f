"""`goldlens compare`: two systems on one test set, drawn together, and where they differ."""

from __future__ import annotations

import click

from goldlens.cli import outputs
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
from goldlens.cli.tasks import TaskFlags, task_name_option, task_options


@click.command(name="compare")
@click.argument("gold", metavar="GOLD")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@task_name_option
@pair_options
@click.option("--metrics", default="", metavar="M,…", help="The metrics; all, if none is named.")
@resampling_options
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="So many sentences in which the two differ are listed; 0 lists none.",
)
@task_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    gold: str,
    a: str,
    b: str,
    task: str | None,
    match: str,
    policy: str,
    metrics: str,
    resamples: int,
    level: float,
    seed: int,
    limit: int,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
    profile: str,
    as_json: bool,
    output: str | None,
) -> int:
    """Compares the predictions A and B on GOLD: both scores, and the paired difference A less B.

    Both take the same draw in each resample. They differ where the interval of the difference
    excludes 0; that their own intervals overlap does not say that they do not. Below stands what
    only one of them has wrong.
    """
    resampling = resampling_of(resamples, level, seed)
    outputs.refuse_unwritable(output, *(("an input", path) for path in (gold, a, b)))
    names = names_of(metrics)
    reconciled = profile_named(profile)
    flags = TaskFlags(task, threshold, token_column, tag_column, reading, reconciled)
    found = evaluated_all(gold, [a, b], flags, match, policy, names)
    if found is None:
        return 2

    from goldlens.scoring.results.compared import compared
    from goldlens.scoring.results.systems import UnknownMetric

    try:
        table = compared(system_of(found[0]), system_of(found[1]), names, resampling)
    except UnknownMetric as error:
        raise click.UsageError(str(error)) from error
    say_few(found[0])
    if as_json:
        from goldlens.scoring.results.formats import json_text

        outputs.put(json_text([each.as_dict() for each in table]), output, machine=True)
        return 0
    from goldlens.cli.differing import differing
    from goldlens.cli.score import show_tables
    from goldlens.cli.table import Grid

    ci = f"{level * 100:.10g}% CI"
    header = ("Metric", "A", ci, "B", ci, "A - B", ci, "Differ")
    grid = Grid(header, tuple(each.cells() for each in table))
    below = [f"A is {found[0].pred}, B is {found[1].pred}."]
    if found[0].task.name != "stemming":
        # Stems are right or wrong in pairs, of which there is no list.
        below += differing(found[0], found[1], limit, names)
    show_tables([grid], f"A and B against {found[0].gold}", "\n".join([*below, ""]), output)
    return 0
