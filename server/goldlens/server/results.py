"""Results rows of an open document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from goldlens.scoring.bootstrap import Resampling
from goldlens.scoring.rows import Labels, rows
from goldlens.scoring.rows_formats import FORMATS
from goldlens.scoring.systems import System
from goldlens.scoring.ud import metrics as ud
from goldlens.server.buffers import OpenDocument
from goldlens.server.config import PairConfig
from goldlens.server.engine.scoreboard import Scoreboard


class RowsError(Exception):
    """Rows cannot be made. `str` says why and what to do."""


def rows_of(
    entry: OpenDocument,
    gold_sha256: str,
    format: str,
    metrics: Sequence[str] | None,
    fields: Mapping[str, Any],
) -> str:
    """The rows of a document that faces gold, as text.

    `fields` override what the configuration says: component, language, dataset, reference (a
    mapping of metrics to points), reference_source, resamples, level, seed. Raises RowsError.
    """
    assert entry.pair is not None and entry.facing is not None
    if format not in FORMATS:
        raise RowsError(f"unknown format {format!r}; use one of {', '.join(FORMATS)}")
    pair: PairConfig = entry.facing.pair
    names = list(metrics or pair.metrics)
    references = dict(fields.get("reference", pair.reference))
    asked = {name.partition(".")[0] for name in [*names, *references]}
    board = Scoreboard(entry.pair, strict=bool(asked.intersection(ud.STRICT)))
    labels = Labels(
        component=str(fields.get("component", pair.component)),
        language=str(fields.get("language", pair.language)),
        dataset=str(fields.get("dataset", pair.dataset)),
        reference_source=str(fields.get("reference_source", pair.reference_source)),
        references=references,
        signature=str(board.signature()),
        gold_sha256=gold_sha256,
        pred_sha256=entry.sha256(whole=True),
        task=entry.pair.task.name,
    )
    system = System(board.figures(), entry.pair.sample(), entry.pair.task.name)
    try:
        resampling = Resampling(
            int(fields.get("resamples", pair.resamples)),
            float(fields.get("level", pair.level)),
            int(fields.get("seed", pair.seed)),
        )
        table = rows(system, names, labels, int(entry.pair.gold.facts[0]), resampling)
    except ValueError as error:
        raise RowsError(str(error)) from error
    return FORMATS[format](table)
