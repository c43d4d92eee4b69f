"""The scoreboard of a pair: what it scores, what was compared, what would refuse it.

`Scoreboard.as_dict` is the one object that the command line, the language server and scripts see.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from goldlens.scoring.board import board
from goldlens.scoring.counts import Figure
from goldlens.scoring.coverage import Coverage, coverage
from goldlens.scoring.problems import CODES, Severity
from goldlens.scoring.segment import Kind
from goldlens.scoring.signature import Signature
from goldlens.scoring.task import GOLD, PRED
from goldlens.server.engine.document import Document
from goldlens.server.engine.flaws import SCRIPT
from goldlens.server.engine.pair import Pair

_REFUSALS: Final = 1000
"""How many refusals an object that is sent at every change may list."""

_SIDES: Final = {GOLD: "gold", PRED: "pred"}


class Scoreboard:
    """The figures of a pair at this moment; ask for another one after a change."""

    def __init__(self, pair: Pair, *, policy: str = "lenient", strict: bool = False) -> None:
        self.pair, self.policy, self.strict = pair, policy, strict

    def figures(self) -> dict[str, Figure | None]:
        """The metrics by name; None where undefined."""
        pair = self.pair
        gold, pred = pair.gold.facts.tolist(), pair.pred.facts.tolist()
        return pair.task.figures(pair.sums, gold, pred, strict=self.strict)

    def signature(self) -> Signature:
        """What the figures were computed with."""
        return self.pair.task.signature(self.pair.match, self.policy, strict=self.strict)

    def as_dict(
        self,
        gold: Mapping[str, object],
        pred: Mapping[str, object],
        most: int | None = _REFUSALS,
        *,
        refused: bool = False,
    ) -> dict[str, object]:
        """The scoreboard; `gold` and `pred` are what to say of the files (path, sha256).

        At most `most` refusals are listed. If the pair is `refused`, there are no metrics.
        """
        task, sums = self.pair.task, self.pair.sums
        return board(
            task.name,
            self.signature(),
            gold,
            pred,
            None if refused else self.figures(),
            self.covered(),
            self.would_refuse(most),
            {} if refused else task.labels(sums),
            [] if refused else task.skipped(sums),
        )

    def covered(self) -> dict[str, object]:
        """How much of gold was compared, and which of its units were not; lines from 1."""
        pair = self.pair
        found = self._coverage
        return {
            "compared": found.compared,
            "missing": [
                named for unit, names in found.missing for named in _names(pair.gold, unit, names)
            ],
            "extra": [_named(pair.pred, unit) for unit in found.extra],
            "mismatch": [_run(pair, gold, pred) for gold, pred in found.mismatch],
        }

    def would_refuse(self, most: int | None = None) -> list[dict[str, object]]:
        """For what the pair would be refused (by the official scorer, of UD); lines from 1."""
        pair, codes = self.pair, self.pair.task.unfaced
        found: list[dict[str, object]] = []
        for side, document in ((GOLD, pair.gold), (PRED, pair.pred)):
            found += _refusals(_SIDES[side], document, most)
        runs: list[dict[str, Any]] = []
        if CODES[codes.get(Kind.MISMATCH, "stream-mismatch")].refuses:
            runs = [
                _run(pair, gold, pred)
                for gold, pred in self._coverage.mismatch
                # One that cannot be read has said so already.
                if all(unit.readable for unit in pair.pred.units[pred.start : pred.stop])
                and all(unit.readable for unit in pair.gold.units[gold.start : gold.stop])
            ]
        if not runs and not found and not pair.pairing.agrees:
            # The same sentences in another order, or not all of them: no run, but another text.
            runs = [{"sent_id": None, "line": 1}]
        found += [_refusal("pred", "stream-mismatch", run["sent_id"], run["line"]) for run in runs]
        if CODES[codes[Kind.MISSING]].refuses:
            found += [
                _refusal("gold", codes[Kind.MISSING], named["sent_id"], named["line"])
                for unit, names in self._coverage.missing
                for named in _names(pair.gold, unit, names)
            ]
        if CODES[codes[Kind.EXTRA]].refuses:
            found += [
                _refusal("pred", codes[Kind.EXTRA], named["sent_id"], named["line"])
                for named in (_named(pair.pred, unit) for unit in self._coverage.extra)
            ]
        return found[:most]

    @cached_property
    def _coverage(self) -> Coverage:
        gold, pred = self.pair.gold, self.pair.pred
        there, here = gold.format.facts, pred.format.facts
        counts = (lambda unit: there(unit)[0], lambda unit: here(unit)[0])
        sides = gold.units, pred.units
        return coverage(self.pair.pairing, sides, self.pair.size, counts)


def _refusals(side: str, document: Document, most: int | None) -> list[dict[str, object]]:
    """The problems of a document by itself for which it would be refused."""
    found: list[dict[str, object]] = []
    if document.bom and document.format.name == "ud":
        found.append(_refusal(side, "bom", None, 1))
    for k in document.flaws.rows[:, SCRIPT].nonzero()[0][:most].tolist():
        unit = document.units[k]
        title, line = document.format.title(unit), int(document.line_starts[k]) + 1
        found += [
            _refusal(side, problem.code, title, line + problem.place.line)
            for problem in unit.problems
            if problem.script
        ]
    code = document.format.duplicate_code
    duplicates = document.duplicates()
    if duplicates is not None and CODES[code].refuses:
        for k in (duplicates.severities == Severity.ERROR).nonzero()[0][:most].tolist():
            title = document.format.title(document.units[k])
            found.append(_refusal(side, code, title, int(document.line_starts[k]) + 1))
    return found


def _refusal(side: str, code: str, title: object, line: object) -> dict[str, object]:
    return {"side": side, "sent_id": title, "line": line, "code": code}


def _named(document: Document, unit: int) -> dict[str, Any]:
    return {
        "sent_id": document.format.title(document.units[unit]),
        "line": int(document.line_starts[unit]) + 1,
    }


def _names(document: Document, unit: int, names: tuple[Any, ...]) -> list[dict[str, Any]]:
    """A unit, or each of the names by which something in it is known."""
    named = _named(document, unit)
    return [{**named, "sent_id": _text(name)} for name in names] or [named]


def _text(name: object) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def _run(pair: Pair, gold: range, pred: range) -> dict[str, Any]:
    first = min(pred.start, max(0, len(pair.pred.units) - 1))
    named: dict[str, Any] = {"sent_id": None, "line": 1}
    if pair.pred.units:
        named = _named(pair.pred, first)
    if not pred:
        named["sent_id"] = pair.gold.format.title(pair.gold.units[gold.start])
    return {
        **named,
        "gold_line": int(pair.gold.line_starts[gold.start]) + 1,
        "gold_sentences": _size(pair.gold, gold),
        "pred_sentences": _size(pair.pred, pred),
    }


def _size(document: Document, units: range) -> int:
    facts = document.format.facts
    return sum([facts(unit)[0] for unit in document.units[units.start : units.stop]])
