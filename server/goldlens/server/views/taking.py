"""What gold has, taken over: a cell, a word, a sentence, a tag, a label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.numbers import Names
from goldlens.scoring.conllu.editing.replacing import (
    Replacement,
    cell,
    line_end,
    line_offsets,
)
from goldlens.scoring.conllu.rows import COLUMN_NAMES, DEPREL, DEPS, FORM, HEAD, LEMMA, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.problems import Problem
from goldlens.scoring.segment import Segment
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.facing import facing
from goldlens.server.spot import sentence_of
from goldlens.server.views import labels
from goldlens.server.views.lacking import lacking
from goldlens.server.views.trying import Change

Offer = tuple[str, Change]
"""What is done, and how."""

_ATTACHMENT: Final = (HEAD, DEPREL, DEPS)
_CELLS: Final = range(LEMMA, DEPS + 1)
_MOST_UNITS: Final = 16
"""Sentences that are taken over at once; what differs over more is another text."""

_HEADS: Final = frozenset(
    (
        "las-error",
        "empty-cell",
        "head-missing",
        "head-not-a-number",
        "head-out-of-range",
        "head-cycle",
        "multiple-roots",
        "root-relation",
    )
)
_CELL: Final = frozenset(("tag-error", "lemma-error", "feats-error"))


@dataclass(frozen=True, slots=True)
class Counterparts:
    """The words of a sentence that gold has, by their IDs: gold's rows, and heads by our IDs.

    `graph` has gold's DEPS by our IDs, where both sentences have an enhanced graph and every head
    in the cell is there on our side.
    """

    sentence: Sentence
    rows: Mapping[int, Row]
    heads: Mapping[int, int]
    graph: Mapping[int, str]

    def differing(self, number: int, columns: range | tuple[int, ...]) -> dict[int, str]:
        """What gold has in those cells of a word in which it has something else."""
        ours, theirs = self.sentence.words[number], self.rows[number]
        found = {}
        for column in columns:
            if column == HEAD:
                if number not in self.heads:
                    continue
                there = str(self.heads[number])
            elif column == DEPS:
                there = self.graph.get(number, "")
            else:
                there = theirs.cell(column)
            if there and ours.cell(column) != there:
                found[column] = there
        return found

    def edits(self, number: int, cells: Mapping[int, str]) -> list[Replacement]:
        """The cells of a word replaced."""
        row = self.sentence.words[number]
        return [cell(self.sentence.block, row, column, text) for column, text in cells.items()]

    def said(self, cells: Mapping[int, str]) -> str:
        """What is taken, for a title."""
        names = _joined([COLUMN_NAMES[column] for column in cells])
        values = []
        for column, text in cells.items():
            head = self.sentence.words.get(int(text)) if column == HEAD else None
            values.append(text if head is None else self.sentence.name(head))
        return f"{names}: {', '.join(values)}"


def counterparts(pair: Pair, unit: int) -> Counterparts | None:
    """What gold has of the words of a predicted sentence; None where nothing can be told."""
    ours = sentence_of(pair.pred, unit)
    # Words go by their place in the sentence there, by their IDs here.
    if list(ours.words) != list(range(1, len(ours.words) + 1)):
        return None
    found = facing(pair, PRED, unit)
    if not found.words:
        return None
    back = {(word.unit, word.number): number for number, word in found.words.items()}
    rows, heads, graph = {}, {}, {}
    for number, word in found.words.items():
        theirs = sentence_of(pair.gold, word.unit)
        row = theirs.words.get(word.number)
        if row is None or number not in ours.words:
            continue
        rows[number] = row
        head = theirs.head(row)
        if head is not None:
            here = back.get((word.unit, head)) if head else 0
            if here is not None:
                heads[number] = here
        if _enhanced(ours) and _enhanced(theirs):
            cell = _names(ours, theirs, word.unit, back).translated(row.cell(DEPS))
            if cell is not None:
                graph[number] = cell
    return Counterparts(ours, rows, heads, graph)


def _enhanced(sentence: Sentence) -> bool:
    """Whether a sentence has an enhanced graph at all."""
    return any(row.cell(DEPS) not in ("", "_") for row in sentence.rows)


def _names(
    ours: Sentence, theirs: Sentence, unit: int, back: Mapping[tuple[int, int], int]
) -> Names:
    """What gold's IDs of a unit are on our side. An empty node is the one behind the same word."""
    words = {0: 0} | {there: here for (where, there), here in back.items() if where == unit}
    known = {(row.first, row.second) for row in ours.rows if row.kind is Kind.EMPTY_NODE}
    nodes = {
        (row.first, row.second): (words[row.first], row.second)
        for row in theirs.rows
        if row.kind is Kind.EMPTY_NODE and (words.get(row.first), row.second) in known
    }
    return Names(words, nodes)


