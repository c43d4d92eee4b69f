"""Universal Dependencies as a task: how to split, parse, pair, compare and sum."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from goldlens.scoring.conllu.blocks import is_closed, split
from goldlens.scoring.counts import Figure
from goldlens.scoring.problems import CODES, Place, Problem, Related, Severity, Side, problem
from goldlens.scoring.sample import Sample
from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.signature import Signature
from goldlens.scoring.text import decoded
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import by_sentence, uncompared
from goldlens.scoring.ud.errors import comparison_problems, problems_by_segment
from goldlens.scoring.ud.groups import groups, slice_of, table
from goldlens.scoring.ud.mismatch import Run, behind, mismatch_problem
from goldlens.scoring.ud.opening import Opened, open_both
from goldlens.scoring.ud.score import figures
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.unit import Unit, parse, sent_id_place

Counts = np.ndarray


class UniversalDependencies:
    """The `ud` task. It has no state: an instance is only a name for what this module does."""

    name: str = "ud"

    fact_names: tuple[str, ...] = ("sentences", "words", "unheaded")
    has_header: bool = False

    def format(self, side: int) -> UniversalDependencies:
        """Itself: gold and prediction are written alike."""
        return self

    def facts(self, unit: Unit) -> tuple[int, ...]:
        """Sentences, words, and words whose HEAD is `_`."""
        return 1 if unit.canonical else int(unit.sentence), unit.words, unit.unheaded

    def regime(self, facts: Sequence[int]) -> None:
        """None: every sentence is read by itself."""

    def likely_regime(self, text: bytes) -> None:
        """None."""

    def excused(self, facts: Sequence[int]) -> Collection[str]:
        """head-missing, of a file in which no word has a HEAD."""
        return ("head-missing",) if is_tagging(facts) else ()

    def notices(self, units: Sequence[Unit], facts: Sequence[int]) -> list[Problem]:
        """The one thing to say of a file without any HEAD."""
        if not is_tagging(facts):
            return []
        first = next((k for k, unit in enumerate(units) if unit.problems), len(units))
        own = units[first].problems if first < len(units) else ()
        return [
            problem(
                "head-missing",
                Place(first, missing.place.line, missing.place.start, missing.place.end),
                "No word of this file has a HEAD: it is scored as a tagging prediction, without "
                "attachment",
                severity=Severity.INFORMATION,
                refuses=False,
                script=True,
            )
            for missing in own
            if missing.code == "head-missing"
        ][:1]

    def title(self, unit: Unit) -> str | None:
        """The sent_id."""
        return decoded(unit.sent_id)

    def key(self, unit: Unit) -> bytes | None:
        """The sent_id."""
        return unit.sent_id

    duplicate_code: str = "sent-id-duplicate"

    def key_place(self, unit: Unit) -> Place:
        """Where the sent_id stands."""
        return sent_id_place(unit.text)

    def duplicate_severity(self, unit: Unit, first: Unit) -> Severity:
        """A Warning, whatever else the two sentences hold."""
        return Severity.WARNING

    def duplicate(self, key: Hashable, place: Place, first: Place, severity: Severity) -> Problem:
        """A sent-id-duplicate."""
        text = key.decode("utf-8", "replace") if isinstance(key, bytes) else str(key)
        message = f"The sent_id {text} has been given before; name each sentence apart"
        related = (Related(first, "the first one"),)
        return problem(self.duplicate_code, place, message, severity=severity, related=related)

    def split(self, text: bytes) -> list[bytes]:
        """The blocks of a text (see `conllu.blocks.split`)."""
        return split(text)

    def is_closed(self, block: bytes) -> bool:
        """Whether a blank line ends a block (see `conllu.blocks.is_closed`)."""
        return is_closed(block)

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
        """Units of consecutive blocks, the first of which follows a closed one or none."""
        return parse(blocks, at_end=at_end, checks=checks, extra=extra)

    def open_both(self, gold: bytes, pred: bytes) -> Opened:
        """The units of two texts and what is known of their comparison (see `opening`)."""
        return open_both(gold, pred)

    def pair(self, gold: Sequence[Unit], pred: Sequence[Unit], match: str) -> Pairing:
        """Which units face which (see `segments.Pairing`)."""
        return Pairing(gold, pred, match)

    def compare(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        known: Counts | None = None,
    ) -> list[Counts]:
        """Counts of each segment: an array gold sentences x `width` (at least one row).

        Neighbours are compared together, up to a piece, where a cut lies between them. `known`:
        the counts of the first gold sentences, where these are known already. Raises
        GroupTooLarge (see `alignment`).
        """
        found: list[Counts] = _known_counts(gold, segments, known) if known is not None else []
        segments = segments[len(found) :]
        for group in groups(gold, pred, segments):
            theirs = gold[group[0].gold.start : group[-1].gold.stop]
            ours = pred[group[0].pred.start : group[-1].pred.stop]
            rows = self.counts(theirs, ours, compared=group[0].kind.compared)
            if len(group) == 1:
                found.append(rows)
                continue
            sizes = [sum([unit.sentence for unit in gold[slice_of(s.gold)]]) for s in group]
            found += np.split(rows, np.cumsum(sizes)[:-1])
        return found

    def counts(self, gold: Sequence[Unit], pred: Sequence[Unit], *, compared: bool) -> Counts:
        """Counts of units that face each other: gold sentences (at least one) x `width`."""
        theirs, ours = table(gold), table(pred)
        if not compared:
            return uncompared(theirs, ours)
        assert theirs is not None and ours is not None
        return by_sentence(Comparison(theirs, ours))

    codes: tuple[str, ...] = (
        *metrics.PROBLEMS,
        "stream-mismatch",
        "sentence-missing",
        "sentence-extra",
    )
    severities: tuple[Severity, ...] = tuple(CODES[code].severity for code in codes)
    unfaced: Mapping[Kind, str] = {
        Kind.MISMATCH: "stream-mismatch",
        Kind.MISSING: "sentence-missing",
        Kind.EXTRA: "sentence-extra",
    }

    def sums(self) -> CountSums:
        """A vector of `width` zeros."""
        return CountSums()

    def tallies(
        self,
        gold: Sequence[Unit],
        pred: Sequence[Unit],
        segments: Sequence[Segment],
        counts: Sequence[Counts],
    ) -> Counts:
        """How many problems of each of `codes` `problems` gives: segments x codes."""
        found = np.zeros((len(segments), len(self.codes)), np.int32)
        if not segments:
            return found
        sizes = np.array([len(array) for array in counts])
        every = np.concatenate([array[:, metrics.PROBLEM :] for array in counts])
        found[:, : len(metrics.PROBLEMS)] = np.add.reduceat(every, sizes.cumsum() - sizes)
        for k, segment in enumerate(segments):
            if segment.kind.compared:
                continue
            if segment.kind is Kind.MISMATCH:
                ours = pred[slice_of(segment.pred)]
                readable = all(u.readable for u in [*gold[slice_of(segment.gold)], *ours])
                # Where the streams part is looked for only if it matters.
                found[k, -3] = readable and not (
                    any(map(_has_wrong_range, ours))
                    and (parted := _parted(gold, pred, segment, 0))
                    and not parted.shown
                )
            elif segment.kind is Kind.MISSING:
                found[k, -2] = 1
            elif segment.kind is Kind.EXTRA:
                found[k, -1] = 1
        return found

    def problems(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment, offset: int
    ) -> list[Problem]:
        """The problems of the prediction against gold in one segment.

        `Place.unit` counts from the segment's first unit (-1 is the unit before it). `offset`:
        the code points in the prediction's stream before the segment.
        """
        ours, theirs = pred[slice_of(segment.pred)], gold[slice_of(segment.gold)]
        before = pred[segment.pred.start - 1] if segment.pred.start else None
        if segment.kind.compared:
            return comparison_problems(theirs, ours)
        if segment.kind is Kind.MISMATCH:
            found = _parted(gold, pred, segment, offset)
            return [found] if found else []
        if segment.kind is Kind.MISSING:
            named = _named(theirs[0])
            related = (Related(Place(0, 0, 0, 0, Side.THERE), "gold's sentence"),)
            return [
                problem(
                    "sentence-missing",
                    behind((), before, Side.HERE),
                    f"Gold's sentence{named} is missing here; add it, or score with "
                    "--predicted-only",
                    related=related,
                )
            ]
        if segment.kind is Kind.EXTRA:
            end = len(ours[0].text.partition(b"\n")[0].rstrip(b"\r"))
            message = (
                f"Gold has no sentence{_named(ours[0])}; give it gold's sent_id, or take it out"
            )
            return [problem("sentence-extra", Place(0, 0, 0, end), message)]
        return []

    def problems_of_many(
        self, gold: Sequence[Unit], pred: Sequence[Unit], segments: Sequence[Segment]
    ) -> list[list[Problem]]:
        """`problems` of compared segments, in ascending order, in less time."""
        found: list[list[Problem]] = []
        for group in groups(gold, pred, segments):
            theirs = gold[group[0].gold.start : group[-1].gold.stop]
            ours = pred[group[0].pred.start : group[-1].pred.stop]
            sizes = [(len(segment.gold), len(segment.pred)) for segment in group]
            found += problems_by_segment(theirs, ours, sizes)
        return found

    def pair_notices(
        self, sums: CountSums, gold: Sequence[Unit], pred: Sequence[Unit]
    ) -> list[Problem]:
        """Nothing."""
        return []

    def size(self, sums: CountSums, gold: Sequence[int]) -> int:
        """The sentences of gold."""
        return gold[0]

    def figures(
        self, sums: CountSums, gold: Sequence[int], pred: Sequence[int], *, strict: bool = False
    ) -> dict[str, Figure | None]:
        """The metrics by name (see `score.figures`)."""
        tagging = is_tagging(pred) or is_tagging(gold)
        return {**figures(sums.total, tagging=tagging, strict=strict)}

    def labels(self, sums: CountSums) -> dict[str, dict[str, float | int | None]]:
        """None: nothing is counted by label."""
        return {}

    def skipped(self, sums: CountSums) -> list[str]:
        """None."""
        return []

    def signature(self, match: str, policy: str, *, strict: bool = False) -> Signature:
        """What figures are computed with."""
        return Signature(self.name, match, policy, strict)

    def sample(self, comparisons: Sequence[Counts], starts: Sequence[int], units: int) -> Sample:
        """Counts by gold sentence."""
        counts = np.zeros((units, metrics.PROBLEM), np.int32)
        if not units:
            return Sample(counts, metrics.STATISTICS)
        for first, rows in zip(starts, comparisons, strict=True):
            stop = min(first + len(rows), units)
            counts[first:stop] += rows[: stop - first, : metrics.PROBLEM]
            if stop < first + len(rows):
                counts[units - 1] += rows[stop - first :, : metrics.PROBLEM].sum(axis=0)
        return Sample(counts, metrics.STATISTICS)


class CountSums:
    """The sum of vectors of counts, `total`."""

    def __init__(self) -> None:
        self.total = np.zeros(metrics.WIDTH, np.int64)

    def add(self, comparisons: Sequence[Counts]) -> None:
        """Adds the rows of some segments."""
        if len(comparisons) > 1:
            self.total += np.concatenate(comparisons).sum(axis=0)
        elif comparisons:
            self.total += comparisons[0].sum(axis=0)

    def remove(self, comparisons: Sequence[Counts]) -> None:
        """Takes the rows of some segments away."""
        for rows in comparisons:
            self.total -= rows.sum(axis=0)


def is_tagging(facts: Sequence[int]) -> bool:
    """Whether every word of a file has `_` for its HEAD, by the file's facts."""
    _, words, unheaded = facts
    return bool(words) and bool(words == unheaded)


