"""What stands above a file and above its sentences: how much of each is as in gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from goldlens.scoring.segment import Kind
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.views.figures import figures_of

_SENTENCES: Final = ("ud", "span")
"""The tasks whose units are sentences, each with a title of its own."""

_MAIN: Final = ("LAS", "UAS", "UPOS", "Micro", "Accuracy", "ROC-AUC", "UI", "OI")
_MOST: Final = 3
_SLIGHT: Final = 0.005
"""Points that two digits do not show."""

_UNCOMPARED: Final = {
    Kind.MISMATCH: "Not compared: the text differs from gold",
    Kind.EXTRA: "Not compared: gold has no such sentence",
    Kind.REPEATED: "Not compared: a sentence of this name stood before",
}


def has_titles(pair: Pair) -> bool:
    """Whether each unit of the prediction has a title."""
    return pair.task.name in _SENTENCES


def title_of(pair: Pair, unit: int) -> str:
    """The title of a unit of the prediction; empty where there is nothing to say.

    What is right all through says so; else there is the main figure, and each that is not full.
    """
    if not 0 <= unit < len(pair.pred.units):
        return ""
    segment = pair.pairing[pair.segment_of(PRED, unit)]
    if not segment.kind.compared:
        return _UNCOMPARED.get(segment.kind, "")
    figures = figures_of(pair, unit)
    if not any(figure.total or figure.predicted for figure in figures):
        return ""
    wrong = [f for f in figures if not f.correct == f.total == f.predicted]
    if not wrong:
        return f"{figures[0].said} · right"
    return " · ".join(f.said for f in figures if f is figures[0] or f in wrong)


def title_of_file(board: Mapping[str, Any]) -> str:
    """The title of a file: the main figures of a scoreboard, and how they changed since saving."""
    metrics: Mapping[str, Any] = board["metrics"] or {}
    changes: Mapping[str, float | None] = board["since_save"] or {}
    parts: list[str] = []
    for name in _MAIN:
        figure = metrics.get(name)
        points = None if figure is None else figure.get("f1", figure.get("value"))
        if points is not None and len(parts) < _MOST:
            change = changes.get(name)
            since = "" if not change or abs(change) < _SLIGHT else f" ({change:+.2f})"
            parts.append(f"{name} {points:.2f}{since}")
    return " · ".join(parts) or "No figures yet"
