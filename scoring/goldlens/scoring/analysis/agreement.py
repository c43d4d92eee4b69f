"""What agrees word by word, and what a metric would come to if more of it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from goldlens.scoring.analysis.trees import TreePair
from goldlens.scoring.conllu.inventory import CONTENT_RELATIONS, FUNCTIONAL_RELATIONS
from goldlens.scoring.counts import Count
from goldlens.scoring.ud.cells import Bools, Ints
from goldlens.scoring.ud.metrics import ATTACHMENT
from goldlens.scoring.ud.table import DEPREL

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "UPOS": ("upos",),
    "XPOS": ("xpos",),
    "UFeats": ("feats",),
    "AllTags": ("upos", "xpos", "feats"),
    "Lemmas": ("lemma",),
    "UAS": ("head",),
    "LAS": ("head", "relation"),
    "CLAS": ("head", "relation"),
    "MLAS": ("head", "relation", "upos", "feats"),
    "BLEX": ("head", "relation", "lemma"),
    "UFeatsAll": ("every",),
    "AllTagsAll": ("upos", "xpos", "every"),
    "LASFull": ("head", "label"),
}
"""The metrics that count words, and what of a word has to agree for each.

`feats` are the universal features, `every` all of them; `relation` is DEPREL without its subtype,
`label` all of it. CLAS, MLAS and BLEX count words with a content relation in gold; MLAS looks at
functional children besides.
"""

CONTENT_METRICS: Final = frozenset(("CLAS", "MLAS", "BLEX"))


def metrics_of(pair: TreePair) -> list[str]:
    """The metrics by which a pair can be analysed: without attachment where there are no heads."""
    return [name for name in NEEDS if not (pair.tagging and name in ATTACHMENT)]


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What agrees.

    agrees         by what is compared (see `NEEDS`), over aligned words
    gold_content, gold_functional   over gold's words: the class of the relation
    pred_content, pred_functional   over predicted words
    pred_head      over predicted words: the head, as in `ud.aligned.Words.head_word`
    more_content   how many more predicted words have a content relation than the prediction has
    """

    pair: TreePair
    agrees: Mapping[str, Bools]
    gold_content: Bools
    gold_functional: Bools
    pred_content: Bools
    pred_functional: Bools
    pred_head: Ints
    more_content: int = 0

    @classmethod
    def of(cls, pair: TreePair) -> Agreement:
        """What agrees as the two sides are."""
        correct = pair.aligned.correct
        relations, labels = pair.relations, pair.coded(DEPREL)
        agrees = {
            "upos": correct["UPOS"],
            "xpos": correct["XPOS"],
            "feats": correct["UFeats"],
            "every": correct["UFeatsAll"],
            "lemma": correct["Lemmas"],
            "head": correct["UAS"],
            "relation": pair.aligned.relation,
            "label": labels.gold[pair.gold_word] == labels.pred[pair.pred_word],
        }
        content, functional = (
            np.array([(name or "").encode() in kind for name in relations.names], bool)
            for kind in (CONTENT_RELATIONS, FUNCTIONAL_RELATIONS)
        )
        theirs, ours = relations.gold, relations.pred
        return cls(
            pair,
            agrees,
            content[theirs],
            functional[theirs],
            content[ours],
            functional[ours],
            pair.aligned.pred.head_word,
        )

    def mended(self, pairs: Ints, what: Mapping[str, Bools], *, relabelled: bool) -> Agreement:
        """What would agree if some aligned words agreed in more: `what`, over these `pairs`.

        A head that agrees is the counterpart of gold's. `relabelled`: their relations become
        gold's, so that they belong to its class of relations.
        """
        heads = self.pred_head
        if "head" in what:
            moved = pairs[what["head"]]
            heads = heads.copy()
            heads[self.pair.pred_word[moved]] = self.pair.gold_head[moved]
        agrees = dict(self.agrees)
        for name, holds in what.items():
            agrees[name] = agrees[name].copy()
            agrees[name][pairs] |= holds
        if not relabelled:
            return replace(self, agrees=agrees, pred_head=heads)
        here, there = self.pair.pred_word[pairs], self.pair.gold_word[pairs]
        content, functional = self.pred_content.copy(), self.pred_functional.copy()
        content[here], functional[here] = self.gold_content[there], self.gold_functional[there]
        more = self.more_content + int(content.sum()) - int(self.pred_content.sum())
        return replace(
            self,
            agrees=agrees,
            pred_content=content,
            pred_functional=functional,
            pred_head=heads,
            more_content=more,
        )

    def right(self, metric: str) -> Bools:
        """Over aligned words: which are correct by a metric. Raises KeyError for another name."""
        found: Bools = np.ones(len(self.pair.gold_word), bool)
        for name in NEEDS[metric]:
            found &= self.agrees[name]
        if metric in CONTENT_METRICS:
            found &= self.gold_content[self.pair.gold_word]
        if metric == "MLAS":
            found &= ~self._spoiled()
        return found

    def count(self, metric: str) -> Count:
        """The counts of a metric over the whole pair. Raises KeyError for another name."""
        before = self.pair.aligned.count(metric)
        predicted = before.predicted
        if metric in CONTENT_METRICS:
            predicted += self.more_content
        return Count(int(self.right(metric).sum()), before.gold, predicted, before.aligned)

    def _spoiled(self) -> Bools:
        """Over aligned words: which have functional children that gold and prediction do not share.

        Each functional child that has no equal counterpart under the counterpart of its head
        spoils its head (as in `ud.compare`).
        """
        gold, pred = self.pair.aligned.gold.head_word, self.pred_head
        theirs, ours = self.pair.gold_word, self.pair.pred_word
        kept = self.gold_functional[theirs] & (gold[theirs] >= 0)
        for name in NEEDS["MLAS"]:
            kept &= self.agrees[name]
        found = np.zeros(len(theirs), bool)
        for functional, head, word in (
            (self.gold_functional, gold, theirs),
            (self.pred_functional, pred, ours),
        ):
            lost = functional & (head >= 0)
            lost[word[kept]] = False
            spoiled = np.zeros(len(head), bool)
            spoiled[head[lost]] = True
            found |= spoiled[word]
        return found
