"""`goldlens watch`: a live scoreboard of everything that a configuration names."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from goldlens.cli import outputs
from goldlens.cli.lines import Trouble, line
from goldlens.cli.systems import names_of

if TYPE_CHECKING:
    from goldlens.cli.watching.lines import Lines
    from goldlens.server.systems import Systems

_PAUSE: Final = 0.25

COLUMNS: Final = ("file", "system", "data", "errors", "warnings", "changed")
"""What a table can be sorted by besides metrics; "file" is the order of the configuration."""


@click.command(name="watch")
@click.argument("path", metavar="[PATH]", default=".")
@click.option("--metrics", default="", metavar="M,…", help="The metrics; else those of each pair.")
@click.option(
    "--sort",
    default="file",
    metavar="COLUMN",
    help="What the table is sorted by: system, data, a metric, errors, warnings, changed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for each change.")
@click.option("--once", is_flag=True, help="Print what there is, and end.")
@click.option("--poll", is_flag=True, help="Only look at files; needed on some network folders.")
@click.option("--no-history", is_flag=True, help="Keep no scores from one session to the next.")
@click.option("--history", "kept", metavar="FOLDER", help="Keep them in this folder.")
def command(
    path: str,
    metrics: str,
    sort: str,
    as_json: bool,
    once: bool,
    poll: bool,
    no_history: bool,
    kept: str | None,
) -> int:
    """Keeps scores in sight while predictions, golds and the configuration change.

    PATH is a goldlens.toml, or a folder or a prediction that one is found for; without one,
    predictions are watched that face a gold by their names. On a terminal this is a table with
    keys, elsewhere a line for each change.
    """
    if no_history and kept is not None:
        raise click.UsageError("--history and --no-history exclude each other")
    if not Path(path).exists():
        raise Trouble(path, "file", "there is no such file or folder; check the path")

    from goldlens.server.history import History, folder
    from goldlens.server.systems import Systems

    names = names_of(metrics)
    systems = Systems(Path(path), names)
    history = History(None if no_history else Path(kept) if kept is not None else folder())

    def check() -> None:
        wanted = [*names, *([sort] if sort not in COLUMNS else [])]
        if unknown := systems.unknown(wanted):
            name, known = unknown
            message = f"there is no metric {name}; there are {', '.join(known)}"
            raise click.UsageError(message)

    can_draw = sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if can_draw and not (as_json or once):
        from goldlens.cli.watching.screen import Screen

        return Screen(systems, history, sort, check).watch(poll=poll)
    from goldlens.cli.watching.lines import Lines

    lines = Lines(systems, history, as_json=as_json)
    if once:
        return _once(systems, lines, check)
    from goldlens.cli.watching.run import Run

    return Run(systems, lines.tell, opened=check).start(poll=poll)


def _once(systems: Systems, lines: Lines, check: Callable[[], None]) -> int:
    """Tells of everything when nothing is waited for any more; 2 if the configuration is wrong."""
    found = {change.system: change for change in systems.open()}
    check()
    while systems.pending:
        time.sleep(_PAUSE)
        systems.tick()
    lines.tell(found.values())
    if not found:
        message = "nothing here faces a gold; name files in goldlens.toml, or another path"
        outputs.complain(line(str(systems.path), 1, 1, "warning", "no-system", message) + "\n")
    return 2 if systems.trouble else 0
