"""`goldlens score` for tasks that the engine scores: spans, classes, stems."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from goldlens.cli import outputs
from goldlens.cli.evaluated import evaluated
from goldlens.cli.score import show_tables
from goldlens.cli.summary import summary_of
from goldlens.cli.table import of_figures, of_labels

if TYPE_CHECKING:
    from goldlens.cli.inputs import Input
    from goldlens.scoring.task import Task


def score(
    gold: Input,
    pred: Input,
    task: Task,
    match: str,
    policy: str,
    as_json: bool,
    output: str | None,
) -> int:
    """Scores a pair of open files and prints what comes out; the exit status. Raises Trouble."""
    found = evaluated(gold, pred, task, match, policy)
    if found.notices:
        outputs.complain("\n".join([*found.notices, ""]))
    if as_json:
        text = dumps(found.as_dict(), ensure_ascii=False, indent=2) + "\n"
        outputs.put(text, output, machine=True)
    if found.refused:
        found.say_refused()
        return 2
    if not as_json:
        labels = task.labels(found.pair.sums)
        grids = [of_figures(found.board.figures()), *([of_labels(labels)] if labels else [])]
        below = "".join(f"{text}\n" for text in summary_of(found))
        show_tables(grids, f"{pred.name} against {gold.name}", below, output)
    return 0
