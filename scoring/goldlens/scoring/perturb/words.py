"""A CoNLL-U sentence that can be taken apart: words split and merged, and numbered when written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from goldlens.scoring.draws import Dice

FORM, LEMMA, UPOS, FEATS, HEAD, RELATION, DEPS, MISC = 1, 2, 3, 5, 6, 7, 8, 9

_NUMBER: Final = re.compile(r"0|[1-9][0-9]*")
_WORD: Final = re.compile(r"[1-9][0-9]*")
_RANGE: Final = re.compile(r"([1-9][0-9]*)-([1-9][0-9]*)")
_EMPTY: Final = re.compile(r"(?:0|[1-9][0-9]*)\.([1-9][0-9]*)")
_SPACELESS: Final = "SpaceAfter=No"


@dataclass(slots=True, eq=False)
class Word:
    """A word, its head (None for the root), and its enhanced edges (None where it has none)."""

    cells: list[str]
    end: bytes
    head: Word | None = None
    edges: list[Edge] | None = None


@dataclass(slots=True, eq=False)
class EmptyNode:
    """An empty node behind a word; None is the beginning of the sentence."""

    cells: list[str]
    end: bytes
    behind: Word | None
    number: str
    edges: list[Edge] | None = None


@dataclass(slots=True, eq=False)
class Multiword:
    """The row of a multiword token; it is of no word."""

    cells: list[str]
    end: bytes
    words: list[Word]


Edge = tuple[Word | EmptyNode | None, str]
"""A head (None for the root) and a relation."""


@dataclass(slots=True)
class Sentence:
    """The lines of a sentence in their order; bytes are lines that stay as they are.

    `sound`: heads are one tree with one root, and edges can be read; otherwise HEAD and DEPS
    stay as they stand. `has_text`: a comment says where spaces are.
    """

    rows: list[bytes | Word | EmptyNode | Multiword] = field(default_factory=list)
    sound: bool = True
    has_text: bool = False

    @property
    def words(self) -> list[Word]:
        """The words in their order."""
        return [row for row in self.rows if isinstance(row, Word)]

    def text(self) -> bytes:
        """The sentence as it is now."""
        ids = self._ids()
        made = []
        for row in self.rows:
            if isinstance(row, bytes):
                made.append(row)
                continue
            cells = list(row.cells)
            if isinstance(row, Multiword):
                cells[0] = f"{ids[row.words[0]]}-{ids[row.words[-1]]}"
            else:
                cells[0] = ids[row]
                if self.sound and row.edges is not None:
                    cells[DEPS] = _edges_text(row.edges, ids)
            if isinstance(row, Word) and self.sound:
                cells[HEAD] = "0" if row.head is None else ids[row.head]
            made.append("\t".join(cells).encode() + row.end)
        return b"".join(made)

    def _ids(self) -> dict[Word | EmptyNode, str]:
        found: dict[Word | EmptyNode, str] = {}
        for number, word in enumerate(self.words, 1):
            found[word] = str(number)
        for row in self.rows:
            if isinstance(row, EmptyNode):
                found[row] = f"{'0' if row.behind is None else found[row.behind]}.{row.number}"
        return found


def sentence_of(lines: Sequence[bytes]) -> Sentence | None:
    """The sentence of some lines of UTF-8; None where written again it would not be the same."""
    found = Sentence()
    spans: list[tuple[Multiword, int, int]] = []
    before: Word | None = None
    count = 0
    for line in lines:
        body = line.rstrip(b"\r\n")
        if not body.strip() or body.startswith(b"#"):
            found.has_text |= re.match(rb"#[ \t]*text[ \t]*=", body) is not None
            found.rows.append(line)
            continue
        cells, end = body.decode().split("\t"), line[len(body) :]
        if len(cells) != 10:
            return None
        if _WORD.fullmatch(cells[0]):
            count += 1
            before = Word(cells, end)
            found.rows.append(before)
        elif match := _RANGE.fullmatch(cells[0]):
            row = Multiword(cells, end, [])
            spans.append((row, int(match[1]) - 1, int(match[2])))
            found.rows.append(row)
        elif match := _EMPTY.fullmatch(cells[0]):
            found.rows.append(EmptyNode(cells, end, before, match[1]))
        else:
            return None
    words = found.words
    for row, start, stop in spans:
        row.words = words[start:stop]
    if not words or not all(row.words for row, _, _ in spans):
        return None
    found.sound = _link(found)
    return found if found.text() == b"".join(lines) else None


def _link(sentence: Sentence) -> bool:
    """Reads heads and edges; whether the heads are one tree with one root, and all can be read."""
    words = sentence.words
    for word in words:
        head = word.cells[HEAD]
        if not _NUMBER.fullmatch(head) or int(head) > len(words):
            return False
        word.head = words[int(head) - 1] if head != "0" else None
    roots = [word for word in words if word.head is None]
    if len(roots) != 1 or len(below(sentence, roots[0])) != len(words):
        return False
    nodes = {row.cells[0]: row for row in sentence.rows if isinstance(row, Word | EmptyNode)}
    for row in nodes.values():
        if row.cells[DEPS] == "_":
            continue
        row.edges = []
        for edge in row.cells[DEPS].split("|"):
            head, _, relation = edge.partition(":")
            if head != "0" and head not in nodes:
                return False
            row.edges.append((nodes.get(head), relation))
    return True


def _edges_text(edges: Sequence[Edge], ids: dict[Word | EmptyNode, str]) -> str:
    """DEPS of edges, each once. (New numbers leave them in the order that they had.)"""
    named = [f"{'0' if head is None else ids[head]}:{relation}" for head, relation in edges]
    return "|".join(dict.fromkeys(named)) or "_"


def below(sentence: Sentence, word: Word) -> set[Word]:
    """The word and all that hang from it."""
    children: dict[Word, list[Word]] = {}
    for each in sentence.words:
        if each.head is not None:
            children.setdefault(each.head, []).append(each)
    found, waiting = {word}, [word]
    while waiting:
        more = [each for each in children.get(waiting.pop(), ()) if each not in found]
        found.update(more)
        waiting += more
    return found


def split_word(sentence: Sentence, word: Word, dice: Dice) -> bool:
    """Makes two of a word, the second hanging from the first; whether that can be done."""
    form = word.cells[FORM]
    if len(form) < 2 or any(map(str.isspace, form)) or _in_multiword(sentence, word):
        return False
    cut = 1 + dice.below(len(form) - 1)
    if "_" in (form[:cut], form[cut:]):
        return False
    cells = list(word.cells)
    cells[FORM], word.cells[FORM] = form[cut:], form[:cut]
    cells[UPOS], cells[FEATS], cells[RELATION] = "X", "_", "dep"
    if cells[LEMMA] != "_":
        cells[LEMMA], word.cells[LEMMA] = form[cut:], form[:cut]
    word.cells[MISC] = _SPACELESS
    second = Word(cells, word.end, word, None if word.edges is None else [(word, "dep")])
    for row in sentence.rows:
        if isinstance(row, EmptyNode) and row.behind is word:
            row.behind = second
    sentence.rows.insert(sentence.rows.index(word) + 1, second)
    return True


def merge(sentence: Sentence, word: Word) -> bool:
    """Makes one of a word and the next one, which no space parts; whether that can be done."""
    at = sentence.rows.index(word)
    other = sentence.rows[at + 1] if at + 1 < len(sentence.rows) else None
    if not isinstance(other, Word) or _in_multiword(sentence, word):
        return False
    if sentence.has_text and _SPACELESS not in word.cells[MISC].split("|"):
        return False
    # Of the two, the one that does not hang from the other keeps its place in the tree.
    kept, gone = (other, word) if word in below(sentence, other) else (word, other)
    form = word.cells[FORM] + other.cells[FORM]
    if kept.cells[LEMMA] != "_":
        kept.cells[LEMMA] = form
    kept.cells[FORM], kept.cells[MISC], kept.end = form, other.cells[MISC], other.end
    del sentence.rows[at : at + 2]
    sentence.rows.insert(at, kept)
    for row in sentence.rows:
        if isinstance(row, Word) and row.head is gone:
            row.head = kept
        if isinstance(row, EmptyNode) and row.behind is gone:
            row.behind = kept
        if isinstance(row, Word | EmptyNode) and row.edges is not None:
            row.edges = [(kept if head is gone else head, name) for head, name in row.edges]
    if kept.edges is not None:
        # What linked the two has gone.
        kept.edges = [edge for edge in kept.edges if edge[0] is not kept]
        kept.edges = kept.edges or [(kept.head, kept.cells[RELATION])]
    return True


def _in_multiword(sentence: Sentence, word: Word) -> bool:
    return any(isinstance(row, Multiword) and word in row.words for row in sentence.rows)
