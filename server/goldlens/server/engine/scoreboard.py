"""The scoreboard of a pair: what it scores, what was compared, what the official scorer would say.

`Scoreboard.as_dict` is the one object that the command line, the language server and scripts see.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final, cast

from goldlens.scoring.counts import Count
from goldlens.scoring.signature import Signature
from goldlens.scoring.text import decoded
from goldlens.scoring.ud.coverage import Coverage, coverage
from goldlens.scoring.ud.score import figures
from goldlens.scoring.ud.segments import Pairing
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair

_REFUSALS: Final = 1000
"""How many refusals an object that is sent at every change may list."""


class Scoreboard:
    """The figures of a pair at this moment; ask for another one after a change."""

    def __init__(self, pair: Pair, *, policy: str = "lenient", strict: bool = False) -> None:
        self.pair, self.policy, self.strict = pair, policy, strict

    @property
    def tagging(self) -> bool:
        """Whether a side has no HEAD at all, so that only tags are scored."""
        return is_tagging(self.pair.pred) or is_tagging(self.pair.gold)

    def figures(self) -> dict[str, Count | None]:
        """The metrics by name; None where undefined."""
        return figures(self.pair.total, tagging=self.tagging, strict=self.strict)

    def signature(self) -> Signature:
        """What the figures were computed with."""
        return Signature(self.pair.task.name, self.pair.match, self.policy, self.strict)

    def as_dict(self, gold: Mapping[str, object], pred: Mapping[str, object]) -> dict[str, object]:
        """The scoreboard; `gold` and `pred` are what to say of the files (path, sha256)."""
        return {
            "task": self.pair.task.name,
            "signature": str(self.signature()),
            "gold": dict(gold),
            "pred": dict(pred),
            "metrics": {
                name: None if count is None else count.as_dict()
                for name, count in self.figures().items()
            },
            "labels": {},
            "covered": self.covered(),
            "would_refuse": self.would_refuse(_REFUSALS),
        }

    def covered(self) -> dict[str, object]:
        """How many gold sentences were compared, and which sentences were not; lines from 1."""
        pair = self.pair
        found = self._coverage
        return {
            "compared": found.compared,
            "missing": [_named(pair.gold, unit) for unit in found.missing],
            "extra": [_named(pair.pred, unit) for unit in found.extra],
            "mismatch": [_run(pair, gold, pred) for gold, pred in found.mismatch],
        }

    def would_refuse(self, most: int | None = None) -> list[dict[str, object]]:
        """For what the official scorer would refuse the pair; lines from 1."""
        found: list[dict[str, object]] = []
        for side, document in (("gold", self.pair.gold), ("pred", self.pair.pred)):
            found += refusals(side, document, most)
        mismatches = [
            run
            for gold, pred in self._coverage.mismatch
            # One that cannot be read has said so already.
            if all(unit.readable for unit in self.pair.pred.units[pred.start : pred.stop])
            and all(unit.readable for unit in self.pair.gold.units[gold.start : gold.stop])
            for run in [_run(self.pair, gold, pred)]
        ]
        if not mismatches and not found and not cast(Pairing, self.pair.pairing).agrees:
            # The same sentences in another order, or not all of them: no run, but another text.
            mismatches = [{"sent_id": None, "line": 1}]
        found += [
            {
                "side": "pred",
                "sent_id": run["sent_id"],
                "line": run["line"],
                "code": "stream-mismatch",
            }
            for run in mismatches
        ]
        return found[:most]

    @cached_property
    def _coverage(self) -> Coverage:
        pair = self.pair
        return coverage(cast(Pairing, pair.pairing), pair.gold.units, int(pair.gold.facts[0]))


def is_tagging(document: Document) -> bool:
    """Whether every word of a document has `_` for its HEAD."""
    _, words, unheaded = document.facts.tolist()
    return bool(words) and words == unheaded


def refusals(side: str, document: Document, most: int | None) -> list[dict[str, object]]:
    """The problems of a document for which the official scorer would refuse it."""
    found: list[dict[str, object]] = []
    if document.bom:
        found.append({"side": side, "sent_id": None, "line": 1, "code": "bom"})
    for k in document.flaws[:, 3].nonzero()[0][:most].tolist():
        unit = document.units[k]
        found += [
            {
                "side": side,
                "sent_id": decoded(unit.sent_id),
                "line": int(document.line_starts[k]) + problem.place.line + 1,
                "code": problem.code,
            }
            for problem in unit.problems
            if problem.script
        ]
    return found


def _named(document: Document, unit: int) -> dict[str, Any]:
    return {
        "sent_id": decoded(document.units[unit].sent_id),
        "line": int(document.line_starts[unit]) + 1,
    }


def _run(pair: Pair, gold: range, pred: range) -> dict[str, Any]:
    first = min(pred.start, max(0, len(pair.pred.units) - 1))
    named: dict[str, Any] = {"sent_id": None, "line": 1}
    if pair.pred.units:
        named = _named(pair.pred, first)
    if not pred:
        named["sent_id"] = decoded(pair.gold.units[gold.start].sent_id)
    return {
        **named,
        "gold_line": int(pair.gold.line_starts[gold.start]) + 1,
        "gold_sentences": sum([unit.sentence for unit in pair.gold.units[gold.start : gold.stop]]),
        "pred_sentences": sum([unit.sentence for unit in pair.pred.units[pred.start : pred.stop]]),
    }
