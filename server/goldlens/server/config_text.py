"""A configuration file as a document: one block, whose problems are the configuration's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goldlens.server.config import parse
from goldlens.server.plain import Plain, PlainText


@dataclass(frozen=True, slots=True)
class Configuration(Plain):
    """The format of the configuration file at a path."""

    path: Path
    name: str = "config"

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: Any = None,
    ) -> list[Any]:
        """The text, with the problems of the configuration that it is."""
        return [
            PlainText(text, parse(text.decode("utf-8", "replace"), self.path).problems)
            for text in blocks
        ]
