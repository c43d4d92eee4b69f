"""`--fail-if-worse-than`: scores held against the rows of an earlier evaluation, beyond noise.

A score is worse than a row's if it is lower and the row's is not within noise of it: the rule of
`results.noise`, with the row's interval for the reference's. Our interval is made as the row's was.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

from goldlens.cli import inputs
from goldlens.cli.gate import shown
from goldlens.cli.lines import Trouble, line
from goldlens.scoring.bootstrap import Interval, Resampling
from goldlens.scoring.results.noise import within_noise
from goldlens.scoring.results.systems import Estimates, UnknownMetric
from goldlens.scoring.ud.metrics import STRICT

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated


@dataclass(frozen=True, slots=True)
class Standard:
    """A row to be held against. `score` None is undefined, and nothing is worse than that."""

    task: str
    metric: str
    score: float | None
    ci: Interval | None
    resampling: Resampling
    signature: str
    gold_sha256: str


@dataclass(slots=True)
class Standards:
    """The rows of a file, and those of them that are about the task at hand."""

    path: str
    rows: Sequence[Standard]
    chosen: Sequence[Standard] = field(default_factory=tuple)

    @classmethod
    def of(cls, path: str) -> Standards:
        """The rows of a JSON file that `goldlens rows` wrote. Raises Trouble."""
        return cls(path, [_standard(path, each) for each in _objects(path)])

    def require(self, task: str, known: Collection[str]) -> None:
        """Takes the rows of a task, whose metrics are `known`. Raises Trouble.

        There must be some, each of another metric, or nothing would be held, or not be known
        against what.
        """
        chosen = [row for row in self.rows if row.task == task]
        if not chosen:
            message = f"the file has no row of {task}; make one with “goldlens rows {task} --json”"
            raise _wrong(self.path, message)
        [(metric, number)] = Counter(row.metric for row in chosen).most_common(1)
        if number > 1:
            message = f"the file has {number} rows of {metric}; name a file with one system alone"
            raise _wrong(self.path, message)
        for row in chosen:
            if row.metric not in known:
                message = f"{task} has no metric {row.metric!r}; take its row out"
                raise _wrong(self.path, message)
        self.chosen = chosen

    @property
    def strict(self) -> bool:
        """Whether a strict metric of UD is among those that are held."""
        return any(row.metric.partition(".")[0] in STRICT for row in self.chosen)

    def warnings(self, found: Evaluated) -> list[str]:
        """What makes rows and scores hard to compare, a line each."""
        said = []
        if any(row.gold_sha256 not in ("", found.gold_sha256) for row in self.chosen):
            said.append("the rows are of another gold; make them again with this one")
        ours = _essence(str(found.board.signature()))
        if any(_essence(row.signature) != ours for row in self.chosen):
            said.append("the rows have another signature; score both in the same way")
        return [line(self.path, 1, 1, "warning", "gate", each) for each in said]

    def failures(self, found: Evaluated) -> Iterator[str]:
        """What is worse than its row, a line for each metric."""
        from goldlens.cli.systems import system_of

        system = system_of(found)
        drawn: dict[Resampling, Estimates] = {}
        for row in self.chosen:
            if row.score is None:
                continue
            estimates = drawn.setdefault(row.resampling, Estimates([system], row.resampling))
            theirs = f"{row.score:.2f}{_of(row.ci)} of {self.path}"
            try:
                score, ci = estimates.score(0, row.metric), estimates.ci(0, row.metric)
            except UnknownMetric:
                score, ci = None, None
            if score is None:
                yield f"{row.metric} is undefined here, and was {theirs}"
            elif score < row.score and not within_noise(score, ci, row.score, row.ci):
                ours = f"{shown(score, row.score)}{_of(ci)}"
                yield f"{row.metric} is {ours}, worse beyond noise than {theirs}"


def _of(ci: Interval | None) -> str:
    return "" if ci is None else f" [{ci.low:.2f}, {ci.high:.2f}]"


def _essence(signature: str) -> list[str]:
    """What of a signature changes numbers; which metrics there are besides does not."""
    return [p for p in signature.split("|") if not p.startswith(("version:", "strict:"))]


def _wrong(path: str, message: str) -> Trouble:
    return Trouble(path, "rows-file", message)


def _objects(path: str) -> list[Mapping[str, Any]]:
    if path == inputs.STDIN:
        raise _wrong(inputs.STDIN_NAME, "rows are not read from standard input; name a file")
    data = inputs.read_bytes(path)
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        message = f"the file is no JSON ({error}); name one made with “goldlens rows --json”"
        raise _wrong(path, message) from error
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise _wrong(path, "the file is no list of rows; name one made with “goldlens rows --json”")
    return found


def _standard(path: str, row: Mapping[str, Any]) -> Standard:
    """One row, as much of it as is needed. Raises Trouble."""
    try:
        signature = _text(row["signature"])
        parts = dict(part.partition(":")[::2] for part in signature.split("|"))
        ci = row.get("ci")
        return Standard(
            parts["task"],
            _text(row["metric"]),
            None if row["score"] is None else _number(row["score"]),
            None if ci is None else Interval(*map(_number, ci)),
            _resampling(row),
            signature,
            _text(row.get("gold_sha256") or ""),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        message = "the file has an object that is no row; make it again with “goldlens rows --json”"
        raise _wrong(path, message) from error


def _resampling(row: Mapping[str, Any]) -> Resampling:
    usual = Resampling()
    resamples, seed = row.get("resamples", usual.resamples), row.get("seed", usual.seed)
    if type(resamples) is not int or type(seed) is not int or not 0 <= seed < 1 << 64:
        raise ValueError("no whole numbers")
    return Resampling(resamples, _number(row.get("level", usual.level)), seed)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("no text")
    return value


def _number(value: object) -> float:
    if type(value) not in (int, float):
        raise ValueError("no number")
    found = float(value)  # type: ignore[arg-type]
    if not isfinite(found):
        raise ValueError("no number")
    return found
