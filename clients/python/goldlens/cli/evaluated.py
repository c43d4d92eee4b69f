"""A prediction scored against gold, of any task, by the engine: what verbs build upon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from goldlens.cli import expected, inputs
from goldlens.cli.lines import Trouble, line
from goldlens.cli.refused import say_refused
from goldlens.cli.seeming import has_column, seems
from goldlens.scoring.problems import Severity
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.task import Incomparable, Task
from goldlens.scoring.text import not_text
from goldlens.server.engine.document import Document
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.refusals import refusals
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.sources import sha256
from goldlens.server.texts import Text


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
        say_refused((cause.code, str(cause)) for cause in self.refused)


def evaluated(
    gold: inputs.Input,
    pred: inputs.Input,
    task: Task,
    match: str = "auto",
    policy: str = "official",
    strict: bool = False,
) -> Evaluated:
    """Scores a pair of open files. Raises Trouble."""
    odd = expected.warnings(gold, pred, task.name)
    theirs, ours = gold.file.read(), pred.file.read()
    for name, data in ((gold.name, theirs), (pred.name, ours)):
        if why := not_text(data):
            raise Trouble(name, "encoding", why)
    require(task, expected.Beginning(gold.name, theirs), expected.Beginning(pred.name, ours))
    try:
        pair = pair_of(task, theirs, ours, match)
    except Incomparable as error:
        raise Trouble(pred.name, "word-alignment", str(error)) from error
    for name, document in ((gold.name, pair.gold), (pred.name, pair.pred)):
        check_columns(name, document)
    files = (Text(gold.name, theirs, pair.gold), Text(pred.name, ours, pair.pred))
    board = Scoreboard(pair, policy=policy, strict=strict)
    refused = tuple(_refusals(pair, *files)) if policy == "official" else ()
    notices = (*odd, *(notice for file in files for notice in _notices(file)))
    return Evaluated(
        gold.name, pred.name, pair, board, sha256(theirs), sha256(ours), refused, notices
    )


def require(task: Task, *files: expected.Beginning, otherwise: str = "name another file") -> None:
    """Raises Trouble if a file is evidently of another task, or has no such column of tokens."""
    column = task.tag_column if isinstance(task, Spans) else -1
    expected.require(task.name, *files, tag_column=column, otherwise=otherwise)
    if isinstance(task, Spans) and task.token_column != 1:
        for each in files:
            if not has_column(each.text, task.token_column) and seems(each.text, "span", column):
                message = (
                    f"no row has {abs(task.token_column)} columns, and the token is looked for "
                    "there; name the column (--token-column)"
                )
                raise Trouble(each.name, "columns", message)


def check_columns(name: str, document: Document) -> None:
    """Raises Trouble if no row of a file of spans has a tag where it is looked for.

    Tags that are evidently misspelt, as all are where a file was turned to lower case, are tags.
    """
    if document.format.name != "span" or not document.facts[1]:
        return
    units = [document.units[number] for number in document.flaws.rows[:, 0].nonzero()[0].tolist()]
    faulty = sum(
        problem.code == "iob2-tag" and problem.severity is Severity.ERROR
        for unit in units
        for problem in unit.problems
    )
    misspelt = sum(fault.new is not None for unit in units for fault in unit.reading.faults)
    if faulty == document.facts[1] and 2 * misspelt < faulty:
        message = "no row has a tag of IOB2 where it is looked for; name the column (--tag-column)"
        raise Trouble(name, "columns", message)


def _refusals(pair: Pair, gold: Text, pred: Text) -> list[Refusal]:
    """Every cause in the order of files and lines."""
    found = []
    for cause in refusals(pair):
        at = (gold, pred)[cause.side].stretch(cause.unit, cause.problem.place)
        said = Refusal(at.path, at.line, at.column, cause.problem.code, cause.problem.message)
        found.append((cause.side, said))
    found.sort(key=lambda one: (one[0], one[1].line, one[1].column))
    return [said for _, said in found]


def _notices(file: Text) -> Iterator[str]:
    """What is to be said once of a file, and is a Warning or worse."""
    document: Document = file.document
    for problem in document.format.notices(document.units, document.facts.tolist()):
        if problem.severity <= Severity.WARNING:
            at = file.stretch(problem.place.unit, problem.place)
            label = problem.severity.label
            yield line(at.path, at.line, at.column, label, problem.code, problem.message)
