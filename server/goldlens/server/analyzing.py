"""What is said of a pair besides its score, for the command line, editors and programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from goldlens.scoring.analysis.analysis import Analysis, Question, analysis
from goldlens.scoring.bootstrap import Told
from goldlens.scoring.task import Task
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard


def as_written(task: Task) -> Task:
    """The task without a profile: of the texts as they are, whatever the pair is scored under."""
    return UD if task.name == UD.name else task


def analysis_of(pair: Pair, question: Question) -> Callable[[Told], Analysis]:
    """What analyses a pair as it is now, whatever becomes of it meanwhile; it needs no turn.

    It tells how it gets on, and raises WrongQuestion and Incomparable.
    """
    gold, pred, segments = list(pair.gold.units), list(pair.pred.units), list(pair.pairing)
    name = pair.task.name

    def made(told: Told) -> Analysis:
        return analysis(name, gold, pred, segments, question, told)

    return made


def document_of(
    pair: Pair, gold: Mapping[str, object], pred: Mapping[str, object], question: Question
) -> Callable[[Told], dict[str, object]]:
    """The same as JSON has it; `gold` and `pred` are what to say of the files (path, sha256)."""
    made, covered = analysis_of(pair, question), Scoreboard(pair).covered()
    signature = str(as_written(pair.task).signature(pair.match, "lenient"))

    def document(told: Told) -> dict[str, object]:
        found = made(told).as_dict()
        head = {"task": found.pop("task"), "signature": signature, "gold": gold, "pred": pred}
        return {**head, **found, "covered": covered}

    return document
