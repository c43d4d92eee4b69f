"""One pair of a batch scored: the same in a process of this machine and on a cluster."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final

from goldlens.cli.batching.pairs import PUBLISHED, SYSTEM, Question
from goldlens.cli.evaluated import Evaluated
from goldlens.cli.lines import Trouble, Troubles, counted, line
from goldlens.cli.systems import each_evaluated, system_of
from goldlens.cli.tasks import TaskFlags
from goldlens.scoring.bootstrap import Resampling
from goldlens.scoring.results.receipt import canonical
from goldlens.scoring.results.rows import Labels, rows
from goldlens.scoring.signature import goldlens_version
from goldlens.server.results import scorer_digest

CAUSES: Final = 5
"""So many causes of a refusal are listed; `goldlens score` lists all."""

_PATHS: Final = ("gold", "pred", "ref_pred")


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a question: rows, or one line for each error.

    `id` names what the rows were computed from (see `identity`). The rows are as JSON has them,
    without the labels. `said` are warnings about the files. `scorer` is the hash of the scoring
    code.
    """

    id: str = ""
    task: str = ""
    scorer: str = ""
    rows: tuple[Mapping[str, Any], ...] = ()
    said: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


def identity(question: Question, gold: str, pred: str, ref_pred: str | None) -> str:
    """What names the rows of a question, given the SHA-256 of its files.

    Like the id of a receipt it is made of the first 16 hex digits of the SHA-256 over the
    canonical JSON of all that the rows depend on; unlike it, of nothing that has to be computed
    first. Where files are does not matter, nor do labels.
    """
    asked = {name: value for name, value in asdict(question).items() if name not in _PATHS}
    asked |= {"metrics": list(question.metrics), "references": dict(question.references)}
    asked |= {"gold_sha256": gold, "pred_sha256": pred, "ref_pred_sha256": ref_pred}
    asked |= {"scorer_sha256": scorer_digest(), "version": goldlens_version()}
    return hashlib.sha256(canonical(asked)).hexdigest()[:16]


def answer(question: Question) -> Answer:
    """The rows of a pair. Never raises: what is wrong with the pair is in the answer."""
    try:
        found = _evaluated(question)
        refused = [each for each in found if each.refused]
        if refused:
            return Answer(errors=tuple(text for each in refused for text in _refused(each)))
        return _answered(question, found)
    except (Trouble, Troubles) as trouble:
        return Answer(errors=tuple(str(trouble).split("\n")))
    except Exception as error:
        what = f"{type(error).__name__}: {error}, please report it"
        return Answer(errors=(line(question.pred, 1, 1, "error", "internal", what),))


def _evaluated(question: Question) -> list[Evaluated]:
    """The prediction against gold, and the reference's. Raises Trouble and Troubles."""
    flags = TaskFlags(
        question.task,
        question.threshold,
        question.token_column,
        question.tag_column,
        question.reading,
        question.profile,
    )
    named = [*question.metrics, *(name for name, _ in question.references)]
    preds = [question.pred] if question.ref_pred is None else [question.pred, question.ref_pred]
    how = question.match, question.policy
    return each_evaluated(question.gold, preds, flags, *how, named)


def _refused(found: Evaluated) -> list[str]:
    said = [str(cause) for cause in islice(found.refused, CAUSES)]
    causes = counted(len(found.refused), "cause")
    listed = "" if len(found.refused) <= CAUSES else f", of which {CAUSES} stand above"
    message = (
        f"the official policy refuses this pair for {causes}{listed}; repair them, or give the "
        "pair the policy lenient, which scores all the same"
    )
    return [*said, line(found.pred, 1, 1, "error", "refused", message)]


def _answered(question: Question, found: list[Evaluated]) -> Answer:
    ours, *others = found
    signature = str(ours.board.signature())
    labels = Labels(
        reference_source=PUBLISHED,
        reference_system=SYSTEM,
        references=dict(question.references),
        signature=signature,
        gold_sha256=ours.gold_sha256,
        pred_sha256=ours.pred_sha256,
        task=ours.task.name,
    )
    resampling = Resampling(question.resamples, question.level, question.seed)
    against = [system_of(each) for each in others]
    try:
        table = rows(
            system_of(ours), question.metrics, labels, ours.pair.size, resampling, *against
        )
    except ValueError as error:
        # A metric that the task does not have, or a reference for one.
        return Answer(errors=(line(question.pred, 1, 1, "error", "rows", str(error)),))
    # The files may have changed since somebody asked: the answer is about what was read.
    name = identity(
        question,
        ours.gold_sha256,
        ours.pred_sha256,
        others[0].pred_sha256 if others else None,
    )
    said = dict.fromkeys(notice for each in found for notice in each.notices)
    records = tuple(row.as_dict() for row in table)
    return Answer(name, ours.task.name, scorer_digest(), records, tuple(said))
