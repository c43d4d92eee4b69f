"""Stemming as a task: a dictionary of groups against a stemmer's output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from goldlens.scoring.counts import Figure, Value
from goldlens.scoring.keyed import KeyedPairing
from goldlens.scoring.problems import CODES, Problem, Severity
from goldlens.scoring.sample import Sample
from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.signature import Signature
from goldlens.scoring.stemming import messages
from goldlens.scoring.stemming.formats import DICTIONARY, OUTPUT, GroupLine, OutputLine
from goldlens.scoring.stemming.indices import INDICES, indices, metrics
from goldlens.scoring.stemming.pairing import PartialPairing, by_form
from goldlens.scoring.stemming.policies import (
    ALL_WORDS,
    MODES,
    PRIMARY_OUTPUT,
)
from goldlens.scoring.stemming.rows import has_capital
from goldlens.scoring.stemming.sums import Comparison, StemSums
from goldlens.scoring.task import GOLD, Format


@dataclass(frozen=True, slots=True)
class Stemming:
    """The `stemming` task. `mode` is one of `policies.MODES`. Raises ValueError for another.

    Units are lines. A form without output counts, in the sums, as separated from every other; of
    several rows for one form the first counts.
    """

    mode: str = ALL_WORDS

    name: ClassVar[str] = "stemming"
    codes: ClassVar[tuple[str, ...]] = (messages.MISSING, messages.EXTRA)
    severities: ClassVar[tuple[Severity, ...]] = tuple(CODES[code].severity for code in codes)
    unfaced: ClassVar[Mapping[Kind, str]] = {
        Kind.MISSING: messages.MISSING,
        Kind.EXTRA: messages.EXTRA,
    }

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"no such mode: {self.mode}; there are {', '.join(MODES)}")

    def format(self, side: int) -> Format:
        """The dictionary's format, or that of a stemmer's output."""
        return DICTIONARY if side == GOLD else OUTPUT

    def pair(
        self, gold: Sequence[GroupLine], pred: Sequence[OutputLine], match: str
    ) -> KeyedPairing | PartialPairing:
        """Which rows face which groups: always by form."""
        if self.mode == ALL_WORDS:
            return by_form(gold, pred)
        return PartialPairing(gold, pred, self._left_out)

    def open_both(self, gold: bytes, pred: bytes) -> None:
        """Nothing is gained by opening both at once."""

    def compare(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        segments: Sequence[Segment],
        known: Any = None,
    ) -> list[Comparison]:
        """What each segment adds: the output of a form that the dictionary has, or a group."""
        found: list[Comparison] = []
        for segment in segments:
            if segment.kind is Kind.PAIR:
                found.append(pred[segment.pred.start].output)
            elif segment.gold and not self._left_out(gold[segment.gold.start]):
                found.append(gold[segment.gold.start].group)
            else:
                found.append(None)
        return found

    def sums(self) -> StemSums:
        """The sums of nothing."""
        return StemSums()

    def tallies(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        segments: Sequence[Segment],
        comparisons: Sequence[Comparison],
    ) -> Any:
        """How many problems of each of `codes` `problems` would give: segments x codes."""
        found = np.zeros((len(segments), len(self.codes)), np.int32)
        for k, segment in enumerate(segments):
            if segment.kind is Kind.MISSING:
                found[k, 0] = len(_lacking(segment))
            elif segment.kind is Kind.EXTRA:
                found[k, 1] = messages.is_extra(pred[segment.pred.start].output)
        return found

    def problems(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        segment: Segment,
        offset: int,
    ) -> list[Problem]:
        """The forms without output, at the end of the prediction; a form that no group has."""
        if segment.kind is Kind.MISSING:
            row = gold[segment.gold.start].text
            before = pred[segment.pred.start - 1].text if segment.pred.start else None
            return messages.missing(_lacking(segment), row, before)
        if segment.kind is Kind.EXTRA:
            output = pred[segment.pred.start].output
            return [messages.extra(output.form)] if messages.is_extra(output) else []
        return []

    def problems_of_many(
        self,
        gold: Sequence[GroupLine],
        pred: Sequence[OutputLine],
        segments: Sequence[Segment],
    ) -> list[list[Problem]]:
        """`problems` of each segment."""
        return [self.problems(gold, pred, segment, 0) for segment in segments]

    def pair_notices(
        self, sums: StemSums, gold: Sequence[Any], pred: Sequence[Any]
    ) -> list[Problem]:
        """Nothing."""
        return []

    def size(self, sums: StemSums, gold: Sequence[int]) -> int:
        """The distinct forms of the dictionary that the mode keeps."""
        return sums.forms

    def figures(
        self, sums: StemSums, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """The indices of each policy, in points; None where undefined.

        Those of PRIMARY_OUTPUT have plain names (`UI`), the others' begin with the policy
        (`ALL_CANDIDATES/UI`). ANY_CANDIDATE has UI and OI alone.
        """
        found: dict[str, Figure | None] = {}
        for policy, pairs in sums.pairs().items():
            before = "" if policy == PRIMARY_OUTPUT else f"{policy}/"
            values = indices(pairs, policy)
            for key in metrics(policy):
                value = values[key]
                found[before + INDICES[key]] = None if value is None else Value(value)
        return found

    def labels(self, sums: StemSums) -> dict[str, dict[str, float | int | None]]:
        """None: there are no labels."""
        return {}

    def skipped(self, sums: StemSums) -> list[str]:
        """Nothing."""
        return []

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What the figures are computed with."""
        options = (("mode", self.mode),)
        return Signature(self.name, "form", policy, options=options)

    def sample(
        self, comparisons: Sequence[Comparison], starts: Sequence[int], units: int
    ) -> Sample | None:
        """None: pairs of forms do not add up over units."""

    def _left_out(self, unit: GroupLine) -> bool:
        return self.mode != ALL_WORDS and has_capital(unit.forms)


STEMMING = Stemming()


def _lacking(segment: Segment) -> tuple[bytes, ...]:
    assert isinstance(segment.detail, tuple)
    return segment.detail
