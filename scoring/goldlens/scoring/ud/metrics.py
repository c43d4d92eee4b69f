"""The metrics of Universal Dependencies, and the integer counts they are made of.

Definitions: Zeman et al. 2018, section 5, for the first thirteen; IWPT 2020 for ELAS and EULAS.
The strict ones compare every feature and the full relation.

Counts add up: a vector of `COLUMNS` for a sentence, a segment or a file has the same form, and
the vector of the whole is the sum of those of its parts.
"""

from __future__ import annotations

from typing import Final

from goldlens.scoring.counts import Count, Metric
from goldlens.scoring.sample import Statistic, f1, ratio

ITEMS: Final = ("tokens", "sentences", "words", "content", "edges")
"""What is counted on each side. `content`: words with a content relation; `edges`: of DEPS."""

OFFICIAL: Final = (
    "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas",
    "UAS", "LAS", "CLAS", "MLAS", "BLEX",
)  # fmt: skip
ENHANCED: Final = ("ELAS", "EULAS")
STRICT: Final = ("UFeatsAll", "AllTagsAll", "LASFull")
NAMES: Final = OFFICIAL + ENHANCED + STRICT
ATTACHMENT: Final = frozenset(("UAS", "LAS", "CLAS", "MLAS", "BLEX", "LASFull"))
"""Metrics that need heads: undefined for a prediction that has none."""

PROBLEMS: Final = (
    "word-alignment", "las-error", "token-boundary", "sentence-boundary",
    "tag-error", "lemma-error", "feats-error",
)  # fmt: skip
"""The diagnostics that a comparison gives, each counted in a column of its own."""

COLUMNS: Final = (
    *(f"gold {item}" for item in ITEMS),
    *(f"predicted {item}" for item in ITEMS),
    "aligned words",
    "aligned content",
    *(f"correct {name}" for name in NAMES),
    *(f"problem {code}" for code in PROBLEMS),
)
"""The columns of a vector of counts. The last ones count problems, not items."""

WIDTH: Final = len(COLUMNS)
GOLD: Final = 0
PREDICTED: Final = len(ITEMS)
ALIGNED: Final = 2 * len(ITEMS)
CORRECT: Final = ALIGNED + 2
PROBLEM: Final = WIDTH - len(PROBLEMS)


def _metric(name: str) -> Metric:
    kind = {"Tokens": 0, "Sentences": 1, "CLAS": 3, "MLAS": 3, "BLEX": 3, "ELAS": 4, "EULAS": 4}
    item = kind.get(name, 2)
    aligned = None
    if item == 3:
        aligned = ALIGNED + 1
    elif item == 2 and name != "Words":
        aligned = ALIGNED
    return Metric(name, CORRECT + NAMES.index(name), GOLD + item, PREDICTED + item, aligned)


METRICS: Final = {name: _metric(name) for name in NAMES}
"""Each metric by name: which columns it is made of."""


def _statistics() -> dict[str, Statistic]:
    found: dict[str, Statistic] = {}
    for name, metric in METRICS.items():
        found[name] = f1(metric.correct, metric.gold, metric.predicted)
        found[f"{name}.precision"] = ratio(metric.correct, metric.predicted)
        found[f"{name}.recall"] = ratio(metric.correct, metric.gold)
    return found


STATISTICS: Final = _statistics()
"""How each metric, its precision and its recall come from sums of the columns."""


def count(name: str, vector: object) -> Count:
    """The `Count` of one metric over a vector of counts. Raises KeyError for an unknown name."""
    return METRICS[name].count(vector)
