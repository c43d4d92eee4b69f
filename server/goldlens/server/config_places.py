"""Where things stand in a TOML text: tomllib gives values, but no positions."""

from __future__ import annotations

import re
import tomllib
from typing import TypeAlias

from goldlens.scoring.problems import Place, Problem, problem

Way: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value."""


def place(text: str, start: int, end: int) -> Place:
    """The place of the characters from `start` to `end`, cut off where their line ends."""
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    end = min(end, len(text) if stop < 0 else stop)

    def width(part: str) -> int:
        # An editor may send half a surrogate pair; it counts as the bytes it would take.
        return len(part.encode("utf-8", "surrogatepass"))

    before = width(text[first:start])
    length = width(text[start:end].removesuffix("\r"))
    return Place(0, text.count("\n", 0, start), before, before + length)


def not_toml(text: str, error: Exception) -> Problem:
    """What tomllib could not read, from where it says so to the end of that line."""
    message = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    start = 0
    if at := re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)", message):
        message = message.replace(at[0], "")
        if at[1]:
            lines = text.split("\n")
            start = sum(len(line) + 1 for line in lines[: int(at[1]) - 1]) + int(at[2]) - 1
        else:
            start = len(text)
    return problem("config-value", place(text, start, len(text)), f"this is not TOML: {message}")


class Scanner:
    """Where the keys and values of a TOML text stand, in characters; tomllib has accepted it.

    For each way there is a span of its key (under "config-key") and one of its value; a table's
    value stands where the table is named, an array's item has no other key than itself.
    """

    _BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
    _KEY = re.compile(r""" "(?:\\.|[^"\\\n])*" | '[^'\n]*' | [\w-]+ """, re.X)
    _SCALAR = re.compile(
        r'''
        """ (?:\\.|[^\\])*? "{3,5}      # first, or "" were an empty text; two more " may end it
        | \'{3} .*? \'{3,5}
        | "(?:\\.|[^"\\\n])*" | \'[^\'\n]*\'
        | [^\s,\]}\#]+ (?:[ ]\d[^\s,\]}\#]*)?   # a date may have a blank before its time
        ''',
        re.X | re.S,
    )

    def __init__(self, text: str) -> None:
        self.spots: dict[Way, dict[str, tuple[int, int]]] = {}
        self._text = text
        self._at = 0
        self._tables: dict[Way, int] = {}  # how many tables each array of tables has so far
        table: Way = ()
        while opening := self._next():
            if opening == "[":
                table = self._header()
            else:
                self._member(table)

    def _note(self, way: Way, key: tuple[int, int], value: tuple[int, int]) -> None:
        self.spots.setdefault(way, {"config-key": key, "config-value": value})

    def _next(self) -> str:
        """Goes on to what is no blank or comment: its first character, empty at the end."""
        self._take(self._BLANK)
        return self._text[self._at : self._at + 1]

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, "tomllib accepts what the scanner cannot read"
        self._at = match.end()
        return match[0]

    def _keys(self) -> list[tuple[str, tuple[int, int]]]:
        """The parts of a dotted key, and where they stand."""
        parts: list[tuple[str, tuple[int, int]]] = []
        while not parts or self._text[self._at] == ".":
            self._at += bool(parts)
            self._next()
            start = self._at
            name = self._take(self._KEY)
            if name[0] in "\"'":
                [name] = tomllib.loads(f"{name} = 0")
            parts.append((name, (start, self._at)))
            self._next()
        return parts

    def _header(self) -> Way:
        """`[a.b]` or `[[a.b]]`: the way to the table it opens."""
        brackets = 2 if self._text.startswith("[[", self._at) else 1
        self._at += brackets
        way: Way = ()
        parts = self._keys()
        for nth, (name, span) in enumerate(parts, 1):
            way = (*way, name)
            self._note(way, span, span)
            if brackets == 2 and nth == len(parts):
                self._tables[way] = self._tables.get(way, 0) + 1
            if way in self._tables:
                way = (*way, self._tables[way] - 1)
                self._note(way, span, span)
        self._at += brackets
        return way

    def _member(self, way: Way) -> None:
        """`key = value`."""
        parts = self._keys()
        self._at += 1  # the equals sign
        whole = (*way, *(name for name, _ in parts))
        value = self._value(whole)
        for nth, (_, key) in enumerate(parts, len(way) + 1):
            self._note(whole[:nth], key, value)

    def _value(self, way: Way) -> tuple[int, int]:
        """A value and, where it is an array or an inline table, all in it."""
        opening = self._next()
        start = self._at
        if opening not in "[{":
            self._take(self._SCALAR)
            return start, self._at
        self._at += 1
        index = 0
        while (char := self._next()) not in "]}":
            if char == ",":
                self._at += 1
            elif opening == "{":
                self._member(way)
            else:
                item = self._value((*way, index))
                self._note((*way, index), item, item)
                index += 1
        self._at += 1
        return start, self._at
