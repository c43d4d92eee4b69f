"""Scores and what-ifs by the slow road: words as objects, files written anew."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from unicodedata import category

from goldlens.scoring.analysis.trees import TreePair
from goldlens.scoring.conllu.inventory import FUNCTIONAL_RELATIONS
from goldlens.scoring.counts import Count
from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.scoring.ud.task import UD
from tests.scoring.analysis.brute import (
    DEPREL,
    FEATS,
    FORM,
    LEMMA,
    UPOS,
    XPOS,
    Word,
    facing,
    words,
)

PAIRS = ("en_ewt.p1", "en_ewt.p2", "tr_imst.p1", "systems/en_ewt.udpipe")
"""Predictions among the shared corpora."""


def texts_of(shared: Path, name: str) -> tuple[str, str]:
    """Gold's text and that of a prediction."""
    folder = shared / "data" / "ud"
    gold = name.removeprefix("systems/").partition(".")[0]
    return tuple((folder / f"{each}.conllu").read_text("utf-8") for each in (f"{gold}.gold", name))  # type: ignore[return-value]


def tree_pair(gold: str, pred: str) -> TreePair:
    theirs, ours = (UD.parse(UD.split(text.encode())) for text in (gold, pred))
    return TreePair(theirs, ours, list(UD.pair(theirs, ours, "auto")))


def scored(gold: str, pred: str) -> dict[str, Count]:
    """The counts of every metric, by scoring two texts from scratch."""
    sides = (io.BytesIO(text.encode()) for text in (gold, pred))
    found = evaluate(*sides, Options("auto", "lenient", strict=True)).figures()
    return {name: count for name, count in found.items() if isinstance(count, Count)}


def rewritten(text: str, change: Callable[[int, list[str]], None]) -> str:
    """A text with the cells of its words changed: their number in the file, their cells."""
    lines = text.split("\n")
    number = 0
    for k, line in enumerate(lines):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdigit():
            change(number, cells)
            lines[k] = "\t".join(cells)
            number += 1
    return "\n".join(lines)


class Slow:
    """Two texts as words, and which of them face each other."""

    def __init__(self, gold: str, pred: str) -> None:
        self.gold, self.pred = words(gold), words(pred)
        for word in (*self.gold, *self.pred):
            if not word.multi:
                # White space in the form of a token does not count when forms are compared.
                word.cells[FORM] = "".join(c for c in word.cells[FORM] if category(c) != "Zs")
        self.pairs = facing(self.gold, self.pred)
        self.number = {id(word): k for k, word in enumerate(self.pred)}
        self.there = {id(b): a for a, b in self.pairs}
        self.here = {id(a): b for a, b in self.pairs}

    def head_right(self, a: Word, b: Word) -> bool:
        if a.head is None or b.head is None:
            return a.head is b.head
        return self.there.get(id(b.head)) is a.head

    def count(self, metric: str) -> Count:
        """The counts of a metric as the words are now."""
        content = metric in ("CLAS", "MLAS", "BLEX")
        sizes = [sum(w.content or not content for w in side) for side in (self.gold, self.pred)]
        children = self._children() if metric == "MLAS" else {}
        correct = 0
        for a, b in self.pairs:
            if content and not a.content:
                continue
            right = _checks(a, b)
            head = self.head_right(a, b)
            found = {
                "UPOS": right["upos"],
                "XPOS": right["xpos"],
                "UFeats": right["feats"],
                "AllTags": right["upos"] and right["xpos"] and right["feats"],
                "Lemmas": right["lemma"],
                "UFeatsAll": right["every"],
                "AllTagsAll": right["upos"] and right["xpos"] and right["every"],
                "UAS": head,
                "LAS": head and right["deprel"],
                "LASFull": head and a.cells[DEPREL] == b.cells[DEPREL],
                "CLAS": head and right["deprel"],
                "BLEX": head and right["deprel"] and right["lemma"],
                "MLAS": head and right["deprel"] and right["upos"] and right["feats"],
            }[metric]
            if metric == "MLAS" and found:
                found = self._alike(children.get(id(a), []), children.get(id(b), []))
            correct += found
        return Count(correct, *sizes, len([a for a, _ in self.pairs if a.content or not content]))

    def _children(self) -> dict[int, list[Word]]:
        found: dict[int, list[Word]] = {}
        for word in (*self.gold, *self.pred):
            if word.head is not None and word.relation.encode() in FUNCTIONAL_RELATIONS:
                found.setdefault(id(word.head), []).append(word)
        return found

    def _alike(self, theirs: Sequence[Word], ours: Sequence[Word]) -> bool:
        """Whether functional children are each other's counterparts, and alike."""
        if len(theirs) != len(ours):
            return False
        for a in theirs:
            b = self.here.get(id(a))
            if b is None or not any(b is each for each in ours):
                return False
            right = _checks(a, b)
            if not (right["deprel"] and right["upos"] and right["feats"]):
                return False
        return True


def _checks(a: Word, b: Word) -> dict[str, bool]:
    every = [sorted(p for p in w.cells[FEATS].split("|") if p not in ("", "_")) for w in (a, b)]
    return {
        "upos": a.cells[UPOS] == b.cells[UPOS],
        "xpos": a.cells[XPOS] == b.cells[XPOS],
        "lemma": a.cells[LEMMA] in ("_", b.cells[LEMMA]),
        "feats": a.features == b.features,
        "every": every[0] == every[1],
        "deprel": a.relation == b.relation,
    }
