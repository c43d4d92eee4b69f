"""The faults of tags as located problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from goldlens.scoring.problems import Place, Problem, Related, Repair, Severity, problem
from goldlens.scoring.spans.reading import Fault, Flaw
from goldlens.scoring.spans.tags import label_of

if TYPE_CHECKING:
    from goldlens.scoring.spans.unit import Unit

_MOST_RELATED: Final = 20


def problems_of(unit: Unit) -> tuple[Problem, ...]:
    """The problems of a sentence's tags, each at its cell."""
    faults = unit.reading.faults
    if not faults:
        return ()
    rows = unit.rows()
    return tuple([_problem(unit, rows, fault) for fault in faults])


def _problem(unit: Unit, rows: Sequence[bytes], fault: Fault) -> Problem:
    place = _place(unit, rows, fault.token)
    tag = unit.reading.tags[fault.token]
    shown, new = tag.decode("utf-8", "replace"), fault.new
    repair = None
    if new is not None:
        text = new.decode("utf-8", "replace")
        repair = Repair(f"Change {shown} to {text}", text)
    if fault.flaw is Flaw.MISSING:
        message = (
            "The row has no tag, and is read as O; give it a tag, or name the columns with "
            "--token-column and --tag-column"
        )
        return problem("iob2-tag", place, message)
    if fault.flaw is Flaw.BARE:
        label = label_of(tag).decode()
        message = f"The tag {shown} has no label, and is read as {label}; write {shown}-X"
        return problem("iob2-tag", place, message, severity=Severity.WARNING)
    if fault.flaw is Flaw.INVALID:
        advice = f"write {repair.new}" if repair else "write O, B-X or I-X"
        if elsewhere := unit.layout.tag_elsewhere(rows[fault.token]):
            column, other = elsewhere
            advice += (
                f", or if tags stand in column {column}, where this row has "
                f"{other.decode('utf-8', 'replace')}, name it (tag-column in goldlens.toml, "
                "--tag-column)"
            )
        message = f"{shown} is no tag of IOB2, and is read as O; {advice}"
        return problem("iob2-tag", place, message, repair=repair)
    others = fault.tags - 1
    many = ""
    if others:
        many = f" (nor do the {others} behind it)" if others > 1 else " (nor does the next)"
    begun = repair.new if repair else "B"
    message = f"An I- tag continues no span{many}, and is ignored; begin the span with {begun}"
    behind = range(fault.token + 1, fault.token + min(fault.tags, _MOST_RELATED + 1))
    related = tuple([Related(_place(unit, rows, k), _behind(unit, k)) for k in behind])
    return problem("iob2-malformed", place, message, repair=repair, related=related)


def _behind(unit: Unit, token: int) -> str:
    return f"{unit.reading.tags[token].decode('utf-8', 'replace')} is ignored, too"


def _place(unit: Unit, rows: Sequence[bytes], token: int) -> Place:
    return Place(0, unit.line(token), *unit.tag_place(token, rows[token]))
