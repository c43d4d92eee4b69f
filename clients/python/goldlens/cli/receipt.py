"""`goldlens receipt`: records of evaluations, made and verified."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import click

from goldlens.cli import inputs, outputs
from goldlens.cli.lines import Trouble
from goldlens.cli.profiles import profile_named
from goldlens.cli.systems import evaluated_all, pair_options
from goldlens.cli.tasks import TaskFlags, task_name_option, task_options
from goldlens.scoring.results.receipt import Receipt


@click.group(name="receipt", no_args_is_help=False)
def command() -> None:
    """Makes and verifies content-addressed records of evaluations.

    A receipt's id is a hash of all else in it: the same inputs give the same receipt. It pins
    inputs, not conclusions.
    """


@command.command(name="make")
@click.argument("gold", metavar="GOLD")
@click.argument("pred", metavar="PRED")
@task_name_option
@pair_options
@click.option("--strict", is_flag=True, help="Also the strict metrics: all features, full labels.")
@task_options
@click.option("--data-manifest", metavar="FILE", help="A file whose hash is recorded.")
@click.option("--model-id", default="", help="What made the prediction.")
@click.option("--treebank", default="", help="The treebank or corpus.")
@click.option("--split", default="", help="The part of it, such as test.")
@click.option("--protocol", default="", help="How the prediction was made, such as raw text.")
@click.option(
    "--extra", "extras", multiple=True, metavar="NAME=VALUE", help="Anything else; VALUE is JSON."
)
@click.option("--package-version", help="Instead of the version of this package.")
@click.option("--scorer-sha256", help="Instead of the hash of this package's scoring code.")
@click.option("-o", "--output", "output", metavar="FILE", help="Write to a file.")
def make(
    gold: str,
    pred: str,
    task: str | None,
    match: str,
    policy: str,
    strict: bool,
    threshold: float,
    token_column: int,
    tag_column: int,
    reading: str,
    profile: str,
    data_manifest: str | None,
    extras: Sequence[str],
    package_version: str | None,
    scorer_sha256: str | None,
    output: str | None,
    **texts: str,
) -> int:
    """Scores PRED against GOLD and records the evaluation as JSON.

    What the record says of this installation (--package-version, --scorer-sha256) can be given,
    so that it is the same everywhere.
    """
    if [gold, pred, data_manifest].count(inputs.STDIN) > 1:
        raise click.UsageError("only one of the files can be standard input")
    outputs.refuse_unwritable(output, ("gold", gold), ("the prediction", pred))
    extra = _extra(extras)
    manifest = "" if data_manifest is None else _digest(inputs.read_bytes(data_manifest))
    reconciled = profile_named(profile)
    flags = TaskFlags(task, threshold, token_column, tag_column, reading, reconciled)
    metrics = ["LASFull"] if strict else []
    found = evaluated_all(gold, [pred], flags, match, policy, metrics)
    if found is None:
        return 2
    # Not sooner: those who verify need no engine.
    from goldlens.server.results import scorer_digest

    [one] = found
    given = {} if package_version is None else {"version": package_version}
    signature = str(one.board.signature())
    if package_version is not None:
        signature = f"{signature.rpartition('|version:')[0]}|version:{package_version}"
    figures = one.board.figures()
    try:
        receipt = Receipt(
            {name: None if each is None else each.as_dict() for name, each in figures.items()},
            signature,
            one.gold_sha256,
            one.pred_sha256,
            scorer_digest() if scorer_sha256 is None else scorer_sha256,
            manifest,
            extra=extra,
            **texts,
            **given,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    outputs.put(receipt.as_json(), output, machine=True)
    return 0


@command.command(name="verify")
@click.argument("receipt", metavar="RECEIPT")
@click.argument("other", metavar="[OTHER]", required=False)
@click.option("--gold", metavar="FILE", help="The gold that it should be about.")
@click.option("--pred", metavar="FILE", help="The prediction that it should be about.")
def verify(receipt: str, other: str | None, gold: str | None, pred: str | None) -> int:
    """Checks that RECEIPT's id is that of its fields; exit status 1 if not.

    With OTHER, also that the two describe the byte-identical evaluation; with --gold and --pred,
    that these are the files it is about.
    """
    if [receipt, other, gold, pred].count(inputs.STDIN) > 1:
        raise click.UsageError("only one of the files can be standard input")
    first = _read(receipt)
    failed = _failures(receipt, first)
    if other is not None:
        second = _read(other)
        failed += _failures(other, second)
        if not failed and not first.verify(second):
            mine, theirs = first.as_dict(), second.as_dict()
            differing = [name for name in mine if mine[name] != theirs[name] and name != "id"]
            failed.append(f"{other}: another evaluation; it differs in {', '.join(differing)}")
    for what, file, digest in (
        ("gold", gold, first.gold_sha256),
        ("the prediction", pred, first.pred_sha256),
    ):
        if file is not None and _digest(inputs.read_bytes(file)) != digest:
            failed.append(f"{file}: this is not {what} of the receipt; its bytes are others")
    for text in failed:
        click.echo(text)
    if not failed:
        click.echo(f"{receipt}: {first.id} is right")
    return 1 if failed else 0


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _extra(given: Sequence[str]) -> dict[str, Any]:
    """Values by name; a value that is no JSON is taken as a text. Raises UsageError."""
    found: dict[str, Any] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise click.UsageError(f"--extra has {text!r}; give NAME=VALUE")
        if name in found:
            raise click.UsageError(f"--extra has {name} twice; give one value for it")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = text.partition("=")[2]
        except RecursionError as error:
            raise click.UsageError(f"--extra {name} is nested too deeply; flatten it") from error
        _require_finite(name, found[name])
    return found


def _require_finite(name: str, value: object) -> None:
    """Raises UsageError for NaN and infinities, which are no JSON and yet read as such."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError as error:
        message = f"--extra {name} has a number that is not finite; leave it out, or quote it"
        raise click.UsageError(message) from error


def _read(path: str) -> Receipt:
    data = inputs.read_bytes(path)
    try:
        return Receipt.from_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = "the receipt is no UTF-8 text; make it again"
        raise Trouble(inputs.name_of(path), "receipt", message) from error
    except ValueError as error:
        raise Trouble(inputs.name_of(path), "receipt", str(error)) from error


def _failures(path: str, receipt: Receipt) -> list[str]:
    if receipt.verify():
        return []
    return [f"{path}: the id {receipt.id} is not that of the fields; something was changed"]
