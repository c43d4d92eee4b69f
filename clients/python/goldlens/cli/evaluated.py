"""A prediction scored against gold, of any task, by the engine: what verbs build upon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldlens.cli import inputs
from goldlens.cli.findings import Text
from goldlens.cli.lines import Trouble, counted, line
from goldlens.cli.outputs import complain
from goldlens.scoring.problems import CODES, Problem, Severity
from goldlens.scoring.task import Incomparable, Task
from goldlens.scoring.text import not_text
from goldlens.server.engine.document import Document
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.sources import sha256


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the official policy refuses a file; line and column count from 1."""

    path: str
    line: int
    column: int
    code: str
    message: str

    def __str__(self) -> str:
        return line(self.path, self.line, self.column, "error", self.code, self.message)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A pair with its scores. `refused` is empty unless the policy is official."""

    gold: str
    pred: str
    pair: Pair
    board: Scoreboard
    gold_sha256: str
    pred_sha256: str
    refused: tuple[Refusal, ...]
    notices: tuple[str, ...]

    @property
    def task(self) -> Task:
        """What was scored."""
        return self.pair.task

    def as_dict(self) -> dict[str, object]:
        """The scoreboard as JSON has it."""
        return self.board.as_dict(
            {"path": self.gold, "sha256": self.gold_sha256},
            {"path": self.pred, "sha256": self.pred_sha256},
            None,
            refused=bool(self.refused),
        )

    def say_refused(self) -> None:
        """Every cause, and what to do, on standard error."""
        said = [str(cause) for cause in self.refused]
        said.append(
            f"error[refused]: the official policy refuses this pair for "
            f"{counted(len(said), 'cause')}; repair them, or add “--policy lenient”, which "
            "scores all the same"
        )
        complain("\n".join([*said, ""]))


def evaluated(
    gold: inputs.Input,
    pred: inputs.Input,
    task: Task,
    match: str = "auto",
    policy: str = "official",
    strict: bool = False,
) -> Evaluated:
    """Scores a pair of open files. Raises Trouble."""
    theirs, ours = gold.file.read(), pred.file.read()
    for name, data in ((gold.name, theirs), (pred.name, ours)):
        if why := not_text(data):
            raise Trouble(name, "encoding", why)
    try:
        pair = pair_of(task, theirs, ours, match)
    except Incomparable as error:
        raise Trouble(pred.name, "word-alignment", str(error)) from error
    files = (Text(gold.name, theirs, pair.gold), Text(pred.name, ours, pair.pred))
    board = Scoreboard(pair, policy=policy, strict=strict)
    refused = tuple(_refusals(pair, *files)) if policy == "official" else ()
    notices = tuple(notice for file in files for notice in _notices(file))
    return Evaluated(
        gold.name, pred.name, pair, board, sha256(theirs), sha256(ours), refused, notices
    )


def _refusals(pair: Pair, gold: Text, pred: Text) -> Iterator[Refusal]:
    """Every cause in the order of files and lines."""
    for file in (gold, pred):
        found = list(_own(file))
        if file is pred:
            found += _of_the_comparison(pair, pred)
        yield from sorted(found, key=lambda cause: (cause.line, cause.column))


def _own(file: Text) -> Iterator[Refusal]:
    document = file.document
    excused = document.format.excused(document.facts.tolist())
    for unit in document.flaws[:, 2].nonzero()[0].tolist():
        for problem in document.units[unit].problems:
            if problem.refuses and problem.code not in excused:
                yield _refusal(file, unit + problem.place.unit, problem)
    duplicates = document.duplicates()
    if duplicates is not None and CODES[document.format.duplicate_code].refuses:
        for unit in duplicates.numbers():
            if duplicates.severities[unit] == Severity.ERROR:
                problem = duplicates.problem(unit)
                yield _refusal(file, problem.place.unit, problem)


def _of_the_comparison(pair: Pair, pred: Text) -> Iterator[Refusal]:
    for number in pair.pairing.uncompared():
        start = pair.pairing.starts(number)[1]
        for problem in pair.problems_of(number):
            if problem.refuses:
                yield _refusal(pred, start + problem.place.unit, problem)


def _refusal(file: Text, unit: int, problem: Problem) -> Refusal:
    at = file.stretch(unit, problem.place)
    return Refusal(at.path, at.line, at.column, problem.code, problem.message)


def _notices(file: Text) -> Iterator[str]:
    """What is to be said once of a file, and is a Warning or worse."""
    document: Document = file.document
    for problem in document.format.notices(document.units, document.facts.tolist()):
        if problem.severity <= Severity.WARNING:
            at = file.stretch(problem.place.unit, problem.place)
            label = problem.severity.label
            yield line(at.path, at.line, at.column, label, problem.code, problem.message)