def _known_counts(gold: Sequence[Unit], segments: Sequence[Segment], known: Counts) -> list[Counts]:
    """The rows of `known` by segment, as far as they reach."""
    before = np.zeros(len(gold) + 1, np.int64)
    np.cumsum([bool(unit.canonical) for unit in gold], out=before[1:])
    found: list[Counts] = []
    reached = len(known)
    starts = before.tolist()
    for segment in segments:
        units = segment.gold
        stop = starts[units.stop]
        if segment.kind is not Kind.STREAM or stop > reached:
            break
        found.append(known[starts[units.start] : stop])
    return found


def _parted(
    gold: Sequence[Unit], pred: Sequence[Unit], segment: Segment, offset: int
) -> Problem | None:
    """What is said of a segment whose streams differ (see `problems`).

    It is not shown if the sentence in which they part has a range that does not hold its words:
    that is what has to be repaired, and has been said.
    """
    ours, theirs = pred[slice_of(segment.pred)], gold[slice_of(segment.gold)]
    before = pred[segment.pred.start - 1] if segment.pred.start else None
    gold_before = gold[segment.gold.start - 1] if segment.gold.start else None
    goes_on = any(unit.sentence for unit in pred[segment.pred.stop :][:64])
    surplus = sum(u.sentence for u in ours) - sum(u.sentence for u in theirs)
    found = mismatch_problem(Run(theirs, ours, offset, before, gold_before, surplus, goes_on))
    if found and 0 <= found.place.unit < len(ours) and _has_wrong_range(ours[found.place.unit]):
        return replace(found, shown=False)
    return found


def _has_wrong_range(unit: Unit) -> bool:
    return any(each.code == "id-range" for each in unit.problems)


def _named(unit: Unit) -> str:
    return f" {unit.sent_id.decode('utf-8', 'replace')}" if unit.sent_id else " (without sent_id)"


UD = UniversalDependencies()
