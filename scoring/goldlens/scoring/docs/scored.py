"""Docs scored against gold: numbers that a training loop can hold against each other."""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from typing import Final

from goldlens.scoring.counts import Figure
from goldlens.scoring.docs.errors import Refused, Unannotated, UnknownMetric
from goldlens.scoring.docs.sides import Docs, Given, Side, side
from goldlens.scoring.signature import Signature
from goldlens.scoring.ud import metrics as ud
from goldlens.scoring.ud.evaluate import Cause, Evaluation, Options, evaluate

ENTITIES: Final = ("Micro", "Macro")
"""The metrics of entities."""

_NAMES: Final = (*ud.NAMES, *ENTITIES)
_GOLD_LINE: Final = re.compile(r"\(gold line (\d+)(?:, column (\d+))?\)")


class Score(float):
    """What a metric comes to, in points from 0 to 100; a float that knows what it is made of.

    `metric` is its name, `figure` has its counts, and `signature` names all that it was computed
    with.
    """

    __slots__ = ("figure", "metric", "signature")

    metric: str
    figure: Figure
    signature: str

    def __new__(cls, metric: str, figure: Figure, signature: str) -> Score:
        """Raises ValueError for a figure that is undefined."""
        if figure.score is None:
            raise ValueError(f"{metric} is undefined")
        found = super().__new__(cls, figure.score)
        found.metric, found.figure, found.signature = metric, figure, signature
        return found

    def __getnewargs__(self) -> tuple[str, Figure, str]:  # type: ignore[override]
        return self.metric, self.figure, self.signature

    @property
    def precision(self) -> float | None:
        """Of what was predicted, the points that are right."""
        return self.figure.part("precision")

    @property
    def recall(self) -> float | None:
        """Of what gold has, the points that were found."""
        return self.figure.part("recall")


def score(predicted: Given, gold: Given, metric: str = "LAS", *, policy: str = "official") -> Score:
    """The figure of one metric, F1 in points from 0 to 100: a float.

    Each side is a Doc, several Docs, the path of a CoNLL-U file, or the text of one as bytes.
    Words are aligned by their characters, so the two may have other tokens, other sentences, and
    other Docs, as long as their text is one. `policy` "lenient" scores faulty trees and texts that
    differ as wrong; "official" refuses them. Raises UnknownMetric, Unannotated if a Doc has no
    parse (or entities) and the metric needs it, and Refused; OSError for a file that cannot be
    read, and TypeError for other things.
    """
    found = scores(predicted, gold, [metric], policy=policy)[metric]
    assert found is not None
    return found


def scores(
    predicted: Given,
    gold: Given,
    metrics: Collection[str] | None = None,
    *,
    policy: str = "official",
) -> dict[str, Score | None]:
    """The figures of several metrics, by their names; see `score`.

    Without `metrics` they are the thirteen of the CoNLL 2018 shared task, and those of attachment
    are None where a Doc of either side has no parse. Metrics that are named are never None: what
    is undefined raises Unannotated.
    """
    ours, theirs = side(predicted, "predicted"), side(gold, "gold")
    if policy not in ("official", "lenient"):
        raise ValueError(f"policy is “official” or “lenient”, not “{policy}”")
    named = _known(metrics, ours, theirs) if metrics is not None else ud.OFFICIAL
    found: dict[str, Score | None] = {}
    if trees := [name for name in named if name not in ENTITIES]:
        found |= _trees(ours, theirs, trees, policy, must=metrics is not None)
    if entities := [name for name in named if name in ENTITIES]:
        found |= _entities(ours, theirs, entities, policy)
    return {name: found[name] for name in named}


def _known(metrics: Collection[str], *sides: Side) -> list[str]:
    """The metrics if Docs have them all. Raises UnknownMetric."""
    if isinstance(metrics, str):
        raise TypeError(f'metrics are several names, as ["{metrics}"]')
    named = list(metrics)
    for name in named:
        if name not in _NAMES:
            folded = {known.lower(): known for known in _NAMES}
            close = get_close_matches(str(name).lower(), folded, n=1, cutoff=0.7)
            advice = f"did you mean {folded[close[0]]}?" if close else f"use {', '.join(_NAMES)}"
            raise UnknownMetric(f"there is no metric {name!r}; {advice}")
        docs = [each for each in sides if isinstance(each, Docs)]
        if name in ud.ENHANCED and docs:
            message = f"{name} needs enhanced dependencies, and a Doc has none"
            raise UnknownMetric(f"{message}; score CoNLL-U files, which have them in DEPS")
        if name in ENTITIES and len(docs) < len(sides):
            message = f"{name} is a metric of entities, and CoNLL-U has none"
            raise UnknownMetric(f"{message}; give Docs on both sides")
    return named


def _trees(
    ours: Side, theirs: Side, metrics: Sequence[str], policy: str, *, must: bool
) -> dict[str, Score | None]:
    """Metrics of Universal Dependencies. `must`: raises Unannotated where one is undefined."""
    attached = [name for name in metrics if name in ud.ATTACHMENT]
    lacking = (ours.unparsed or theirs.unparsed) if attached else None
    if lacking and must:
        raise Unannotated(
            f"{lacking} has no parse, and {attached[0]} needs one; run a parser over it, or choose "
            "a metric of tags"
        )
    # Where tags alone are asked for, no tree of a Doc can get it refused.
    heads = bool(attached) and not lacking
    strict = any(name in ud.STRICT for name in metrics)
    there, here = (io.BytesIO(each.text(heads=heads)) for each in (theirs, ours))
    found = evaluate(there, here, Options(policy=policy, strict=strict))
    if found.refused:
        raise Refused([_told(cause, ours, theirs) for cause in _in_order(found)])
    figures, signature = found.figures(), str(found.signature)
    told: dict[str, Score | None] = {}
    for name in metrics:
        figure = figures.get(name)
        if figure is None and must:
            raise Unannotated(_why_undefined(name))
        told[name] = Score(name, figure, signature) if figure is not None else None
    return told


def _why_undefined(name: str) -> str:
    if name in ud.ENHANCED:
        return f"{name} is undefined: gold has no enhanced dependencies (DEPS)"
    return f"{name} is undefined: no word of one side has a HEAD; choose a metric of tags"


def _in_order(found: Evaluation) -> list[Cause]:
    return sorted(found.refused, key=lambda cause: (cause.side != "gold", cause.line, cause.column))


def _told(cause: Cause, ours: Side, theirs: Side) -> str:
    """A cause with its place, and the place in gold that it may name, in the caller's terms."""
    at = theirs if cause.side == "gold" else ours
    message = _GOLD_LINE.sub(
        lambda found: f"({theirs.place(int(found[1]), int(found[2] or 1))})",
        at.said(cause.code, cause.message, cause.line),
    )
    return f"{at.place(cause.line, cause.column)}: {cause.code}: {message}"


def _entities(
    ours: Side, theirs: Side, metrics: Sequence[str], policy: str
) -> dict[str, Score | None]:
    from goldlens.scoring.docs.entities import entity_figures

    assert isinstance(ours, Docs) and isinstance(theirs, Docs)
    figures = entity_figures(ours, theirs, policy)
    signature = str(Signature("span", "stream", policy))
    return {name: Score(name, figures[name], signature) for name in metrics}
