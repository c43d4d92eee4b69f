"""What spaCy's own training asks for scores: the registered scorer `goldlens.scorer.v1`.

In a config:

    [components.parser.scorer]
    @scorers = "goldlens.scorer.v1"
    metrics = ["UAS", "LAS"]

    [training.score_weights]
    goldlens_las = 1.0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from goldlens.scoring.docs.scored import scores
from goldlens.scoring.docs.shape import Example

Scorer: TypeAlias = Callable[..., dict[str, Any]]


def make_scorer(metrics: Sequence[str] | None = None, policy: str = "lenient") -> Scorer:
    """A function from Examples to scores, each under `goldlens_` and the metric's name in small.

    They are fractions from 0 to 1, as all scores are in spaCy, not points. With `metrics` those,
    else the thirteen of the CoNLL 2018 shared task; what is undefined is None then, and spaCy
    leaves it out. The policy is lenient, so that a faulty tree costs points and not the training.
    The function raises what `scores` raises.
    """

    def scorer(examples: Iterable[Example], **_: Any) -> dict[str, Any]:
        pairs = [(example.predicted, example.reference) for example in examples]
        predicted, gold = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        found = scores(predicted, gold, metrics, policy=policy)
        return {
            f"goldlens_{name.lower()}": None if value is None else value / 100
            for name, value in found.items()
        }

    return scorer
