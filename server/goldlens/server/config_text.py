"""A configuration file as a document: one block, whose problems are the configuration's."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldlens.scoring.conllu.blocks import count_lines
from goldlens.scoring.problems import Place, Problem
from goldlens.server.config import Config, parse


@dataclass(frozen=True, slots=True)
class ConfigText:
    """The text of a configuration file, parsed."""

    text: bytes
    config: Config
    glued: bool = False
    last: bool = True

    @property
    def lines(self) -> int:
        """How many lines end in the text."""
        return count_lines(self.text)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The configuration's problems."""
        return self.config.problems


class Configuration:
    """What an engine needs to keep a configuration file as a document; it is never compared."""

    name: str = "config"
    width: int = 0
    fact_names: tuple[str, ...] = ("files",)
    codes: tuple[str, ...] = ()

    def __init__(self, path: Path) -> None:
        self.path = path

    def split(self, text: bytes) -> list[bytes]:
        """The whole text."""
        return [text] if text else []

    def is_closed(self, block: bytes) -> bool:
        """Never: every edit concerns the whole."""
        return False

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
    ) -> list[ConfigText]:
        """The parsed configuration."""
        return [
            ConfigText(text, parse(text.decode("utf-8", "replace"), self.path)) for text in blocks
        ]

    def facts(self, unit: Any) -> tuple[int, ...]:
        """One file."""
        return (1,)

    def key(self, unit: Any) -> Hashable | None:
        """None: nothing is named."""
        return None

    duplicate_code: str = "config-key"

    def key_place(self, unit: Any) -> Place:
        """The start: nothing is named."""
        return Place(0, 0, 0, 0)

    def duplicate(self, key: Hashable, place: Place, first: Place) -> Problem:
        """Raises TypeError: a configuration names nothing."""
        raise TypeError("a configuration names nothing")

    def pair(self, gold: Sequence[Any], pred: Sequence[Any], match: str) -> Any:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")

    def open_both(self, gold: bytes, pred: bytes) -> Any:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")

    def compare(
        self,
        gold: Sequence[Any],
        pred: Sequence[Any],
        segments: Sequence[Any],
        known: Any = None,
    ) -> Any:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")

    def tallies(self, gold: Any, pred: Any, segments: Any, counts: Any) -> Any:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")

    def problems(self, gold: Any, pred: Any, segment: Any, offset: int) -> list[Problem]:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")

    def problems_of_many(self, gold: Any, pred: Any, segments: Any) -> list[list[Problem]]:
        """Raises TypeError: a configuration has no gold."""
        raise TypeError("a configuration has no gold")
