"""What a file uses: its relations, tags, features and keys, as far as it has been looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd
from typing import Final
from weakref import WeakKeyDictionary

from goldlens.scoring.conllu.rows import DEPREL, FEATS, MISC, UPOS, XPOS
from goldlens.server.engine.document import Document

_FIRST: Final = 60
_MORE: Final = 10
_MOST: Final = 20_000
"""How many sentences are looked at: the first time, every other time, and in all."""

_MOST_PARTS: Final = 1_000
"""So many parts of MISC are kept."""

_ANY: Final = "_"


@dataclass(slots=True)
class Seen:
    """How often what stands in a file. `features` and `xpos` go by UPOS tag.

    Of a large file it is what stands in sentences spread over it. What has been edited away
    since counts still: it is for proposals alone.
    """

    tags: Counter[str] = field(default_factory=Counter)
    xpos: dict[str, Counter[str]] = field(default_factory=dict)
    features: dict[str, Counter[str]] = field(default_factory=dict)
    relations: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)
    """Parts of MISC."""
    _done: int = 0
    _stride: int = 0

    def look(self, document: Document) -> None:
        """Looks at some more sentences, unless all or enough have been looked at."""
        size = len(document.units)
        if not self._stride:
            self._stride = _coprime(size)
        until = min(self._done + (_MORE if self._done else _FIRST), size, _MOST)
        for k in range(self._done, until):
            self._take(document.units[(k * self._stride) % size].text)
        self._done = max(self._done, until)
        if len(self.parts) > _MOST_PARTS:
            # Glosses and the like, which hardly ever stand twice.
            self.parts = Counter(dict(self.parts.most_common(_MOST_PARTS // 2)))

    def _take(self, text: bytes) -> None:
        for cells in _rows(text):
            upos = cells[UPOS]
            self.tags[upos] += 1
            self.xpos.setdefault(upos, Counter())[cells[XPOS]] += 1
            self.relations[cells[DEPREL]] += 1
            if cells[FEATS] != _ANY:
                self.features.setdefault(upos, Counter()).update(cells[FEATS].split("|"))
            if cells[MISC] != _ANY:
                self.parts.update(cells[MISC].split("|"))


def _rows(text: bytes) -> Iterator[list[str]]:
    for line in text.decode("utf-8", "replace").split("\n"):
        if line[:1].isdigit():
            cells = line.rstrip("\r").split("\t")
            if len(cells) == 10 and cells[0].isdigit():
                yield cells


def _coprime(size: int) -> int:
    """A step that comes by every unit once, far apart ones first."""
    step = max(1, int(size * 0.6180339887))
    while step > 1 and gcd(step, size) != 1:
        step += 1
    return step


_KEPT: Final[WeakKeyDictionary[Document, Seen]] = WeakKeyDictionary()


def seen_in(document: Document) -> Seen:
    """What has been seen of a document so far, and a little more each time it is asked for."""
    found = _KEPT.setdefault(document, Seen())
    if document.format.name == "ud":
        found.look(document)
    return found
