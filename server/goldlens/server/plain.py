"""A text that is no annotation we know: held, and nothing said of it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from goldlens.scoring.conllu.blocks import count_lines
from goldlens.scoring.problems import Place, Problem, Severity


@dataclass(frozen=True, slots=True)
class PlainText:
    """The whole of a text."""

    text: bytes
    problems: tuple[Problem, ...] = ()
    readable: bool = True
    glued: bool = False
    first: bool = False
    last: bool = True

    @property
    def lines(self) -> int:
        """How many lines end in the text."""
        return count_lines(self.text)


class Plain:
    """The format of any text: one block without problems."""

    name: str = "plain"
    fact_names: tuple[str, ...] = ("files",)
    duplicate_code: str = ""
    has_header: bool = False

    def facts(self, unit: Any) -> tuple[int, ...]:
        """One file."""
        return (1,)

    def regime(self, facts: Sequence[int]) -> None:
        """None."""

    def likely_regime(self, text: bytes) -> None:
        """None."""

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """No code."""
        return ()

    def notices(self, units: Sequence[Any], facts: Sequence[int]) -> list[Problem]:
        """Nothing."""
        return []

    def key(self, unit: Any) -> Hashable | None:
        """None: nothing is named."""
        return None

    def title(self, unit: Any) -> str | None:
        """None: nothing is named."""
        return None

    def key_place(self, unit: Any) -> Place:
        """The start: nothing is named."""
        return Place(0, 0, 0, 0)

    def duplicate_severity(self, unit: Any, first: Any) -> Severity:
        """Never asked: nothing is named."""
        return Severity.HINT

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """Raises TypeError: nothing is named."""
        raise TypeError("nothing is named in a plain text")

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
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: Any = None,
    ) -> list[Any]:
        """The text as it is."""
        return [PlainText(text) for text in blocks]


PLAIN = Plain()
