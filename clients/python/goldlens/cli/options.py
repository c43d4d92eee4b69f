"""Options that several verbs have, each group put on with one decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def adding(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """A decorator that puts options on a command, in the order of its help."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


match_option = click.option(
    "--match",
    type=click.Choice(["auto", "stream", "sent_id"]),
    default="auto",
    show_default=True,
    help="Which sentences face which: by position in the text, or by sent_id.",
)
"""Adds --match."""

policy_option = click.option(
    "--policy",
    type=click.Choice(["official", "lenient"]),
    default="official",
    show_default=True,
    help="Refuse a pair with bad trees or another text, or score it all the same.",
)
"""Adds --policy."""


label_options = adding(
    click.option("--component", default="", help="What was measured, such as parser."),
    click.option("--language", default="", help="The language."),
    click.option("--dataset", default="", help="The test set."),
    click.option(
        "--reference",
        "references",
        multiple=True,
        metavar="M=V,…",
        help="Published points by metric.",
    ),
    click.option("--reference-source", default="", help="Where the reference comes from."),
    click.option(
        "--metrics", default="", metavar="M,…", help="The metrics; all, if none is named."
    ),
)
"""What rows say besides their numbers, and which rows there are."""

file_options = adding(
    click.option("--json", "json", metavar="FILE", help="Write or update rows in a JSON file."),
    click.option(
        "--markdown", metavar="FILE", help="Write or update the table in a Markdown text."
    ),
    click.option("--csv", metavar="FILE", help="Write or update rows in a CSV file."),
    click.option("--latex", metavar="FILE", help="Write or update the tabular in a LaTeX text."),
    click.option("--hf", metavar="FILE", help="Write or update the model-index of a model card."),
)
"""Where rows go."""
