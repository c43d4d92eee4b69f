"""Confidences that a prediction gives in MISC, and what is wrong with them.

`Conf=0.93` is the confidence of all cells of a word, `Conf=UPOS:0.97,HEAD:0.8` that of single
ones. A confidence is a decimal number from 0 to 1. Only rows of words are looked at: multiword
tokens and empty nodes have no cells that are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.problems import Place, Problem, Severity

COLUMNS: Final = ("UPOS", "XPOS", "LEMMA", "FEATS", "HEAD", "DEPREL")
"""The columns whose cells may have a confidence, by the names that MISC gives them."""

HINT: Final = "write Conf=0.93 for all cells of a word, or Conf=UPOS:0.97,HEAD:0.8 for single ones"
"""What to put into MISC."""

_KEY: Final = "Conf="
_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_NOTHING: Final[tuple[float | None, ...]] = (None,) * len(COLUMNS)


def confidences(misc: str) -> tuple[float | None, ...]:
    """The confidence of each of `COLUMNS` that a MISC cell gives; None where it gives none.

    What is wrong (see `faults`) counts as not there.
    """
    if _KEY not in misc:
        return _NOTHING
    found, _ = _read(misc)
    return tuple(map(found.get, COLUMNS))


def faults(block: bytes) -> list[Problem]:
    """What is wrong with the confidences of a block, each at its place; the unit is 0."""
    if _KEY.encode() not in block:
        return []
    return [
        Problem("confidence", Place(0, number, start, end), message, Severity.ERROR)
        for number, line in enumerate(lines(block))
        for start, end, message in _of_line(line.rstrip(b"\r\n"))
    ]


def _of_line(line: bytes) -> Iterator[tuple[int, int, str]]:
    cells = line.split(b"\t")
    if len(cells) != 10 or not cells[0].isdigit():
        return
    before = len(line) - len(cells[9])
    misc = cells[9].decode("utf-8", "replace")
    for start, end, message in _read(misc)[1]:
        yield before + len(misc[:start].encode()), before + len(misc[:end].encode()), message


def _read(misc: str) -> tuple[dict[str, float], list[tuple[int, int, str]]]:
    """The confidences of a cell by column; start, end and message of each thing wrong with it."""
    found: dict[str, float] = {}
    wrong: list[tuple[int, int, str]] = []
    at, seen = 0, False
    for part in misc.split("|"):
        if part.startswith(_KEY):
            if seen:
                wrong.append((at, at + len(part), "Conf= stands twice; keep one of them"))
            else:
                values, more = _value(part.removeprefix(_KEY), at + len(_KEY))
                found |= values
                wrong += more
            seen = True
        at += len(part) + 1
    return found, wrong


def _value(text: str, at: int) -> tuple[dict[str, float], list[tuple[int, int, str]]]:
    """What stands behind `Conf=`, which is `at` so many characters from the cell's start."""
    found: dict[str, float] = {}
    wrong: list[tuple[int, int, str]] = []
    if ":" not in text:
        number = _number(text)
        if isinstance(number, str):
            return {}, [(at, at + len(text), number)]
        return dict.fromkeys(COLUMNS, number), []
    named: set[str] = set()
    for item in text.split(","):
        name, colon, value = item.partition(":")
        end = at + len(item)
        number = _number(value)
        if not colon:
            message = f"{_quoted(item)} names no column; write COLUMN:NUMBER, as UPOS:0.97"
            wrong.append((at, end, message))
        elif name not in COLUMNS:
            wrong.append((at, at + len(name), _unknown(name)))
        elif name in named:
            wrong.append((at, end, f"{name} has two confidences; keep one of them"))
        elif isinstance(number, str):
            wrong.append((at + len(name) + 1, end, number))
        else:
            found[name] = number
        named.add(name)
        at = end + 1
    return found, wrong


def _number(text: str) -> float | str:
    """A confidence, or what is wrong with it."""
    if _NUMBER.fullmatch(text) is None:
        return f"the confidence {_quoted(text)} is no number; {HINT}"
    number = float(text)
    if not 0 <= number <= 1:
        return (
            f"the confidence {_short(text)} is outside 0 to 1; a confidence is a number from 0 to 1"
        )
    return number


def _unknown(name: str) -> str:
    near = get_close_matches(name.upper(), COLUMNS, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the columns are {', '.join(COLUMNS)}"
    return f"Conf= names an unknown column {_quoted(name)}; {hint}"


def _quoted(text: str) -> str:
    return f"“{_short(text)}”"


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
