"""The live table of all systems, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from goldlens.cli import watch_said as said
from goldlens.cli.lines import counted, one_line
from goldlens.cli.table import points
from goldlens.cli.watch_lines import history_key
from goldlens.server.history import History
from goldlens.server.system import System
from goldlens.server.systems import Systems

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_PLAIN: Final = "_.,-~=*#"
_TREND: Final = 16
"""How many versions a trend shows."""

_FIXED: Final = ("file", "system", "data", "errors", "warnings", "changed")
_NAMES: Final = 24
_AROUND: Final = 6
"""Lines of the screen that are no systems."""


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
        return [*_FIXED[:3], *self.metrics, *_FIXED[3:]]

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
        downwards = self.sort not in _FIXED[:3]
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
        """The table as it is now; as much as the terminal holds, or the `whole`."""
        every = self.sorted()
        height = len(every) if whole else max(1, console.height - _AROUND - bool(self._said()))
        metrics = self.metrics
        fit = self._fit(metrics, console.width)
        table = self._table(every[:height], metrics[:fit], console)
        below = [f"sorted by {self.sort}{', reversed' if self.reverse else ''}"]
        if keys:
            below.append("s next column, r reverse, q quit")
        if len(every) > height:
            below.append(f"{counted(len(every) - height, 'more system')} below")
        if fit < len(metrics):
            below.append(f"no room for {', '.join(metrics[fit:])}")
        parts: list[RenderableType] = [Text(self._title(every), style="bold", no_wrap=True)]
        if self._said():
            parts.append(Text(self._said(), style="yellow", no_wrap=True, overflow="ellipsis"))
        parts += [table, Text("; ".join(below), style="dim", no_wrap=True, overflow="ellipsis")]
        return Group(*parts)

    def _title(self, every: Sequence[System]) -> str:
        where = self.systems.config.path if self.systems.config else self.systems.path
        troubled = sum(system.trouble is not None for system in every)
        said = f"{counted(len(every), 'system')} of {where}"
        return one_line(f"{said}, {troubled} in trouble" if troubled else said)

    def _said(self) -> str:
        if self.systems.trouble:
            return one_line(self.systems.trouble)
        if not self.systems.all:
            return "There is no prediction yet that faces a gold; the first will show here."
        return ""

    def _fit(self, metrics: Sequence[str], width: int) -> int:
        """How many metrics there is room for, one at least."""
        names = max((len(system.name) for system in self.systems.all), default=6)
        data = max((len(said.data_of(system)) for system in self.systems.all), default=0)
        trouble = any(self._trouble(system) for system in self.systems.all)
        taken = min(names, _NAMES) + min(data, _NAMES) + _TREND + 24 + 20 * trouble
        return max(1, min(len(metrics), (width - taken) // 27))

    def _table(self, systems: Iterable[System], metrics: Sequence[str], console: Console) -> Table:
        ascii_only = console.options.ascii_only
        table = Table(box=box.ASCII if ascii_only else box.SIMPLE_HEAD, pad_edge=False)
        every = list(systems)
        data = any(said.data_of(system) for system in every)
        trouble = any(self._trouble(system) for system in every)
        table.add_column("system", no_wrap=True, overflow="ellipsis", max_width=_NAMES)
        if data:
            table.add_column("data", no_wrap=True, overflow="ellipsis", max_width=_NAMES)
        for name in metrics:
            table.add_column(name, justify="right", no_wrap=True, style="bold")
            table.add_column("start", justify="right", no_wrap=True)
            table.add_column("last", justify="right", no_wrap=True)
        table.add_column("trend", no_wrap=True)
        table.add_column("errors", justify="right", no_wrap=True)
        table.add_column("warn.", justify="right", no_wrap=True)
        table.add_column("changed", no_wrap=True)
        if trouble:
            table.add_column("trouble", no_wrap=True, overflow="ellipsis", ratio=1)
        for system in every:
            score, stale = system.score, system.trouble is not None
            cells: list[Text] = [Text(one_line(system.name))]
            if data:
                cells.append(Text(one_line(said.data_of(system))))
            for name in metrics:
                value = said.value(score, name)
                cells.append(Text("" if value is None else points(value)))
                for before in (system.start, system.before):
                    cells.append(_change(said.change(score, before, name), plain=ascii_only))
            own = [name for name in said.shown_metrics(system) if name in metrics][:1]
            cells.append(Text(self._trend(system, own[0], ascii_only) if own else ""))
            cells.append(Text(str(score.errors) if score else ""))
            cells.append(Text(str(score.warnings) if score else ""))
            cells.append(Text(said.clock(system.at) if system.at else ""))
            if trouble:
                cells.append(Text(one_line(self._trouble(system)), style="yellow"))
            table.add_row(*cells, style="dim" if stale else "")
        return table

    def _trouble(self, system: System) -> str:
        if system.trouble:
            return f"stale: {system.trouble}" if system.score else system.trouble
        refused = system.score is not None and system.score.refused
        return "refused by the official policy" if refused else ""

    def _trend(self, system: System, metric: str, ascii_only: bool) -> str:
        scored = self.history.of(*history_key(system))[-_TREND:]
        values = [each.scores.get(metric) for each in scored]
        return spark(values, _PLAIN if ascii_only else _BLOCKS)


def _change(delta: float | None, *, plain: bool) -> Text:
    """A change in points: an arrow, a sign and a colour all say which way it went."""
    if delta is None:
        return Text("")
    shown = f"{delta:+.2f}"
    if float(shown) == 0:
        return Text("=", style="dim")
    arrow = "" if plain else "▲" if delta > 0 else "▼"
    return Text(f"{arrow}{shown}", style="green" if delta > 0 else "red")
