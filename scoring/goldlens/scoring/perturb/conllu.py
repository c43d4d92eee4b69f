"""Errors put into the sentences of a CoNLL-U file.

Of each word: `head`, another one, so that the tree stays one (a root gives its place to one of
its children); `relation`, another of the file's, never root; `upos`, another tag; `lemma`, the
form or, where that is the lemma, a shorter or longer one; `feats`, one feature gone, or another
word's features where there are none. `split`: the word becomes two, the second a `dep` of the
first. `merge`: it and the next one, which no space parts, become one. The characters of the text
stay the same. Words of multiword tokens are neither split nor merged. A sentence whose tree is
not sound keeps its heads, relations and words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldlens.scoring.conllu.blocks import lines, split
from goldlens.scoring.conllu.inventory import RELATION_NAMES, UPOS_TAGS
from goldlens.scoring.draws import Dice
from goldlens.scoring.perturb.seeded import UD_KINDS, dice_of
from goldlens.scoring.perturb.words import (
    FEATS,
    FORM,
    LEMMA,
    RELATION,
    UPOS,
    Sentence,
    Word,
    below,
    merge,
    sentence_of,
    split_word,
)
from goldlens.scoring.problems import Severity
from goldlens.scoring.ud.unit import Unit, parse

_TAGS: Final = sorted(UPOS_TAGS)
_RELATIONS: Final = sorted(RELATION_NAMES - {"root"})


def perturbed_conllu(text: bytes, rates: Mapping[str, float], seed: int) -> bytes:
    """The text with errors; comments, multiword tokens, empty nodes and line ends stay.

    `rates` has one for each of `perturb.UD_KINDS`. Sentences with an Error are left as they are.
    """
    blocks = split(text)
    units = parse(blocks)
    sentences = [_readable(unit) for unit in units]
    seen = _Seen.of([sentence for sentence in sentences if sentence])
    dice = dice_of(UD_KINDS, seed)
    made = []
    for unit, sentence in zip(units, sentences, strict=True):
        if sentence is None:
            made.append(unit.text)
            continue
        _perturb(sentence, seen, rates, dice)
        made.append(sentence.text())
    return b"".join(made)


def _readable(unit: Unit) -> Sentence | None:
    """The sentence of a block; None where it has none, or an error."""
    if not unit.sentence or any(each.severity is Severity.ERROR for each in unit.problems):
        return None
    return sentence_of(lines(unit.text))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the words of a file have, for others to get it wrongly."""

    relations: list[str] = field(default_factory=list)
    features: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, sentences: Sequence[Sentence]) -> _Seen:
        words = [word for sentence in sentences for word in sentence.words]
        relations = sorted({word.cells[RELATION] for word in words} - {"root", "_"})
        features = sorted({word.cells[FEATS] for word in words} - {"_"})
        # One relation alone cannot be mistaken for another.
        return cls(relations if len(relations) > 1 else _RELATIONS, features)


def _perturb(
    sentence: Sentence, seen: _Seen, rates: Mapping[str, float], dice: Mapping[str, Dice]
) -> None:
    words = sentence.words
    # Every kind decides on every word, whatever the others do with it.
    chosen = {
        kind: [word for word in words if dice[kind].happens(rates[kind])] for kind in UD_KINDS
    }
    for word in chosen["upos"]:
        word.cells[UPOS] = _other(_TAGS, word.cells[UPOS], dice["upos"])
    for word in chosen["lemma"]:
        _wrong_lemma(word.cells)
    for word in chosen["feats"]:
        _wrong_features(word.cells, seen, dice["feats"])
    if not sentence.sound:
        return
    for word in chosen["relation"]:
        if word.head:
            word.cells[RELATION] = _other(seen.relations, word.cells[RELATION], dice["relation"])
    was = {word: word.head for word in words}
    for word in chosen["head"]:
        # A root's child may have been changed with it: once more could make it right again.
        if word.head is was[word]:
            _wrong_head(sentence, word, dice["head"])
    for word in chosen["split"]:
        split_word(sentence, word, dice["split"])
    for word in chosen["merge"]:
        if word in sentence.words:
            merge(sentence, word)


def _other(values: Sequence[str], value: str, dice: Dice) -> str:
    others = [each for each in values if each != value]
    return others[dice.below(len(others))] if others else value


def _wrong_lemma(cells: list[str]) -> None:
    form, lemma = cells[FORM], cells[LEMMA]
    if lemma == "_" and form != "_":
        # No lemma is no claim: there is none to get wrong.
        return
    if form not in (lemma, "_"):
        cells[LEMMA] = form
    elif len(lemma) > 2 and not lemma[-2].isspace():
        cells[LEMMA] = lemma[:-1]
    else:
        cells[LEMMA] = lemma + lemma[-1]


def _wrong_features(cells: list[str], seen: _Seen, dice: Dice) -> None:
    if cells[FEATS] == "_":
        cells[FEATS] = _other(seen.features, "_", dice)
        return
    features = cells[FEATS].split("|")
    del features[dice.below(len(features))]
    cells[FEATS] = "|".join(features) or "_"


def _wrong_head(sentence: Sentence, word: Word, dice: Dice) -> None:
    """Another head for a word, in what stays a tree; a root changes places with a child."""
    if word.head:
        hanging = below(sentence, word)
        others = [each for each in sentence.words if each not in hanging and each != word.head]
        if others:
            word.head = others[dice.below(len(others))]
        return
    children = [each for each in sentence.words if each.head is word]
    if children:
        child = children[dice.below(len(children))]
        ours, theirs = word.cells, child.cells
        ours[RELATION], theirs[RELATION] = theirs[RELATION], ours[RELATION]
        word.head, child.head = child, None
