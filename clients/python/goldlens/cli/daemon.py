"""`goldlens daemon`: the process that serves a workspace's editors, scripts and terminals."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import click

from goldlens.cli.lines import Trouble, counted, one_line

if TYPE_CHECKING:
    from goldlens.client.place import State

_GLANCE: Final = 0.25
_MANY: Final = 100_000

_ANSWER: Final = 5.0
"""Seconds within which a daemon has to say how it is."""

PATH: Final[Callable[..., Any]] = click.argument("path", metavar="[PATH]", default=".")


@click.group(name="daemon", no_args_is_help=False)
def command() -> None:
    """One process for a workspace: it watches its predictions and serves every client.

    PATH is a folder, the current one if it is left out. A daemon serves its folder and all below
    it; of several the nearest above PATH is meant.
    """


@command.command()
@PATH
@click.option(
    "--idle",
    type=click.FloatRange(0),
    metavar="SECONDS",
    help="End after so long without clients; 0: never.  [default: 1800]",
)
@click.option("--tcp", is_flag=True, help="Listen on loopback TCP, even where sockets have paths.")
@click.option(
    "--log",
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="How much to log.  [default: info]",
)
def start(path: str, idle: float | None, tcp: bool, log: str | None) -> int:
    """Starts the daemon of PATH, unless it runs."""
    from goldlens.client import starting
    from goldlens.client.conversation import own_version
    from goldlens.client.place import running

    folder = _folder(path)
    with _told(path):
        there = running(folder)
        if there is not None and there.version == own_version():
            click.echo(f"The daemon of {_shown(there.root)} runs already (process {there.pid}).")
            return 0
        if there is not None:
            starting.stop(there)
            click.echo(f"The daemon of {_shown(there.root)} has ended: Goldlens {there.version}.")
        root, before = (folder, ()) if there is None else (Path(there.root), there.arguments)
        chosen = idle is not None or tcp or log is not None
        state = starting.launch(
            root, idle=idle, tcp=tcp, level=log, arguments=() if chosen else before
        )
    click.echo(f"The daemon of {_shown(state.root)} runs (process {state.pid}).")
    return 0


@command.command()
@PATH
@click.option("--all", "every", is_flag=True, help="All daemons of yours.")
def stop(path: str, every: bool) -> int:
    """Ends the daemon of PATH. Editors go on without it, or with “lsp --daemon” start another."""
    from goldlens.client import starting

    with _told(path):
        found = _all() if every else _of(path)
        for state in found:
            if not every:
                _meant(path, state)
            starting.stop(state)
            click.echo(f"The daemon of {_shown(state.root)} has ended.")
    if not found:
        click.echo(_none(path, every))
    return 0


@command.command()
@PATH
@click.option("--all", "every", is_flag=True, help="All daemons of yours.")
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
def status(path: str, every: bool, as_json: bool) -> int:
    """How the daemon of PATH is; exit status 1 if there is none."""
    from goldlens.client import Client, ClientError

    with _told(path):
        states = _all() if every else _of(path)
    told: list[dict[str, Any]] = []
    for state in states:
        try:
            with Client(state, timeout=_ANSWER) as client:
                told.append(asdict(client.status()))
        except ClientError as error:
            told.append({"root": state.root, "pid": state.pid, "trouble": str(error)})
    if as_json:
        click.echo(json.dumps(told, indent=1))
    elif told:
        for each in told:
            click.echo(_described(each))
    else:
        click.echo(_none(path, every))
    return 0 if told else 1


@command.command()
@PATH
@click.option(
    "-n", "lines", type=click.IntRange(0, _MANY), default=50, help="So many lines.  [default: 50]"
)
@click.option("-f", "--follow", is_flag=True, help="Go on as more is written.")
def logs(path: str, lines: int, follow: bool) -> int:
    """The end of the daemon's log."""
    from goldlens.client.place import place_of, running

    with _told(path):
        state = running(path)
        place = state.place if state is not None else place_of(path)
    if place.err.is_file() and (said := place.err.read_text("utf-8", "replace").strip()):
        click.echo(f"What its process wrote on standard error:\n{said}\n")
    if not place.log.is_file():
        raise Trouble(path, "daemon", f"there is no log at {place.log}; no daemon has run here")
    with place.log.open(encoding="utf-8", errors="replace") as file:
        for line in deque(file, maxlen=lines):
            click.echo(line, nl=False)
        if follow:
            _follow(place.log, file)
    return 0


def _follow(path: Path, file: IO[str]) -> None:
    """Prints what is added to a file, also after it has been rotated, until it is interrupted."""
    while True:
        for line in file:
            click.echo(line, nl=False)
        sys.stdout.flush()
        time.sleep(_GLANCE)
        try:
            now = path.stat()
        except OSError:
            continue
        if (now.st_dev, now.st_ino) != _identity(file):
            rest = file.read()
            click.echo(rest, nl=False)
            file = path.open(encoding="utf-8", errors="replace")


def _identity(file: IO[str]) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _folder(path: str) -> Path:
    folder = Path(path)
    if not folder.exists():
        raise Trouble(path, "daemon", "there is no such folder; name one that holds predictions")
    return folder if folder.is_dir() else folder.parent


def _of(path: str) -> list[State]:
    from goldlens.client.place import running

    state = running(path)
    return [] if state is None else [state]


def _meant(path: str, state: State) -> None:
    """Raises Trouble if a path is not there, and its daemon that of a folder above.

    Somebody has mistyped it; but a daemon whose own folder is gone can be named by it.
    """
    if not os.path.lexists(path) and os.path.realpath(path) != state.root:
        message = f"there is no such folder, and the daemon of {state.root} is not ended for it"
        raise Trouble(path, "daemon", f"{message}; correct the path, or name that folder")


def _all() -> list[State]:
    from goldlens.client.place import Place, check_private, log_folder, runtime_folder

    runtime = runtime_folder()
    if not runtime.exists():
        return []
    check_private(runtime)
    places = [
        Place(runtime, log_folder(), "", file.stem) for file in sorted(runtime.glob("*.json"))
    ]
    return [state for place in places if (state := place.living()) is not None]


@contextmanager
def _told(path: str) -> Iterator[None]:
    """What a client raises, as the command line says it."""
    from goldlens.client.errors import ClientError

    try:
        yield
    except ClientError as error:
        raise Trouble(path, "daemon", str(error)) from error


def _none(path: str, every: bool) -> str:
    if every:
        return "No daemon runs."
    where = _shown(str(Path(path).absolute()))
    return f"No daemon serves {where}; “goldlens daemon start” starts one."


def _described(told: dict[str, Any]) -> str:
    root = _shown(told["root"])
    if "trouble" in told:
        return f"The daemon of {root} (process {told['pid']}) does not answer: {told['trouble']}"
    memory = told["memory"]
    parts = [
        f"process {told['pid']}",
        f"version {told['version']}",
        f"since {told['started']}",
        counted(told["watched"], "prediction watched", "predictions watched"),
        # This very question came over one of them.
        counted(max(0, told["connections"] - 1), "client"),
        *([f"{memory / 2**20:,.0f} MiB"] if memory is not None else []),
    ]
    wrong = f"\n{one_line(told['config_trouble'])}" if told["config_trouble"] else ""
    return f"The daemon of {root} runs: {', '.join(parts)}.{wrong}"


def _shown(path: str) -> str:
    return one_line(path)
