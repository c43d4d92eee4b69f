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
    """The format of configuration files: what is needed to keep one as a document."""

    name: str = "config"
    fact_names: tuple[str, ...] = ("files",)

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
