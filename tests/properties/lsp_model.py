"""A text as the Language Server Protocol has it, the plainest way: one string, sliced."""

from __future__ import annotations

import re

_LINE = re.compile(r"\r\n|\n|\r")


def lines(text: str) -> list[str]:
    """The lines without their ends; the last one may be empty."""
    return _LINE.split(text)


def starts(text: str) -> list[int]:
    """Where each line begins."""
    return [0, *[match.end() for match in _LINE.finditer(text)]]


def width(char: str, encoding: str) -> int:
    """How many columns a character takes."""
    return {"utf-8": len(char.encode()), "utf-16": len(char.encode("utf-16-le")) // 2}.get(
        encoding, 1
    )


def offset(text: str, line: int, column: int, encoding: str) -> int:
    """The place of a position in the string; what lies behind a line or the text is its end."""
    every, begins = lines(text), starts(text)
    if line >= len(every):
        return len(text)
    at, used = begins[line], 0
    for char in every[line]:
        used += width(char, encoding)
        if used > column:
            break
        at += 1
    return at


def position(text: str, at: int, encoding: str) -> tuple[int, int]:
    """Line and column of a place that is not inside a line end."""
    line = max(k for k, begin in enumerate(starts(text)) if begin <= at)
    begin = starts(text)[line]
    return line, sum(width(char, encoding) for char in text[begin:at])


def edited(
    text: str, start: tuple[int, int], end: tuple[int, int], new: str, encoding: str
) -> tuple[str, int, int]:
    """The text after an edit, and the places between which the old text was."""
    a, b = sorted((offset(text, *start, encoding), offset(text, *end, encoding)))
    return text[:a] + new + text[b:], a, b


def shared(one: str, other: str) -> int:
    """How many characters two texts have in common from the start."""
    pairs = zip(one, other, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
