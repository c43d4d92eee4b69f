"""The words of trees by group: what is scored well, and what is not."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final
from unicodedata import normalize

import numpy as np

from goldlens.scoring.analysis.agreement import CONTENT_METRICS, metrics_of
from goldlens.scoring.analysis.breakdown import Breakdown, Group
from goldlens.scoring.analysis.features import features
from goldlens.scoring.analysis.shapes import depths, distances, lengths
from goldlens.scoring.analysis.trees import Coded, TreePair
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.table import FEATS, FORM, UPOS
from goldlens.scoring.ud.unit import Unit

UNCOMPARED: Final = "(not compared)"
"""The group of the words of sentences that were not compared at all."""

SEEN, UNSEEN = "seen", "unseen"
"""The groups of the words whose form is in a training file, and of those whose form is not."""

_COUNTED: Final = ("UPOS", "UFeats", "Lemmas", "UAS", "LAS")
_NEWDOC: Final = re.compile(
    rb"^#[ \t]*newdoc\b(?:[ \t]+id)?(?:[ \t]*=[ \t]*(.*?))?[ \t]*\r?$", re.M
)
_PREFIX: Final = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)?")

Named = tuple[Sequence[str | None], Ints]
"""The names of groups, and of each word the index of its group."""


def by_upos(pair: TreePair, metric: str) -> Breakdown:
    """By UPOS: gold's words by gold's tag, predicted words by the predicted one."""
    return _both(pair, "upos", pair.coded(UPOS), "UPOS", metric)


def by_relation(pair: TreePair, metric: str) -> Breakdown:
    """By relation without subtype: of gold's words gold's, of predicted words the predicted one.

    A word that LAS counts as correct has the same relation on both sides.
    """
    return _both(pair, "relation", pair.relations, "LAS", metric)


def by_length(pair: TreePair, metric: str) -> Breakdown:
    """By the length of gold's sentence in words."""
    return _by_gold(pair, "length", lengths(pair.aligned.gold), metric)


def by_distance(pair: TreePair, metric: str) -> Breakdown:
    """By the number of words from gold's word to its head; roots apart."""
    return _by_gold(pair, "distance", distances(pair.aligned.gold), metric)


def by_depth(pair: TreePair, metric: str) -> Breakdown:
    """By the number of heads above gold's word."""
    return _by_gold(pair, "depth", depths(pair.aligned.gold), metric)


def by_document(pair: TreePair, metric: str) -> Breakdown | None:
    """By document, in gold's order; None where gold has no `# newdoc`.

    A document without id goes by its number, as in `(document 2)`; None is what stands before the
    first.
    """
    named = documents(pair.gold_units)
    if not any(named):
        return None
    return _by_gold(pair, "document", _of_units(pair, named), metric)


def by_genre(pair: TreePair, metric: str) -> Breakdown | None:
    """By the beginning of the sent_id (see `genre`), the most frequent first.

    None where no sent_id says a genre.
    """
    named = [genre(unit.sent_id) for unit in pair.gold_units]
    if not any(named):
        return None
    return _by_gold(pair, "genre", _of_units(pair, named), metric, ranked=True)


def by_form(pair: TreePair, metric: str, known: Collection[str]) -> Breakdown:
    """By whether gold's form is among the `known` ones, in Unicode form NFC and its own case."""
    forms = pair.coded(FORM)
    seen = [normalize("NFC", name or "") in known for name in forms.names]
    unseen = ~np.array(seen, bool)[forms.gold]
    return _by_gold(pair, "form", ([SEEN, UNSEEN], unseen.astype(np.int64)), metric)


