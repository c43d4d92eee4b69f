"""Compared segments that may be compared in one go: neighbours with a cut between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.ud.faces import is_cut
from goldlens.scoring.ud.table import Table, table_of
from goldlens.scoring.ud.unit import PIECE, Unit


def groups(
    gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]
) -> Iterator[list[Segment]]:
    """Segments in order, in groups that may be compared in one go.

    A group ends as soon as its prediction has `PIECE` bytes. A segment that is not compared is a
    group of its own.
    """
    group: list[Segment] = []
    held = 0
    for segment in segments:
        if group and not (held < PIECE and joined(gold, pred, group[-1], segment)):
            yield group
            group, held = [], 0
        group.append(segment)
        held += sum([len(unit.canonical) for unit in pred[slice_of(segment.pred)]])
    if group:
        yield group


def joined(gold: Sequence[Unit], pred: Sequence[Unit], first: Segment, second: Segment) -> bool:
    """Whether two segments may be compared in one go."""
    if not (first.kind.compared and second.kind.compared):
        return False
    if second.gold.start != first.gold.stop or second.pred.start != first.pred.stop:
        return False
    if first.kind is second.kind is Kind.STREAM:
        return True
    ends = [
        next(unit for unit in reversed(side[slice_of(units)]) if unit.sentence)
        for side, units in ((gold, first.gold), (pred, first.pred))
    ]
    begins = [
        next(unit for unit in side[slice_of(units)] if unit.sentence)
        for side, units in ((gold, second.gold), (pred, second.pred))
    ]
    return is_cut(ends[0], ends[1], begins[0], begins[1])


def table(units: Sequence[Unit]) -> Table | None:
    """The sentences of units in one table; None if they have none."""
    text = b"".join([unit.canonical for unit in units])
    return table_of(text, canonical=True) if text else None


def slice_of(units: range) -> slice:
    """A range of units as what cuts them out of a list."""
    return slice(units.start, units.stop)
