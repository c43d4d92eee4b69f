"""An evaluation with both texts held whole: paired by segments, compared, and accounted for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.coverage import Coverage, coverage
from goldlens.scoring.problems import Place, Problem
from goldlens.scoring.segment import Kind, Segment
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.text import BOM, decoded
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Cause, Evaluation, Options, Side, excused
from goldlens.scoring.ud.faces import common_prefix, ends_of, stream
from goldlens.scoring.ud.mismatch import Run, mismatch_problem
from goldlens.scoring.ud.places import line_and_column
from goldlens.scoring.ud.reconciled import task_of
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import Unit, parse, sent_id_place


class _File:
    """A text held whole: its units, and where they begin."""

    def __init__(self, side: Side, data: bytes) -> None:
        self.side, self.bom = side, data.startswith(BOM)
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.units: list[Unit] = parse(split(data[3:] if self.bom else data), checks=False)
        starts = [0]
        for unit in self.units:
            starts.append(starts[-1] + unit.lines)
        self.starts = starts

    @property
    def headless(self) -> bool:
        """Whether every word has `_` for its HEAD."""
        words = sum(unit.words for unit in self.units)
        return bool(words) and words == sum(unit.unheaded for unit in self.units)

    def causes(self, kept: Callable[[int], bool]) -> list[Cause]:
        """Why the file is refused; what is left out concerns only the official scorer."""
        found = []
        if self.bom:
            message = "The file begins with a byte order mark; remove it"
            found.append(Cause(self.side, None, 1, 1, "bom", message, False, True))
        for k, unit in enumerate(self.units):
            for problem in unit.problems:
                refuses = problem.refuses and kept(k)
                if refuses or problem.script:
                    cause = self.cause(k, problem, unit.sent_id)
                    found.append(replace(cause, refuses=refuses))
        return found

    def cause(self, unit: int, problem: Problem, sent_id: bytes | None) -> Cause:
        at = unit + problem.place.unit if problem.place.unit < 0 else unit
        line, column = _position(self.units, at, problem.place)
        return Cause(
            self.side,
            decoded(sent_id),
            self.starts[min(max(at, 0), len(self.units))] + line,
            column,
            problem.code,
            problem.message,
            problem.refuses,
            problem.script,
        )

    def named(self, unit: int) -> dict[str, object]:
        if unit >= len(self.units):
            return {"sent_id": None, "line": max(1, self.starts[-1])}
        return {"sent_id": decoded(self.units[unit].sent_id), "line": self.starts[unit] + 1}


def _position(units: Sequence[Unit], unit: int, place: Place) -> tuple[int, int]:
    """The line of a place in its unit, and its column in code points, both from 1."""
    return line_and_column(units[unit].text, place) if 0 <= unit < len(units) else (1, 1)


def evaluate_held(gold_data: bytes, pred_data: bytes, options: Options) -> Evaluation:
    """See `evaluate.evaluate`. Raises GroupTooLarge (see `alignment`)."""
    gold, pred = _File("gold", gold_data), _File("pred", pred_data)
    match = options.match
    pairing = UD.pair(gold.units, pred.units, match)
    if options.only and match != "sent_id" and len(pairing.middle):
        match = "sent_id"
        pairing = UD.pair(gold.units, pred.units, match)
    segments = list(pairing)
    out = {k for k, each in enumerate(segments) if left_out(each, pred.units, options.only)}
    kept = [segment for k, segment in enumerate(segments) if k not in out]
    counts = task_of(options.profile).compare(gold.units, pred.units, kept)
    total = np.zeros(metrics.WIDTH, np.int64)
    for array in counts:
        total += array.sum(axis=0)
    tagging = gold.headless or pred.headless
    dropped = _Dropped([segments[k] for k in out])
    causes = gold.causes(dropped.keeps_gold) + pred.causes(dropped.keeps_pred)
    if match == "sent_id":
        causes += _mismatches(gold, pred, kept, pairing.offset)
    if not any(cause.code == "stream-mismatch" for cause in causes):
        first = _first_difference(gold, pred, refuses=match != "sent_id")
        causes += first
        if match != "sent_id":
            # And all further ones that have nothing to do with it.
            reached = first[0].line if first else 0
            runs = _mismatches(gold, pred, kept, pairing.offset)
            causes += [cause for cause in runs if cause.line > reached]
    if match == "sent_id":
        causes += _doubled(gold) + _doubled(pred)
    for file in (gold, pred):
        if file.headless:
            causes = [excused(cause, file.side) for cause in causes]
    sentences = sum(unit.sentence for unit in gold.units)
    sizes = (lambda unit: unit.sentence, lambda unit: unit.sentence)
    found = coverage(pairing, (gold.units, pred.units), sentences, sizes)
    return Evaluation(
        replace(options, match=match if options.only else options.match),
        total,
        tagging,
        int(total[1]),
        gold.sha256,
        pred.sha256,
        _covered(found, gold, pred, dropped),
        causes,
    )


def left_out(segment: Segment, pred: Sequence[Unit], only: str) -> bool:
    """Whether a segment is left out, as `Options.only` wants it."""
    if only and segment.kind is Kind.MISSING:
        return True
    units = pred[segment.pred.start : segment.pred.stop]
    return only == "annotated" and any(unit.unheaded for unit in units)


class _Dropped:
    """The units of the segments that are left out."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.gold = {g for segment in segments for g in segment.gold}
        self.pred = {p for segment in segments for p in segment.pred}

    def keeps_gold(self, unit: int) -> bool:
        return unit not in self.gold

    def keeps_pred(self, unit: int) -> bool:
        return unit not in self.pred


