"""`goldlens batch`: the rows of many pairs, on all cores or on a cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from goldlens.cli import outputs
from goldlens.cli.lines import counted, one_line
from goldlens.cli.options import file_options, label_options
from goldlens.cli.rows import FORMATS, check_files, references_of
from goldlens.cli.systems import names_of, pair_options, resampling_of, resampling_options
from goldlens.cli.tasks import task_name_option, task_options

if TYPE_CHECKING:
    from goldlens.cli.batching.pairs import Wanted
    from goldlens.cli.batching.run import Asker, Run
    from goldlens.server.config import Config

LEDGER: Final = ".goldlens-batch.jsonl"
"""The ledger of a folder, unless another one is named."""

_OVERRIDES: Final = (
    *("task", "component", "language", "dataset", "reference_source", "resamples", "level"),
    *("seed", "match", "policy", "threshold", "token_column", "tag_column", "profile"),
)
"""Options that say of every pair what a configuration may say of one."""


@click.command(name="batch")
@click.argument("files", metavar="FILE", nargs=-1)
@click.option("--gold", metavar="FILE", help="The gold, instead of a configuration.")
@click.option("--pred", "preds", multiple=True, metavar="GLOB", help="Predictions of that gold.")
@click.option("--ref-pred", metavar="FILE", help="The reference's own output for the same gold.")
@click.option(
    "--jobs", type=click.IntRange(min=1), help="So many pairs at a time; one a core unless given."
)
@click.option(
    "--scheduler", metavar="ADDRESS", help="A Dask cluster: its address, or its scheduler file."
)
@click.option(
    "--ledger", default=LEDGER, show_default=True, metavar="FILE", help="What is done already."
)
@click.option("--force", is_flag=True, help="Score every pair, also what is done already.")
@task_name_option
@label_options
@resampling_options
@pair_options
@task_options
@file_options
@click.pass_context
def command(
    context: click.Context,
    /,
    files: Sequence[str],
    gold: str | None,
    preds: Sequence[str],
    jobs: int | None,
    scheduler: str | None,
    ledger: str,
    force: bool,
    reading: str,
    **others: Any,
) -> int:
    """Makes the results rows of many pairs: those of FILE, or those of --gold and --pred.

    FILE is a goldlens.toml with [[pair]] tables, or a folder with one. Each match of a glob is a
    system, named behind the component. What was scored before, of the same bytes in the same way,
    is not scored again. A pair that fails is listed, and the others get their rows; the exit status
    is 1 then.
    """
    rows_files = {name: others[name] for name in FORMATS if others[name] is not None}
    resampling_of(others["resamples"], others["level"], others["seed"])
    ask = _asker(jobs, scheduler)
    config = _config(files, gold, preds, _given(context, others))

    from goldlens.cli.batching.ledger import opened
    from goldlens.cli.batching.pairs import wanted
    from goldlens.cli.batching.run import Run

    pairs, unmatched = wanted(config, reading)
    _check(pairs, rows_files)
    run = Run(pairs, failed=[(each,) for each in unmatched])
    kept = opened(Path(ledger))
    try:
        run.run(ask, kept, _progress, force=force)
    except KeyboardInterrupt:
        outputs.complain(f"interrupted; what is scored is in {one_line(ledger)}: run it again\n")
        raise
    finally:
        kept.close()
    if run.rows:
        from goldlens.cli.extending import extend

        extend(run.rows, rows_files or {"markdown": "-"})
    _say(run)
    return 1 if run.failed else 0


def _given(context: click.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """What the call itself says, by the names of a pair's configuration."""

    def said(name: str) -> bool:
        return context.get_parameter_source(name) is not ParameterSource.DEFAULT

    given = {name: values[name] for name in _OVERRIDES if said(name)}
    if said("metrics"):
        given["metrics"] = tuple(names_of(values["metrics"]))
    if said("references"):
        given["reference"] = references_of(values["references"])
    if said("ref_pred"):
        given["reference_pred"] = values["ref_pred"]
    return given


def _config(
    files: Sequence[str], gold: str | None, preds: Sequence[str], given: Mapping[str, Any]
) -> Config:
    """The pairs that the call is about. Raises UsageError, Trouble and Troubles."""
    from goldlens.cli.batching.config import configured, named

    if gold is not None:
        # A shell that expands the glob of --pred gives all but the first match as files.
        if not (preds or files):
            raise click.UsageError("--gold needs predictions; give --pred")
        return named(gold, [*preds, *files], given)
    if preds:
        raise click.UsageError("--pred needs a gold; give --gold")
    if len(files) != 1:
        raise click.UsageError("give one FILE, a goldlens.toml, or --gold and --pred")
    return configured(files[0], given)


def _check(pairs: Sequence[Wanted], files: Mapping[str, str]) -> None:
    """Raises Trouble or UsageError where rows could not be written, or would be lost."""
    from goldlens.cli.batching.pairs import TABLES, clash, shown

    inputs = {path for each in pairs for path in (each.question.gold, each.question.pred)}
    check_files(files, {f"the input {shown(path)}": path for path in sorted(inputs)})
    for form, file in files.items():
        found = None if file == "-" else clash(pairs, form)
        if found is not None:
            one, other = (shown(each.question.pred) for each in found)
            why = " (a table has no datasets)" if form in TABLES else ""
            message = (
                f"{one} and {other} would have the same rows in {file}{why}; "
                "give each a component or a language of its own"
            )
            raise click.UsageError(message)


def _asker(jobs: int | None, scheduler: str | None) -> Asker:
    if scheduler is not None:
        if jobs is not None:
            raise click.UsageError("--jobs is for this machine; the cluster has its own number")
        from goldlens.cli.batching.cluster import on_cluster

        return partial(on_cluster, scheduler=scheduler)
    from goldlens.cli.batching.pool import cores, in_pool

    return partial(in_pool, jobs=jobs or cores())


@contextmanager
def _progress(number: int) -> Iterator[Callable[[], None]]:
    """Shows how many of the questions are answered, where there is somebody to see."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=number)
        yield lambda: bar.advance(task)


def _say(run: Run) -> None:
    """Warnings, what failed and why, and what became of all, on standard error."""
    from goldlens.cli.batching.pairs import shown

    failed = [text for lines in run.failed for text in lines]
    parts = [f"{run.scored:,} scored"]
    parts += [f"{run.kept:,} known from before"] * bool(run.kept)
    parts += [f"{len(run.failed):,} failed"] * bool(run.failed)
    number = counted(run.scored + run.kept + len(run.failed), "pair")
    lines = [*map(shown, [*run.said, *failed]), f"{number}: {', '.join(parts)}", ""]
    outputs.complain("\n".join(lines))
