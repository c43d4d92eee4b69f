"""What each stretch of a line is, for editors that colour it: its column, and if it is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.rows import DEPREL, FEATS
from goldlens.scoring.problems import Problem
from goldlens.server.engine.document import Document
from goldlens.server.views.differing import Difference

TYPES: Final = (
    "id",
    "form",
    "lemma",
    "upos",
    "xpos",
    "feature",
    "head",
    "deprel",
    "deps",
    "misc",
    "featureValue",
    "commentKey",
    "tag",
)
"""The types. The first are the columns of a row, in their order."""

MODIFIERS: Final = ("wrong", "differs")
"""What a stretch may be besides: wrong by itself; not as gold has it. Bits, in this order."""

_FORM, _VALUE, _KEY, _TAG = (TYPES.index(n) for n in ("form", "featureValue", "commentKey", "tag"))
_COLUMNS: Final = DEPREL + 3
_WRONG, _DIFFERS = 1, 2
_PREFIX: Final = re.compile(rb"[BI]-(?=.)|O$")
"""What of a tag is not its class."""


class Stretch(NamedTuple):
    """Some bytes of a line of a unit, of one of `TYPES`, with bits of `MODIFIERS`."""

    line: int
    start: int
    end: int
    kind: int
    modifiers: int


def stretches(document: Document, unit: int, differing: list[Difference]) -> list[Stretch]:
    """The stretches of a unit, in order; empty for files that are no trees and no spans."""
    held = document.units[unit]
    marks = _marks(held.problems, differing)
    match document.format.name:
        case "ud":
            return list(_of_rows(held.text, marks))
        case "span":
            return list(_of_tags(held, marks))
        case _:
            return []


_Marks = dict[int, list[tuple[int, int, int]]]
"""By line: from where to where, and which modifiers."""


def _marks(problems: tuple[Problem, ...], differing: list[Difference]) -> _Marks:
    marks: _Marks = {}
    for problem in problems:
        place = problem.place
        marks.setdefault(place.line, []).append((place.start, place.end, _WRONG))
    for difference in differing:
        for start, end in difference.spans:
            marks.setdefault(difference.line, []).append((start, end, _DIFFERS))
    return marks


def _marked(stretch: Stretch, marks: _Marks) -> Stretch:
    modifiers = 0
    for start, end, modifier in marks.get(stretch.line, ()):
        if start < stretch.end and end > stretch.start:
            modifiers |= modifier
    return stretch._replace(modifiers=modifiers) if modifiers else stretch


def _of_rows(block: bytes, marks: _Marks) -> Iterator[Stretch]:
    """A cell without a value is left out, unless there is something to say of it."""
    for number, line in enumerate(lines(block)):
        text = line.rstrip(b"\r\n")
        if text.startswith(b"#"):
            yield from _of_comment(number, text)
            continue
        at = 0
        for column, cell in enumerate(text.split(b"\t", _COLUMNS)[:_COLUMNS]):
            end = at + len(cell)
            if column == FEATS and b"=" in cell:
                for each in _of_features(number, at, cell):
                    yield _marked(each, marks)
            elif cell.strip():
                each = _marked(Stretch(number, at, end, column, 0), marks)
                if each.modifiers or cell != b"_":
                    yield each
            at = end + 1


def _of_comment(number: int, text: bytes) -> Iterator[Stretch]:
    key, equals, _ = text[1:].partition(b"=")
    name = key.strip()
    if equals and name:
        start = 1 + key.index(name)
        yield Stretch(number, start, start + len(name), _KEY, 0)


def _of_features(number: int, at: int, cell: bytes) -> Iterator[Stretch]:
    for feature in cell.split(b"|"):
        name, equals, value = feature.partition(b"=")
        if name:
            yield Stretch(number, at, at + len(name), FEATS, 0)
        if equals and value:
            yield Stretch(number, at + len(name) + 1, at + len(feature), _VALUE, 0)
        at += len(feature) + 1


def _of_tags(unit: Any, marks: _Marks) -> Iterator[Stretch]:
    """Tokens and tags. Of a tag about which there is nothing to say only its class is one.

    So spans stand out from what is outside of them, and an editor's own colours tell B from I.
    """
    for token, row in enumerate(unit.rows()):
        line = unit.line(token)
        places = [
            (unit.layout.form_place(row), _FORM),
            (unit.layout.tag_place(row), _TAG),
        ]
        behind = -1
        for (start, end), kind in sorted(places):
            # A row with one column is both; it is coloured once.
            if start >= behind and end > start:
                behind = end
                each = _marked(Stretch(line, start, end, kind, 0), marks)
                if kind == _TAG and not each.modifiers:
                    prefix = _PREFIX.match(row[start:end])
                    each = each._replace(start=start + (prefix.end() if prefix else 0))
                if each.end > each.start:
                    yield each
