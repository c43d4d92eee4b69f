"""The command `goldlens`: finds the verb, runs it, and ends in one of the agreed ways.

    0    all is right
    1    the check failed
    2    the input or the call is wrong
    130  interrupted (Ctrl-C)
    141  whoever read the output has gone

A verb is a click command that returns its exit status. What it raises becomes one line on
standard error: a `Trouble` as it says, anything unexpected as `error[internal]`. With
GOLDLENS_DEBUG=1 the unexpected is let through, traceback and all.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from goldlens.cli.lines import one_line
from goldlens.cli.outputs import complain, silence, unwritable

VERBS: Final = {
    "score": "A table of every metric of a prediction against gold.",
    "check": "All problems of files, against gold too where one is found.",
    "stem": "How well a stemmer keeps groups of forms together, and apart.",
    "rows": "Rows for a table of results: score, interval, reference.",
    "batch": "Rows of many pairs, on all cores or on a cluster.",
    "compare": "Two systems on one gold: paired intervals, where they differ.",
    "analyze": "Where the errors come from, and what each kind of them costs.",
    "leakage": "Evaluation sentences that stand in training files.",
    "drift": "Scores with and without a profile that reconciles conventions.",
    "calibration": "How often cells are right, by the confidence in MISC.",
    "data": "Data sets by name: listed, fetched, verified under a hash.",
    "receipt": "A record of an evaluation by its hashes, made or verified.",
    "perturb": "Seeded errors put into gold.",
    "report": "A prediction against gold on one page of HTML, with plots.",
    "watch": "A live scoreboard of everything that a configuration names.",
    "daemon": "One process for the editors and programs of a workspace.",
    "lsp": "The language server, on standard input and output.",
    "demo": "The main things on a small corpus, explained as it runs.",
}
"""Each verb and what it does. They stand here so that `goldlens --help` imports none of them."""

SHORT: Final = frozenset(
    ("score", "check", "stem", "rows", "compare", "drift", "calibration", "receipt", "perturb")
)
"""Verbs that read, print and end, without a thread or a process that has to be waited for."""

INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO))
"""What the system says where nothing more can be written."""


class Verbs(click.Group):
    """A group whose verbs are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of the guide."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command, from the module of its name; None if there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = import_module(f"goldlens.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the verbs without importing them."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb that is meant. Raises UsageError, with the verb that is near, for another."""
        name = args[0]
        if name not in VERBS and not name.startswith("-"):
            from goldlens.scoring.named import nearest

            raise click.UsageError(f"there is no command {name!r}{nearest(name, VERBS)}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """What the arguments say; help is printed here, and its reader may have gone."""
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError:
            silence(sys.stdout)
            raise click.exceptions.Exit(BROKEN_PIPE) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the verb; whatever of its output is still held goes out before this returns."""
        try:
            status = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            silence(sys.stdout)
            return BROKEN_PIPE
        except KeyboardInterrupt:
            return INTERRUPTED
        return status

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Runs a command line and exits with the status it deserves."""
        given = list(sys.argv[1:] if args is None else args) or ["--help"]
        try:
            status = super().main(
                given,
                prog_name or "goldlens",
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                **extra,
            )
        except click.UsageError as error:
            where = error.ctx.command_path if error.ctx else "goldlens"
            # Click lists choices on lines of their own.
            what = " ".join(error.format_message().split()).rstrip(".")
            _complain(f"error[usage]: {what}; “{where} --help” says what there is")
            status = error.exit_code
        except click.ClickException as error:
            _tell(error)
            status = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except SystemExit as end:
            # What draws tables ends with 1 where nobody reads.
            if not isinstance(end.__context__, BrokenPipeError):
                raise
            silence(sys.stdout)
            status = BROKEN_PIPE
        except Exception as error:
            if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
                # Files are written with a name; what has none was printed.
                _tell(unwritable(error))
                sys.exit(2)
            if os.environ.get("GOLDLENS_DEBUG") == "1":
                raise
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            _complain(f"error[internal]: {what}, please report it")
            status = 2
        sys.exit(status if isinstance(status, int) else 0)


def _complain(line: str) -> None:
    complain(f"{one_line(line)}\n")


def _tell(error: click.ClickException) -> None:
    """Shows an error, where anybody can be told."""
    try:
        error.show()
    except OSError:
        silence(sys.stderr)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="goldlens", prog_name="goldlens", message="%(prog)s %(version)s")
def goldlens() -> None:
    """Predictions held against gold: scored, and every problem found where it is.

    Errors are one line each, PATH:LINE:COL: error[code]: what, and what to do. A file named - is
    standard input.
    """


def main() -> NoReturn:
    """Runs the command line of this process."""
    short = sys.argv[1:2] != [] and sys.argv[1] in SHORT
    if short:
        # Looking for garbage as often as usual costs more than it finds.
        gc.set_threshold(100_000, 50, 50)
    _open_closed()
    # Nothing here is linear algebra; starting its threads would only take time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for stream in (sys.stdout, sys.stderr):
        # Names of files may be no text, and a terminal's encoding may lack a character.
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        goldlens.main()
    except SystemExit as end:
        if short and isinstance(end.code, int):
            _leave(end.code)
        raise


def _open_closed() -> None:
    """Gives a process that was started without output streams some that lead nowhere."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def _leave(status: int) -> None:
    """Ends the process without taking Python apart first, which takes longer than some scores."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        # Closed, or gone: leave it to Python to say what it says then.
        return
    os._exit(status)
