"""How anything that is wrong is said: one line, `PATH:LINE:COL: severity[code]: message`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from goldlens.scoring.problems import Problem

_UNPRINTABLE: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """The text with line ends and control characters spelt out.

    Names and messages quote what is in files: it must not break the line or command a terminal.
    """
    return _UNPRINTABLE.sub(lambda found: repr(found[0])[1:-1], text)


def line(path: str, number: int, column: int, severity: str, code: str, message: str) -> str:
    """One line about one place; line and column count from 1."""
    return f"{one_line(path)}:{number}:{column}: {severity}[{code}]: {one_line(message)}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number and its noun: "1 sentence", "1,200 sentences"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


class Trouble(click.ClickException):
    """The input is wrong, and the command cannot go on: one line, exit status 2."""

    exit_code = 2

    def __init__(self, path: str, code: str, message: str) -> None:
        super().__init__(message)
        self.path, self.code = path, code

    def __str__(self) -> str:
        return line(self.path, 1, 1, "error", self.code, self.message)

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the line on standard error (or to `file`)."""
        click.echo(str(self), file=file, err=file is None)


class Located(Trouble):
    """A problem of a file that is one block, at its place."""

    def __init__(self, path: str, problem: Problem, text: bytes) -> None:
        super().__init__(path, problem.code, problem.message)
        at = problem.place
        before = text.split(b"\n")[at.line][: at.start]
        self._number, self._column = at.line + 1, len(before.decode("utf-8", "replace")) + 1

    def __str__(self) -> str:
        return line(self.path, self._number, self._column, "error", self.code, self.message)


class Troubles(click.ClickException):
    """Several troubles at once, a line each."""

    exit_code = 2

    def __init__(self, troubles: Sequence[Trouble]) -> None:
        super().__init__("\n".join(map(str, troubles)))
        self.troubles = troubles

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the lines on standard error (or to `file`)."""
        click.echo(self.message, file=file, err=file is None)
