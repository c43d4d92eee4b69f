"""The heads of a sentence: what stands in HEAD, and whether it makes a tree with one root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.conllu.inventory import RELATION_NAMES
from goldlens.scoring.conllu.marks import BAD_HEAD, EXTRA_ROOT
from goldlens.scoring.conllu.rows import DEPREL, HEAD, NUMBERS, Row, quote, whole_number
from goldlens.scoring.conllu.tree import inspect
from goldlens.scoring.problems import Problem, Related, Severity, problem

_BAD: Final = BAD_HEAD.decode()
_MARKS: Final = {-1: _BAD, -2: EXTRA_ROOT.decode()}
_MOST_RELATED: Final = 20


@dataclass(frozen=True, slots=True)
class Attachment:
    """`heads`: the HEAD cell each word gets in canonical form; `problems`: why some are bad."""

    heads: list[str]
    problems: list[Problem]


def attach(words: Sequence[Row], shift: int = 0) -> Attachment:
    """Judge the heads of the words of a sentence.

    `shift` is what their IDs are too high by, and so the heads other than 0.
    """
    if words and all(word.cells[HEAD] == "_" for word in words):
        return Attachment([_BAD] * len(words), [_unparsed(words)])
    problems: list[Problem] = []
    heads = []
    for word in words:
        cell = word.cells[HEAD]
        head = NUMBERS.get(cell)
        if head is None:
            head = whole_number(cell)
        if head is None:
            problems.extend(_not_a_number(word))
        elif head and not 0 < head - shift <= len(words):
            problems.append(_out_of_range(word, len(words)))
            head = None
        heads.append(-1 if head is None else head - shift if head else 0)
    faults = inspect(heads)
    for ring in faults.rings:
        problems.append(_cycle(words, ring))
        for i in ring:
            heads[i - 1] = -1
    if len(faults.roots) > 1:
        problems.append(_several_roots(words, faults.roots))
        for i in faults.roots[1:]:
            heads[i - 1] = -2
    problems.extend(
        _root_relation(word)
        for word, head in zip(words, heads, strict=True)
        if head >= 0 and _disagrees(head, word.cells[DEPREL])
    )
    return Attachment([str(head) if head >= 0 else _MARKS[head] for head in heads], problems)


def _unparsed(words: Sequence[Row]) -> Problem:
    return problem(
        "head-missing",
        words[0].place(HEAD),
        "This sentence is not parsed: HEAD is _ for every word; give each word a HEAD",
        severity=Severity.WARNING,
    )


def _not_a_number(word: Row) -> list[Problem]:
    cell = word.cells[HEAD]
    if not cell:
        return []  # an empty cell has its own problem
    if cell == "_":
        message = "HEAD is missing; write the ID of the word's head, or 0 for the root"
        return [problem("head-missing", word.place(HEAD), message)]
    message = f"HEAD {quote(cell)} is not a whole number; write the ID of a word, or 0 for the root"
    return [problem("head-not-a-number", word.place(HEAD), message)]


def _out_of_range(word: Row, size: int) -> Problem:
    sentence = "1 word" if size == 1 else f"{size} words"
    return problem(
        "head-out-of-range",
        word.place(HEAD),
        f"HEAD {word.cells[HEAD].strip()} points outside this sentence of {sentence}; use 0 for "
        "the root or the ID of another word",
    )


def _cycle(words: Sequence[Row], ring: Sequence[int]) -> Problem:
    first, *others = ring
    advice = "give it another head, or 0 for the root"
    if others:
        named = _listed(ring)
        message = f"{len(ring)} words form a ring, each hanging from another: words {named}"
        advice = "give one of them a head outside the ring, or 0 for the root"
    else:
        message = f"Word {first} is its own head"
    return problem(
        "head-cycle",
        words[first - 1].place(HEAD),
        f"{message}; {advice}",
        related=tuple(
            Related(words[i - 1].place(HEAD), f"Word {i} is in the ring")
            for i in others[:_MOST_RELATED]
        ),
    )


def _several_roots(words: Sequence[Row], roots: Sequence[int]) -> Problem:
    first, extra, *others = roots
    return problem(
        "multiple-roots",
        words[extra - 1].place(HEAD),
        f"The sentence has {len(roots)} roots: words {_listed(roots)}; keep HEAD 0 for one of them "
        "and give the others a head",
        related=tuple(
            Related(words[i - 1].place(HEAD), f"Word {i} has HEAD 0, too")
            for i in [first, *others][:_MOST_RELATED]
        ),
    )


def _listed(words: Sequence[int]) -> str:
    named = ", ".join(map(str, words[: _MOST_RELATED + 1]))
    more = len(words) - _MOST_RELATED - 1
    return f"{named} and {more} more" if more > 0 else named


def _disagrees(head: int, relation: str) -> bool:
    name = relation.partition(":")[0]
    # A relation that is missing or unknown has a problem already.
    return (head == 0) != (name == "root") and name in RELATION_NAMES


def _root_relation(word: Row) -> Problem:
    relation, head = word.cells[DEPREL], word.cells[HEAD].strip()
    if relation.partition(":")[0] == "root":
        message = f"The relation is {quote(relation)} but HEAD is {head}; root goes with HEAD 0"
    else:
        message = f"HEAD is 0 but the relation is {quote(relation)}; the root's relation is root"
    return problem("root-relation", word.place(DEPREL), message)
