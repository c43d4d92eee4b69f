"""What `goldlens score --official` is told: which script, and how long it may take."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Final

import click
from click.core import ParameterSource

from goldlens.cli import inputs
from goldlens.cli.lines import Trouble
from goldlens.cli.options import adding

SECONDS: Final = 600.0

official_options = adding(
    click.option(
        "--official",
        "script",
        metavar="PATH|data:NAME",
        help="Run the official CoNLL 2018 script beside ours, and compare every figure.",
    ),
    click.option(
        "--official-any-hash",
        "any_hash",
        is_flag=True,
        help="Run a script with another SHA-256 than the pinned one.",
    ),
    click.option(
        "--official-timeout",
        "seconds",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help=f"How long the official script may take.  [default: {SECONDS:g}]",
    ),
)
"""Adds --official, --official-any-hash and --official-timeout."""


def pinned() -> str:
    """The SHA-256 of the script of the CoNLL 2018 shared task that figures are held to."""
    # Not sooner: the table of data sets is for those who name a script.
    from goldlens.server.datasets.registry import OFFICIAL, shipped

    return shipped()[OFFICIAL].sha256


@dataclass(frozen=True, slots=True)
class Script:
    """The official script: where it was found, its bytes, and how long it may take."""

    path: str
    data: bytes
    seconds: float

    @property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return hashlib.sha256(self.data).hexdigest()

    @property
    def pinned(self) -> bool:
        """Whether it is the script that figures are held to."""
        return self.sha256 == pinned()


def script_of(path: str | None, any_hash: bool, seconds: float | None) -> Script | None:
    """The script that a command line names, if any. Raises Trouble, and UsageError."""
    if path is None:
        if any_hash or seconds is not None:
            raise click.UsageError("--official names the script that the other flags are about")
        return None
    if path == inputs.STDIN:
        raise click.UsageError("--official names a file; it cannot be standard input")
    if path.startswith(inputs.DATA):
        # Not sooner: data sets are for those who name one.
        from goldlens.cli.known import place

        path = str(place(path))
    found = Script(path, inputs.read_bytes(path), SECONDS if seconds is None else seconds)
    if not (found.pinned or any_hash):
        message = (
            f"this is not the pinned official script: its SHA-256 is {found.sha256}, and not "
            f"{pinned()}; name that one ({inputs.DATA}conll18_ud_eval), or add --official-any-hash"
        )
        raise Trouble(path, "official-hash", message)
    return found


def policy_of(script: Script | None, policy: str) -> str:
    """The policy: lenient where the script runs, unless the command line says another.

    What the script would refuse is repaired for it, so there is no need to refuse it here.
    """
    source = click.get_current_context().get_parameter_source("policy")
    return "lenient" if script and source is ParameterSource.DEFAULT else policy