def _mismatches(
    gold: _File, pred: _File, segments: Sequence[Segment], offset: Callable[[int], int]
) -> list[Cause]:
    """Where pairs of sentences with one sent_id have different streams."""
    found = []
    for segment in segments:
        if segment.kind is not Kind.MISMATCH:
            continue
        at = segment.pred.start
        for problem in UD.problems(gold.units, pred.units, segment, offset(at)):
            named = pred.units[at].sent_id if segment.pred else None
            cause = pred.cause(at + max(problem.place.unit, 0), problem, named)
            theirs = gold.named(segment.gold.start)
            found.append(replace(cause, message=f"{cause.message} (gold line {theirs['line']})"))
    return found


def _first_difference(gold: _File, pred: _File, *, refuses: bool) -> list[Cause]:
    """The first character at which the whole streams differ; none if they agree.

    None, either, if it lies in a sentence that cannot be read: that is a cause already.
    """
    theirs, ours = stream(gold.units, GOLD), stream(pred.units, PRED)
    if theirs == ours:
        return []
    at = common_prefix(theirs, ours)
    gold_ends, pred_ends = ends_of(gold.units, GOLD), ends_of(pred.units, PRED)
    shared = {end for _, end in gold_ends if end <= at}.intersection(end for _, end in pred_ends)
    cut = max(shared, default=0)
    (g0, g1), (p0, p1) = (_stretch(ends, cut, at) for ends in (gold_ends, pred_ends))
    before = pred.units[p0 - 1] if p0 else None
    gold_before = gold.units[g0 - 1] if g0 else None
    characters = len(ours[:cut].decode("utf-8", "replace"))
    surplus = 0
    if at == min(len(theirs), len(ours)):
        # One side has ended: what the other has more is all that is wrong.
        surplus = sum(k >= p0 for k, _ in pred_ends) - sum(k >= g0 for k, _ in gold_ends)
    run = Run(gold.units[g0:g1], pred.units[p0:p1], characters, before, gold_before, surplus)
    problem = mismatch_problem(run)
    if problem is None:
        return []
    unit = p0 + problem.place.unit
    line, column = _position(pred.units, unit, problem.place)
    message = f"{problem.message} ({_gold_place(gold, g0, problem)})"
    if refuses and _ids_unique(gold) and _ids_unique(pred):
        message += "; both sides have unique sent_ids: --match sent_id pairs by them"
    sent_id = pred.units[unit].sent_id if 0 <= unit < len(pred.units) else None
    start = pred.starts[min(max(unit, 0), len(pred.units))]
    return [
        Cause("pred", decoded(sent_id), start + line, column, problem.code, message, refuses, True)
    ]


def _stretch(ends: Sequence[tuple[int, int]], cut: int, at: int) -> tuple[int, int]:
    """The units from behind `cut` to the one that holds offset `at`, or to the last."""
    begin = next((k + 1 for k, end in reversed(ends) if end <= cut), 0)
    stop = next((k + 1 for k, end in ends if end > at), ends[-1][0] + 1 if ends else 0)
    return begin, max(begin, stop)


def _gold_place(gold: _File, first: int, problem: Problem) -> str:
    """Where gold goes on, in words."""
    place = problem.related[0].place
    unit = min(max(first + place.unit, 0), len(gold.units))
    line, column = _position(gold.units, unit, place)
    return f"gold line {gold.starts[unit] + line}, column {column}"


def _ids_unique(file: _File) -> bool:
    ids = [unit.sent_id for unit in file.units if unit.sentence]
    return bool(ids) and None not in ids and len(set(ids)) == len(ids)


def _doubled(file: _File) -> list[Cause]:
    """Sentences of one side with one sent_id: matched by sent_id, nothing tells them apart."""
    seen: dict[bytes, int] = {}
    found = []
    for k, unit in enumerate(file.units):
        if unit.sent_id is None or not unit.sentence:
            continue
        line = file.starts[k] + 1
        if unit.sent_id in seen:
            name = decoded(unit.sent_id)
            message = (
                f"The sent_id {name} stands at line {seen[unit.sent_id]} and at line {line}; "
                "name each sentence apart"
            )
            at_line, column = line_and_column(unit.text, sent_id_place(unit.text))
            at = file.starts[k] + at_line, column
            found.append(Cause(file.side, name, *at, "sent-id-duplicate", message, True, False))
        else:
            seen[unit.sent_id] = line
    return found


def _covered(found: Coverage, gold: _File, pred: _File, dropped: _Dropped) -> dict[str, object]:
    missing = [unit for unit, _ in found.missing]
    omitted = sum(gold.units[g].sentence for g in dropped.gold.difference(missing))
    said: dict[str, object] = {
        "compared": found.compared - omitted,
        "missing": [gold.named(unit) for unit in missing],
        "extra": [pred.named(unit) for unit in found.extra],
        "mismatch": [
            {
                **pred.named(p.start),
                # A run without a predicted sentence goes by gold's name.
                **({} if p else {"sent_id": gold.named(g.start)["sent_id"]}),
                "gold_line": gold.named(g.start)["line"],
                "gold_sentences": sum(u.sentence for u in gold.units[g.start : g.stop]),
                "pred_sentences": sum(u.sentence for u in pred.units[p.start : p.stop]),
            }
            for g, p in found.mismatch
        ],
    }
    if dropped.pred:
        said["left_out"] = [pred.named(p) for p in sorted(dropped.pred) if pred.units[p].sentence]
    return said
