"""The plots of a report, as SVG that takes its colours from the page around it.

Drawn by matplotlib (the extra `plot`), with its object interface: no global state, no screen.
Texts stay texts, so that the reader's browser sets them, right-to-left scripts too.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, GOLD, PRED, WRONG = "#010101", "#020202", "#030303", "#040404", "#050505"
"""Stand-ins for the colours that the page's style sheet has."""

_COLOURS: Final = {
    INK: "var(--ink)",
    FAINT: "var(--faint)",
    GOLD: "var(--gold)",
    PRED: "var(--pred)",
    WRONG: "var(--wrong)",
}

_STYLE: Final[Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "goldlens",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.transparent": True,
}
_INCH: Final = 72.0
_LONGEST: Final = 40
"""Characters of a name that are shown; a longer one would leave no room for the plot."""


class NoPlots(RuntimeError):
    """matplotlib is not installed. `str` says what to do."""

    def __init__(self) -> None:
        super().__init__("plots need matplotlib: pip install 'goldlens[plot]'")


@dataclass(frozen=True, slots=True)
class Point:
    """A figure with its interval, in points."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure of a group, in points, and of how many items it is."""

    name: str
    value: float
    size: int


@dataclass(frozen=True, slots=True)
class Bars:
    """A figure by group; `label` says what the figure is."""

    label: str
    groups: Sequence[Bar]


@dataclass(frozen=True, slots=True)
class Matrix:
    """How often each label of gold (rows) was predicted as each (columns)."""

    labels: Sequence[str]
    counts: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Curve:
    """Of each bin its mean confidence and its accuracy, both in points, and its cells."""

    bins: Sequence[tuple[float, float, int]]


def intervals(points: Sequence[Point]) -> str:
    """Figures as dots, with their intervals as lines."""
    figure, axes = _figure(620, 40 + 24 * len(points))
    for row, point in enumerate(points):
        axes.plot([point.low, point.high], [row, row], color=PRED, linewidth=2.4)
        axes.plot([point.value], [row], "o", color=INK, markersize=5)
    _names(axes, [point.name for point in points])
    axes.set_xlabel("points")
    axes.grid(axis="x", color=FAINT, linewidth=0.5, alpha=0.5)
    return _svg(figure, "scores")


def bars(drawing: Bars, name: str) -> str:
    """A figure by group; the size of each group stands at its end."""
    figure, axes = _figure(620, 48 + 22 * len(drawing.groups))
    for row, group in enumerate(drawing.groups):
        axes.barh(row, group.value, height=0.66, color=PRED, alpha=0.75)
        said = f"{group.value:.1f}  ({group.size:,})"
        axes.annotate(
            said,
            (group.value, row),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=INK,
        )
    _names(axes, [group.name for group in drawing.groups])
    axes.set_xlim(0, 118)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel(drawing.label)
    return _svg(figure, name)


def matrix(table: Matrix, name: str) -> str:
    """Confusions: what is right by its share of gold's label, what is wrong by that of its errors.

    The larger the share, the stronger the colour.
    """
    size, names = len(table.labels), list(map(_shown, table.labels))
    beside = max(120, 50 + 8 * max(map(len, names)))
    figure, axes = _figure(beside + 23 * size, beside + 22 * size)
    for row, counts in enumerate(table.counts):
        whole = sum(counts)
        errors = whole - counts[row]
        for column, count in enumerate(counts):
            if not count:
                continue
            colour, of = (GOLD, whole) if row == column else (WRONG, errors)
            # They stand inside: the layout, which would measure each, need not ask them.
            cell = axes.add_patch(_rectangle(column, row, colour, 0.05 + 0.65 * count / of))
            cell.set_in_layout(False)
            said = f"{count / 1000:.0f}k" if count >= 10_000 else str(count)
            text = axes.text(column, row, said, ha="center", va="center", fontsize=7.5, color=INK)
            text.set_in_layout(False)
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_xticks(range(size), names, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(size), names)
    axes.tick_params(length=0, labelsize=9)
    axes.set_xlabel("predicted")
    axes.set_ylabel("gold")
    for spine in axes.spines.values():
        spine.set_visible(False)
    return _svg(figure, name)


def curve(drawing: Curve, name: str) -> str:
    """Accuracy by confidence, beside the line on which both are the same."""
    figure, axes = _figure(460, 380)
    axes.plot([0, 100], [0, 100], color=FAINT, linewidth=1, linestyle="--")
    axes.plot([x for x, _, _ in drawing.bins], [y for _, y, _ in drawing.bins], "o-", color=PRED)
    for x, y, size in drawing.bins:
        axes.annotate(
            f"{size:,}",
            (x, y),
            (0, -13),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=INK,
        )
    axes.set_xlim(0, 104)
    axes.set_ylim(0, 104)
    axes.set_xlabel("mean confidence of a bin, points")
    axes.set_ylabel("accuracy, points")
    return _svg(figure, name)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of a size in pixels. Raises NoPlots."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise NoPlots from error
    with rc_context(_STYLE):
        figure = Figure(figsize=(width / _INCH, height / _INCH), layout="constrained")
        return figure, figure.add_subplot()


def _rectangle(column: int, row: int, colour: str, alpha: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=colour, alpha=alpha, linewidth=0)


def _shown(name: str) -> str:
    """A name as matplotlib is to be given it: not too long, and no formula."""
    short = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
    return short.replace("$", r"\$")


def _names(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), list(map(_shown, names)))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def _svg(figure: Figure, name: str) -> str:
    """The figure as an element of the page: its own names, the page's colours."""
    from matplotlib import rc_context

    out = StringIO()
    # The reader's browser has the letters that the font here may lack.
    warnings.filterwarnings("ignore", r"Glyph \d+ .* missing", UserWarning)
    with rc_context(_STYLE):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r'\bid="', f'id="{name}-', text)
    text = text.replace("url(#", f"url(#{name}-").replace('xlink:href="#', f'href="#{name}-')
    text = re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)
    # Its style would hold for all of the page, and the page has a font.
    text = re.sub(r"<style.*?</style>", "", text, flags=re.S)
    text = re.sub(r"font-family: [^;\"]*; ?", "", text)
    text = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font-size: \1", text)
    for stand_in, colour in _COLOURS.items():
        text = text.replace(stand_in, colour)
    return text.replace("<svg ", '<svg aria-hidden="true" ', 1)
