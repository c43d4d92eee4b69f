"""One evaluation from scratch: two texts in, counts and causes for refusal out.

Where the two streams agree, the texts are streamed (`stream`), in little memory. Where they do
not, or sentences are matched by sent_id, they are held whole and paired (`segments`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Literal

import numpy as np

from goldlens.scoring.board import board
from goldlens.scoring.counts import Count
from goldlens.scoring.signature import Signature
from goldlens.scoring.text import decoded
from goldlens.scoring.ud.profile import NONE, Profile
from goldlens.scoring.ud.score import figures
from goldlens.scoring.ud.stream import Diverged, Flaw, stream

Side = Literal["gold", "pred"]


@dataclass(frozen=True, slots=True)
class Options:
    """How to evaluate. `only`: "" (all), "predicted" or "annotated" (see `evaluate`).

    `profile`: what two conventions are reconciled by.
    """

    match: str = "auto"
    policy: str = "official"
    strict: bool = False
    only: str = ""
    profile: Profile = NONE


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
    """What came out. `figures` is None if the official policy refuses the pair.

    `total`: counts by `metrics.COLUMNS`; those of problems are undefined under a profile.
    """

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
        found = figures(self.total, tagging=self.tagging, strict=self.options.strict)
        dropped = self.options.profile.incomparable
        return {name: None if name in dropped else count for name, count in found.items()}

    @property
    def signature(self) -> Signature:
        """What the figures were computed with."""
        o = self.options
        return Signature("ud", o.match, o.policy, o.strict, o.only, o.profile.name)

    def as_dict(self, gold: str, pred: str) -> dict[str, object]:
        """The evaluation as JSON has it; `gold` and `pred` are the paths."""
        return board(
            "ud",
            self.signature,
            {"path": gold, "sha256": self.gold_sha256},
            {"path": pred, "sha256": self.pred_sha256},
            None if self.refused else self.figures(),
            self.covered,
            [
                {"side": c.side, "sent_id": c.sent_id, "line": c.line, "code": c.code}
                for c in self.causes
                if c.script or c.refuses
            ],
        )


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
    # Imported here: a start of the command line that does not need it does not pay for it.
    from goldlens.scoring.ud.held import evaluate_held

    return evaluate_held(gold.read(), pred.read(), options)


def _streamed(
    gold: BinaryIO, pred: BinaryIO, options: Options, progress: Callable[[int], None]
) -> Evaluation:
    digests = [hashlib.sha256(), hashlib.sha256()]
    theirs, ours = _Hashed(gold, digests[0], progress), _Hashed(pred, digests[1], progress)
    if options.profile == NONE:
        found = stream(theirs, ours)
    else:
        from goldlens.scoring.ud.reconciled import Reconciled

        found = stream(theirs, ours, Reconciled(options.profile).totals)
    causes = [_cause(flaw) for flaw in found.flaws]
    tagging = False
    for side, words, unheaded in (
        ("gold", found.gold_words, found.gold_unheaded),
        ("pred", found.words, found.unheaded),
    ):
        if words and words == unheaded:
            tagging = True
            causes = [excused(cause, side) for cause in causes]
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
        decoded(flaw.sent_id),
        flaw.line,
        flaw.column,
        found.code,
        found.message,
        found.refuses,
        found.script,
    )


def excused(cause: Cause, side: str) -> Cause:
    """A cause in a pair one side of which has no HEAD at all: it is not refused for that."""
    if cause.side == side and cause.code == "head-missing":
        return replace(cause, refuses=False)
    return cause
