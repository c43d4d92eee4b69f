"""Systems and rows that can be counted by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from goldlens.scoring.counts import Count, Figure, Value
from goldlens.scoring.results.rows import Labels, Row, rows
from goldlens.scoring.results.systems import System
from goldlens.scoring.sample import Sample, f1, ratio

LABELS = Labels(component="parser", language="en", dataset="EWT test", task="ud")


def system(counts: list[list[int]] | None = None, task: str = "ud") -> System:
    """A system with correct, gold and predicted items of each unit as its LAS (Micro of spans)."""
    counts = counts or [[3, 4, 4]] * 5
    array = np.array(counts, np.int64).reshape(-1, 3)
    name = "Micro" if task == "span" else "LAS"
    figures: dict[str, Figure | None] = {
        name: Count(*(int(x) for x in array.sum(axis=0))),
        "ELAS": None,
        "F0.5": Value(12.5),
    }
    statistics = {
        name: f1(0, 1, 2),
        f"{name}.precision": ratio(0, 2),
        f"{name}.recall": ratio(0, 1),
    }
    return System(figures, Sample(array, {**statistics, "ELAS": f1(0, 1, 2)}), task)


def row(metric: str = "LAS", **labels: object) -> Row:
    """One row of `system`, with other labels."""
    return rows(system(), [metric], replace(LABELS, **labels), 5)[0]  # type: ignore[arg-type]
