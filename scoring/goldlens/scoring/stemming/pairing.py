"""Rows of output face the groups of their form; groups that are left out face nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from goldlens.scoring.keyed import KeyedPairing
from goldlens.scoring.segment import Change, Kind, Segment
from goldlens.scoring.stemming.formats import GroupLine, OutputLine
from goldlens.scoring.task import GOLD, PRED


class StemPairing(KeyedPairing):
    """One segment for each row of output, then one for each row of the dictionary.

    As in `KeyedPairing`, but a row whose form stands only in groups that are left out is BLANK,
    not EXTRA: the dictionary has the form, it is only not evaluated.
    """

    def __init__(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        *,
        left_out: Callable[[GroupLine], bool],
    ) -> None:
        """`left_out` says whether a group does not count."""
        self._leaves_out = left_out
        self._unheeded: Counter[bytes] = Counter()
        super().__init__(
            gold,
            pred,
            keys=lambda unit: () if left_out(unit) else unit.forms,
            key=lambda unit: unit.form,
            by_itself=True,
        )
        self._rows = pred
        self._heed(gold, 1)

    def __getitem__(self, index: int) -> Segment:
        segment = super().__getitem__(index)
        if segment.kind is Kind.EXTRA and self._rows[index].form in self._unheeded:
            return Segment(Kind.BLANK, segment.gold, segment.pred)
        return segment

    def uncompared(self) -> Iterator[int]:
        """The segments that are not compared and not blank, ascending."""
        for number in super().uncompared():
            if not self._unheeded or self[number].kind is not Kind.BLANK:
                yield number

    def update(
        self, side: int, start: int, removed: Sequence[GroupLine], added: Sequence[GroupLine]
    ) -> list[Change]:
        """Units `removed` of a side, from `start`, have become `added` (see `KeyedPairing`)."""
        changes = super().update(side, start, removed, added)
        if side != GOLD:
            return changes
        forms = self._heed(removed, -1) | self._heed(added, 1)
        told = {change.at for change in changes}
        rows = {self._firsts(PRED)[form] for form in forms if form in self._extra}
        return [*changes, *(Change(k, 1, 1) for k in sorted(rows - told))]

    def _heed(self, units: Sequence[GroupLine], sign: int) -> set[bytes]:
        """Counts the forms of the units that are left out, and names them."""
        forms: set[bytes] = set()
        for unit in units:
            if self._leaves_out(unit):
                forms.update(unit.forms)
                for form in unit.forms:
                    self._unheeded[form] += sign
                    if not self._unheeded[form]:
                        del self._unheeded[form]
        return forms
