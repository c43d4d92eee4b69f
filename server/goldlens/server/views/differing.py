"""What gold has in lines of the prediction where the two differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from goldlens.scoring.conllu.rows import DEPREL, FEATS, FORM, HEAD, LEMMA, UPOS, XPOS
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.problems import Problem
from goldlens.scoring.segment import Segment
from goldlens.scoring.task import PRED
from goldlens.scoring.ud.features import normal_forms
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.facing import facing
from goldlens.server.spot import sentence_of

_TOLD: Final = frozenset(("word-alignment", "las-error", "tag-error", "lemma-error", "feats-error"))
_BETWEEN: Final = " · "
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """A line of the prediction that is not as in gold.

    `line` counts from the first of its unit. `spans` are the cells that differ, in bytes of the
    line; `gold` is what gold has there.
    """

    line: int
    spans: tuple[tuple[int, int], ...]
    gold: str


def differences(pair: Pair, unit: int) -> list[Difference]:
    """The lines of a unit of the prediction that differ from gold, as far as it is compared."""
    if not 0 <= unit < len(pair.pred.units):
        return []
    number = pair.segment_of(PRED, unit)
    segment = pair.pairing[number]
    if not segment.kind.compared or not pair.tallies[number].any():
        return []
    match pair.task.name:
        case "ud":
            found = _of_words(pair, unit, number, segment)
        case "span":
            found = _of_tags(pair, unit, segment)
        case "classification":
            found = _of_labels(pair, unit, segment)
        case _:
            return []
    return [
        each if len(each.gold) <= _LONGEST else Difference(each.line, each.spans, _cut(each.gold))
        for each in found
    ]


def make_ready(pair: Pair, units: range) -> None:
    """Makes at once what `differences` of these units would make one by one."""
    numbers = pair.pairing.segments_of(PRED, units.start, units.stop)
    pair.make_problems([number for number in numbers if pair.tallies[number].any()])


def _cut(text: str) -> str:
    return f"{text[: _LONGEST - 1]}…"


# Trees


def _of_words(pair: Pair, unit: int, number: int, segment: Segment) -> Iterator[Difference]:
    """From the problems that there are anyhow: each points to gold's row."""
    ours = sentence_of(pair.pred, unit)
    rows = {row.line: row for row in ours.rows}
    heads = _Heads(pair, unit, segment)
    told = [
        problem
        for problem in pair.problems_of(number)
        if segment.pred.start + problem.place.unit == unit and problem.code in _TOLD
    ]
    for line, problems in groupby(told, attrgetter("place.line")):
        if line in rows:
            yield _of_word(rows[line], list(problems), segment, pair.gold, heads)


def _of_word(
    row: Row, problems: Sequence[Problem], segment: Segment, gold: Document, heads: _Heads
) -> Difference:
    columns: list[int] = []
    parts: dict[int, str] = {}
    for problem in problems:
        rows = [
            (segment.gold.start + place.unit, each)
            for place in (related.place for related in problem.related)
            if (each := _row(gold, segment.gold.start + place.unit, place.line)) is not None
        ]
        if problem.code == "word-alignment":
            columns.append(FORM)
            parts[FORM] = " + ".join(each.cell(FORM) for _, each in rows)
            continue
        if not rows:
            continue
        theirs_unit, theirs = rows[0]
        column = row.column_at(problem.place.start)
        if problem.code == "las-error":
            if column == HEAD:
                columns.append(HEAD)
            if _relation(row) != _relation(theirs):
                columns.append(DEPREL)
            parts[HEAD] = f"{heads.of(theirs_unit, theirs)} {theirs.cell(DEPREL)}"
            continue
        columns.append(column)
        parts[column] = _cell(row, theirs, column)
    order = (FORM, HEAD, UPOS, XPOS, LEMMA, FEATS)
    said = _BETWEEN.join(parts[column] for column in order if column in parts)
    return Difference(row.line, tuple(row.span(column) for column in sorted(columns)), said)


def _row(document: Document, unit: int, line: int) -> Row | None:
    if not 0 <= unit < len(document.units):
        return None
    return sentence_of(document, unit).row_at(line)


def _relation(row: Row) -> str:
    return row.cell(DEPREL).partition(":")[0]


def _cell(ours: Row, theirs: Row, column: int) -> str:
    """What gold has in a cell; of features those that are others."""
    there = theirs.cell(column)
    if column == LEMMA:
        return f"lemma {there}"
    if column != FEATS:
        return there or "_"
    before, wanted = (
        [part.decode("utf-8", "replace") for part in normal_forms(row.cell(FEATS).encode())[0]]
        for row in (ours, theirs)
    )
    names = {part.partition("=")[0] for part in wanted}
    parts = [part for part in wanted if part not in before]
    more = [part.partition("=")[0] for part in before if part not in wanted]
    parts += [f"no {name}" for name in more if name not in names]
    return " ".join(parts) or there


class _Heads:
    """Gold's heads as the prediction numbers its words."""

    def __init__(self, pair: Pair, unit: int, segment: Segment) -> None:
        self._pair, self._unit, self._segment = pair, unit, segment
        self._known: dict[tuple[int, int], int] | None = None

    def of(self, unit: int, row: Row) -> str:
        """The head of a row of gold: its ID here, or its form where it has no counterpart."""
        sentence = sentence_of(self._pair.gold, unit)
        head = sentence.head(row)
        if not head:
            return "0" if head == 0 else row.cell(HEAD)
        if self._known is None:
            self._known = self._find(sentence)
        number = self._known.get((unit, head))
        return f"“{sentence.words[head].cell(FORM)}”" if number is None else str(number)

    def _find(self, theirs: Sentence) -> dict[tuple[int, int], int]:
        segment = self._segment
        ours = sentence_of(self._pair.pred, self._unit)
        if len(segment.gold) == len(segment.pred) == 1 and _forms(ours) == _forms(theirs):
            # Nearly always; aligning them again would cost more than all the rest.
            return {(segment.gold.start, number): number for number in ours.words}
        words = facing(self._pair, PRED, self._unit).words
        return {(word.unit, word.number): number for number, word in words.items()}


def _forms(sentence: Sentence) -> list[tuple[int, bytes]]:
    return [(number, row.cells[FORM]) for number, row in sentence.words.items() if row.text]


# Spans and classes: units face each other one by one.


def _facing(segment: Segment, unit: int, units: Sequence[Any]) -> Any | None:
    at = segment.gold.start + unit - segment.pred.start
    return units[at] if at in segment.gold else None


def _of_tags(pair: Pair, unit: int, segment: Segment) -> Iterator[Difference]:
    ours, theirs = pair.pred.units[unit], _facing(segment, unit, pair.gold.units)
    if theirs is None or len(theirs.reading.tags) != len(ours.reading.tags):
        return
    rows = ours.rows()
    for token, (here, there) in enumerate(zip(ours.reading.tags, theirs.reading.tags, strict=True)):
        if here != there:
            place = ours.tag_place(token, rows[token])
            yield Difference(ours.line(token), (place,), there.decode("utf-8", "replace") or "_")


def _of_labels(pair: Pair, unit: int, segment: Segment) -> Iterator[Difference]:
    theirs = _facing(segment, unit, pair.gold.units)
    if theirs is None:
        return
    for problem in pair.problems_of(pair.segment_of(PRED, unit)):
        if problem.code == "class-error":
            labels = ", ".join(label.decode("utf-8", "replace") for label in theirs.labels)
            place = problem.place
            yield Difference(place.line, ((place.start, place.end),), labels or "no label")
