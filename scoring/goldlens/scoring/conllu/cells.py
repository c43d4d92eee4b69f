"""What may be wrong with the cells of a row, one cell at a time.

Judges look at the text of one cell and know nothing of its row. Treebanks repeat their cells, so
verdicts are kept, for a bounded number of cells.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple

from goldlens.scoring.conllu.inventory import RELATION_NAMES, UPOS_TAGS
from goldlens.scoring.conllu.rows import (
    COLUMN_NAMES,
    DEPREL,
    DEPS,
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    MISC,
    UPOS,
    Kind,
    Row,
    quote,
)
from goldlens.scoring.problems import Problem, Severity, problem


class Finding(NamedTuple):
    """A problem with the characters `start` to `end` of a cell."""

    code: str
    start: int
    end: int
    message: str


Judge = Callable[[str], tuple[Finding, ...]]

_KEPT: Final = 1 << 13
_EDGE: Final = re.compile(r"([0-9]+)(\.[0-9]+)?:.+", re.DOTALL)
# Spelling advice is for slips of the pen, not for other tag sets or sentences in a cell.
_LONGEST_MISSPELT: Final = 20


@lru_cache(_KEPT)
def judge_upos(cell: str) -> tuple[Finding, ...]:
    """A UPOS tag, or `_`."""
    if not cell or cell == "_" or cell in UPOS_TAGS:
        return ()
    advice = _closest(cell, cell.upper(), UPOS_TAGS) or "use one of the 17 universal tags, or X"
    return (Finding("upos-unknown", 0, len(cell), f"UPOS {quote(cell)} is unknown; {advice}"),)


@lru_cache(_KEPT)
def judge_deprel(cell: str) -> tuple[Finding, ...]:
    """A universal relation with or without a subtype, or `_`."""
    name = cell.partition(":")[0]
    if not cell or cell == "_" or name in RELATION_NAMES:
        return ()
    advice = _closest(name, name.lower(), RELATION_NAMES) or (
        "use one of the 37 universal relations, or dep"
    )
    message = f"The relation {quote(cell)} is unknown; {advice}"
    return (Finding("deprel-unknown", 0, len(cell), message),)


def _closest(found: str, folded: str, known: Iterable[str]) -> str:
    if len(found) > _LONGEST_MISSPELT:
        return ""
    matches = get_close_matches(folded, sorted(known), n=1, cutoff=0.7)
    return f"did you mean {matches[0]}?" if matches else ""


@lru_cache(_KEPT)
def judge_feats(cell: str) -> tuple[Finding, ...]:
    """`Name=Value` pairs between pipes, each name once, in order; or `_`.

    Which names and values there are is the business of a language's own inventory.
    """
    if not cell or cell == "_":
        return ()
    findings: dict[str, Finding] = {}
    names: dict[str, None] = {}
    for start, part in _parts(cell):
        end = start + len(part)
        name, _, value = part.partition("=")
        if not name or not value:
            what = f"The feature {quote(part)} is not Name=Value" if part else "A feature is empty"
            message = f"{what}; separate features by single pipes"
            findings.setdefault("feats-format", Finding("feats-format", start, end, message))
        elif name in names:
            message = f"The feature {quote(name)} stands twice; keep one, with values after commas"
            findings.setdefault("feats-duplicate", Finding("feats-duplicate", start, end, message))
        names[name] = None
    if not findings and list(names) != sorted(names, key=str.lower):
        ordered = "|".join(sorted(cell.split("|"), key=lambda part: part.partition("=")[0].lower()))
        message = f"Features are not in alphabetical order; write {ordered}"
        return (Finding("feats-order", 0, len(cell), message),)
    return tuple(findings.values())


@lru_cache(_KEPT)
def judge_deps(cell: str) -> tuple[Finding, ...]:
    """`head:relation` pairs between pipes, or `_`."""
    if not cell or cell == "_":
        return ()
    for start, part in _parts(cell):
        if not _EDGE.fullmatch(part):
            message = (
                f"The enhanced dependency {quote(part)} is not head:relation; write for example "
                "4:nsubj or 4.1:obj, with single pipes between"
            )
            return (Finding("deps-format", start, start + len(part), message),)
    return ()


@lru_cache(_KEPT)
def judge_misc(cell: str) -> tuple[Finding, ...]:
    """Anything between single pipes, nothing twice; or `_`."""
    if not cell:
        return ()
    seen = set()
    for start, part in _parts(cell):
        if not part:
            message = "MISC has an empty part; take out the pipe that leads to nothing"
        elif part in seen:
            message = f"{quote(part)} stands twice in MISC; take one out"
        else:
            seen.add(part)
            continue
        return (Finding("misc-format", start, start + len(part), message),)
    return ()


def _parts(cell: str) -> Iterator[tuple[int, str]]:
    start = 0
    for part in cell.split("|"):
        yield start, part
        start += len(part) + 1


_WORDS: Final = frozenset({Kind.WORD})
_NODES: Final = frozenset({Kind.WORD, Kind.EMPTY_NODE})
_ALL: Final = frozenset({Kind.WORD, Kind.EMPTY_NODE, Kind.RANGE})

_JUDGES: Final[tuple[tuple[int, Judge, frozenset[Kind]], ...]] = (
    (UPOS, judge_upos, _NODES),
    (FEATS, judge_feats, _NODES),
    (DEPREL, judge_deprel, _WORDS),
    (DEPS, judge_deps, _NODES),
    (MISC, judge_misc, _ALL),
)


def check_cells(rows: Sequence[Row], covered: set[int]) -> list[Problem]:
    """The problems in the cells of the rows that can be read, but for ID and a filled HEAD.

    `covered`: the lines of words inside multiword tokens, whose forms are not part of the text.
    """
    found = []
    for column, judge, kinds in _JUDGES:
        # Nearly always every cell is well: that costs one look-up each, and no Python in between.
        if any(map(judge, [row.cells[column] for row in rows])):
            found += [
                problem(
                    finding.code, row.place(column, finding.start, finding.end), finding.message
                )
                for row in rows
                if row.kind in kinds
                for finding in judge(row.cells[column])
            ]
    for row in rows:
        cells = row.cells
        if "" in cells:
            found += [_empty(row, i, covered) for i, cell in enumerate(cells) if not cell]
        if cells[FORM] != cells[FORM].strip() or cells[LEMMA] != cells[LEMMA].strip():
            found += [_white_space(row, i, covered) for i in (FORM, LEMMA) if _edged(cells[i])]
    return found


def has_text(row: Row) -> bool:
    """Whether anything of the FORM is left for the text: white space of category Zs is not."""
    form = row.cells[FORM]
    return bool(form.strip()) or any(unicodedata.category(char) != "Zs" for char in form)


def _edged(cell: str) -> bool:
    return cell != cell.strip()


def _is_token(row: Row, covered: set[int]) -> bool:
    return row.kind is not Kind.EMPTY_NODE and row.line not in covered


def _empty(row: Row, column: int, covered: set[int]) -> Problem:
    needed = (column == FORM and _is_token(row, covered)) or (
        column == HEAD and row.kind is Kind.WORD
    )
    name = COLUMN_NAMES[column]
    if column == HEAD and needed:
        advice = "write the ID of the word's head, or 0 for the root"
    elif column == FORM:
        advice = "write the form as it stands in the text"
    else:
        advice = "write _ where there is no value"
    return problem(
        "empty-cell",
        row.place(column),
        f"{name} is empty; {advice}",
        severity=None if needed else Severity.WARNING,
        refuses=needed,
    )


def _white_space(row: Row, column: int, covered: set[int]) -> Problem:
    if column == FORM and _is_token(row, covered) and not has_text(row):
        message = "FORM holds nothing but white space; write the form as it stands in the text"
        return problem("empty-cell", row.place(FORM), message)
    name = COLUMN_NAMES[column]
    cell = row.cells[column]
    what = "begins or ends with" if cell.strip() else "holds nothing but"
    message = f"{name} {quote(cell)} {what} white space; take it out"
    return problem("form-whitespace", row.place(column), message)
