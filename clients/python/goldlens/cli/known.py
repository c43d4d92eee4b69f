"""The data sets that a command knows by name: those shipped, and those of a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from goldlens.cli.batching.pairs import shown
from goldlens.cli.lines import Located, Trouble, Troubles
from goldlens.server.config import DATA, find, parse
from goldlens.server.datasets import cached, registry
from goldlens.server.datasets.registry import Entry
from goldlens.server.sources import Unreadable, read


@dataclass(frozen=True, slots=True)
class Known:
    """Data sets by name, and what is wrong with those of the configuration."""

    entries: Mapping[str, Entry]
    troubles: tuple[Trouble, ...] = ()

    def named(self, name: str) -> Entry:
        """The data set of a name, `data:` before it or not. Raises Trouble and Troubles."""
        name = name.removeprefix(DATA)
        if name in self.entries:
            return self.entries[name]
        self.require_right()
        raise Trouble(f"{DATA}{name}", "data", registry.unknown(name, self.entries))

    def require_right(self) -> None:
        """Raises Troubles if the configuration's data sets are wrong: one may be the wanted one."""
        if self.troubles:
            raise Troubles(self.troubles)


def known() -> Known:
    """The data sets that have a name in the current folder.

    Raises Trouble if the configuration that holds there cannot be read.
    """
    path = find(Path.cwd(), None)
    if path is None:
        return Known(registry.shipped())
    try:
        text = read(path).decode("utf-8", "replace").removeprefix("\ufeff")
    except Unreadable as error:
        raise Trouble(str(path), "file", str(error)) from error
    config = parse(text, path)
    troubles = [Located(shown(str(path)), each, text.encode()) for each in config.dataset_problems]
    return Known(config.known, tuple(troubles))


def place(given: str, *, gold: bool = False) -> Path:
    """Where the data set `data:NAME` lies; only of a gold, if so. Raises Trouble and Troubles."""
    entry = known().named(given)
    said = (registry.no_gold(entry) if gold else None) or cached.trouble(entry)
    if said is not None:
        raise Trouble(given, "data", said)
    return cached.place(entry)
