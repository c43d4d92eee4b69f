"""Rows made of answers: what a batch's pairs say of themselves goes with the figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from goldlens.cli.batching.pairs import PUBLISHED, SYSTEM, Wanted
from goldlens.cli.batching.work import Answer
from goldlens.scoring.bootstrap import Interval, Resampling
from goldlens.scoring.results.rows import Labels, Row


@dataclass(frozen=True, slots=True)
class Recorded(Row):
    """A row computed elsewhere, or some time ago.

    The record, as JSON has it, says by which versions, and has figures for which there is no
    `figure` here.
    """

    record: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """All fields, as they were computed."""
        return dict(self.record)


def rows_of(wanted: Wanted, answer: Answer) -> list[Recorded]:
    """The rows of a pair."""
    return [_row(wanted, record, answer.task) for record in answer.rows]


def _row(wanted: Wanted, record: Mapping[str, Any], task: str) -> Recorded:
    names = dict(zip((PUBLISHED, SYSTEM), wanted.sources, strict=True))
    source = names.get(record["reference_source"], "")
    labels = Labels(
        wanted.component,
        wanted.language,
        wanted.dataset,
        source,
        signature=record["signature"],
        gold_sha256=record["gold_sha256"],
        pred_sha256=record["pred_sha256"],
        task=task,
    )
    said = {
        "component": wanted.component,
        "language": wanted.language,
        "dataset": wanted.dataset,
        "reference_source": source,
    }
    return Recorded(
        labels,
        record["metric"],
        record["score"],
        _interval(record["ci"]),
        None,
        record["reference"],
        _interval(record["reference_ci"]),
        None,
        Resampling(record["resamples"], record["level"], record["seed"]),
        record["units"],
        {**record, **said},
    )


def _interval(bounds: list[float] | None) -> Interval | None:
    return None if bounds is None else Interval(*bounds)