def cells(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """Cells of gold that could be taken over to be rid of a problem."""
    if pair.task.name != "ud":
        yield from labels.proposed(pair, unit, problem)
        return
    if problem.code in _HEADS or problem.code in _CELL:
        found = counterparts(pair, unit) if unit < len(pair.pred.units) else None
        row = found.sentence.row_at(problem.place.line) if found else None
        if found is not None and row is not None and row.kind is Kind.WORD:
            yield from _cells(found, unit, row, problem)


def _cells(found: Counterparts, unit: int, row: Row, problem: Problem) -> Iterator[Offer]:
    number = row.first
    if number not in found.rows:
        return
    if problem.code in _CELL:
        cells = found.differing(number, (row.column_at(problem.place.start),))
    else:
        cells = found.differing(number, _ATTACHMENT)
    if cells:
        change = Change(unit, unit + 1, tuple(found.edits(number, cells)))
        yield f"Take gold's {found.said(cells)}", change
    if problem.code in ("head-cycle", "multiple-roots"):
        yield from _several(found, unit, row, problem)


def sentences(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """Words and sentences of gold that could be taken over, where single cells do not suffice."""
    if pair.task.name != "ud":
        yield from labels.sentence(pair, unit, problem)
    elif problem.code not in _CELL:
        if problem.code in _HEADS and 0 <= unit < len(pair.pred.units):
            row = sentence_of(pair.pred, unit).row_at(problem.place.line)
            if row is not None and row.kind is Kind.WORD:
                offer = word(pair, unit, row.first)
                yield from () if offer is None else (offer,)
        yield from missing(pair, unit, problem)
        yield from whole(pair, unit)


def _several(found: Counterparts, unit: int, row: Row, problem: Problem) -> Iterator[Offer]:
    """Gold's heads for all the words of a ring, or for all roots."""
    sentence = found.sentence
    cycle = problem.code == "head-cycle"
    rows = sentence.chain(row.first) if cycle else sentence.dependents(0)
    edits = []
    for each in rows:
        if each.first in found.rows:
            edits += found.edits(each.first, found.differing(each.first, _ATTACHMENT))
    if edits:
        what = "ring" if cycle else "roots"
        yield f"Take gold's heads for the words of the {what}", Change(unit, unit + 1, tuple(edits))


def word(pair: Pair, unit: int, number: int) -> Offer | None:
    """Gold's cells of a word, LEMMA to DEPS, where more than one of them differs.

    A single one has a problem of its own, which it is offered for; but not DEPS.
    """
    found = counterparts(pair, unit)
    if found is None or number not in found.rows:
        return None
    cells = found.differing(number, _CELLS)
    if len(cells) < 2 and DEPS not in cells:
        return None
    form = found.sentence.words[number].cell(FORM)
    title = f"Take gold's {_joined([COLUMN_NAMES[c] for c in cells])} for word {number} ({form})"
    return title, Change(unit, unit + 1, tuple(found.edits(number, cells)))


def whole(pair: Pair, unit: int) -> Iterator[Offer]:
    """Gold's sentence in place of one, or gold's sentences in place of those that face them."""
    if unit >= len(pair.pred.units):
        return
    segment = pair.pairing[pair.segment_of(PRED, unit)]
    if segment.kind.compared and len(segment.gold) == len(segment.pred) == 1:
        found = counterparts(pair, unit)
        if found is not None and _same_words(pair, segment, found):
            edits = _all_cells(found)
            if edits:
                yield "Take gold's sentence", Change(unit, unit + 1, tuple(edits))
            return
    yield from _texts(pair, segment)


def _same_words(pair: Pair, segment: Segment, found: Counterparts) -> bool:
    theirs = sentence_of(pair.gold, segment.gold.start)
    return list(theirs.words) == list(found.sentence.words) == sorted(found.rows)


def _all_cells(found: Counterparts) -> list[Replacement]:
    """All cells of all words that differ."""
    edits = []
    for number in found.rows:
        edits += found.edits(number, found.differing(number, _CELLS))
    return edits


def _texts(pair: Pair, segment: Segment) -> Iterator[Offer]:
    """The texts of gold's sentences; of one in place of one, the rows alone."""
    gold, pred = pair.gold.units, pair.pred.units
    if max(len(segment.gold), len(segment.pred)) > _MOST_UNITS or not segment.pred:
        return
    first, stop = segment.pred.start, segment.pred.stop
    if not segment.gold:
        size = sum(len(unit.text) for unit in pred[first:stop])
        yield "Take the sentence out", Change(first, stop, (Replacement(0, size, b""),))
        return
    theirs = b"".join([unit.text for unit in gold[segment.gold.start : segment.gold.stop]])
    ours = b"".join([unit.text for unit in pred[first:stop]])
    new = _ending(theirs, line_end(ours))
    if len(segment.gold) == len(segment.pred) == 1:
        start, end = _rows(ours)
        begin, finish = _rows(new)
        if end > start and finish > begin:
            edit = Replacement(start, end, new[begin:finish])
            yield "Take gold's rows of the sentence", Change(first, stop, (edit,))
    what = "sentence" if len(segment.gold) == 1 else f"{len(segment.gold)} sentences"
    yield f"Take gold's {what}", Change(first, stop, (Replacement(0, len(ours), new),))


def missing(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """Gold's sentences put in where they are missing: behind a unit, or before the first."""
    units = pair.pred.units
    for segment in lacking(pair, unit, problem):
        theirs = pair.gold.units[segment.gold.start : segment.gold.stop]
        if not any(each.sentence for each in theirs) or len(theirs) > _MOST_UNITS:
            continue
        said = "sentence" if len(theirs) == 1 else f"{len(theirs)} sentences"
        first = segment.pred.start
        end = line_end(units[0].text) if units else b"\n"
        new = _ending(b"".join([each.text for each in theirs]), end)
        at_end = 0
        if first:
            before = units[first - 1].text
            at_end = len(before)
            if not pair.pred.format.is_closed(before):
                new = (end if before.endswith((b"\n", b"\r")) else end + end) + new
        edit = Replacement(at_end, at_end, new)
        yield f"Put gold's {said} in", Change(max(0, first - 1), first, (edit,))


def _rows(block: bytes) -> tuple[int, int]:
    """Where the rows of a block begin and end."""
    offsets = line_offsets(block)
    full = [k for k, line in enumerate(lines(block)) if line.strip() and not line.startswith(b"#")]
    return (offsets[full[0]], offsets[full[-1] + 1]) if full else (0, 0)


def _ending(text: bytes, end: bytes) -> bytes:
    """A text with other line ends, and a blank line at last."""
    found = end.join([line.rstrip(b"\r\n") for line in lines(text)]) + end
    return found if found.endswith(end + end) else found + end


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
