"""Analyses by the slow road: words as objects, the rules of the task as they are written down."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from goldlens.scoring.conllu.inventory import CONTENT_RELATIONS, UNIVERSAL_FEATURES
from goldlens.scoring.ud.aligned import Aligned, aligned
from goldlens.scoring.ud.task import UD

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)


@dataclass(slots=True, eq=False)
class Word:
    """A word: its cells, its span in the stream, whether its token has several, its head.

    `head` is a word, None for a root; `sentence` are all words of its sentence.
    """

    cells: list[str]
    start: int
    end: int
    multi: bool
    head: Word | None = None
    sentence: list[Word] = field(default_factory=list, repr=False)

    @property
    def relation(self) -> str:
        return self.cells[DEPREL].partition(":")[0]

    @property
    def content(self) -> bool:
        return self.relation.encode() in CONTENT_RELATIONS

    @property
    def features(self) -> list[str]:
        parts = sorted(part for part in self.cells[FEATS].split("|") if part not in ("", "_"))
        return [part for part in parts if part.partition("=")[0].encode() in UNIVERSAL_FEATURES]

    @property
    def edges(self) -> list[tuple[int, list[str]]]:
        """The edges of DEPS whose head is no empty node: its ID (0: root), the label's steps."""
        cell = self.cells[DEPS]
        parts = [part.split(":", 1) for part in cell.split("|")] if cell != "_" else []
        return [(int(head), label.split(">")) for head, label in parts if "." not in head]

    def numbered(self, id: int) -> Word | None:
        """The word of an ID in the same sentence; None for the root."""
        return self.sentence[id - 1] if id else None


def words(text: str) -> list[Word]:
    """The words of a well-formed text."""
    found: list[Word] = []
    at = 0
    for block in text.split("\n\n"):
        own: list[Word] = []
        inside, last = (0, 0), 0
        for line in block.split("\n"):
            cells = line.split("\t")
            if len(cells) != 10 or "." in cells[ID]:
                continue
            length = len([c for c in cells[FORM] if unicodedata.category(c) != "Zs"])
            if "-" in cells[ID]:
                last = int(cells[ID].split("-")[1])
                inside = at, at + length
                at += length
            elif int(cells[ID]) <= last:
                own.append(Word(cells, *inside, True))
            else:
                own.append(Word(cells, at, at + length, False))
                at += length
        for word in own:
            head = int(word.cells[HEAD])
            word.head = own[head - 1] if head else None
            word.sentence = own
        found += own
    return found


def facing(gold: Sequence[Word], pred: Sequence[Word]) -> list[tuple[Word, Word]]:
    """The aligned words, by the rule of the task."""
    found: list[tuple[Word, Word]] = []
    g = p = 0
    while g < len(gold) and p < len(pred):
        a, b = gold[g], pred[p]
        if not a.multi and not b.multi:
            if (a.start, a.end) == (b.start, b.end):
                found.append((a, b))
                g, p = g + 1, p + 1
            elif a.start <= b.start:
                g += 1
            else:
                p += 1
            continue
        end = a.end if a.multi else b.end
        if a.multi:
            p += not b.multi and b.start < a.start
        else:
            g += a.start < b.start
        first = g, p
        while _belongs(gold, g, end) or _belongs(pred, p, end):
            if p >= len(pred) or (g < len(gold) and gold[g].start <= pred[p].start):
                end = max(end, gold[g].end) if gold[g].multi else end
                g += 1
            else:
                end = max(end, pred[p].end) if pred[p].multi else end
                p += 1
        found += _common(gold[first[0] : g], pred[first[1] : p])
    return found


def _belongs(side: Sequence[Word], at: int, end: int) -> bool:
    if at >= len(side):
        return False
    return side[at].start < end if side[at].multi else side[at].end <= end


def _common(gold: Sequence[Word], pred: Sequence[Word]) -> list[tuple[Word, Word]]:
    """The longest common subsequence of lower-cased forms, from the left."""
    longest = [[0] * (len(pred) + 1) for _ in range(len(gold) + 1)]
    same = [[a.cells[FORM].lower() == b.cells[FORM].lower() for b in pred] for a in gold]
    for g in reversed(range(len(gold))):
        for p in reversed(range(len(pred))):
            least = max(longest[g + 1][p], longest[g][p + 1])
            longest[g][p] = max(least, 1 + longest[g + 1][p + 1] if same[g][p] else 0)
    found = []
    g = p = 0
    while g < len(gold) and p < len(pred):
        if same[g][p]:
            found.append((gold[g], pred[p]))
            g, p = g + 1, p + 1
        elif longest[g][p] == longest[g + 1][p]:
            g += 1
        else:
            p += 1
    return found


def right(pairs: Iterable[tuple[Word, Word]]) -> dict[str, Callable[[Word, Word], bool]]:
    """By column: whether a predicted cell is right, of words that face each other."""
    counterpart = {id(b): a for a, b in pairs}

    def head(a: Word, b: Word) -> bool:
        if a.head is None or b.head is None:
            return a.head is b.head
        return counterpart.get(id(b.head)) is a.head

    return {
        "UPOS": lambda a, b: a.cells[UPOS] == b.cells[UPOS],
        "XPOS": lambda a, b: a.cells[XPOS] == b.cells[XPOS],
        "LEMMA": lambda a, b: a.cells[LEMMA] in ("_", b.cells[LEMMA]),
        "FEATS": lambda a, b: a.features == b.features,
        "HEAD": head,
        "DEPREL": lambda a, b: a.relation == b.relation,
    }


def correct_edges(
    pairs: Sequence[tuple[Word, Word]], *, subtypes: bool
) -> list[tuple[tuple[Word, Word], int]]:
    """Of each pair of words: how many pairs of a gold edge and a predicted one agree."""
    counterpart = {id(b): a for a, b in pairs}

    def label(steps: list[str]) -> list[str]:
        return steps if subtypes else [step.partition(":")[0] for step in steps]

    def agree(a: Word, there: tuple[int, list[str]], b: Word, here: tuple[int, list[str]]) -> bool:
        gold, pred = a.numbered(there[0]), b.numbered(here[0])
        facing = None if pred is None else counterpart.get(id(pred))
        same_head = gold is facing and (gold is None) is (pred is None)
        return same_head and label(there[1]) == label(here[1])

    return [
        ((a, b), sum(agree(a, there, b, here) for there in a.edges for here in b.edges))
        for a, b in pairs
    ]


def columns(gold: str, pred: str) -> Aligned:
    """The same words by the fast road."""
    theirs, ours = (UD.parse(UD.split(text.encode())) for text in (gold, pred))
    return aligned(theirs, ours, list(UD.pair(theirs, ours, "auto")))
