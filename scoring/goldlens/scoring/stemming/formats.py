"""The two kinds of file: a dictionary of groups, and a stemmer's output. A unit is a line."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from goldlens.scoring.problems import Place, Problem, Severity
from goldlens.scoring.stemming import messages, rows
from goldlens.scoring.stemming.rows import Group, Output, decoded


@dataclass(frozen=True, slots=True)
class Line:
    """A line of either file. What it says does not depend on where it stands."""

    text: bytes
    problems: tuple[Problem, ...]

    @property
    def lines(self) -> int:
        """How many lines end in it: 1, or 0 if it is the last and has no end."""
        return int(rows.is_closed(self.text))

    @property
    def readable(self) -> bool:
        """Always: what a row has is taken as it is."""
        return True

    @property
    def glued(self) -> bool:
        """Never: lines are split and parsed apart."""
        return False

    @property
    def first(self) -> bool:
        """Never."""
        return False

    @property
    def last(self) -> bool:
        """Whether it has no line end."""
        return not rows.is_closed(self.text)


@dataclass(frozen=True, slots=True)
class GroupLine(Line):
    """A line of a dictionary; `group` is None if it holds no form."""

    group: Group | None

    @property
    def forms(self) -> tuple[bytes, ...]:
        """The distinct forms of the group, in the order of the row."""
        return self.group.forms if self.group else ()


@dataclass(frozen=True, slots=True)
class OutputLine(Line):
    """A line of a stemmer's output. `form` is None if it has none; `output` if it has no stem."""

    form: bytes | None
    output: Output | None


class _Rows:
    """What both formats have in common."""

    has_header: bool = False

    def regime(self, facts: Sequence[int]) -> Any:
        """None: each line is read by itself."""
        return None

    def likely_regime(self, text: bytes) -> Any:
        """None."""
        return None

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """Nothing is excused."""
        return ()

    def notices(self, units: Sequence[Any], facts: Sequence[int]) -> list[Problem]:
        """Nothing is to be said of a whole file."""
        return []

    def split(self, text: bytes) -> list[bytes]:
        """The lines of a text (see `rows.split`)."""
        return rows.split(text)

    def is_closed(self, block: bytes) -> bool:
        """Whether a line has its end."""
        return rows.is_closed(block)


class DictionaryFormat(_Rows):
    """A dictionary: a group a line. It has no state; its lines have no key."""

    name: str = "stemming"
    fact_names: tuple[str, ...] = ("forms", "groups")
    duplicate_code: str = ""

    def facts(self, unit: GroupLine) -> tuple[int, ...]:
        """Forms of groups (one that is in two groups counts in each), and groups."""
        return len(unit.forms), int(unit.group is not None)

    def key(self, unit: GroupLine) -> None:
        """None: a form may stand in several groups."""

    def title(self, unit: GroupLine) -> str | None:
        """The lemma, the first form."""
        return decoded(unit.forms[0]) if unit.forms else None

    def key_place(self, unit: GroupLine) -> Place:
        """Where the lemma stands."""
        return Place(0, 0, 0, len(unit.forms[0]) if unit.forms else 0)

    def duplicate_severity(self, unit: GroupLine, first: GroupLine) -> Severity:
        """Never asked: there are no keys."""
        return Severity.HINT

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """Never asked: there are no keys. Raises NotImplementedError."""
        raise NotImplementedError("the lines of a dictionary have no keys")

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: Any = None,
    ) -> list[GroupLine]:
        """The lines, read; everything is checked at once."""
        found = []
        for block in blocks:
            group, problems = rows.read_group(block.rstrip(b"\r\n"))
            found.append(GroupLine(block, problems, group))
        return found


class OutputFormat(_Rows):
    """A stemmer's output: a form a line, with its stems. It has no state."""

    name: str = "stemming"
    fact_names: tuple[str, ...] = ("forms",)
    duplicate_code: str = messages.DUPLICATE

    def facts(self, unit: OutputLine) -> tuple[int, ...]:
        """Forms that have an output."""
        return (int(unit.output is not None),)

    def key(self, unit: OutputLine) -> bytes | None:
        """The form."""
        return unit.form

    def title(self, unit: OutputLine) -> str | None:
        """The form."""
        return decoded(unit.form) if unit.form is not None else None

    def key_place(self, unit: OutputLine) -> Place:
        """Where the form stands."""
        return messages.place_of(unit.form or b"")

    def duplicate_severity(self, unit: OutputLine, first: OutputLine) -> Severity:
        """A Hint if the two rows say the same, else an Error."""
        return messages.duplicate_severity(unit.output, first.output)

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """A form-duplicate; one that is an Error refuses the file."""
        assert isinstance(key, bytes)
        return messages.duplicate(key, place, first, severity)

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: Any = None,
    ) -> list[OutputLine]:
        """The lines, read; everything is checked at once."""
        found = []
        for block in blocks:
            form, output, problems = rows.read_output(block.rstrip(b"\r\n"))
            found.append(OutputLine(block, problems, form, output))
        return found


DICTIONARY = DictionaryFormat()
OUTPUT = OutputFormat()
