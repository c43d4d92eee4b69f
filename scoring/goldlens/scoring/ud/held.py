"""An evaluation with both texts held whole: paired by segments, compared, and accounted for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from goldlens.scoring.conllu.blocks import lines, split
from goldlens.scoring.problems import Problem
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.coverage import Coverage, coverage
from goldlens.scoring.ud.evaluate import Cause, Evaluation, Options, Side, excused
from goldlens.scoring.ud.segment import Kind, Segment
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import Unit, parse

BOM: Final = b"\xef\xbb\xbf"


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

    def causes(self, kept: Callable[[int], bool]) -> list[Cause]:
        found = []
        if self.bom:
            message = "The file begins with a byte order mark; remove it"
            found.append(Cause(self.side, None, 1, 1, "bom", message, False, True))
        for k, unit in enumerate(self.units):
            if unit.problems and kept(k):
                found += [
                    self.cause(k, problem, unit.sent_id)
                    for problem in unit.problems
                    if problem.refuses or problem.script
                ]
        return found

    def cause(self, unit: int, problem: Problem, sent_id: bytes | None) -> Cause:
        at = unit + problem.place.unit if problem.place.unit < 0 else unit
        line, column = _position(self.units, at, problem)
        return Cause(
            self.side,
            _text(sent_id),
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
        return {"sent_id": _text(self.units[unit].sent_id), "line": self.starts[unit] + 1}


def _position(units: Sequence[Unit], unit: int, problem: Problem) -> tuple[int, int]:
    """The line of a problem in its unit, and its column in code points, both from 1."""
    if not 0 <= unit < len(units):
        return 1, 1
    text = lines(units[unit].text)
    line = text[problem.place.line] if problem.place.line < len(text) else b""
    return problem.place.line + 1, len(line[: problem.place.start].decode("utf-8", "replace")) + 1


def evaluate_held(gold_data: bytes, pred_data: bytes, options: Options) -> Evaluation:
    """See `evaluate.evaluate`. Raises GroupTooLarge (see `alignment`)."""
    gold, pred = _File("gold", gold_data), _File("pred", pred_data)
    match = options.match
    pairing = UD.pair(gold.units, pred.units, match)
    if options.only and match != "sent_id" and len(pairing.middle):
        match = "sent_id"
        pairing = UD.pair(gold.units, pred.units, match)
    segments = [pairing[k] for k in range(len(pairing))]
    left_out = {k for k, segment in enumerate(segments) if _left_out(segment, pred, options)}
    kept = [segment for k, segment in enumerate(segments) if k not in left_out]
    counts = UD.compare(gold.units, pred.units, kept)
    total = np.zeros(metrics.WIDTH, np.int64)
    for array in counts:
        total += array.sum(axis=0)
    words = sum(unit.words for unit in pred.units)
    tagging = bool(words) and words == sum(unit.unheaded for unit in pred.units)
    dropped = _Dropped([segments[k] for k in left_out])
    causes = gold.causes(dropped.keeps_gold) + pred.causes(dropped.keeps_pred)
    causes += _mismatches(gold, pred, kept, pairing.offset, match, options)
    if match == "sent_id":
        causes += _doubled(gold) + _doubled(pred)
    if tagging:
        causes = [excused(cause) for cause in causes]
    found = coverage(pairing, gold.units, sum(unit.sentence for unit in gold.units))
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


def _left_out(segment: Segment, pred: _File, options: Options) -> bool:
    if options.only and segment.kind is Kind.MISSING:
        return True
    if options.only != "annotated":
        return False
    return any(unit.unheaded for unit in pred.units[segment.pred.start : segment.pred.stop])


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
    gold: _File,
    pred: _File,
    segments: Sequence[Segment],
    offset: Callable[[int], int],
    match: str,
    options: Options,
) -> list[Cause]:
    """The places where the streams part. By stream, the first one is the cause."""
    found = []
    for segment in segments:
        if segment.kind is not Kind.MISMATCH:
            continue
        problems = UD.problems(gold.units, pred.units, segment, offset(segment.pred.start))
        for problem in problems:
            unit = min(segment.pred.start + max(problem.place.unit, 0), len(pred.units))
            sent_id = pred.units[unit].sent_id if unit < len(pred.units) else None
            cause = pred.cause(
                unit if problem.place.unit >= 0 else segment.pred.start, problem, sent_id
            )
            theirs = gold.named(segment.gold.start)
            where = f"{cause.message} (gold line {theirs['line']})"
            if match != "sent_id" and _ids_unique(gold) and _ids_unique(pred):
                where += "; both sides have unique sent_ids: --match sent_id pairs by them"
            found.append(replace(cause, message=where))
    return found


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
            name = _text(unit.sent_id)
            message = (
                f"The sent_id {name} stands at line {seen[unit.sent_id]} and at line {line}; "
                "name each sentence apart"
            )
            found.append(Cause(file.side, name, line, 1, "sent-id-duplicate", message, True, False))
        else:
            seen[unit.sent_id] = line
    return found


def _covered(found: Coverage, gold: _File, pred: _File, dropped: _Dropped) -> dict[str, object]:
    left_out = sum(gold.units[g].sentence for g in dropped.gold)
    missing = sum(1 for g in found.missing)
    return {
        "compared": found.compared - (left_out - len(dropped.gold.intersection(found.missing))),
        "missing": [gold.named(unit) for unit in found.missing] if missing else [],
        "extra": [pred.named(unit) for unit in found.extra],
        "mismatch": [
            {
                **pred.named(p.start),
                "gold_line": gold.named(g.start)["line"],
                "gold_sentences": sum(u.sentence for u in gold.units[g.start : g.stop]),
                "pred_sentences": sum(u.sentence for u in pred.units[p.start : p.stop]),
            }
            for g, p in found.mismatch
        ],
    }


def _text(name: bytes | None) -> str | None:
    return None if name is None else name.decode("utf-8", "replace")
