"""Rows of output face the groups of their form; groups that are left out face nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from goldlens.scoring.keyed import KeyedPairing, Places
from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.stemming.formats import GroupLine, OutputLine
from goldlens.scoring.task import PRED


def by_form(
    gold: Sequence[GroupLine],
    pred: Sequence[OutputLine],
    left_out: Callable[[GroupLine], bool] | None = None,
) -> KeyedPairing:
    """A segment for each row of output, then one for each row of the dictionary.

    Groups that are `left_out` have no forms that a row could face.
    """
    return KeyedPairing(
        gold,
        pred,
        keys=lambda unit: () if left_out and left_out(unit) else unit.forms,
        key=lambda unit: unit.form,
        by_itself=True,
    )


class PartialPairing:
    """The pairing by form where some groups are left out.

    A row whose form stands only in groups that are left out is BLANK, not EXTRA: the dictionary
    has the form, it is only not evaluated.
    """

    def __init__(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        left_out: Callable[[GroupLine], bool],
    ) -> None:
        """`left_out` says whether a group does not count."""
        self._rows, self._left_out = pred, left_out
        self._base = by_form(gold, pred, left_out)
        self._places = Places(pred, _form_of)
        self._forms = Counter(form for unit in gold if left_out(unit) for form in unit.forms)

    def __len__(self) -> int:
        return len(self._base)

    def __getitem__(self, index: int) -> Segment:
        return self._seen(self._base[index])

    def __iter__(self) -> Iterator[Segment]:
        return map(self._seen, self._base)

    def starts(self, index: int) -> tuple[int, int]:
        """The first gold unit and the first predicted unit of a segment."""
        return self._base.starts(index)

    def segments_of(self, side: int, start: int, stop: int) -> range:
        """The segments that hold units `start` to `stop` of a side."""
        return self._base.segments_of(side, start, stop)

    @property
    def agrees(self) -> bool:
        """Always: order means nothing here."""
        return True

    def uncompared(self) -> Iterator[int]:
        """The segments that are not compared and not blank, ascending."""
        return (number for number in self._base.uncompared() if self[number].kind != Kind.BLANK)

    def offset(self, unit: int) -> int:
        """Nothing precedes a unit that its problems would count."""
        return 0

    def update(
        self, side: int, start: int, removed: Sequence[Any], added: Sequence[Any]
    ) -> list[Change]:
        """Units `removed` of a side, from `start`, have become `added` (see `KeyedPairing`)."""
        changes = self._base.update(side, start, removed, added)
        if side == PRED:
            self._places.changed(start, len(removed), [_form_of(unit) for unit in added])
            return changes
        forms = [
            {form for unit in units if self._left_out(unit) for form in unit.forms}
            for units in (removed, added)
        ]
        for units, sign in ((removed, -1), (added, 1)):
            for unit in units:
                for form in unit.forms if self._left_out(unit) else ():
                    self._forms[form] += sign
        told = {k for change in changes for k in range(change.at, change.at + change.added)}
        rows = {row for form in forms[0] ^ forms[1] for row in self._places.every(form)}
        return [*changes, *(Change(row, 1, 1) for row in sorted(rows - told))]

    def _seen(self, segment: Segment) -> Segment:
        if segment.kind is not Kind.EXTRA:
            return segment
        form = self._rows[segment.pred.start].form
        if form is None or not self._forms[form]:
            return segment
        return Segment(Kind.BLANK, segment.gold, segment.pred)


def _form_of(unit: OutputLine) -> Sequence[bytes]:
    return () if unit.form is None else (unit.form,)
