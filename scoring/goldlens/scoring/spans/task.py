"""Labelled spans as a task: how to split, parse, pair, compare and sum."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, Final, Self

import numpy as np

from goldlens.scoring.counts import Figure
from goldlens.scoring.labels import Entries, LabelSums, sample_of
from goldlens.scoring.problems import CODES, Place, Problem, Severity, problem
from goldlens.scoring.sample import Sample
from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.signature import Signature
from goldlens.scoring.spans import said
from goldlens.scoring.spans.blocks import is_closed, split
from goldlens.scoring.spans.errors import compared
from goldlens.scoring.spans.rows import Forms, Layout
from goldlens.scoring.spans.schemes import READINGS, SIGNS, Span, scheme_of
from goldlens.scoring.spans.segments import SpanPairing
from goldlens.scoring.spans.unit import Unit, parse
from goldlens.scoring.text import decoded

Rows = tuple[Entries, ...]
"""A comparison: the counts of each gold sentence of a segment, at least one."""

_SENT_ID: Final = re.compile(rb"^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t]*\r?$", re.M)
_TABBED: Final = re.compile(rb"^(?!#|-DOCSTART-(?:\s|\Z))[^\n]*\t[^\n]*\S", re.M)
_WORDS_FIRST: Final = ("sentences", "tokens", "tabbed")


@dataclass(frozen=True, slots=True)
class Spans:
    """The `span` task: entities, chunks and other labelled spans that do not overlap.

    `token_column` and `tag_column` count from 1, or from the end with -1. `reading` is "strict"
    (IOB2 to the letter) or "conlleval" (an `I-X` that continues no span begins one). Raises
    ValueError for a column 0 or another reading.
    """

    token_column: int = 1
    tag_column: int = -1
    reading: str = "strict"

    name: ClassVar[str] = "span"
    fact_names: ClassVar[tuple[str, ...]] = (*_WORDS_FIRST, *SIGNS)
    duplicate_code: ClassVar[str] = ""
    has_header: ClassVar[bool] = False
    codes: ClassVar[tuple[str, ...]] = ("span-error", "token-text", "stream-mismatch")
    severities: ClassVar[tuple[Severity, ...]] = tuple(CODES[code].severity for code in codes)
    unfaced: ClassVar[Mapping[Kind, str]] = {
        Kind.MISMATCH: "stream-mismatch",
        Kind.MISSING: "stream-mismatch",
        Kind.EXTRA: "stream-mismatch",
    }

    def __post_init__(self) -> None:
        if self.reading not in READINGS:
            raise ValueError(f"the reading is one of {', '.join(READINGS)}, not {self.reading}")
        if not (self.token_column and self.tag_column):
            raise ValueError("columns count from 1, or from the end with -1; there is no column 0")

    # A text by itself

    def format(self, side: int) -> Self:
        """Itself: gold and prediction are written alike."""
        return self

    def facts(self, unit: Unit) -> tuple[int, ...]:
        """Sentences, tokens, blocks with a tab in a row, and the signs of schemes."""
        reading = unit.reading
        tokens = len(reading.tags)
        return (tokens > 0, tokens, unit.tabbed, *reading.signs)

    def regime(self, facts: Sequence[int]) -> bool:
        """Whether the file is tab-separated: whether any row has a tab."""
        return facts[2] > 0

    def likely_regime(self, text: bytes) -> bool:
        """Whether a line that looks like a row has a tab."""
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return b"\t" in text and _TABBED.search(text) is not None

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """None: where another scheme is named, each tag that is read otherwise is said too."""
        return ()

    def notices(self, units: Sequence[Unit], facts: Sequence[int]) -> list[Problem]:
        """An iob2-scheme, at the first tag that is not IOB2, if another scheme is evident."""
        scheme = scheme_of(facts[len(_WORDS_FIRST) :])
        if scheme == "IOB2" or (scheme == "IOB1" and self.reading == "conlleval"):
            return []
        wanted = ("iob2-malformed", "iob2-tag")
        places = (
            Place(k, found.place.line, found.place.start, found.place.end)
            for k, unit in enumerate(units)
            for found in unit.problems
            if found.code in wanted and found.severity is Severity.ERROR
        )
        message = (
            f"The tags seem to be {scheme}, and are read as IOB2, which is not the same; "
            f"convert them from {scheme} to IOB2"
        )
        return [problem("iob2-scheme", next(places, Place(0, 0, 0, 0)), message)]

    def title(self, unit: Unit) -> str | None:
        """The sent_id, where a comment gives one (as in Universal NER)."""
        found = _SENT_ID.search(unit.text) if b"#" in unit.text else None
        return decoded(found[1]) if found else None

    def key(self, unit: Unit) -> None:
        """None: sentences face each other by order."""

    def key_place(self, unit: Unit) -> Place:
        """The start: there are no keys."""
        return Place(0, 0, 0, 0)

    def duplicate_severity(self, unit: Unit, first: Unit) -> Severity:
        """A Warning; but there are no keys."""
        return Severity.WARNING

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """Nothing: there are no keys. Raises KeyError."""
        raise KeyError(key)

    def split(self, text: bytes) -> list[bytes]:
        """The blocks of a text (see `blocks.split`)."""
        return split(text)

    def is_closed(self, block: bytes) -> bool:
        """Whether a blank line ends a block (see `blocks.is_closed`)."""
        return is_closed(block)

    def parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool = True,
        extra: Collection[str] = (),
        regime: bool = False,
    ) -> list[Unit]:
        """The units of consecutive blocks; `regime`: the file is tab-separated."""
        layout = Layout(self.token_column, self.tag_column, bool(regime))
        return parse(blocks, layout, lenient=self.reading == "conlleval")

    # Two texts

    def open_both(self, gold: bytes, pred: bytes) -> None:
        """None: two texts cost what each of them does."""

    def pair(self, gold: Sequence[Unit], pred: Sequence[Unit], match: str) -> SpanPairing:
        """Which sentences face which (see `segments`); there is one way, whatever `match`."""
        return SpanPairing(gold, pred)

    def compare(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        known: None = None,
    ) -> list[Rows]:
        """The counts of each segment.

        What the prediction has for sentences that are not compared counts for the gold sentence
        in its place, or the segment's last; if gold has none, for none in particular.
        """
        found: list[Rows] = []
        memo: dict[tuple[int, int], Rows] = {}
        for segment in segments:
            if segment.kind is not Kind.STREAM:
                found.append(_apart(gold, pred, segment))
                continue
            theirs, ours = _sentence(gold, segment.gold)[1], _sentence(pred, segment.pred)[1]
            key = id(theirs.reading), id(ours.reading)
            rows = memo.get(key)
            if rows is None:
                rows = memo[key] = (_facing(theirs, ours),)
            found.append(rows)
        return found

    def sums(self) -> SpanSums:
        """The sums of no sentences yet."""
        return SpanSums()

    def tallies(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        comparisons: Sequence[Rows],
    ) -> np.ndarray:
        """How many problems of each of `codes` `problems` gives: segments x codes."""
        found = np.zeros((len(segments), len(self.codes)), np.int32)
        forms = [
            Forms(Layout(self.token_column, self.tag_column, tabs)).__getitem__
            for tabs in (False, True)
        ]
        for k, segment in enumerate(segments):
            if segment.kind is Kind.STREAM:
                theirs, ours = _sentence(gold, segment.gold)[1], _sentence(pred, segment.pred)[1]
                if theirs.text == ours.text and theirs.layout == ours.layout:
                    continue
                there, here = forms[theirs.layout.tabs], forms[ours.layout.tabs]
                alike = theirs.layout.tabs == ours.layout.tabs
                for row, other in zip(theirs.rows(), ours.rows(), strict=True):
                    if not (alike and row == other) and said.is_other(there(row), here(other)):
                        found[k, 1] = 1
                        break
                found[k, 0] = said.count_told(theirs, ours)
            elif segment.kind is not Kind.BLANK:
                found[k, 2] = 1
        return found

    def problems(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment, offset: int
    ) -> list[Problem]:
        """The prediction's problems in a segment; `Place.unit` counts from its first unit."""
        if segment.kind is Kind.BLANK:
            return []
        if segment.kind is Kind.STREAM:
            there, theirs = _sentence(gold, segment.gold)
            here, ours = _sentence(pred, segment.pred)
            return said.sentence_problems(theirs, ours, there, here)
        before = pred[segment.pred.start - 1] if segment.pred.start else None
        both = gold[_slice(segment.gold)], pred[_slice(segment.pred)]
        return [said.apart_problem(segment.kind, *both, before)]

    def problems_of_many(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]
    ) -> list[list[Problem]]:
        """`problems` of several segments."""
        return [self.problems(gold, pred, segment, 0) for segment in segments]

    # What it comes to

    def pair_notices(
        self, sums: SpanSums, gold: Sequence[Unit], pred: Sequence[Unit]
    ) -> list[Problem]:
        """Nothing."""
        return []

    def size(self, sums: SpanSums, gold: Sequence[int]) -> int:
        """The sentences of gold."""
        return gold[0]

    def figures(
        self, sums: SpanSums, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """Micro and macro precision, recall and F1."""
        return {"Micro": sums.labels.micro(), "Macro": sums.labels.macro()}

    def labels(self, sums: SpanSums) -> dict[str, dict[str, float | int | None]]:
        """The counts and figures of each label in gold or prediction."""
        return {
            label: {
                "correct": count.correct,
                "gold": count.gold,
                "predicted": count.predicted,
                "precision": count.precision,
                "recall": count.recall,
                "f1": count.f1,
            }
            for label, count in sums.labels.by_label().items()
        }

    def skipped(self, sums: SpanSums) -> list[str]:
        """None: every label in gold or prediction is part of the mean."""
        return []

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What figures are computed with: the reading, and columns that are not the usual ones."""
        options = [("reading", self.reading)]
        if self.token_column != 1:
            options.append(("token-column", str(self.token_column)))
        if self.tag_column != -1:
            options.append(("tag-column", str(self.tag_column)))
        return Signature(self.name, "order", policy, options=tuple(options))

    def sample(self, comparisons: Sequence[Rows], starts: Sequence[int], units: int) -> Sample:
        """Counts by gold sentence."""
        if not units:
            return sample_of((), 0)
        placed = (
            (min(first + k, units - 1), entries)
            for first, rows in zip(starts, comparisons, strict=True)
            for k, entries in enumerate(rows)
        )
        return sample_of(placed, units)


class SpanSums:
    """Sums of the sentences' counts by label, `labels`."""

    def __init__(self) -> None:
        self.labels = LabelSums()

    def add(self, comparisons: Sequence[Rows]) -> None:
        """Takes the counts of some segments in."""
        self.labels.put(_together(comparisons))

    def remove(self, comparisons: Sequence[Rows]) -> None:
        """Takes the counts of some segments out."""
        self.labels.put(_together(comparisons), -1)


def _together(comparisons: Sequence[Rows]) -> Entries:
    """All counts of some segments, one entry a label."""
    sums: dict[bytes, list[int]] = {}
    for label, correct, gold, predicted in chain.from_iterable(chain.from_iterable(comparisons)):
        counts = sums.setdefault(label, [0, 0, 0])
        counts[0] += correct
        counts[1] += gold
        counts[2] += predicted
    return tuple([(label, c, g, p) for label, (c, g, p) in sums.items()])


def _slice(units: range) -> slice:
    return slice(units.start, units.stop)


def _sentence(units: Sequence[Unit], where: range) -> tuple[int, Unit]:
    """The one sentence among some units, and its number among them."""
    start = where.start
    unit = units[start]
    if unit.reading.tags:
        return 0, unit
    for k in range(1, len(where)):
        unit = units[start + k]
        if unit.reading.tags:
            return k, unit
    raise ValueError("no sentence among the units of a compared segment")


def _facing(gold: Unit, pred: Unit) -> Entries:
    """The counts of two sentences of as many tokens."""
    there, here = gold.reading, pred.reading
    return there.entries if there.spans == here.spans else compared(there.spans, here.spans)


def _apart(gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment) -> Rows:
    """The counts of sentences that are not compared: no span is right."""
    theirs, ours = (
        [unit.reading.spans for unit in side[_slice(units)] if unit.reading.tags]
        for side, units in ((gold, segment.gold), (pred, segment.pred))
    )
    last = max(len(theirs) - 1, 0)
    rows = []
    for k in range(last + 1):
        here = ours[k:] if k == last else ours[k : k + 1]
        shifted: list[Span] = [(-1, -1, label) for spans in here for _, _, label in spans]
        rows.append(compared(theirs[k] if theirs else (), shifted))
    return tuple(rows)


SPANS: Final = Spans()
