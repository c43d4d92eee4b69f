"""The errors of a column, one by one: whose, of which kind, and what would agree without each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from goldlens.scoring.analysis.agreement import Agreement
from goldlens.scoring.analysis.features import features
from goldlens.scoring.analysis.trees import Coded, TreePair
from goldlens.scoring.ud.cells import Bools, Ints
from goldlens.scoring.ud.table import DEPREL, FEATS, LEMMA, UPOS, WRONG, XPOS


class Kind(NamedTuple):
    """A kind of error (see `confusion.Confusion`)."""

    of: str | None
    gold: str | None
    pred: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Differences:
    """The errors of a column, in the order of the text.

    pair    of each error, the aligned words that differ
    kind    of each error, the index of its kind in `kinds`
    mended  by what is compared (see `agreement.NEEDS`): of each error, whether its word would
            agree in that if the error were gone
    relabelled  whether its word would have gold's relation then
    whole   as `mended`, if all errors of its word were gone, where a word may have several
    """

    column: str
    pair: Ints
    kind: Ints
    kinds: list[Kind]
    mended: Mapping[str, Bools]
    relabelled: bool = False
    whole: Mapping[str, Bools] | None = None


def differences(agreement: Agreement, column: str) -> Differences:
    """The errors of a column of `COLUMNS`. Raises KeyError for another one."""
    return COLUMNS[column](agreement)


def _cells(
    column: str,
    coded: Callable[[TreePair], Coded],
    compared: str,
    mends: tuple[str, ...],
    agreement: Agreement,
) -> Differences:
    """The errors of a column whose cells are compared whole; all that `mends` names agrees then."""
    pair = agreement.pair
    cells = coded(pair)
    wrong = (~agreement.agrees[compared]).nonzero()[0]
    kind, kinds = _kinds(cells, pair, wrong)
    every = np.ones(len(wrong), bool)
    return Differences(column, wrong, kind, kinds, dict.fromkeys(mends, every), "relation" in mends)


def _kinds(cells: Coded, pair: TreePair, wrong: Ints) -> tuple[Ints, list[Kind]]:
    size = len(cells.names) or 1
    both = cells.gold[pair.gold_word[wrong]] * size + cells.pred[pair.pred_word[wrong]]
    found, kind = np.unique(both, return_inverse=True)
    return kind, [Kind(None, cells.names[k // size], cells.names[k % size]) for k in found.tolist()]


def _heads(agreement: Agreement) -> Differences:
    """Wrong heads, by the tags of gold's head and of the predicted one, which may be the same.

    A head is gone from the errors if it is the counterpart of gold's head; where gold's head has
    no counterpart, it stays wrong.
    """
    pair = agreement.pair
    wrong = (~agreement.agrees["head"]).nonzero()[0]
    kind, kinds = _kinds(pair.heads, pair, wrong)
    return Differences("heads", wrong, kind, kinds, {"head": pair.gold_head[wrong] != WRONG})


def _features(agreement: Agreement) -> Differences:
    """Universal features that differ, each by itself."""
    pair = agreement.pair
    cells = pair.coded(FEATS)
    wrong = (~agreement.agrees["feats"]).nonzero()[0]
    size = len(cells.names) or 1
    both = cells.gold[pair.gold_word[wrong]] * size + cells.pred[pair.pred_word[wrong]]
    distinct, which = np.unique(both, return_inverse=True)
    codes: dict[Kind, int] = {}
    found = []
    rest = np.empty(len(distinct), bool)
    for k, key in enumerate(distinct.tolist()):
        theirs, ours = (features(cells.names[code] or "") for code in divmod(key, size))
        kinds = [
            Kind(name, theirs[0].get(name), ours[0].get(name))
            for name in sorted(theirs[0].keys() | ours[0].keys())
            if theirs[0].get(name) != ours[0].get(name)
        ]
        found.append([codes.setdefault(kind, len(codes)) for kind in kinds])
        rest[k] = theirs[1] == ours[1]
    many = np.array([len(each) for each in found], np.int64)
    times = many[which]
    kind = np.array(list(chain.from_iterable([found[k] for k in which.tolist()])), np.int64)
    alone = (times == 1).repeat(times)
    others = rest[which].repeat(times)
    mended = {"feats": alone, "every": alone & others}
    whole = {"feats": np.ones(len(kind), bool), "every": others}
    return Differences("feats", wrong.repeat(times), kind, list(codes), mended, whole=whole)


COLUMNS: Final[Mapping[str, Callable[[Agreement], Differences]]] = {
    "upos": partial(_cells, "upos", lambda pair: pair.coded(UPOS), "upos", ("upos",)),
    "xpos": partial(_cells, "xpos", lambda pair: pair.coded(XPOS), "xpos", ("xpos",)),
    "feats": _features,
    "lemma": partial(_cells, "lemma", lambda pair: pair.coded(LEMMA), "lemma", ("lemma",)),
    "deprel": partial(
        _cells, "deprel", lambda pair: pair.relations, "relation", ("relation", "label")
    ),
    "deprel-full": partial(
        _cells, "deprel-full", lambda pair: pair.coded(DEPREL), "label", ("relation", "label")
    ),
    "heads": _heads,
}
"""The columns of a treebank in which errors are looked for."""
