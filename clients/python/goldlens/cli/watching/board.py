"""The live table of all systems, for a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from goldlens.cli.lines import counted, one_line
from goldlens.cli.table import points
from goldlens.cli.watch import COLUMNS
from goldlens.cli.watching import said
from goldlens.server.history import History
from goldlens.server.noted import history_key
from goldlens.server.system import System
from goldlens.server.systems import Systems

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_PLAIN: Final = "_.,-~=*#"
_TREND: Final = 16
"""How many versions a trend shows."""

_NAMES: Final = 24
_AROUND: Final = 2
_HEAD: Final = 3
"""Lines that are no systems: of the screen, and of each table."""

_GAP: Final = 2
"""Columns of the terminal between two of the table."""

_TROUBLES: Final = 4
"""How many systems that are in trouble are told of at length."""

_SPARE: Final = ("warn.", "changed", "data", "trend", "start")
"""What a narrow terminal does without, in this order."""


def spark(values: Sequence[float | None], blocks: str = _BLOCKS) -> str:
    """Numbers as bars, from the least of them to the greatest; a space for an undefined one."""
    known = [value for value in values if value is not None]
    if not known:
        return ""
    low, high = min(known), max(known)
    middle = len(blocks) // 2 - 1

    def bar(value: float) -> str:
        if high == low:
            return blocks[middle]
        return blocks[round((value - low) / (high - low) * (len(blocks) - 1))]

    return "".join(" " if value is None else bar(value) for value in values)


@dataclass(slots=True)
class _Column:
    """A column: its name, its cells, and how wide it may be (0: as wide as they are)."""

    name: str
    cells: Sequence[Text]
    most: int = 0
    right: bool = False

    @property
    def width(self) -> int:
        """How wide it is."""
        width = max(cell_len(text) for text in (self.name, *(cell.plain for cell in self.cells)))
        return min(width, self.most) if self.most else width


@dataclass(slots=True)
class Board:
    """The table, in an order that keys change.

    `sort` is one of `columns`: "file" is the order of the configuration and of paths, a name of a
    metric puts the best first.
    """

    systems: Systems
    history: History
    sort: str = "file"
    reverse: bool = False

    @property
    def metrics(self) -> list[str]:
        """The metrics of all systems, each once."""
        names = (name for system in self.systems.all for name in said.shown_metrics(system))
        return list(dict.fromkeys(names))

    @property
    def columns(self) -> list[str]:
        """What the table can be sorted by."""
        return [*COLUMNS[:3], *self.metrics, *COLUMNS[3:]]

    def next_sort(self) -> None:
        """Sorts by the next column."""
        columns = self.columns
        at = columns.index(self.sort) if self.sort in columns else -1
        self.sort = columns[(at + 1) % len(columns)]

    def sorted(self) -> list[System]:
        """The systems in order; those that have nothing to be sorted by come last."""
        every = self.systems.all
        if self.sort == "file":
            return every[::-1] if self.reverse else every
        known = [(value, s) for s in every if (value := self._value(s)) is not None]
        # What is better, or newer, or worse off, comes first; names go from A to Z.
        downwards = self.sort not in COLUMNS[:3]
        known.sort(key=lambda pair: pair[0], reverse=downwards != self.reverse)
        found = [system for _, system in known]
        return found + [system for system in every if system not in found]

    def _value(self, system: System) -> Any:
        match self.sort:
            case "system":
                return system.name
            case "data":
                return said.data_of(system), system.name
            case "changed":
                return system.at
            case "errors":
                return None if system.score is None else system.score.errors
            case "warnings":
                return None if system.score is None else system.score.warnings
            case _:
                return said.value(system.score, self.sort)

    def render(self, console: Console, *, keys: bool, whole: bool = False) -> RenderableType:
        """The tables as they are now; as much as the terminal holds, or the `whole`."""
        every = self.sorted()
        room = sys.maxsize if whole else console.height - _AROUND
        room -= min(_TROUBLES, sum(bool(trouble_of(system)) for system in every))
        parts: list[RenderableType] = [Text(self._title(every), style="bold", no_wrap=True)]
        if news := self._said():
            parts.append(Text(news, style="yellow", no_wrap=True, overflow="ellipsis"))
            room -= 1
        left, shown = [], 0
        for metrics, systems in self._groups(every):
            room -= _HEAD
            if room <= 0 and shown:
                break
            systems = systems[: max(1, room)]
            # What is sorted by comes first, as what there is always room for.
            metrics = tuple(sorted(metrics, key=lambda name: name != self.sort))
            table, fit = self._widest(systems, metrics, console)
            parts += [Text(""), table]
            left += [name for name in metrics[fit:] if name not in left]
            shown, room = shown + len(systems), room - len(systems)
        for system in [system for system in every if trouble_of(system)][:_TROUBLES]:
            text = one_line(f"! {said.label(system)}: {trouble_of(system)}")
            parts.append(Text(text, style="yellow", no_wrap=True, overflow="ellipsis"))
        below = [f"sorted by {self.sort}{', reversed' if self.reverse else ''}"]
        if keys:
            below.append("s next column, r reverse, q quit")
        if shown < len(every):
            below.append(f"{counted(len(every) - shown, 'more system')} below")
        if left:
            below.append(f"no room for {', '.join(left)}")
        parts.append(Text("; ".join(below), style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*parts)

    def _groups(self, systems: Iterable[System]) -> list[tuple[tuple[str, ...], list[System]]]:
        """Systems of the same metrics stand in one table, in the order of the configuration."""
        groups: dict[tuple[str, ...], list[System]] = {
            said.shown_metrics(system): [] for system in self.systems.all
        }
        for system in systems:
            groups[said.shown_metrics(system)].append(system)
        return list(groups.items())

    def _title(self, every: Sequence[System]) -> str:
        where = self.systems.config.path if self.systems.config else self.systems.path
        troubled = sum(system.trouble is not None for system in every)
        title = f"{counted(len(every), 'system')} of {where}"
        return one_line(f"{title}, {troubled} in trouble" if troubled else title)

    def _said(self) -> str:
        if self.systems.trouble:
            return one_line(self.systems.trouble)
        if not self.systems.all:
            return "There is no prediction yet that faces a gold; the first will show here."
        return ""

    def _widest(
        self, systems: Sequence[System], metrics: Sequence[str], console: Console
    ) -> tuple[Table, int]:
        """The table with as much as there is room for, and how many of the metrics it has.

        Where one metric is too much with all the rest, the rest goes, from `_SPARE` on.
        """
        plain = console.options.ascii_only
        fit, left_out = len(metrics), 0
        while True:
            columns = self._columns(systems, metrics[:fit], plain=plain)
            columns = [c for c in columns if c.name not in _SPARE[:left_out]]
            if sum(column.width + _GAP for column in columns) <= console.width + _GAP:
                break
            if fit > 1:
                fit -= 1
            elif left_out < len(_SPARE):
                left_out += 1
            else:
                break
        table = Table(box=box.ASCII if plain else box.SIMPLE_HEAD, pad_edge=False)
        table.padding, table.show_edge = (0, 1, 0, 0), False
        for column in columns:
            table.add_column(
                column.name,
                justify="right" if column.right else "left",
                no_wrap=True,
                overflow="ellipsis",
                min_width=column.width,
                max_width=column.width,
            )
        rows = zip(*(column.cells for column in columns), strict=True)
        for system, cells in zip(systems, rows, strict=True):
            table.add_row(*cells, style="dim" if system.trouble else "")
        return table, fit

    def _columns(
        self, systems: Sequence[System], metrics: Sequence[str], *, plain: bool
    ) -> list[_Column]:
        """All columns of a table of these metrics."""
        mark = {True: "! ", False: "  "} if any(map(trouble_of, systems)) else {False: ""}
        names = [mark[bool(trouble_of(system))] + one_line(system.name) for system in systems]
        columns = [_Column("system", [Text(name) for name in names], _NAMES)]
        if any(map(said.data_of, systems)):
            data = [Text(one_line(said.data_of(system))) for system in systems]
            columns.append(_Column("data", data, _NAMES))
        for name in metrics:
            scores = [_points(said.value(system.score, name)) for system in systems]
            columns.append(_Column(name, [Text(x, style="bold") for x in scores], right=True))
            for when in ("start", "last"):
                changes = [_change(self._since(s, when, name), plain=plain) for s in systems]
                columns.append(_Column(when, changes, right=True))
        trends = [Text(self._trend(system, metrics, plain=plain)) for system in systems]
        columns.append(_Column("trend", trends))
        known = [system.score for system in systems]
        errors = [Text(str(score.errors) if score else "") for score in known]
        warnings = [Text(str(score.warnings) if score else "") for score in known]
        columns += [_Column("errors", errors, right=True), _Column("warn.", warnings, right=True)]
        columns.append(_Column("changed", [Text(said.clock(system.at)) for system in systems]))
        return columns

    def _since(self, system: System, when: str, metric: str) -> float | None:
        before = system.start if when == "start" else system.before
        return said.change(system.score, before, metric)

    def _trend(self, system: System, metrics: Sequence[str], *, plain: bool) -> str:
        """The first metric over the versions that were scored."""
        if not metrics:
            return ""
        scored = self.history.of(*history_key(system))[-_TREND:]
        values = [each.scores.get(metrics[0]) for each in scored]
        return spark(values, _PLAIN if plain else _BLOCKS)


def trouble_of(system: System) -> str:
    """What is wrong with a system, or with the score it has."""
    if system.trouble:
        return f"stale, {system.trouble}" if system.score else system.trouble
    refused = system.score is not None and system.score.refused
    return "refused by the official policy" if refused else ""


def _points(value: float | None) -> str:
    return "" if value is None else points(value)


def _change(delta: float | None, *, plain: bool) -> Text:
    """A change in points: an arrow, a sign and a colour all say which way it went."""
    if delta is None:
        return Text("")
    shown = f"{delta:+.2f}"
    if float(shown) == 0:
        return Text("=", style="dim")
    arrow = "" if plain else "▲" if delta > 0 else "▼"
    return Text(f"{arrow}{shown}", style="green" if delta > 0 else "red")
