"""`goldlens analyze`: where the errors of a prediction come from, and what each kind costs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble, counted, line
from goldlens.cli.options import match_option
from goldlens.cli.tasks import TaskFlags, beginning_of, reading_options, task_name_option

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.scoring.analysis.analysis import Analysis, Question


@click.command(name="analyze")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@task_name_option
@click.option(
    "--what",
    default="overview",
    show_default=True,
    metavar="NAME",
    help="What to look at. UD: upos, xpos, feats, lemma, deprel, deprel-full, heads, length, "
    "distance, depth, genre, document, form. Spans: class, label, length. Classification: label.",
)
@click.option(
    "--metric",
    metavar="M",
    help="The metric whose points are told; by default LAS (UPOS without heads), Accuracy, Micro.",
)
@click.option(
    "--train",
    "training",
    multiple=True,
    metavar="FILE",
    help="UD: a training file, so that words whose form it has are told from others. Repeatable.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="So many confusions of a column are listed.",
)
@match_option
@click.option(
    "--policy",
    type=click.Choice(["official", "lenient"]),
    default="lenient",
    show_default=True,
    help="Refuse a pair with bad trees or another text, or analyse it all the same and say so.",
)
@reading_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    gold: str,
    pred: str,
    task: str | None,
    what: str,
    metric: str | None,
    training: tuple[str, ...],
    top: int,
    match: str,
    policy: str,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
    as_json: bool,
    output: str | None,
) -> int:
    """Shows where the errors of PRED against GOLD come from.

    What was taken for what, how often, and the points that a metric would gain if it were not;
    and figures by part of speech, relation, length and so on. One of the files may be -, standard
    input.
    """
    kept = [("a training file", path) for path in training]
    outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred), *kept)
    if [gold, pred, *training].count(inputs.STDIN) > 1:
        raise click.UsageError("only one of the files can be standard input")
    flags = TaskFlags(task, threshold, token_column, tag_column, reading)
    with ExitStack() as opened:
        theirs, ours = inputs.open_both(gold, pred)
        for each in (theirs, ours):
            opened.enter_context(each.file)
        from goldlens.cli.evaluated import evaluated

        named = flags.task(beginning_of(ours.file), pred, gold)
        if training and named.name != "ud":
            raise click.UsageError(f"--train is for UD, and this is {named.name}")
        found = evaluated(theirs, ours, named, match, policy)
        forms = _forms(training, found, (theirs, ours)) if training else None
    if found.notices:
        outputs.complain("\n".join([*found.notices, ""]))
    if found.refused:
        found.say_refused()
        return 2
    from goldlens.scoring.analysis.analysis import Question

    return _told(found, Question(what, metric, top, forms), as_json, output)


def _told(found: Evaluated, question: Question, as_json: bool, output: str | None) -> int:
    """Analyses and prints; the exit status."""
    from goldlens.scoring.analysis.analysis import WrongQuestion
    from goldlens.scoring.bootstrap import nobody
    from goldlens.server.analyzing import analysis_of, document_of

    try:
        if as_json:
            from json import dumps

            gold = {"path": found.gold, "sha256": found.gold_sha256}
            pred = {"path": found.pred, "sha256": found.pred_sha256}
            document = document_of(found.pair, gold, pred, question)(nobody)
            text = dumps(document, ensure_ascii=False, indent=2) + "\n"
        else:
            analysis = analysis_of(found.pair, question)(nobody)
    except WrongQuestion as error:
        raise click.UsageError(str(error)) from error
    _say_what_would_refuse(found)
    if as_json:
        outputs.put(text, output, machine=True)
        return 0
    _show(found, analysis, question, output)
    return 0


def _show(found: Evaluated, analysis: Analysis, question: Question, output: str | None) -> None:
    from goldlens.cli.analyzed import below, grids_of
    from goldlens.cli.score import show_tables

    grids = grids_of(analysis, question)
    signature, covered = found.board.signature(), found.board.covered()
    lines = below(analysis, question, signature, covered, found.pair.size)
    title = f"{found.pred} against {found.gold}"
    show_tables(grids, title, "".join(f"{text}\n" for text in lines), output)


def _say_what_would_refuse(found: Evaluated) -> None:
    """One line on a pair that the official policy would refuse."""
    from goldlens.server.engine.refusals import refusals

    if number := sum(1 for _ in refusals(found.pair)):
        message = (
            f"the official policy refuses this pair for {counted(number, 'cause')}, and it is "
            "analysed all the same; “goldlens score” lists them"
        )
        outputs.complain(line(found.pred, 1, 1, "warning", "refused", message) + "\n")


def _forms(training: Sequence[str], found: Evaluated, tested: Sequence[inputs.Input]) -> set[str]:
    """The forms of the training files. Raises Trouble for one that is no training file."""
    from goldlens.scoring.analysis.unseen import forms_of
    from goldlens.server.sources import sha256

    forms: set[str] = set()
    digests = (found.gold_sha256, found.pred_sha256)
    for path in training:
        with (each := inputs.open_text(path)).file:
            for other, digest in zip(tested, digests, strict=True):
                alike = each.size == other.size and sha256(each.file.read()) == digest
                each.file.seek(0)
                if alike or each.same_as(other):
                    message = f"this training file is {other.name} itself; name another file"
                    raise Trouble(each.name, "same-file", message)
            held = forms_of(each.file)
        if not held:
            message = "this training file has no words; name a file in CoNLL-U"
            raise Trouble(each.name, "training", message)
        forms |= held
    return forms
