"""What can be asked of a daemon: methods with their arguments, and what answers become."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Literal, TypeAlias, TypedDict

from goldlens.client.errors import BadFrame, CallWrong
from goldlens.client.place import lexical

Where: TypeAlias = str | os.PathLike[str]
"""A file: a path, which may be relative, or a URI."""

Request: TypeAlias = tuple[str, dict[str, Any]]
"""A method and its arguments."""

Format: TypeAlias = Literal["markdown", "json", "csv", "latex", "hf"]
Policy: TypeAlias = Literal["official", "lenient"]
Which: TypeAlias = Literal["worst", "next", "previous"]

_SCHEME: Final = re.compile(r"file:|[A-Za-z][A-Za-z0-9+.-]+://|untitled:")


class DrawOptions(TypedDict, total=False):
    """How intervals are drawn."""

    resamples: int
    level: float
    seed: int


class CompareOptions(DrawOptions, total=False):
    """How two predictions are compared; what is left out is as the configuration has it."""

    metrics: Sequence[str]
    policy: Policy


class RowsOptions(CompareOptions, total=False):
    """How rows are made; what is left out is as the configuration has it."""

    component: str
    language: str
    dataset: str
    reference: Mapping[str, float]
    reference_source: str
    reference_pred: str


class AnalyzeOptions(TypedDict, total=False):
    """By which metric errors are told, and how many kinds of them are listed."""

    metric: str
    top: int


class ReceiptOptions(TypedDict, total=False):
    """What a receipt says besides, and by which policy it scores."""

    treebank: str
    split: str
    protocol: str
    model_id: str
    policy: Policy


@dataclass(frozen=True, slots=True)
class Status:
    """A daemon, and what it has to do."""

    pid: int
    version: str
    root: str
    started: str
    """When, as ISO 8601."""
    connections: int
    editors: int
    """How many of the connections speak LSP."""
    watched: int
    """How many predictions are watched."""
    memory: int | None
    """Resident bytes; None where the system does not tell."""
    idle: float | None
    """Seconds until it ends if nobody comes; None: it never does."""
    config_trouble: str | None = None
    """What is wrong with the configuration that it watches by, and where; None if nothing is."""


def score(path: Where) -> Request:
    """The scoreboard of a prediction."""
    return "goldlens.score", {"uri": uri_of(path)}


def rows(path: Where, format: str, options: Mapping[str, Any]) -> Request:
    """Results rows as text."""
    return "goldlens.rows", {"uri": uri_of(path), "format": format, **_plain(options)}


def compare(path: Where, other: Where, options: Mapping[str, Any]) -> Request:
    """A prediction beside another."""
    return "goldlens.compare", {"uri": uri_of(path), "other": uri_of(other), **_plain(options)}


def analyze(path: Where, what: str, options: Mapping[str, Any]) -> Request:
    """Where the errors of a prediction come from."""
    return "goldlens.analyze", {"uri": uri_of(path), "what": what, **_plain(options)}


def report(path: Where, options: Mapping[str, Any]) -> Request:
    """A page of HTML on a prediction."""
    return "goldlens.report", {"uri": uri_of(path), **_plain(options)}


def receipt(path: Where, options: Mapping[str, Any]) -> Request:
    """The receipt of an evaluation."""
    return "goldlens.receipt", {"uri": uri_of(path), **_plain(options)}


def set_gold(path: Where, gold: Where) -> Request:
    """The gold of a prediction, named by hand; a data set is `data:NAME`."""
    named = isinstance(gold, str) and gold.startswith("data:")
    return "goldlens.setGold", {"uri": uri_of(path), "gold": gold if named else uri_of(gold)}


def pairs() -> Request:
    """All predictions and their golds."""
    return "goldlens.pairs", {}


def tree(path: Where, line: int) -> Request:
    """The sentence at a line."""
    return "goldlens.tree", {"uri": uri_of(path), "line": line}


def seek(path: Where, which: Which, line: int | None) -> Request:
    """A sentence that has problems, seen from a line if from any."""
    given = {} if line is None else {"line": line}
    return "goldlens.seek", {"uri": uri_of(path), "which": which, **given}


def subscribe(scores: bool, problems: bool) -> Request:
    """To be told of changes."""
    return "subscribe", {"scores": scores, "problems": problems}


def status_of(result: object) -> Status:
    """The status in an answer. Raises BadFrame."""
    if not isinstance(result, dict):
        raise BadFrame("the daemon answered status with something else")
    every = fields(Status)
    needed = [field.name for field in every if field.default is MISSING]
    if missing := [name for name in needed if name not in result]:
        raise BadFrame(f"the daemon answered status without {', '.join(missing)}")
    return Status(**{field.name: result[field.name] for field in every if field.name in result})


def watched_of(result: object) -> int:
    """The number of predictions watched, in an answer to subscribe. Raises BadFrame."""
    match result:
        case {"watched": int(watched)}:
            return watched
    raise BadFrame("the daemon answered subscribe with something else")


def uri_of(path: Where) -> str:
    """A file as a URI, which can name paths that are no UTF-8 too; a URI stays as it is."""
    text = os.fspath(path)
    if isinstance(text, bytes):
        raise CallWrong(f"expected a path or a URI, not {text!r}")
    return text if _SCHEME.match(text) else lexical(text).as_uri()


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as they are sent: those that are None left out, and containers of the usual kinds."""
    found = {name: value for name, value in options.items() if value is not None}
    if "metrics" in found:
        found["metrics"] = list(found["metrics"])
    if "reference" in found:
        found["reference"] = dict(found["reference"])
    if "reference_pred" in found:
        found["reference_pred"] = uri_of(found["reference_pred"])
    return found
