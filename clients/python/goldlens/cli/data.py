"""`goldlens data`: data sets by name, listed, fetched and verified."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.known import known
from goldlens.cli.lines import Trouble, Troubles, one_line
from goldlens.server.config import DATA
from goldlens.server.datasets import cached
from goldlens.server.datasets.cached import DataError, State
from goldlens.server.datasets.registry import Entry

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS: Final = ("Name", "Kind", "Licence", "Bytes", "State")

JSON: Final[Callable[..., Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON."
)


@click.group(name="data", no_args_is_help=False)
def command() -> None:
    """Data sets that have a name: `data:NAME` stands for such a gold wherever one is asked for.

    Those of a project are [[dataset]] tables of its goldlens.toml. Each is known by its SHA-256,
    fetched when you say so, and kept in your cache; GOLDLENS_DATA_DIR names another folder.
    """


@command.command(name="list")
@JSON
def list_all(as_json: bool) -> int:
    """Lists all data sets: licence, how they may be used, and whether they are here."""
    entries = _named(())
    if as_json:
        _put([_as_dict(entry) for entry in entries])
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.padding import Padding
        from rich.text import Text

        console = Console()
        console.print(_table(entries), crop=False, no_wrap=True, overflow="ignore")
        for entry in entries:
            console.print(entry.name, style="bold", markup=False, highlight=False)
            console.print(Padding(Text("\n".join(_said(entry))), (0, 0, 1, 4)))
    else:
        outputs.put(_plain(entries), None)
    return 0


@command.command()
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option("--from", "source", metavar="PATH", help="Take this copy instead of the network.")
@JSON
def fetch(names: Sequence[str], source: str | None, as_json: bool) -> int:
    """Brings data sets into the cache, from where they are published or from a copy of yours.

    What is there already is left alone, and what has other bytes than those registered is refused
    and removed. A gold that was asked for is in use as soon as it is there.
    """
    if source is not None and len(set(names)) > 1:
        raise click.UsageError("--from is a copy of one data set; give one NAME")
    entries = _named(names)
    troubles: list[Trouble] = []
    fetched: list[Entry] = []
    for entry in entries:
        try:
            _fetch(entry, source)
        except DataError as error:
            troubles.append(Trouble(f"{DATA}{entry.name}", "data", str(error)))
        else:
            fetched.append(entry)
    if as_json:
        _put([_as_dict(entry) for entry in fetched])
    else:
        outputs.put("".join(f"{cached.place(each)}\n{_terms(each)}" for each in fetched), None)
    if troubles:
        raise Troubles(troubles)
    return 0


@command.command()
@click.argument("names", metavar="[NAME...]", nargs=-1)
@JSON
def verify(names: Sequence[str], as_json: bool) -> int:
    """Hashes what is in the cache again: of all data sets, or of those named.

    The exit status is 1 if one is damaged, or if one that was named is not there.
    """
    entries = _named(names)
    states = [cached.state(entry) for entry in entries]
    if as_json:
        _put([_as_dict(entry) for entry in entries])
    else:
        outputs.put("".join(map(_verdict, entries, states)), None)
    return 1 if State.DAMAGED in states or (names and State.ABSENT in states) else 0


def _named(names: Sequence[str]) -> list[Entry]:
    """The data sets of these names, or all. Raises Trouble and Troubles."""
    there = known()
    if names:
        return [there.named(name) for name in dict.fromkeys(names)]
    there.require_right()
    return list(there.entries.values())


def _fetch(entry: Entry, source: str | None) -> None:
    """Brings a data set into the cache. Raises DataError and Trouble."""
    if source is None:
        if cached.state(entry) is not State.CACHED:
            from goldlens.server.datasets.fetching import fetch as fetched

            with _progress(entry) as tell:
                fetched(entry, tell)
    elif source == inputs.STDIN:
        cached.take(entry, inputs.stdin())
    else:
        try:
            file = Path(source).open("rb")  # noqa: SIM115 - closed below
        except OSError as error:
            raise inputs.unreadable(source, error) from error
        with file:
            cached.take(entry, file)


@contextmanager
def _progress(entry: Entry) -> Iterator[Callable[[int], None]]:
    """Shows how much has come, where there is somebody to see it."""
    if not sys.stderr.isatty():
        yield lambda received: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(entry.name, total=entry.size)
        yield lambda received: bar.update(task, completed=received)


def _as_dict(entry: Entry) -> dict[str, object]:
    path, state = str(cached.place(entry)), cached.state(entry).value
    return {**entry.as_dict(), "path": path, "state": state}


def _put(documents: Sequence[dict[str, object]]) -> None:
    text = json.dumps(documents, ensure_ascii=False, indent=2)
    outputs.put(f"{text}\n", None, machine=True)


def _said(entry: Entry) -> list[str]:
    """What a data set is and how it may be used, a line each."""
    said = (f"{entry.title} ({entry.version})", f"Licence: {entry.licence}", f"Use: {entry.note}")
    return list(map(one_line, said))


def _terms(entry: Entry) -> str:
    return "".join(f"    {text}\n" for text in _said(entry))


def _verdict(entry: Entry, state: State) -> str:
    mend = f"“goldlens data fetch {entry.name}”"
    match state:
        case State.CACHED:
            said = f"right, {cached.place(entry)}"
        case State.ABSENT:
            said = f"absent; {mend} brings it"
        case State.DAMAGED:
            said = f"damaged, {cached.place(entry)}; {mend} replaces it"
    return one_line(f"{entry.name}: {said}") + "\n"


def _row(entry: Entry) -> tuple[str, ...]:
    size = "" if entry.size is None else f"{entry.size:,}"
    return entry.name, entry.kind, entry.licence, size, cached.state(entry).value


def _plain(entries: Sequence[Entry]) -> str:
    """The table, and below it how each may be used."""
    rows = [_COLUMNS, *map(_row, entries)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        cells[3] = row[3].rjust(widths[3])
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines) + "".join(f"\n{each.name}\n{_terms(each)}" for each in entries)


def _table(entries: Sequence[Entry]) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in _COLUMNS:
        table.add_column(name, justify="right" if name == "Bytes" else "left", no_wrap=True)
    for entry in entries:
        table.add_row(*(Text(cell) for cell in _row(entry)))
    return table
