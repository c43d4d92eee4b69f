"""Scores of what is in memory: spaCy's Docs, or anything shaped like them.

`score(predicted, gold, "LAS")` is a number for a training loop, `scores` are several at once, and
`conllu` writes Docs as CoNLL-U. spaCy itself is not imported. Errors are `DocsError`s:

    DocsError (a ValueError)
    ├── UnknownMetric   no metric has this name, or Docs do not have what it measures
    ├── Unannotated     a Doc has no parse, or no entities, where a metric needs them
    └── Refused         the official policy refuses the pair; `causes` has every reason
"""

from goldlens.scoring.docs.errors import DocsError, Refused, Unannotated, UnknownMetric
from goldlens.scoring.docs.scored import Score, score, scores
from goldlens.scoring.docs.writing import conllu

__all__ = [
    "DocsError",
    "Refused",
    "Score",
    "Unannotated",
    "UnknownMetric",
    "conllu",
    "score",
    "scores",
]
