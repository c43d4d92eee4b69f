"""`goldlens score`: a prediction against gold, from scratch, in as little time as can be."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from goldlens.cli import expected, inputs, outputs
from goldlens.cli.gate import Gate, gate_options
from goldlens.cli.lines import Trouble, line
from goldlens.cli.official.options import official_options, policy_of, script_of
from goldlens.cli.options import match_option, policy_option
from goldlens.cli.profiles import profile_named
from goldlens.cli.refused import say_refused
from goldlens.cli.tasks import (
    TaskFlags,
    beginning_of,
    looks_like_ud,
    task_name_option,
    task_options,
)

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.cli.official.options import Script
    from goldlens.cli.official.told import Told
    from goldlens.cli.table import Grid
    from goldlens.scoring.task import Task
    from goldlens.scoring.ud.evaluate import Evaluation
    from goldlens.scoring.ud.profile import Profile

_LARGE: Final = 20_000_000
"""From so many bytes on a terminal sees how far the work is."""


@click.command(name="score")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@task_name_option
@match_option
@policy_option
@click.option("--strict", is_flag=True, help="Also the strict metrics: all features, full labels.")
@click.option(
    "--predicted-only", is_flag=True, help="Leave out gold sentences that the prediction lacks."
)
@click.option(
    "--annotated-only", is_flag=True, help="Leave out, besides, sentences with a HEAD still _."
)
@task_options
@gate_options
@official_options
@click.option("--calibration", is_flag=True, help="UD: also accuracy by the confidence in MISC.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    gold: str,
    pred: str,
    task: str | None,
    match: str,
    policy: str,
    strict: bool,
    predicted_only: bool,
    annotated_only: bool,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
    profile: str,
    fail_under: tuple[str, ...],
    worse_than: str | None,
    script: str | None,
    any_hash: bool,
    seconds: float | None,
    calibration: bool,
    as_json: bool,
    output: str | None,
) -> int:
    """Scores the prediction PRED against GOLD.

    Prints a table of every metric. A pair that the official policy refuses has exit status 2, and
    every cause is listed. One of the two files may be -, standard input. With a --fail flag the
    exit status is 1 if a figure is not what it should be, with --official if one is another than
    that of the official script.
    """
    gate = Gate.of(fail_under, worse_than)
    official = script_of(script, any_hash, seconds)
    policy = policy_of(official, policy)
    reconciled = profile_named(profile)
    if official and reconciled:
        raise click.UsageError("the official script follows no --profile; leave one of them out")
    if calibration and reconciled:
        raise click.UsageError("--calibration follows no --profile; leave one of them out")
    theirs, ours = inputs.open_both(gold, pred)
    with theirs.file, ours.file:
        kept = [("the rows", worse_than)] if worse_than else []
        kept += [("the official script", official.path)] if official else []
        outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred), *kept)
        only = "annotated" if annotated_only else "predicted" if predicted_only else ""
        if task not in (None, "ud") or not (task or looks_like_ud(gold, pred)):
            beginning = beginning_of(ours.file)
            flags = TaskFlags(task, threshold, token_column, tag_column, reading, reconciled)
            named = flags.task(beginning, pred, gold)
            if named.name != "ud":
                if only or strict or official or calibration:
                    flags_of_ud = "--strict, --official, --calibration and the flags ending -only"
                    raise click.UsageError(f"{flags_of_ud} are for UD")
                from goldlens.cli.score_any import score

                gate.require(named.name)
                status = score(theirs, ours, named, match, policy, as_json, output, gate.told)
                again = partial(_evaluated, theirs, ours, named, match, policy)
                return status or gate.status(named.name, again)
        gate.require("ud", strict=strict, only=only)
        expected.require("ud", expected.beginning(theirs), expected.beginning(ours))
        if odd := expected.warnings(theirs, ours, "ud"):
            outputs.complain("\n".join([*odd, ""]))
        how = match, policy, strict, only, reconciled
        status = _score(theirs, ours, how, official, calibration, as_json, output, gate)
        if status == 2:
            return status
        again = partial(_evaluated, theirs, ours, _trees(reconciled), match, policy)
        return max(status, gate.status("ud", again))


def _score(
    theirs: inputs.Input,
    ours: inputs.Input,
    how: tuple[str, str, bool, str, Profile | None],
    script: Script | None,
    calibration: bool,
    as_json: bool,
    output: str | None,
    gate: Gate,
) -> int:
    """Scores trees and prints what comes out; the exit status."""
    found = evaluation(theirs, ours, *how)
    official = _officially(script, theirs, ours, found)
    measured = None
    if calibration and not found.refused:
        from goldlens.cli.calibration import measured_of

        measured = measured_of(theirs, ours, found)
        if measured is None:
            return 2
    if as_json:
        from json import dumps

        document = found.as_dict(theirs.name, ours.name)
        if script:
            document["official"] = official.as_dict() if official else None
        if calibration:
            document["calibration"] = measured.as_dict() if measured else None
        outputs.put(dumps(document, ensure_ascii=False, indent=2) + "\n", output, machine=True)
    if found.refused:
        _say_refused(found, theirs.name, ours.name)
        return 2
    if not as_json:
        from goldlens.cli.summary import summary
        from goldlens.cli.table import of_figures

        grids, said = [of_figures(found.figures())], summary(found)
        if official:
            grids += official.grids()
            said += official.lines()
        if measured:
            from goldlens.cli.calibration import grids_of, said_of

            grids += grids_of(measured)
            said += said_of(measured)
        below = "".join(f"{text}\n" for text in said)
        show_tables(grids, f"{ours.name} against {theirs.name}", below, output)
    gate.told(found.figures())
    return official.status if official else 0


def _officially(
    script: Script | None, theirs: inputs.Input, ours: inputs.Input, found: Evaluation
) -> Told | None:
    """The official script beside `found`, where one is named and the pair is not refused."""
    if script is None or found.refused:
        return None
    from goldlens.cli.official.run import officially
    from goldlens.cli.official.told import Told

    theirs.file.seek(0)
    ours.file.seek(0)
    told = Told(officially(script, theirs.file.read(), ours.file.read(), found))
    outputs.complain("".join(f"{text}\n" for text in told.notices(theirs.name, ours.name)))
    return told


def _evaluated(
    theirs: inputs.Input,
    ours: inputs.Input,
    task: Task,
    match: str,
    policy: str,
    strict: bool,
) -> Evaluated:
    """The pair once more, by the engine, which has what intervals are drawn from."""
    from goldlens.cli.evaluated import evaluated

    theirs.file.seek(0)
    ours.file.seek(0)
    return evaluated(theirs, ours, task, match, policy, strict)


def _trees(profile: Profile | None) -> Task:
    from goldlens.scoring.tasks import task_named

    return task_named("ud", profile=profile)


def evaluation(
    gold: inputs.Input,
    pred: inputs.Input,
    match: str = "auto",
    policy: str = "official",
    strict: bool = False,
    only: str = "",
    profile: Profile | None = None,
) -> Evaluation:
    """Scores a pair of open files. Raises Trouble."""
    # Not sooner: numpy takes longer to import than all else, and bad input need not wait for it.
    from goldlens.scoring.ud.alignment import GroupTooLarge
    from goldlens.scoring.ud.evaluate import Options, evaluate
    from goldlens.scoring.ud.profile import NONE

    options = Options(match, policy, strict, only, profile or NONE)
    try:
        with _progress(gold.size + pred.size) as advance:
            return evaluate(gold.file, pred.file, options, advance)
    except GroupTooLarge as error:
        raise Trouble(pred.name, "word-alignment", str(error)) from error
    except OSError as error:
        message = f"reading stopped ({error.strerror or error}); try again"
        raise Trouble(pred.name, "file", message) from error


@contextmanager
def _progress(size: int) -> Iterator[Callable[[int], None]]:
    """Shows how many of `size` bytes are read, where there is somebody to see and to wait."""
    if size < _LARGE or not sys.stderr.isatty():
        yield lambda read: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=size)
        yield lambda read: bar.advance(task, read)


def show_tables(grids: Sequence[Grid], title: str, below: str, output: str | None) -> None:
    """Prints tables and what stands below them: in colour on a terminal, plain text elsewhere."""
    from goldlens.cli.table import plain, show

    if output not in (None, "-") or not sys.stdout.isatty():
        outputs.put("\n".join([*map(plain, grids), below]), output)
        return
    from rich.console import Console

    console = Console()
    for grid in grids:
        show(console, grid, title)
        title = ""
    console.print(below, end="", markup=False, highlight=False, soft_wrap=True)


def _say_refused(found: Evaluation, gold: str, pred: str) -> None:
    """Every cause in order of file and line, and what to do."""
    names = {"gold": gold, "pred": pred}
    causes = sorted(found.refused, key=lambda c: (c.side != "gold", c.line, c.column))
    say_refused(
        (c.code, line(names[c.side], c.line, c.column, "error", c.code, c.message)) for c in causes
    )
