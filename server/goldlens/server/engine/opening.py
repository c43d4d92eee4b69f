"""A pair made of two texts at once, for those who do not edit them."""

from __future__ import annotations

from goldlens.scoring.task import GOLD, PRED, Task
from goldlens.scoring.text import BOM
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair


def pair_of(task: Task, gold: bytes, pred: bytes, match: str = "auto") -> Pair:
    """A prediction held against gold, without the checks that do not touch the score.

    Raises Incomparable (see `scoring.task`).
    """
    opened = None
    if match != "sent_id":
        opened = task.open_both(gold.removeprefix(BOM), pred.removeprefix(BOM))
    theirs = Document(
        task.format(GOLD), gold, checks=False, units=None if opened is None else opened.gold
    )
    ours = Document(
        task.format(PRED), pred, checks=False, units=None if opened is None else opened.pred
    )
    return Pair(task, theirs, ours, match, None if opened is None else opened.counts)
