"""Marked blocks: CoNLL-U as a test writes it, with what is expected under each line.

One space stands between cells; `∅` is an empty cell, `␣` a space inside a cell, `→` a tab too many,
`⏎` a blank line. Under a line, `^^^` marks the cells a problem covers, and `|` a place without
width, followed by `code: severity` and, if so, `refuses` and `script`:

    2 dem der DET _ _ 9 det _ _
                      ^ head-out-of-range: error refuses script
"""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import dedent

import pytest

from goldlens.scoring.conllu.reader import read
from goldlens.scoring.conllu.reading import Reading

Expected = tuple[int, int, int, str]

_MARKER = re.compile(r"(?P<indent> *)(?P<mark>\^+|\|) (?P<what>[a-z-]+: .+)")
_STANDS_FOR = {" ": "\t", "∅": "", "␣": " ", "→": "\t", "⏎": ""}


def _write(line: str) -> str:
    return "".join(_STANDS_FOR.get(char, char) for char in line)


def unmark(text: str) -> tuple[bytes, list[Expected]]:
    """The block that a marked text stands for, and the problems it expects."""
    lines: list[str] = []
    expected: list[Expected] = []
    for line in dedent(text).strip("\n").split("\n"):
        if marker := _MARKER.fullmatch(line):
            above = lines[-1]
            start, end = marker.span("mark")
            if marker["mark"] == "|":
                end = start
            expected.append(
                (
                    len(lines) - 1,
                    len(_write(above[:start]).encode()),
                    len(_write(above[:end]).encode()),
                    marker["what"],
                )
            )
        else:
            lines.append(line)
    return "".join(_write(line) + "\n" for line in lines).encode(), expected


def found(reading: Reading) -> list[Expected]:
    """The problems of a reading in the form in which tests expect them."""
    return [
        (
            problem.place.line,
            problem.place.start,
            problem.place.end,
            f"{problem.code}: {problem.severity.label}"
            + " refuses" * problem.refuses
            + " script" * problem.script,
        )
        for problem in reading.problems
    ]


Check = Callable[..., Reading]


@pytest.fixture
def check() -> Check:
    """Read a marked block, hold its problems against the markers, and return the reading.

    A blank line is added unless the text has one or `ended` is False.
    """

    def run(text: str, *, ended: bool = True, extra: frozenset[str] = frozenset(), **options: bool):
        block, expected = unmark(text)
        if ended and "⏎" not in text:
            block += b"\n"
        reading = read(block, extra=extra, **options)
        assert found(reading) == expected
        assert all(problem.place.unit == 0 for problem in reading.problems)
        return reading

    return run
