"""What is published of an open document: results rows, comparisons, receipts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from goldlens.scoring.bootstrap import Resampling, Told
from goldlens.scoring.results import receipt as receipts
from goldlens.scoring.results.compared import compared
from goldlens.scoring.results.formats import FORMATS
from goldlens.scoring.results.receipt import Receipt
from goldlens.scoring.results.rows import Labels, rows
from goldlens.scoring.results.systems import System, UnknownMetric
from goldlens.scoring.ud import metrics as ud
from goldlens.server.buffers import OpenDocument
from goldlens.server.config import PairConfig
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.refusals import refusals
from goldlens.server.engine.scoreboard import Scoreboard

FIELDS: Final = ("treebank", "split", "protocol", "model_id")
"""What a receipt may be told besides."""


class ResultsError(Exception):
    """Results cannot be made. `str` says why and what to do."""


class NoSuchMetric(ResultsError):
    """A metric was asked for that the task does not have."""


def rows_of(
    entry: OpenDocument,
    gold_sha256: str,
    format: str,
    metrics: Sequence[str] | None,
    fields: Mapping[str, Any],
    beside: Callable[[str], Pair],
) -> Callable[[Told], str]:
    """What makes the rows of a document that faces gold, as text; it needs nothing but itself.

    It tells how the draw gets on.

    `fields` override what the configuration says: component, language, dataset, reference (a
    mapping of metrics to points), reference_source, reference_pred, resamples, level, seed,
    policy. `beside` holds another prediction against the same gold. Both raise ResultsError, and
    this what `beside` raises.
    """
    assert entry.pair is not None and entry.facing is not None
    if format not in FORMATS:
        raise ResultsError(f"unknown format {format!r}; use one of {', '.join(FORMATS)}")
    pair: PairConfig = entry.facing.pair
    names = list(metrics or pair.metrics)
    references = dict(fields.get("reference", pair.reference))
    policy = str(fields.get("policy", pair.policy))
    board = _board(entry.pair, policy, [*names, *references])
    other = fields.get("reference_pred", pair.reference_pred)
    against = None
    if other is not None:
        against = _system(_board(beside(str(other)), policy, [*names, *references]))
    source = str(fields.get("reference_source", pair.reference_source))
    labels = Labels(
        component=str(fields.get("component", pair.component)),
        language=str(fields.get("language", pair.language)),
        dataset=str(fields.get("dataset", pair.dataset)),
        reference_source=source,
        reference_system=str((not references and source) or other or ""),
        references=references,
        signature=str(board.signature()),
        gold_sha256=gold_sha256,
        pred_sha256=entry.sha256(whole=True),
        task=entry.pair.task.name,
    )
    system, size = _system(board), entry.pair.size

    def made(told: Told) -> str:
        with _as_results_errors():
            table = rows(system, names, labels, size, _resampling(pair, fields), against, told=told)
        return FORMATS[format](table)

    return made


def comparison_of(
    entry: OpenDocument,
    other: Pair,
    metrics: Sequence[str] | None,
    fields: Mapping[str, Any],
) -> Callable[[Told], list[dict[str, Any]]]:
    """What says of each metric of a document and of another prediction of its gold how they differ.

    It tells how the draw gets on. Both raise ResultsError.
    """
    assert entry.pair is not None and entry.facing is not None
    pair = entry.facing.pair
    names = list(metrics or pair.metrics)
    policy = str(fields.get("policy", pair.policy))
    ours, theirs = (_system(_board(each, policy, names)) for each in (entry.pair, other))

    def made(told: Told) -> list[dict[str, Any]]:
        with _as_results_errors():
            table = compared(ours, theirs, names, _resampling(pair, fields), told=told)
        return [each.as_dict() for each in table]

    return made


def receipt_of(
    entry: OpenDocument, gold_sha256: str, fields: Mapping[str, Any]
) -> dict[str, object]:
    """The receipt of the evaluation of a document. Raises ResultsError."""
    assert entry.pair is not None and entry.facing is not None
    pair = entry.facing.pair
    board = _board(entry.pair, str(fields.get("policy", pair.policy)), ())
    figures = board.figures()
    texts: dict[str, Any] = {name: str(fields[name]) for name in FIELDS if name in fields}
    with _as_results_errors():
        made = Receipt(
            {name: None if each is None else each.as_dict() for name, each in figures.items()},
            str(board.signature()),
            gold_sha256,
            entry.sha256(whole=True),
            scorer_digest(),
            **{"treebank": pair.dataset, **texts},
        )
    return made.as_dict()


@contextmanager
def _as_results_errors() -> Iterator[None]:
    try:
        yield
    except UnknownMetric as error:
        raise NoSuchMetric(str(error)) from error
    except ValueError as error:
        raise ResultsError(str(error)) from error


@lru_cache(maxsize=1)
def scorer_digest() -> str:
    """The SHA-256 of the scoring code: of the name and bytes of each of its files, in order."""
    assert receipts.__file__ is not None
    folder = Path(receipts.__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py"), key=lambda path: path.relative_to(folder).parts):
        name = path.relative_to(folder).as_posix()
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def _board(pair: Pair, policy: str, names: Sequence[str]) -> Scoreboard:
    """The scoreboard under a policy. Raises ResultsError if the policy refuses the pair."""
    if policy == "official" and (causes := list(refusals(pair))):
        first = causes[0]
        document = (pair.gold, pair.pred)[first.side]
        starts = document.line_starts
        unit = min(max(first.unit, 0), len(starts) - 1)
        line = int(starts[unit]) + first.problem.place.line + 1
        where = f"{('gold', 'the prediction')[first.side]}, line {line}"
        more = f", and for {len(causes) - 1} more causes" if len(causes) > 1 else ""
        raise ResultsError(
            f"the official policy refuses this pair for {first.problem.code} ({where}){more}; "
            "repair it, or ask with the policy lenient"
        )
    strict = pair.task.name == "ud" and any(n.partition(".")[0] in ud.STRICT for n in names)
    return Scoreboard(pair, policy=policy, strict=strict)


def _system(board: Scoreboard) -> System:
    return System(board.figures(), board.pair.sample(), board.pair.task.name)


def _resampling(pair: PairConfig, fields: Mapping[str, Any]) -> Resampling:
    return Resampling(
        int(fields.get("resamples", pair.resamples)),
        float(fields.get("level", pair.level)),
        int(fields.get("seed", pair.seed)),
    )
