"""`goldlens report`: a prediction against gold on one page of HTML, to be read and passed on."""

from __future__ import annotations

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble
from goldlens.cli.systems import (
    pair_options,
    resampling_of,
    resampling_options,
    say_few,
)
from goldlens.cli.tasks import TaskFlags, beginning_of, reading_options, task_name_option


@click.command(name="report")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@click.option("-o", "--output", "output", required=True, metavar="FILE", help="The page to write.")
@click.option("--title", default="", metavar="TEXT", help="The page's title; else the file's name.")
@task_name_option
@pair_options
@resampling_options
@reading_options
def command(
    gold: str,
    pred: str,
    output: str,
    title: str,
    task: str | None,
    match: str,
    policy: str,
    resamples: int,
    level: float,
    seed: int,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
) -> int:
    """Writes a report on the prediction PRED against GOLD: one page that needs no network.

    Scores with intervals, what errors cost, confusions, figures by group, how far confidences can
    be trusted, and the worst sentences as trees. Plots need the extra "plot".
    """
    resampling = resampling_of(resamples, level, seed)
    outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred))
    theirs, ours = inputs.open_both(gold, pred)
    with theirs.file, ours.file:
        from goldlens.cli.evaluated import evaluated
        from goldlens.server.report.page import page
        from goldlens.server.report.plots import NoPlots

        flags = TaskFlags(task, threshold, token_column, tag_column, reading)
        scored = flags.task(beginning_of(ours.file), pred, gold)
        found = evaluated(theirs, ours, scored, match, policy)
    if found.notices:
        outputs.complain("\n".join([*found.notices, ""]))
    if found.refused:
        found.say_refused()
        return 2
    say_few(found)

    from goldlens.scoring.analysis.analysis import WrongQuestion
    from goldlens.server.report.gathered import report
    from goldlens.server.report.making import facts
    from goldlens.server.report.making import title as titled

    sides = (
        {"path": found.gold, "sha256": found.gold_sha256},
        {"path": found.pred, "sha256": found.pred_sha256},
    )
    try:
        named = title or titled(*sides)
        text = page(report(found.board, facts(*sides), resampling, named))
    except (WrongQuestion, NoPlots) as error:
        raise Trouble(found.pred, "report", str(error)) from error
    outputs.put(text, output, machine=True)
    return 0
