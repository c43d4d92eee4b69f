"""The rows of a dictionary and of a stemmer's output, one line each, read without raising.

A line ends in LF, CR LF or CR; no other character ends one. A line with nothing on it means
nothing. Cells stand between tabs, and are kept byte for byte; one of nothing but spaces is empty.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from goldlens.scoring.problems import Place, Problem, Related, Severity, problem

_SHOWN: Final = 60
_LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")


class Group(NamedTuple):
    """Forms that belong together: distinct, in the order of their row; the first is the lemma."""

    forms: tuple[bytes, ...]


class Output(NamedTuple):
    """What a stemmer makes of a form.

    `candidates` are distinct and in ascending order, and the primary output is one of them.
    """

    form: bytes
    primary: bytes
    candidates: tuple[bytes, ...]


class Read(NamedTuple):
    """A row of output, read. `form` is None if it is empty; `output` if there are no stems."""

    form: bytes | None
    output: Output | None
    problems: tuple[Problem, ...]


def split(text: bytes) -> list[bytes]:
    """The lines of a text, each with its end; joined again they are the text."""
    if b"\r" in text:
        return _LINE.findall(text)
    lines = text.split(b"\n")
    rest = lines.pop()
    found = [line + b"\n" for line in lines]
    return [*found, rest] if rest else found


def is_closed(block: bytes) -> bool:
    """Whether a line has its end."""
    return block.endswith((b"\n", b"\r"))


def read_group(line: bytes, clean: bool = False) -> tuple[Group | None, tuple[Problem, ...]]:
    """The group of a dictionary row (a line without its end), and what is wrong with the row.

    None for a comment, a line with nothing on it, and a row without forms, which is a row-format
    as a whole. `clean`: it is known to be UTF-8.
    """
    if line.startswith(b"#"):
        wrong = _encoding(line)
        return None, (wrong,) if wrong else ()
    cells = line.split(b"\t")
    forms = tuple(dict.fromkeys(cells))
    wrong = None if clean or line.isascii() else _encoding(line)
    if wrong is None and len(forms) == len(cells) and not _may_be_empty(line, cells):
        return Group(forms), ()
    if not any(map(_says, cells)):
        advice = "write its forms, or take the line out"
        return None, _without(line, "form", advice) if line else ()
    problems = [wrong] if wrong else []
    first: dict[bytes, Place] = {}
    for cell, place in _places(cells):
        if not _says(cell):
            message = "This form is empty; write the form, or take the tab out"
            problems.append(problem("row-format", place, message))
        elif cell in first:
            problems.append(_repeated(cell, place, first[cell]))
        else:
            first[cell] = place
    return Group(tuple(first)) if first else None, tuple(problems)


def read_output(line: bytes, clean: bool = False) -> Read:
    """A row of a stemmer's output (a line without its end): form, primary output, candidates.

    `clean`: it is known to be UTF-8. A row without a primary output says nothing of its form;
    candidates that are empty are left out. Both are a row-format, and so, as a whole, is a row
    of nothing but spaces and tabs.
    """
    cells = line.split(b"\t")
    wrong = None if clean or line.isascii() else _encoding(line)
    if wrong is None and len(cells) > 1 and not _may_be_empty(line, cells):
        form, primary = cells[:2]
        candidates = (primary,) if len(cells) == 2 else tuple(sorted(set(cells[1:])))
        return Read(form, Output(form, primary, candidates), ())
    if not any(map(_says, cells)):
        advice = "write both, or take the line out"
        return Read(None, None, _without(line, "form and no stem", advice) if line else ())
    problems = [wrong] if wrong else []
    form, *stems = [cell if _says(cell) else b"" for cell in cells]
    places = [place for _, place in _places(cells)]
    if not form:
        message = "This row has no form; write the form before the tab"
        problems.append(problem("row-format", places[0], message))
    if not stems:
        message = f"The form {shown(form)} has no stem; write a tab and its stem"
        problems.append(problem("row-format", places[0], message))
    for number, (stem, place) in enumerate(zip(stems, places[1:], strict=True)):
        if not stem:
            what, advice = ("stem", "write it") if not number else ("candidate", "take its tab out")
            message = f"This {what} of {shown(form) or 'the row'} is empty; {advice}"
            problems.append(problem("row-format", place, message))
    output = None
    if form and stems and stems[0]:
        candidates = tuple(sorted({stem for stem in stems if stem}))
        output = Output(form, stems[0], candidates)
    return Read(form or None, output, tuple(problems))


def has_capital(forms: Sequence[bytes]) -> bool:
    """Whether a form holds an uppercase or titlecase code point (category Lu or Lt)."""
    return any(map(_is_capital, set(decoded(b"".join(forms)))))


@cache
def _is_capital(char: str) -> bool:
    return unicodedata.category(char) in ("Lu", "Lt")


def decoded(text: bytes) -> str:
    """A form or a stem as text; what is not UTF-8 becomes U+FFFD."""
    return text.decode("utf-8", "replace")


def shown(form: bytes) -> str:
    """A form for people: cut short if it is long, spelt out if it holds what is not seen.

    Nor is it seen that a letter and its accent are two characters (that it is not in NFC).
    """
    text = decoded(form)
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    plain = text.isprintable() and text == text.strip()
    return text if plain and unicodedata.is_normalized("NFC", text) else ascii(text)


def _says(cell: bytes) -> bool:
    """Whether a cell holds anything but spaces."""
    return bool(cell.strip(b" "))


def _may_be_empty(line: bytes, cells: Sequence[bytes]) -> bool:
    """Whether one of a line's cells is empty, or begins as one of nothing but spaces does."""
    return b"" in cells or line.startswith(b" ") or b"\t " in line


def _without(line: bytes, what: str, advice: str) -> tuple[Problem, ...]:
    """The problem of a row of nothing but spaces and tabs."""
    place = Place(0, 0, 0, len(line))
    return (problem("row-format", place, f"This row has no {what}; {advice}"),)


def _places(cells: Sequence[bytes]) -> list[tuple[bytes, Place]]:
    found, start = [], 0
    for cell in cells:
        found.append((cell, Place(0, 0, start, start + len(cell))))
        start += len(cell) + 1
    return found


def _repeated(form: bytes, place: Place, first: Place) -> Problem:
    return problem(
        "form-duplicate",
        place,
        f"The form {shown(form)} stands in its group before, and counts once; take one out",
        severity=Severity.HINT,
        refuses=False,
        related=(Related(first, "the first one"),),
    )


def _encoding(line: bytes) -> Problem | None:
    """What is wrong with a line that is not UTF-8, at the cell of the first such byte."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        start = line.rfind(b"\t", 0, error.start) + 1
        end = line.find(b"\t", error.start)
        return problem(
            "encoding",
            Place(0, 0, start, len(line) if end < 0 else end),
            f"Byte 0x{line[error.start]:02X} at offset {error.start} of this line is not UTF-8; "
            "save the file as UTF-8",
        )
    return None
