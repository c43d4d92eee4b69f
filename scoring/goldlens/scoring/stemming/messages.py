"""What is said of forms: missing from the output, there twice, or not in the dictionary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeGuard

from goldlens.scoring.problems import Place, Problem, Related, Severity, Side, problem
from goldlens.scoring.stemming.rows import Output, shown
from goldlens.scoring.text import is_utf8

MISSING: Final = "form-missing"
EXTRA: Final = "form-extra"
DUPLICATE: Final = "form-duplicate"


def missing(forms: Sequence[bytes], row: bytes, before: bytes | None) -> list[Problem]:
    """A form-missing for each of some forms, at the end of the output.

    `row`: the dictionary's row that has the forms; `before`: the last row of output, which is the
    unit before (-1), None if there is none.
    """
    end = _size(before or b"")
    place = Place(0 if before is None else -1, 0, end, end)
    starts: dict[bytes, int] = {}
    start = 0
    for cell in row[: _size(row)].split(b"\t"):
        starts.setdefault(cell, start)
        start += len(cell) + 1
    found = []
    for form in forms:
        there = Place(0, 0, starts[form], starts[form] + len(form), Side.THERE)
        message = f"The form {shown(form)} has no row here; add a row with its stem"
        related = (Related(there, "its dictionary row"),)
        found.append(problem(MISSING, place, message, related=related))
    return found


def is_extra(output: Output | None) -> TypeGuard[Output]:
    """Whether it is told of a row that the dictionary lacks its form.

    Of a row that cannot be read, or whose form cannot, it is told that it cannot.
    """
    return output is not None and is_utf8(output.form)


def extra(form: bytes) -> Problem:
    """A form-extra, at the first cell of its row."""
    message = f"The dictionary has no form {shown(form)}, so this row counts nothing; take it out"
    return problem(EXTRA, place_of(form), message)


def place_of(form: bytes, unit: int = 0) -> Place:
    """Where the form of a row of output stands."""
    return Place(unit, 0, 0, len(form))


def duplicate_severity(output: Output | None, first: Output | None) -> Severity:
    """A Hint if two rows of one form say the same, else an Error."""
    return Severity.HINT if output == first else Severity.ERROR


def duplicate(form: bytes, place: Place, first: Place, severity: Severity) -> Problem:
    """A form-duplicate; one that is an Error refuses the file."""
    differs = severity is Severity.ERROR
    message = (
        f"The form {shown(form)} has other stems than before; leave one row"
        if differs
        else f"The form {shown(form)} stands before, with the same stems; take one row out"
    )
    related = (Related(first, "the first one"),)
    return problem(DUPLICATE, place, message, severity=severity, refuses=differs, related=related)


def _size(line: bytes) -> int:
    return len(line.rstrip(b"\r\n"))