def by_feature(pair: TreePair) -> Breakdown:
    """By universal feature: how many words have it on each side, and how often with one value.

    Words may have many features or none, so these sums are not those of the score.
    """
    cells = pair.coded(FEATS)
    held = [features(name or "")[0] for name in cells.names]
    size = len(held) or 1
    counts: dict[str, list[int]] = {}
    for side, codes in ((0, cells.gold), (1, cells.pred)):
        for cell, times in enumerate(np.bincount(codes, minlength=size).tolist()):
            for name in held[cell] if times else ():
                counts.setdefault(name, [0, 0, 0])[side] += times
    both, times = np.unique(
        cells.gold[pair.gold_word] * size + cells.pred[pair.pred_word], return_counts=True
    )
    for key, number in zip(both.tolist(), times.tolist(), strict=True):
        theirs, ours = held[key // size], held[key % size]
        for name, value in theirs.items():
            if ours.get(name) == value:
                counts[name][2] += number
    groups = [
        Group(name, gold, predicted, {"value": correct})
        for name, (gold, predicted, correct) in counts.items()
    ]
    groups.sort(key=lambda group: (-group.gold, group.name or ""))
    return Breakdown("feature", ("value",), "value", tuple(groups))


GROUPINGS: Final[Mapping[str, Callable[[TreePair, str], Breakdown | None]]] = {
    "upos": by_upos,
    "relation": by_relation,
    "length": by_length,
    "distance": by_distance,
    "depth": by_depth,
    "document": by_document,
    "genre": by_genre,
}
"""The ways to group words that need nothing but the pair."""


def documents(units: Sequence[Unit]) -> list[str | None]:
    """The document that each unit belongs to, by the `# newdoc` at or before it."""
    found: list[str | None] = []
    name, number = None, 0
    for unit in units:
        if b"newdoc" in unit.text and (match := _NEWDOC.search(unit.text)):
            number += 1
            given = (match[1] or b"").decode("utf-8", "replace")
            name = given or f"(document {number})"
        found.append(name)
    return found


def genre(sent_id: bytes | None) -> str | None:
    """What a sent_id says of the genre: the letters with which it begins; None if there are none.

    An underscore and the letters behind it belong to them: `weblog-…`, `GUM_academic_…`, `n01…`
    are of the genres weblog, GUM_academic, n.
    """
    match = _PREFIX.match((sent_id or b"").decode("utf-8", "replace"))
    return match[0] if match else None


def counted(pair: TreePair, metric: str) -> tuple[str, ...]:
    """The metrics of a breakdown: the usual ones, and `metric` where it counts all words."""
    possible = [name for name in metrics_of(pair) if name not in CONTENT_METRICS]
    return tuple(name for name in possible if name in (*_COUNTED, metric))


def _of_units(pair: TreePair, names: Sequence[str | None]) -> Named:
    codes: dict[str | None, int] = {}
    of = np.array([codes.setdefault(name, len(codes)) for name in names], np.int64)
    return list(codes), of[pair.aligned.gold.unit]


def _both(pair: TreePair, by: str, coded: Coded, both: str, metric: str) -> Breakdown:
    """By what gold's and predicted words both have, the most frequent in gold first."""
    metrics = counted(pair, metric)
    predicted = np.bincount(coded.pred, minlength=len(coded.names)).tolist()
    groups = _groups(pair, (coded.names, coded.gold), metrics, predicted)
    lost = pair.aligned.count("Words").predicted - len(pair.aligned.pred)
    rest = _uncompared(pair, metrics, lost)
    return Breakdown(by, metrics, both if both in metrics else None, (*_ranked(groups), *rest))


def _by_gold(
    pair: TreePair, by: str, named: Named, metric: str, *, ranked: bool = False
) -> Breakdown:
    """By what gold's words have."""
    metrics = counted(pair, metric)
    groups = _groups(pair, named, metrics, None)
    rest = _uncompared(pair, metrics, None)
    return Breakdown(by, metrics, None, (*(_ranked(groups) if ranked else groups), *rest))


def _groups(
    pair: TreePair, named: Named, metrics: Sequence[str], predicted: Sequence[int] | None
) -> list[Group]:
    """The groups that any word is in."""
    names, of = named
    size = len(names)
    gold = np.bincount(of, minlength=size).tolist()
    facing = of[pair.gold_word]
    right = {
        metric: np.bincount(facing[pair.aligned.correct[metric]], minlength=size).tolist()
        for metric in metrics
    }
    return [
        Group(
            name,
            gold[k],
            None if predicted is None else predicted[k],
            {metric: right[metric][k] for metric in metrics},
        )
        for k, name in enumerate(names)
        if gold[k] or (predicted is not None and predicted[k])
    ]


def _ranked(groups: Sequence[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (-group.gold, group.name or ""))


def _uncompared(pair: TreePair, metrics: Sequence[str], predicted: int | None) -> list[Group]:
    """The group of all words that the pair has besides those looked at, if there are any."""
    gold = pair.aligned.count("Words").gold - len(pair.aligned.gold)
    if not (gold or predicted):
        return []
    return [Group(UNCOMPARED, gold, predicted, dict.fromkeys(metrics, 0))]
