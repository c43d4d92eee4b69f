"""A sentence whose heads are no tree, made one that the official script accepts.

A mended head is meant to be wrong: nobody is to score better for it. The words concerned are those
that count as wrongly attached anyway, and they lose their relation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.conllu.marks import BAD_HEAD, EXTRA_ROOT
from goldlens.scoring.ud.table import DEPREL, HEAD, ID

RELATION: Final = b"dep"
_MARKS: Final = (BAD_HEAD, EXTRA_ROOT)
_MOST_NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class Mended:
    """A sentence with a tree: its text, its root, and the words that were attached to the root.

    `made`: the sentence had no root of its own, so that this word was made one.
    """

    text: bytes
    root: int
    made: bool
    attached: tuple[int, ...]

    def __str__(self) -> str:
        """What was done, in words."""
        if not self.attached:
            return f"word {self.root} made the root, as dep"
        words = ", ".join(map(str, self.attached[:_MOST_NAMED]))
        if more := len(self.attached[_MOST_NAMED:]):
            words += f" and {more} more"
        noun = "word" if len(self.attached) == 1 else "words"
        if self.made:
            return f"word {self.root} made the root, {noun} {words} attached to it, as dep"
        return f"{noun} {words} attached to the root, word {self.root}, as dep"


def mended(canonical: bytes, headless: Collection[int] = ()) -> Mended | None:
    """A canonical sentence (see `conllu.reading.Reading`) with a tree; None if it has one.

    A sentence keeps its root. Where it has none, the first of the `headless` words (their HEAD
    says nothing) becomes the root, or the first word of a ring. All others whose head cannot be
    right, and roots too many, are attached to the root. Each gets the relation `dep`.
    """
    if not any(b"\t%s\t" % mark in canonical for mark in _MARKS):
        return None
    rows = [line.split(b"\t") for line in canonical.split(b"\n")]
    words = {int(row[ID]): row for row in rows if row[ID].isdigit()}
    bad = [word for word, row in words.items() if row[HEAD] in _MARKS]
    if not bad:
        return None
    root = next((word for word, row in words.items() if row[HEAD] == b"0"), None)
    made = root is None
    if root is None:
        root = next((word for word in bad if word in headless), bad[0])
    for word in bad:
        words[word][HEAD] = b"0" if word == root else b"%d" % root
        words[word][DEPREL] = RELATION
    text = b"\n".join([b"\t".join(row) for row in rows])
    return Mended(text, root, made, tuple([word for word in bad if word != root]))


def depth(sentence: bytes) -> int:
    """How many words the longest way up to the root has, in a sentence that is a tree."""
    rows = [line.split(b"\t") for line in sentence.split(b"\n")]
    heads = [0, *(int(row[HEAD]) for row in rows if row[ID].isdigit())]
    depths = [0] * len(heads)
    for word in range(1, len(heads)):
        way = []
        while word and not depths[word]:
            way.append(word)
            word = heads[word]
        for length, each in enumerate(reversed(way), depths[word] + 1):
            depths[each] = length
    return max(depths)
