"""The one object in which a score is told: by the command line, the language server, scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goldlens.scoring.counts import Figure


def board(
    task: str,
    signature: object,
    gold: Mapping[str, object],
    pred: Mapping[str, object],
    figures: Mapping[str, Figure | None] | None,
    covered: Mapping[str, object],
    would_refuse: Sequence[Mapping[str, object]],
    labels: Mapping[str, object] | None = None,
    skipped: Sequence[str] = (),
) -> dict[str, object]:
    """The object. `gold` and `pred` say which files; `figures` is None if the pair is refused."""
    metrics = None
    if figures is not None:
        metrics = {name: None if f is None else f.as_dict() for name, f in figures.items()}
    return {
        "task": task,
        "signature": str(signature),
        "gold": dict(gold),
        "pred": dict(pred),
        "metrics": metrics,
        "labels": dict(labels or {}),
        "skipped": list(skipped),
        "covered": dict(covered),
        "would_refuse": list(would_refuse),
    }
