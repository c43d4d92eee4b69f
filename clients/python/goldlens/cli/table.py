"""The table of a score: plain and aligned for files and pipes, set by rich for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unicodedata import is_normalized

from goldlens.scoring.counts import Count, Figure, Mean, Value

if TYPE_CHECKING:
    from rich.console import Console

UNDEFINED: Final = "n/a"
QUOTED: Final = "F1"
"""The figure that papers quote; it stands out."""

_LABELS: Final = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": QUOTED,
    "roc_auc": "ROC-AUC",
    "correct": "Correct",
    "gold": "Gold",
    "predicted": "Predicted",
}


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of texts under a header; the first column is names, the others are numbers."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def of_figures(figures: Mapping[str, Figure | None]) -> Grid:
    """A row for each metric: points to two decimals, items as whole numbers.

    Columns that none of the metrics has are left out, and a figure that is no precision and
    recall stands under Score.
    """
    plain = any(isinstance(figure, Value) for figure in figures.values())
    counted = any(isinstance(figure, Count | Mean) for figure in figures.values())
    plain = plain or not counted
    aligned = any(isinstance(f, Count) and f.aligned is not None for f in figures.values())
    quoted = ("Score",) if plain else (QUOTED,)
    header = ("Metric", *(("Precision", "Recall") if counted else ()), *quoted)
    header += ("Aligned acc.",) if aligned else ()
    header += ("Correct", "Gold", "Predicted") if counted else ()
    return Grid(header, tuple(_row(name, header, figure) for name, figure in figures.items()))


def _row(name: str, header: Sequence[str], figure: Figure | None) -> tuple[str, ...]:
    cells: dict[str, str] = {"Metric": name}
    match figure:
        case Count():
            cells |= {
                "Precision": points(figure.precision),
                "Recall": points(figure.recall),
                "Aligned acc.": points(figure.aligned_accuracy),
                "Correct": str(figure.correct),
                "Gold": str(figure.gold),
                "Predicted": str(figure.predicted),
            }
        case Mean():
            cells |= {"Precision": points(figure.precision), "Recall": points(figure.recall)}
    score = points(None if figure is None else figure.score)
    cells |= {QUOTED: score, "Score": score}
    return tuple(cells.get(column, UNDEFINED) for column in header)


def of_labels(labels: Mapping[str, Mapping[str, float | int | None]]) -> Grid:
    """A row for each label."""
    keys = [k for k in _LABELS if any(row.get(k) is not None for row in labels.values())]
    rows = tuple(
        (_named(label), *(_cell(figures.get(key)) for key in keys))
        for label, figures in labels.items()
    )
    return Grid(("Label", *(_LABELS[key] for key in keys)), rows)


def _named(label: str) -> str:
    """A label, spelt out if two that differ could look the same, or it would break the table."""
    plain = label.isprintable() and is_normalized("NFC", label)
    return label if plain else ascii(label)[1:-1]


def _cell(value: float | int | None) -> str:
    return str(value) if type(value) is int else points(value)


def points(value: float | None) -> str:
    """A figure to two decimals."""
    return UNDEFINED if value is None else f"{value:.2f}"


def plain(grid: Grid) -> str:
    """The table as text: names to the left, numbers to the right, two spaces between."""
    rows = [grid.header, *grid.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(grid.header))]
    lines = []
    for row in rows:
        first, *numbers = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *numbers]))
    return "\n".join(lines) + "\n"


def show(console: Console, grid: Grid, title: str) -> None:
    """Prints the table on a terminal."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, 1, 0, 0)
    for column, name in enumerate(grid.header):
        table.add_column(
            name,
            justify="right" if column else "left",
            style="bold" if name in (QUOTED, "Score") else "",
            min_width=max(len(row[column]) for row in (grid.header, *grid.rows)),
            no_wrap=True,
        )
    for row in grid.rows:
        table.add_row(*(Text(cell, style="dim" if cell == UNDEFINED else "") for cell in row))
    # A figure is never cut short: on a terminal too narrow lines run on instead.
    console.print(table, crop=False, no_wrap=True, overflow="ignore")
