"""Text classification as a task: how to split, parse, pair, compare and sum."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from goldlens.scoring.classification import errors, reading
from goldlens.scoring.classification.comparison import ClassSums, Comparison, compare
from goldlens.scoring.classification.reader import Reader
from goldlens.scoring.classification.unit import FACTS, Unit
from goldlens.scoring.counts import Figure, Value
from goldlens.scoring.keyed import KeyedPairing
from goldlens.scoring.labels import sample_of
from goldlens.scoring.problems import CODES, Place, Problem, Severity
from goldlens.scoring.sample import Sample, ratio
from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.signature import Signature

_CODES = ("class-error", "id-missing", "id-extra")


@dataclass(frozen=True)
class Classification:
    """The `classification` task, which is also the format of both its sides.

    `threshold`: the score from which on a label counts as predicted where a document has scores
    and no labels of its own.

    A document that is missing, or whose row cannot be read, counts with gold's labels, none of
    them found. A document that gold lacks is left out, and so is a row whose id stood before.
    """

    threshold: float = 0.5

    name = "classification"
    fact_names = FACTS
    duplicate_code = "id-duplicate"
    has_header = True
    codes = _CODES
    severities = tuple(CODES[code].severity for code in _CODES)
    unfaced = MappingProxyType({Kind.MISSING: "id-missing", Kind.EXTRA: "id-extra"})

    # The format

    def format(self, side: int) -> Self:
        """Itself: gold and prediction are written alike."""
        return self

    def facts(self, unit: Unit) -> tuple[int, int, int, int]:
        """See `unit.FACTS`."""
        return unit.facts

    def regime(self, facts: Sequence[int]) -> None:
        """None: every line is read by itself."""

    def likely_regime(self, text: bytes) -> None:
        """None."""

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """None."""
        return ()

    def notices(self, units: Sequence[Unit], facts: Sequence[int]) -> list[Problem]:
        """That there are scores outside 0 to 1."""
        return errors.score_range(units, self.threshold) if facts[3] else []

    def key(self, unit: Unit) -> bytes | None:
        """The document's id."""
        return unit.id

    def title(self, unit: Unit) -> str | None:
        """The document's id."""
        return None if unit.id is None else unit.id.decode("utf-8", "replace")

    def key_place(self, unit: Unit) -> Place:
        """Where the id stands."""
        return errors.id_place(unit)

    def duplicate_severity(self, unit: Unit, first: Unit) -> Severity:
        """An Error, whatever else the two rows say."""
        return Severity.ERROR

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """An id-duplicate."""
        assert isinstance(key, bytes)
        return errors.duplicate(key, place, first)

    def split(self, text: bytes) -> list[bytes]:
        """The lines of a text (see `reading.split`)."""
        return reading.split(text)

    def is_closed(self, block: bytes) -> bool:
        """Whether a line has its end."""
        return reading.is_closed(block)

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: None = None,
    ) -> list[Unit]:
        """The units of consecutive lines. All checks are cheap, and none is optional."""
        return Reader(self.threshold).units(blocks, at_start=at_start)

    # The comparison

    def pair(self, gold: Sequence[Unit], pred: Sequence[Unit], match: str) -> KeyedPairing:
        """Documents of one id face each other; `match` has no say."""
        return KeyedPairing(gold, pred, keys=_keys, key=self.key)

    def open_both(self, gold: bytes, pred: bytes) -> None:
        """None: one by one is cheap enough."""

    def compare(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        known: Any = None,
    ) -> list[Comparison]:
        """The comparison of each segment (see `comparison.compare`)."""
        return compare(gold, pred, segments)

    def sums(self) -> ClassSums:
        """The sums of no documents."""
        return ClassSums()

    def tallies(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        comparisons: Sequence[Comparison],
    ) -> np.ndarray:
        """How many problems of each of `codes` `problems` gives: segments x codes."""
        found = np.zeros((len(segments), len(self.codes)), np.int32)
        found[:, 0] = [comparison.wrong for comparison in comparisons]
        found[:, 1] = [segment.kind is Kind.MISSING for segment in segments]
        found[:, 2] = [
            segment.kind is Kind.EXTRA and pred[segment.pred.start].readable for segment in segments
        ]
        return found

    def problems(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment, offset: int
    ) -> list[Problem]:
        """The problems of the prediction against gold in one segment; one at most."""
        return errors.segment_problems(gold, pred, segment)

    def problems_of_many(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]
    ) -> list[list[Problem]]:
        """`problems` of each segment."""
        return [errors.segment_problems(gold, pred, segment) for segment in segments]

    def pair_notices(
        self, sums: ClassSums, gold: Sequence[Unit], pred: Sequence[Unit]
    ) -> list[Problem]:
        """What is to be said once of the prediction against gold: labels that gold lacks.

        Places count units from the prediction's first.
        """
        unknown = sums.counts.only_predicted()
        return errors.unknown_labels(pred, unknown) if unknown else []

    def size(self, sums: ClassSums, gold: Sequence[int]) -> int:
        """The documents of gold."""
        return gold[0]

    def figures(
        self, sums: ClassSums, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """Accuracy where every document has one label, Micro, Macro, ROC-AUC where scores are.

        Accuracy and ROC-AUC are points, None where there is nothing to count.
        """
        found: dict[str, Figure | None] = {}
        if not gold[1] and not pred[1]:
            share = 100.0 * sums.right / sums.documents if sums.documents else None
            found["Accuracy"] = Value(share)
        found["Micro"], found["Macro"] = sums.counts.micro(), sums.counts.macro()
        if pred[2]:
            found["ROC-AUC"] = Value(sums.mean_area())
        return found

    def labels(self, sums: ClassSums) -> dict[str, dict[str, float | int | None]]:
        """Counts and figures of each label in gold or prediction; ROC-AUC in points, or None."""
        areas = {label.decode("utf-8", "replace"): a for label, a in sums.areas().items()}
        return {
            label: {
                "correct": count.correct,
                "gold": count.gold,
                "predicted": count.predicted,
                "precision": count.precision,
                "recall": count.recall,
                "f1": count.f1,
                "roc_auc": areas.get(label),
            }
            for label, count in sums.counts.by_label().items()
        }

    def skipped(self, sums: ClassSums) -> list[str]:
        """Labels with scores whose documents are all positive, or all negative."""
        return [k.decode("utf-8", "replace") for k, area in sums.areas().items() if area is None]

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What figures are computed with; documents are always matched by id."""
        options = (("threshold", str(self.threshold)),)
        return Signature(self.name, "id", policy, strict, options=options)

    def sample(
        self, comparisons: Sequence[Comparison], starts: Sequence[int], units: int
    ) -> Sample:
        """Counts by document: those by label, then right ones and all. ROC-AUC has none."""
        placed = [
            (min(start, units - 1), comparison)
            for start, comparison in zip(starts, comparisons, strict=True)
            if comparison.documents
        ]
        by_label = sample_of([(start, c.entries) for start, c in placed], units)
        documents = np.zeros((units, 2), np.int32)
        if placed:
            at = np.array([start for start, _ in placed])
            np.add.at(documents, at, [(c.right, c.documents) for _, c in placed])
        counts = np.concatenate([by_label.counts, documents], axis=1)
        return Sample(counts, {"Accuracy": ratio(-2, -1), **by_label.statistics})


def _keys(unit: Unit) -> Sequence[Hashable]:
    return () if unit.id is None else (unit.id,)


CLASSIFICATION = Classification()
"""The task with the usual threshold."""
