"""`goldlens perturb`: gold with seeded errors, a prediction whose faults are known."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

import click

from goldlens.cli import expected, inputs, outputs
from goldlens.cli.lines import Trouble
from goldlens.cli.systems import names_of
from goldlens.cli.tasks import TaskFlags
from goldlens.scoring.perturb.seeded import KINDS, perturbed, rates_of


@click.command(name="perturb")
@click.argument("file", metavar="FILE")
@click.option("--task", type=click.Choice(list(KINDS)), help="The task; else the file says it.")
@click.option(
    "--rate",
    "rates",
    multiple=True,
    metavar="KIND=R,…",
    help="How likely an item gets an error of a kind, from 0 to 1; “all” is every kind.",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=20260101, show_default=True)
@click.option("--token-column", type=int, default=1, show_default=True, help="Spans: the token.")
@click.option("--tag-column", type=int, default=-1, show_default=True, help="Spans: the tag.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def command(
    file: str,
    task: str | None,
    rates: Sequence[str],
    seed: int,
    token_column: int,
    tag_column: int,
    output: str | None,
) -> int:
    """Puts errors into a CoNLL-U or IOB2 FILE; the same seed gives the same bytes.

    Kinds of CoNLL-U: head, relation, upos, lemma, feats, split, merge. Kinds of IOB2: label,
    boundary, drop, add. What is well-formed stays so. Without --rate, all have a rate of 0.05.
    """
    outputs.refuse_unwritable(output, ("the input", file))
    if not (token_column and tag_column):
        raise click.UsageError("columns count from 1, or from the end with -1")
    data, called = inputs.read_text(file), inputs.name_of(file)
    name = task or TaskFlags().task(data[: 1 << 14], file).name
    if name not in KINDS:
        message = f"there are no errors for {name}, of which this file is; give CoNLL-U or IOB2"
        raise Trouble(called, "task", message)
    _require(name, called, data, token_column, tag_column)
    wanted = _rates(name, rates)
    try:
        text = perturbed(
            name, data, wanted, seed, token_column=token_column, tag_column=tag_column
        ).decode("utf-8")
    except UnicodeDecodeError as error:
        message = "the file is no UTF-8 text; convert it first"
        raise Trouble(called, "encoding", message) from error
    outputs.put(text, output, machine=True)
    return 0


def _require(task: str, name: str, data: bytes, token_column: int, tag_column: int) -> None:
    """Raises Trouble where nothing could be put into a file; warns of one that is empty."""
    expected.require(task, expected.Beginning(name, data), tag_column=tag_column)
    if empty := expected.emptiness(name, BytesIO(data), task):
        outputs.complain("\n".join([*empty, ""]))
    if task == "span":
        # Not sooner: trees need none of it.
        from goldlens.cli.evaluated import check_columns
        from goldlens.scoring.spans.task import Spans
        from goldlens.scoring.task import GOLD
        from goldlens.server.engine.document import Document

        form = Spans(token_column, tag_column).format(GOLD)
        check_columns(name, Document(form, data, checks=False))


def _rates(task: str, given: Sequence[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for text in names_of(",".join(given)) or ["all=0.05"]:
        kind, equals, value = (part.strip() for part in text.partition("="))
        try:
            if not equals:
                raise ValueError
            rate = float(value)
        except ValueError as error:
            message = f"--rate has {text!r}; give KIND=RATE, as {KINDS[task][0]}=0.1"
            raise click.UsageError(message) from error
        found |= dict.fromkeys(KINDS[task], rate) if kind == "all" else {kind: rate}
    try:
        return rates_of(task, found)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
