"""What gold has of tags and labels, taken over: those of a span, a sentence, a document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from goldlens.scoring.classification.task import Classification
from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.replacing import Replacement, at, line_end, line_offsets
from goldlens.scoring.counts import Count
from goldlens.scoring.labels import LabelSums
from goldlens.scoring.problems import Problem
from goldlens.scoring.segment import Segment
from goldlens.scoring.spans.said import told_errors
from goldlens.scoring.spans.sentence import Sentence
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.views.deciding import labels_taken
from goldlens.server.views.lacking import lacking
from goldlens.server.views.trying import Change

Offer = tuple[str, Change]

_MOST_UNITS: Final = 16
"""Sentences that are taken over at once; what differs over more is another text."""


def proposed(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """What of gold could be taken over to be rid of a problem of tags or labels."""
    if problem.code == "id-missing":
        yield from _document_in(pair, unit, problem)
    elif problem.code == "form-missing":
        yield from _form_in(pair, unit, problem)
    both = faced(pair, unit)
    if both is None:
        return
    theirs, ours = both
    if problem.code == "span-error":
        yield from _span(theirs, ours, unit, problem)
    elif problem.code == "token-text":
        yield from _token(theirs, ours, unit, problem)
    elif problem.code == "class-error" and isinstance(pair.task, Classification):
        for title, edits in labels_taken(theirs, ours, pair.task.threshold):
            yield title, Change(unit, unit + 1, edits)
    elif problem.code == "row-format" and isinstance(pair.task, Classification) and theirs.readable:
        body = len(ours.text.rstrip(b"\r\n"))
        edit = Replacement(0, body, theirs.text.rstrip(b"\r\n"))
        yield "Take gold's row", Change(unit, unit + 1, (edit,))


def sentence(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """The tags of all of gold's sentence, where those of a span are of no use.

    Where the tokens are others, the sentences themselves.
    """
    if pair.task.name == "span" and problem.code == "stream-mismatch":
        yield from _sentences(pair, unit, problem)
        return
    both = faced(pair, unit)
    if both is None or pair.task.name != "span":
        return
    if problem.code in ("span-error", "iob2-tag", "iob2-malformed"):
        gold, pred = Sentence(both[0], 0), Sentence(both[1], 0)
        edits = tuple(_tags(gold, pred, range(pred.unit.tokens)))
        yield "Take gold's tags of the sentence", Change(unit, unit + 1, edits)


def faced(pair: Pair, unit: int) -> tuple[Any, Any] | None:
    """Gold's unit and the prediction's, where the two are compared."""
    if unit >= len(pair.pred.units):
        return None
    segment = pair.pairing[pair.segment_of(PRED, unit)]
    if not segment.kind.compared:
        return None
    ours = pair.pred.units[unit]
    if pair.task.name != "span":
        return pair.gold.units[segment.gold.start], ours
    theirs = _sentence(pair.gold.units, segment.gold)
    return (theirs, ours) if theirs is not None and theirs.tokens == ours.tokens else None


def counts_by_label(pair: Pair) -> dict[str, Count]:
    """What each label of tags or documents counts; not its ROC-AUC, which takes long."""
    sums: Any = pair.sums
    found: LabelSums = sums.counts if pair.task.name == "classification" else sums.labels
    return found.by_label()


def _sentence(units: Any, numbers: range) -> Any | None:
    return next((units[k] for k in numbers if units[k].tokens), None)


def _token(theirs: Any, ours: Any, unit: int, problem: Problem) -> Iterator[Offer]:
    gold, pred = Sentence(theirs, 0), Sentence(ours, 0)
    for token in range(ours.tokens):
        if pred.form_place(token).line == problem.place.line:
            edit = at(ours.text, problem.place, gold.form(token))
            form = gold.form(token).decode("utf-8", "replace")
            yield f"Take gold's token {form}", Change(unit, unit + 1, (edit,))


def _span(theirs: Any, ours: Any, unit: int, problem: Problem) -> Iterator[Offer]:
    gold, pred = Sentence(theirs, 0), Sentence(ours, 0)
    tokens: set[int] = set()
    for error in told_errors(theirs, ours):
        span = error.pred or error.gold
        if span is not None and pred.tag_place(span[0]).line == problem.place.line:
            for each in (error.pred, error.gold):
                tokens.update(range(each[0], each[1]) if each is not None else ())
    edits = tuple(_tags(gold, pred, sorted(tokens)))
    yield "Take gold's tags of the span", Change(unit, unit + 1, edits)


def _tags(gold: Sentence, pred: Sentence, tokens: Iterable[int]) -> Iterator[Replacement]:
    for token in tokens:
        there = gold.tag_place(token)
        new = gold.rows[token][there.start : there.end]
        here = pred.tag_place(token)
        if pred.rows[token][here.start : here.end] != new:
            yield at(pred.unit.text, here, new)


def _document_in(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """Gold's row put in where it is missing."""
    for segment in lacking(pair, unit, problem):
        row = pair.gold.units[segment.gold.start].text.rstrip(b"\r\n")
        yield "Put gold's row in", _row_in(pair, segment, row)


