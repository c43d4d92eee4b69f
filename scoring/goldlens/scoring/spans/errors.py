"""Which predicted spans are wrong, which gold spans are not found, and what is wrong about each.

Every predicted span that is not correct and every gold span that is not found is part of exactly
one error. So, with an error of a class that has both counted on both sides,
correct + boundary + type + both + spurious = predicted, and
correct + boundary + type + both + missing = gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from goldlens.scoring.labels import Entries
from goldlens.scoring.spans.schemes import Span


class Class(Enum):
    """The class of an error."""

    BOUNDARY = "boundary"
    """The label is right, the span overlaps gold's but is not the same."""
    TYPE = "type"
    """The span is right, the label is not."""
    BOTH = "boundary and type"
    """The span overlaps gold's, and neither boundaries nor label are right."""
    SPURIOUS = "spurious"
    """A predicted span that faces none of gold's."""
    MISSING = "missing"
    """A gold span that no predicted span faces."""


class Error(NamedTuple):
    """An error: its class, and the predicted and the gold span it is about."""

    kind: Class
    pred: Span | None
    gold: Span | None


def errors(gold: Sequence[Span], pred: Sequence[Span]) -> list[Error]:
    """The errors of a sentence, in the order of the text.

    Wrong spans that overlap face each other one to one: those of equal boundaries (which overlap
    nothing else), those of equal labels, then what is left; the largest overlap goes first, then
    what is first in the text. The spans of a side do not overlap, and come in order.
    """
    found_in_gold, found_in_pred = set(gold), set(pred)
    missed = [span for span in gold if span not in found_in_pred]
    wrong = [span for span in pred if span not in found_in_gold]
    found: list[Error] = []
    if missed and wrong:
        found += [Error(kind, ours, theirs) for kind, ours, theirs in _facing(missed, wrong)]
    faced_here, faced_there = {error.pred for error in found}, {error.gold for error in found}
    found += [Error(Class.SPURIOUS, span, None) for span in wrong if span not in faced_here]
    found += [Error(Class.MISSING, None, span) for span in missed if span not in faced_there]
    return sorted(found, key=_order)


def count_errors(gold: Sequence[Span], pred: Sequence[Span]) -> int:
    """How many `errors` there are."""
    found = set(gold).intersection(pred)
    missed, wrong = len(gold) - len(found), len(pred) - len(found)
    return len(errors(gold, pred)) if missed and wrong else missed + wrong


def classes(pairs: Sequence[tuple[Sequence[Span], Sequence[Span]]]) -> dict[Class, int]:
    """How many errors of each class some sentences have: (gold's spans, the predicted ones)."""
    counts = Counter(error.kind for gold, pred in pairs for error in errors(gold, pred))
    return {kind: counts[kind] for kind in Class}


def compared(gold: Sequence[Span], pred: Sequence[Span]) -> Entries:
    """The counts of a sentence by label, in the order of the labels."""
    there, here = Counter([span[2] for span in gold]), Counter([span[2] for span in pred])
    right = Counter([span[2] for span in set(gold).intersection(pred)])
    return tuple(
        [(label, right[label], there[label], here[label]) for label in sorted(there.keys() | here)]
    )


def _facing(missed: Sequence[Span], wrong: Sequence[Span]) -> list[tuple[Class, Span, Span]]:
    """The pairs of spans that face each other, each span once."""
    candidates: list[tuple[tuple[bool, int, int, int], Class, Span, Span]] = []
    first = 0
    for ours in wrong:
        # What ends before this span ends before all that come after it.
        while first < len(missed) and missed[first][1] <= ours[0]:
            first += 1
        for at in range(first, len(missed)):
            theirs = missed[at]
            if theirs[0] >= ours[1]:
                break
            overlap = min(ours[1], theirs[1]) - max(ours[0], theirs[0])
            kind = Class.BOTH
            if ours[:2] == theirs[:2]:
                kind = Class.TYPE
            elif ours[2] == theirs[2]:
                kind = Class.BOUNDARY
            rank = kind is Class.BOTH, -overlap, ours[0], theirs[0]
            candidates.append((rank, kind, ours, theirs))
    candidates.sort(key=lambda candidate: candidate[0])
    taken: set[tuple[bool, Span]] = set()
    found = []
    for _, kind, ours, theirs in candidates:
        if (True, ours) not in taken and (False, theirs) not in taken:
            taken |= {(True, ours), (False, theirs)}
            found.append((kind, ours, theirs))
    return found


def _order(error: Error) -> tuple[int, int]:
    span = error.pred or error.gold
    assert span is not None
    return span[0], error.pred is None
