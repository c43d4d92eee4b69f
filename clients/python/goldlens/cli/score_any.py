"""`goldlens score` for tasks that the engine scores: spans, classes, stems."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING

from goldlens.cli import expected, outputs
from goldlens.cli.score import show_tables
from goldlens.cli.table import Grid, of_figures, of_labels

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.cli.gate import Told
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
    told: Told = lambda figures: None,
) -> int:
    """Scores a pair of open files and prints what comes out; the exit status. Raises Trouble.

    `told` gets the figures, unless the pair is refused.
    """
    if task.name == "span":
        from goldlens.cli.score_spans import score_at_once

        # What is odd is said by the engine's way.
        odd = expected.warnings(gold, pred, task.name)
        if not odd and score_at_once(gold, pred, task, match, policy, as_json, output, told):
            return 0
        gold.file.seek(0)
        pred.file.seek(0)
    from goldlens.cli.evaluated import evaluated

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
        _print(found, output)
    told(found.board.figures())
    return 0


def _print(found: Evaluated, output: str | None) -> None:
    from goldlens.cli.summary import summary_of

    labels = found.task.labels(found.pair.sums)
    grids: list[Grid] = [of_figures(found.board.figures())]
    grids += [of_labels(labels)] if labels else []
    below = "".join(f"{text}\n" for text in summary_of(found))
    show_tables(grids, f"{found.pred} against {found.gold}", below, output)