def _form_in(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """A row for a form of the dictionary, which says nothing of it but that it is there."""
    for segment in lacking(pair, unit, problem):
        for related in problem.related[:1]:
            row = pair.gold.units[segment.gold.start].text
            form = row[related.place.start : related.place.end]
            said = form.decode("utf-8", "replace")
            change = _row_in(pair, segment, form + b"\t" + form)
            yield f"Add a row that has {said} as its own stem", change


def _row_in(pair: Pair, segment: Segment, row: bytes) -> Change:
    """A row put in behind the unit that its absence is told of."""
    units = pair.pred.units
    if not units:
        return Change(0, 0, (Replacement(0, 0, row + b"\n"),))
    number = min(max(segment.pred.start - 1, 0), len(units) - 1)
    text = units[number].text
    end = line_end(text)
    new = row + end if text.endswith((b"\n", b"\r")) else end + row
    offset = line_offsets(text)[-1]
    return Change(number, number + 1, (Replacement(offset, offset, new),))


def _sentences(pair: Pair, unit: int, problem: Problem) -> Iterator[Offer]:
    """Gold's sentences in place of those that face them, or put in where they are missing."""
    gold, pred = pair.gold.units, pair.pred.units
    for segment in lacking(pair, unit, problem):
        before = pred[segment.pred.start - 1] if segment.pred.start else None
        theirs = gold[segment.gold.start : segment.gold.stop]
        if len(theirs) > _MOST_UNITS:
            continue
        end = line_end(pred[0].text) if pred else b"\n"
        new, number = _with_ends(theirs, end), max(0, segment.pred.start - 1)
        size = len(before.text) if before is not None else 0
        if before is not None and not pair.pred.format.is_closed(before.text):
            new = (end if before.text.endswith((b"\n", b"\r")) else end + end) + new
        change = Change(number, segment.pred.start, (Replacement(size, size, new),))
        yield f"Put gold's {_counted(theirs)} in", change
    if not 0 <= unit < len(pred):
        return
    segment = pair.pairing[pair.segment_of(PRED, unit)]
    if segment.kind.compared or max(len(segment.gold), len(segment.pred)) > _MOST_UNITS:
        return
    first, stop = segment.pred.start, segment.pred.stop
    ours = b"".join([each.text for each in pred[first:stop]])
    theirs = gold[segment.gold.start : segment.gold.stop]
    new = _with_ends(theirs, line_end(ours)) if theirs else b""
    title = f"Take gold's {_counted(theirs)}" if theirs else "Take the sentence out"
    yield title, Change(first, stop, (Replacement(0, len(ours), new),))


def _counted(units: Sequence[Any]) -> str:
    sentences = sum(unit.tokens > 0 for unit in units)
    return "sentence" if sentences == 1 else f"{sentences} sentences"


def _with_ends(units: Sequence[Any], end: bytes) -> bytes:
    """The texts of some units with other line ends, and a blank line at last."""
    text = b"".join([unit.text for unit in units])
    found = end.join([line.rstrip(b"\r\n") for line in lines(text)]) + end
    return found if found.endswith(end + end) else found + end
