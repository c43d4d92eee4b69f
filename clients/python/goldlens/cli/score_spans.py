"""Spans of two large files scored at once, where nothing is wrong with either."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goldlens.cli import outputs
from goldlens.cli.score import show_tables
from goldlens.cli.summary import ignored, lines_of
from goldlens.cli.table import of_figures, of_labels
from goldlens.scoring.board import board
from goldlens.scoring.spans.task import Spans, SpanSums
from goldlens.scoring.spans.whole import score_whole
from goldlens.scoring.text import BOM, not_text

if TYPE_CHECKING:
    from goldlens.cli.gate import Told
    from goldlens.cli.inputs import Input
    from goldlens.scoring.task import Task

_PLAIN = (1, -1)


def score_at_once(
    gold: Input,
    pred: Input,
    task: Task,
    match: str,
    policy: str,
    as_json: bool,
    output: str | None,
    told: Told = lambda figures: None,
) -> bool:
    """Scores and prints, as the engine's way would; False if that one is to be gone.

    Both files are read to their ends. `told` gets the figures.
    """
    if not isinstance(task, Spans) or (task.token_column, task.tag_column) != _PLAIN:
        return False
    theirs, ours = gold.file.read(), pred.file.read()
    if not_text(theirs) or not_text(ours):
        return False
    texts = theirs.removeprefix(BOM), ours.removeprefix(BOM)
    tabs = task.likely_regime(texts[0]), task.likely_regime(texts[1])
    found = score_whole(*texts, tabs, lenient=task.reading == "conlleval")
    if found is None:
        return False
    sums = SpanSums()
    sums.add([(found.entries,)])
    facts = (found.sentences,)
    figures, labels = task.figures(sums, facts, facts), task.labels(sums)
    signature = task.signature(match, policy)
    told(figures)
    covered = {"compared": found.sentences, "missing": [], "extra": [], "mismatch": []}
    if not as_json:
        grids = [of_figures(figures), *([of_labels(labels)] if labels else [])]
        below_it = lines_of("sentence", found.sentences, signature, covered)
        malformed = zip((gold.name, pred.name), found.orphans, strict=True)
        below_it += ignored({name: {"iob2-malformed": n} if n else {} for name, n in malformed})
        below = "".join(f"{line}\n" for line in below_it)
        show_tables(grids, f"{pred.name} against {gold.name}", below, output)
        return True
    from json import dumps

    from goldlens.server.sources import sha256

    there = {"path": gold.name, "sha256": sha256(theirs)}
    here = {"path": pred.name, "sha256": sha256(ours)}
    said = board(task.name, signature, there, here, figures, covered, [], labels)
    outputs.put(dumps(said, ensure_ascii=False, indent=2) + "\n", output, machine=True)
    return True
