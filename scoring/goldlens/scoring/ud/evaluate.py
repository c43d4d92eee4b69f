"""One evaluation from scratch: two texts in, counts and causes for refusal out.

Where the two streams agree, the texts are streamed (`stream`), in little memory. Where they do
not, or sentences are matched by sent_id, they are held whole and paired (`segments`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final, Literal

import numpy as np

from goldlens.scoring.conllu.blocks import count_lines, lines, split
from goldlens.scoring.counts import Count
from goldlens.scoring.problems import Problem
from goldlens.scoring.signature import Signature
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.score import Coverage, coverage, figures
from goldlens.scoring.ud.segments import Kind, Segment
from goldlens.scoring.ud.stream import Diverged, Flaw, stream
from goldlens.scoring.ud.task import UD
from goldlens.scoring.ud.unit import Unit, parse

Side = Literal["gold", "pred"]
BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Options:
    """How to evaluate. `only`: "" (all), "predicted" or "annotated" (see `evaluate`)."""

    match: str = "auto"
    policy: str = "official"
    strict: bool = False
    only: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a file is refused, by us (`refuses`) or by the official scorer (`script`).

    `line` and `column` count from 1, columns in code points.
    """

    side: Side
    sent_id: str | None
    line: int
    column: int
    code: str
    message: str
    refuses: bool
    script: bool


@dataclass(slots=True)
class Evaluation:
    """What came out. `figures` is None if the official policy refuses the pair."""

    options: Options
    total: np.ndarray
    tagging: bool
    sentences: int
    gold_sha256: str
    pred_sha256: str
    covered: dict[str, object]
    causes: list[Cause] = field(default_factory=list)

    @property
    def refused(self) -> list[Cause]:
        """Why the policy asked for refuses the pair; empty if it does not."""
        if self.options.policy != "official":
            return []
        return [cause for cause in self.causes if cause.refuses]

    def figures(self) -> dict[str, Count | None]:
        """The metrics by name (see `score.figures`)."""
        return figures(self.total, tagging=self.tagging, strict=self.options.strict)

    @property
    def signature(self) -> Signature:
        """What the figures were computed with."""
        o = self.options
        return Signature("ud", o.match, o.policy, o.strict, o.only)

    def as_dict(self, gold: str, pred: str) -> dict[str, object]:
        """The evaluation as JSON has it; `gold` and `pred` are the paths."""
        return {
            "task": "ud",
            "signature": str(self.signature),
            "gold": {"path": gold, "sha256": self.gold_sha256},
            "pred": {"path": pred, "sha256": self.pred_sha256},
            "metrics": None
            if self.refused
            else {
                name: None if count is None else count.as_dict()
                for name, count in self.figures().items()
            },
            "labels": {},
            "covered": self.covered,
            "would_refuse": [
                {"side": c.side, "sent_id": c.sent_id, "line": c.line, "code": c.code}
                for c in self.causes
                if c.script or c.refuses
            ],
        }


def evaluate(
    gold: BinaryIO,
    pred: BinaryIO,
    options: Options,
    progress: Callable[[int], None] = lambda size: None,
) -> Evaluation:
    """Scores a prediction against gold.

    `only` = "predicted" leaves out gold sentences that the prediction lacks; "annotated" leaves
    out, besides, the whole segment of any predicted sentence with a HEAD still `_`. Both imply
    matching by sent_id where the streams differ. `progress` is told the bytes read. Both files
    must be seekable. Raises GroupTooLarge (see `alignment`).
    """
    if options.match != "sent_id" and options.only != "annotated":
        try:
            return _streamed(gold, pred, options, progress)
        except Diverged:
            gold.seek(0)
            pred.seek(0)
    return _held(gold.read(), pred.read(), options)


def _streamed(
    gold: BinaryIO, pred: BinaryIO, options: Options, progress: Callable[[int], None]
) -> Evaluation:
    digests = [hashlib.sha256(), hashlib.sha256()]
    found = stream(_Hashed(gold, digests[0], progress), _Hashed(pred, digests[1], progress))
    tagging = found.words > 0 and found.unheaded == found.words
    causes = [_cause(flaw) for flaw in found.flaws]
    if tagging:
        causes = [_excused(cause) for cause in causes]
    covered: dict[str, object] = {
        "compared": int(found.total[1]),
        "missing": [],
        "extra": [],
        "mismatch": [],
    }
    return Evaluation(
        options,
        found.total,
        tagging,
        int(found.total[1]),
        digests[0].hexdigest(),
        digests[1].hexdigest(),
        covered,
        causes,
    )


class _Hashed:
    """A file that is hashed while it is read."""

    def __init__(
        self, file: BinaryIO, digest: hashlib._Hash, progress: Callable[[int], None]
    ) -> None:
        self._file, self._digest, self._progress = file, digest, progress

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._digest.update(data)
        self._progress(len(data))
        return data


def _cause(flaw: Flaw) -> Cause:
    found = flaw.problem
    return Cause(
        flaw.side,
        _text(flaw.sent_id),
        flaw.line,
        flaw.column,
        found.code,
        found.message,
        found.refuses,
        found.script,
    )


def _excused(cause: Cause) -> Cause:
    """A prediction without any HEAD is not refused for it."""
    if cause.side == "pred" and cause.code == "head-missing":
        return replace(cause, refuses=False)
    return cause


class _File:
    """A text held whole: its units, and where they begin."""

    def __init__(self, side: Side, data: bytes) -> None:
        self.side, self.bom = side, data.startswith(BOM)
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.units: list[Unit] = parse(split(data[3:] if self.bom else data), checks=False)
        starts = [0]
        for unit in self.units:
            starts.append(starts[-1] + count_lines(unit.text))
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


def _held(gold_data: bytes, pred_data: bytes, options: Options) -> Evaluation:
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
        causes = [_excused(cause) for cause in causes]
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
