"""IDs given anew, with all that refers to them: HEAD, DEPS, ranges and empty nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from goldlens.scoring.conllu.editing.replacing import Replacement, Replacements, cell
from goldlens.scoring.conllu.rows import DEPS, HEAD, ID, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence

_EDGE: Final = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?:")
_COLUMNS: Final = 10

Ranges = Callable[[Row], tuple[int, int] | None]
"""The first and the last word that a range gets; None where the range goes."""


@dataclass(frozen=True, slots=True)
class Names:
    """What IDs become: those of words and those of empty nodes. What is not there stays."""

    words: Mapping[int, int] = field(default_factory=dict)
    nodes: Mapping[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    def head(self, text: str) -> str:
        """A HEAD by its new name."""
        if text.isascii() and text.isdecimal() and len(text) < 10:
            number = int(text)
            if number in self.words and self.words[number] != number:
                return str(self.words[number])
        return text

    def edges(self, text: str, gone: frozenset[int] = frozenset(), own: str = "") -> str:
        """A DEPS cell by new names, in order if it was.

        Of the words in `gone` others take the place: an edge from one of them goes if it would
        lead from the node itself, whose ID is `own`, or be there twice.
        """
        if text == "_":
            return text
        edges = text.split("|")
        named: list[str] = []
        for edge in edges:
            now = self.edge(edge)
            if _head(edge) in gone and (now in named or now.partition(":")[0] == own):
                continue
            named.append(now)
        if named != edges and edges == sorted(edges, key=_order):
            named.sort(key=_order)
        return "|".join(named) or "_"

    def translated(self, text: str) -> str | None:
        """A DEPS cell of another sentence by new names; None where a head in it has none."""
        for edge in () if text == "_" else text.split("|"):
            match = _EDGE.match(edge)
            if match is None:
                return None
            first = int(match[1])
            if match[2] is None and first not in self.words:
                return None
            if match[2] is not None and (first, int(match[2])) not in self.nodes:
                return None
        return self.edges(text)

    def edge(self, edge: str) -> str:
        """One edge by its head's new name."""
        match = _EDGE.match(edge)
        if match is None:
            return edge
        first = int(match[1])
        if match[2] is None:
            number = self.words.get(first, first)
            return edge if number == first else f"{number}{edge[match.end(1) :]}"
        node = first, int(match[2])
        now = self.nodes.get(node, node)
        return edge if now == node else f"{now[0]}.{now[1]}{edge[match.end(2) :]}"


def _order(edge: str) -> tuple[int, int]:
    match = _EDGE.match(edge)
    return (int(match[1]), int(match[2] or 0)) if match else (1 << 30, 0)


def _head(edge: str) -> int | None:
    match = _EDGE.match(edge)
    return int(match[1]) if match and match[2] is None else None


def mentioned(sentence: Sentence) -> tuple[set[int], set[tuple[int, int]]]:
    """All words and empty nodes that are there or are referred to."""
    words = set(sentence.words)
    nodes = {(r.first, r.second) for r in sentence.rows if r.kind is Kind.EMPTY_NODE}
    for row in sentence.rows:
        head = row.cell(HEAD)
        if head.isascii() and head.isdecimal() and len(head) < 10:
            words.add(int(head))
        for edge in row.cell(DEPS).split("|"):
            if match := _EDGE.match(edge):
                if match[2] is None:
                    words.add(int(match[1]))
                else:
                    nodes.add((int(match[1]), int(match[2])))
    return words - {0}, nodes


def referring(block: bytes, row: Row, names: Names, *, but: int = -1) -> list[Replacement]:
    """What changes in a row's HEAD and DEPS by new names; `but` is a column that is left alone."""
    found = []
    for column, rename in ((HEAD, names.head), (DEPS, names.edges)):
        text = row.cell(column)
        now = rename(text)
        if now != text and column != but:
            found.append(cell(block, row, column, now))
    return found


def renumbered(sentence: Sentence) -> Replacements | None:
    """The words of a sentence numbered 1 to n, its ranges and empty nodes with them.

    A HEAD that was the ID of a word follows that word (the first, where several have that ID);
    one that was nobody's stays. A row whose ID cannot be read counts as a word. None where a row
    has not ten cells, so that there is no telling what it is.
    """
    rows = sentence.rows
    if any(len(row.cells) != _COLUMNS for row in rows):
        return None
    words: dict[int, int] = {}
    nodes: dict[tuple[int, int], tuple[int, int]] = {}
    ids: list[str] = []
    number = node = 0
    for row in rows:
        if row.kind in (Kind.WORD, Kind.UNREADABLE):
            number, node = number + 1, 0
            if row.kind is Kind.WORD:
                words.setdefault(row.first, number)
            ids.append(str(number))
        elif row.kind is Kind.EMPTY_NODE:
            node += 1
            nodes.setdefault((row.first, row.second), (number, node))
            ids.append(f"{number}.{node}")
        else:
            ids.append(_range(row, number, sentence))
    names = Names(words, nodes)
    found = []
    for row, name in zip(rows, ids, strict=True):
        if row.cell(ID) != name:
            found.append(cell(sentence.block, row, ID, name))
        found += referring(sentence.block, row, names)
    return tuple(found)


def _range(row: Row, before: int, sentence: Sentence) -> str:
    """The ID of a range that stands behind `before` words: as long as it says it is."""
    size = abs(row.second - row.first) + 1
    count = sum(each.kind in (Kind.WORD, Kind.UNREADABLE) for each in sentence.rows)
    return f"{before + 1}-{max(before + 1, min(before + size, count))}"


def shifted(sentence: Sentence, since: int, by: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Empty nodes behind word `since` and later ones, with their words moved on."""
    return {
        (word, node): (word + by, node) for word, node in mentioned(sentence)[1] if word >= since
    }


def joined_nodes(sentence: Sentence, number: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Empty nodes when a word goes: those behind it follow those behind the one before."""
    nodes = [row for row in sentence.rows if row.kind is Kind.EMPTY_NODE]
    before = sum(row.first == number - 1 for row in nodes)
    found = shifted(sentence, number + 1, -1)
    for row in nodes:
        if row.first == number:
            found[row.first, row.second] = (number - 1, before + row.second)
    return found


def stretched(behind: int, by: int, last: bool = False) -> Ranges:
    """Ranges when words come behind one; `last`: they are part of the token that it ends."""

    def ranges(row: Row) -> tuple[int, int]:
        start, end = row.first, row.second
        if start > behind:
            return start + by, end + by
        grows = end > behind or (last and end == behind)
        return start, end + by if grows else end

    return ranges


def shrunk(number: int) -> Ranges:
    """Ranges when a word goes."""

    def ranges(row: Row) -> tuple[int, int] | None:
        start = row.first - (row.first > number)
        end = row.second - (row.second >= number)
        return (start, end) if start <= end else None

    return ranges
