"""Located problems of a classification file, made on demand."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final

from goldlens.scoring.classification.reading import read_row
from goldlens.scoring.classification.row import listed, shown
from goldlens.scoring.classification.unit import Unit
from goldlens.scoring.problems import Place, Problem, Related, Side, problem
from goldlens.scoring.segment import Kind, Segment

_LABELS: Final = attrgetter("labels")
_MOST: Final = 20
"""So many labels unknown to gold are pointed to, each where it first stands."""


def id_place(unit: Unit) -> Place:
    """Where the id of a document stands."""
    return Place(0, 0, *read_row(unit.text).id_span)


def label_place(unit: Unit, side: Side = Side.HERE) -> Place:
    """Where the labels of a document stand, or the scores that stand for them."""
    row = read_row(unit.text)
    return Place(0, 0, *(row.label_span or row.id_span), side)


def segment_problems(gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment) -> list[Problem]:
    """The problems of the prediction against gold in one segment."""
    if segment.kind is Kind.PAIR:
        theirs, ours = gold[segment.gold.start], pred[segment.pred.start]
        if theirs.readable and ours.readable and theirs.labels != ours.labels:
            return [_class_error(theirs, ours)]
    if segment.kind is Kind.EXTRA:
        ours = pred[segment.pred.start]
        return [_extra(ours)] if ours.readable else []
    if segment.kind is Kind.MISSING:
        before = pred[segment.pred.start - 1] if segment.pred.start else None
        return [_missing(gold[segment.gold.start], before)]
    return []


def _class_error(theirs: Unit, ours: Unit) -> Problem:
    here, there = set(ours.labels), set(theirs.labels)
    if len(here) == len(there) == 1:
        message = f"The label is {listed(ours.labels)}, gold has {listed(theirs.labels)}"
    else:
        parts = []
        if lacking := sorted(there - here):
            parts.append(f"{listed(lacking)} {_is(lacking)} missing")
        if more := sorted(here - there):
            parts.append(f"{listed(more)} {_is(more)} not in gold")
        have = listed(theirs.labels) if there else "no label"
        message = f"Gold has {have}; {', and '.join(parts)}"
    related = (Related(label_place(theirs, Side.THERE), "gold's labels"),)
    return problem("class-error", label_place(ours), message, related=related)


def _is(labels: Sequence[bytes]) -> str:
    return "is" if len(labels) == 1 else "are"


def _extra(ours: Unit) -> Problem:
    name = shown(ours.id or b"")
    message = f"Gold has no document {name}; take the row out, or give it gold's id"
    return problem("id-extra", id_place(ours), message)


def _missing(theirs: Unit, before: Unit | None) -> Problem:
    place = Place(0, 0, 0, 0)
    if before is not None:
        end = len(before.text.rstrip(b"\r\n"))
        place = Place(-1, 0, end, end)
    there = id_place(theirs)
    there = Place(0, 0, there.start, there.end, Side.THERE)
    return problem(
        "id-missing",
        place,
        f"Gold's document {shown(theirs.id or b'')} is missing here; add a row for it",
        related=(Related(there, "gold's document"),),
    )


def duplicate(key: bytes, place: Place, first: Place) -> Problem:
    """The problem that an id stands at `place` and stood at `first` before."""
    message = f"The id {shown(key)} stood before and the first row counts; take one of the two out"
    return problem("id-duplicate", place, message, related=(Related(first, "the first one"),))


def score_range(units: Sequence[Unit], threshold: float) -> list[Problem]:
    """The one notice of a file that has scores outside 0 to 1, at the first of them."""
    for number, unit in enumerate(units):
        if unit.outside:
            row = read_row(unit.text)
            label, span = next(
                (label, span)
                for (label, score), span in zip(row.scores.items(), row.score_spans, strict=True)
                if not 0 <= score <= 1
            )
            message = (
                f"The score of {shown(label)} lies outside 0 to 1; labels are decided at "
                f"{threshold}, so set a threshold that suits such scores"
            )
            return [problem("score-range", Place(number, 0, *span), message)]
    return []


def unknown_labels(units: Sequence[Unit], labels: Sequence[bytes]) -> list[Problem]:
    """A hint at the first place of each of some `labels` that gold does not have.

    Of at most 20; the last one says how many labels more there are. Reads the units up to there.
    """
    left = set(labels)
    found: list[Problem] = []
    # Mostly a loop inside of map: a label may first stand at the very end.
    for number, none in enumerate(map(left.isdisjoint, map(_LABELS, units))):
        if none:
            continue
        place = label_place(units[number])
        for label in [label for label in units[number].labels if label in left]:
            left.discard(label)
            message = f"The label {shown(label)} does not occur in gold; see whether it is misspelt"
            if len(found) == _MOST - 1 and left:
                message += f" ({len(left)} more such labels are not shown)"
            found.append(
                problem("label-unknown", Place(number, 0, place.start, place.end), message)
            )
            if len(found) == _MOST or not left:
                return found
    return found
