"""The table of a score: plain and aligned for files and pipes, set by rich for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from goldlens.scoring.counts import Count

if TYPE_CHECKING:
    from rich.console import Console

HEADER: Final = (
    "Metric", "Precision", "Recall", "F1", "Aligned acc.", "Correct", "Gold", "Predicted",
)  # fmt: skip
UNDEFINED: Final = "n/a"


def plain(figures: Mapping[str, Count | None]) -> str:
    """The table as text: names to the left, numbers to the right, two spaces between."""
    rows = [HEADER, *cells(figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    lines = []
    for row in rows:
        first, *numbers = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join([first, *numbers]))
    return "\n".join(lines) + "\n"


def show(console: Console, figures: Mapping[str, Count | None], title: str) -> None:
    """Prints the table on a terminal; F1, the figure that papers quote, stands out."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    rows = cells(figures)
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.padding = (0, 1, 0, 0)
    for column, name in enumerate(HEADER):
        table.add_column(
            name,
            justify="right" if column else "left",
            style="bold" if name == "F1" else "",
            min_width=max(len(row[column]) for row in (HEADER, *rows)),
            no_wrap=True,
        )
    for row in rows:
        table.add_row(*(Text(cell, style="dim" if cell == UNDEFINED else "") for cell in row))
    # A figure is never cut short: on a terminal too narrow lines run on instead.
    console.print(table, crop=False, no_wrap=True, overflow="ignore")


def cells(figures: Mapping[str, Count | None]) -> list[tuple[str, ...]]:
    """A row of texts for each metric: points to two decimals, items as whole numbers."""
    rows = []
    for name, count in figures.items():
        if count is None:
            rows.append((name, *[UNDEFINED] * (len(HEADER) - 1)))
            continue
        aligned = count.aligned_accuracy
        points = (count.precision, count.recall, count.f1)
        items = (count.correct, count.gold, count.predicted)
        rows.append(
            (
                name,
                *(f"{figure:.2f}" for figure in points),
                UNDEFINED if aligned is None else f"{aligned:.2f}",
                *map(str, items),
            )
        )
    return rows
