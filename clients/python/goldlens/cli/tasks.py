"""The flags that say of which task files are, and what its scoring depends on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from goldlens.cli.expected import FORMATS
from goldlens.cli.inputs import STDIN, name_of
from goldlens.cli.lines import Trouble, one_line
from goldlens.cli.options import adding
from goldlens.scoring.tasks import NAMES

if TYPE_CHECKING:
    from goldlens.scoring.task import Task
    from goldlens.scoring.ud.profile import Profile

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class TaskFlags:
    """What was said on the command line; `name` None means: by the files."""

    name: str | None = None
    threshold: float = 0.5
    token_column: int = 1
    tag_column: int = -1
    reading: str = "strict"
    profile: Profile | None = None

    def task(self, beginning: bytes = b"", *paths: str) -> Task:
        """The task: the one that was named, or what the files' names or a text's beginning say.

        Where nothing says anything, it is UD. Raises Trouble where a profile is for nothing.
        """
        from goldlens.scoring.tasks import task_named

        name = self.name or _guess(beginning, *paths) or "ud"
        if self.profile is not None and name != "ud":
            message = f"a profile is for UD, and this is {name}; leave the profile out"
            raise Trouble(name_of(paths[0] if paths else STDIN), "profile", message)
        return task_named(
            name,
            threshold=self.threshold,
            token_column=self.token_column,
            tag_column=self.tag_column,
            reading=self.reading,
            profile=self.profile,
        )


def beginning_of(file: BinaryIO) -> bytes:
    """The beginning of an open file, enough to guess its task; it is read from its start again."""
    from goldlens.server.kinds import LOOKED_AT

    beginning = file.read(LOOKED_AT)
    file.seek(0)
    return beginning


def _guess(beginning: bytes, *paths: str) -> str | None:
    from goldlens.server.kinds import LOOKED_AT, first_lines, task_of

    named = {found: path for path in paths if (found := task_of(Path(path)))}
    if len(named) > 1:
        [(first, here), (second, there)] = list(named.items())[:2]
        message = (
            f"by its name this is {FORMATS[first]}, and {one_line(there)} {FORMATS[second]}; "
            "name files of one task, or say which with --task"
        )
        raise Trouble(name_of(here), "task", message)
    text = first_lines(beginning, cut=len(beginning) >= LOOKED_AT)
    for path in paths:
        if found := task_of(Path(path), text):
            return found
    return None


def looks_like_ud(*paths: str) -> bool:
    """Whether names alone say that files are CoNLL-U, so that nobody need look into them."""
    return all(path.endswith(".conllu") for path in paths)


def _finite(context: click.Context, parameter: click.Parameter, value: float) -> float:
    if not isfinite(value):
        raise click.BadParameter("a threshold is a finite number")
    return value


def _column(context: click.Context, parameter: click.Parameter, value: int) -> int:
    if value == 0:
        raise click.BadParameter("columns count from 1, or from the end with -1")
    return value


profile_option = click.option(
    "--profile",
    metavar="NAME|FILE",
    default="none",
    show_default=True,
    help="UD: what two conventions are reconciled by; none, proiel, or a TOML file.",
)
"""Adds --profile; the command gets a name, of which `profile_named` makes the profile."""

reading_options = adding(
    click.option(
        "--threshold",
        type=float,
        default=0.5,
        show_default=True,
        callback=_finite,
        help="Classification: the score from which on a label is predicted.",
    ),
    click.option(
        "--token-column",
        type=int,
        default=1,
        show_default=True,
        callback=_column,
        help="Spans: the column of the token; -1 is the last.",
    ),
    click.option(
        "--tag-column",
        type=int,
        default=-1,
        show_default=True,
        callback=_column,
        help="Spans: the column of the tag; -1 is the last.",
    ),
    click.option(
        "--reading",
        type=click.Choice(["strict", "conlleval"]),
        default="strict",
        show_default=True,
        help="Spans: strict IOB2, or tags read as leniently as conlleval does.",
    ),
)
"""Adds the flags of how files are read."""

task_options = adding(reading_options, profile_option)
"""Adds the flags of what scoring depends on; the command gets them as `flags`."""


def task_name_option(function: F) -> F:
    """Adds --task."""
    return click.option(
        "--task",
        type=click.Choice(NAMES),
        help="The kind of annotation; else the files' names and contents say it.",
    )(function)
