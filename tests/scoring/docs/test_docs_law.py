"""Docs of any shape, counted once more by hand: the figures are those of the definition."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from spacy.tokens import Doc, Token

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.docs import conllu, score, scores
from goldlens.scoring.ud.unit import parse
from tests.scoring.docs.making import VOCAB
from tests.strategies import Dice, dice

RELATIONS = ("dep", "nsubj", "nsubj:pass", "punct")
SPACES = ("\n", " ", "\u2028", "\t\t")
METRICS = ("Words", "Sentences", "UPOS", "UAS", "LAS", "LASFull")


def made(dice: Dice, text: str) -> Doc:
    """A parsed Doc of a text, with any tokens, white space and trees."""
    words: list[str] = []
    start = 0
    while start < len(text):
        end = start + dice.pick((1, 1, 2))
        word, start = text[start:end], end
        words.append(dice.pick(("\n", " ", "\x85")).join(word) if dice.hits(1, 8) else word)
        if dice.hits(1, 5):
            words.append(dice.pick(SPACES))
    size = len(words)
    order = sorted(range(size), key=lambda k: (dice.below(4), k))
    heads = [0] * size
    # A head comes before its word in some order, so that there is no ring; there may be any roots.
    for place, k in enumerate(order):
        heads[k] = k if not place or dice.hits(1, 6) else order[dice.below(place)]
    deps = ["ROOT" if heads[k] == k else dice.pick(RELATIONS) for k in range(size)]
    upos = [dice.pick(("NOUN", "VERB", "")) for _ in words]
    return Doc(VOCAB, words=words, heads=heads, deps=deps, pos=upos)


@dataclass(frozen=True)
class Word:
    """A word by the definition: where it stands, its head's place (None: faulty), its values."""

    span: tuple[int, int]
    head: tuple[int, int] | str | None
    upos: str
    relation: str


def words_of(doc: Doc) -> tuple[list[Word], set[tuple[int, int]]]:
    """The words of a Doc and its sentences, by their characters."""
    place: dict[int, tuple[int, int]] = {}
    at = 0
    for token in doc:
        size = len("".join(token.text.split()))
        if size:
            place[token.i] = (at, at + size)
        at += size
    words: list[Word] = []
    sentences = set()
    for sentence in doc.sents:
        own = [token for token in sentence if token.i in place]
        if not own:
            continue
        sentences.add((place[own[0].i][0], place[own[-1].i][1]))
        rooted = False
        for token in own:
            above = _above(token)
            head: tuple[int, int] | str | None = None
            if above is None:
                head, rooted = (None if rooted else "root"), True
            elif above in own:
                head = place[above.i]
            relation = "root" if token.dep_ == "ROOT" else token.dep_
            words.append(Word(place[token.i], head, token.pos_, relation))
    return words, sentences


def _above(token: Token) -> Token | None:
    """The nearest ancestor that is a word."""
    return next((each for each in token.ancestors if each.text.strip()), None)


def by_hand(pred: Doc, gold: Doc) -> dict[str, tuple[int, int, int]]:
    """The correct, gold and predicted items of each metric."""
    ours, our_sentences = words_of(pred)
    theirs, their_sentences = words_of(gold)
    there = {word.span: word for word in theirs}
    aligned = [(word, there[word.span]) for word in ours if word.span in there]
    right = [
        (p, g)
        for p, g in aligned
        if p.head is not None and p.head == g.head and (p.head == "root" or p.head in there)
    ]
    correct = {
        "Words": len(aligned),
        "UPOS": sum(p.upos == g.upos for p, g in aligned),
        "UAS": len(right),
        "LAS": sum(p.relation.split(":")[0] == g.relation.split(":")[0] for p, g in right),
        "LASFull": sum(p.relation == g.relation for p, g in right),
    }
    sentences = len(our_sentences & their_sentences), len(their_sentences), len(our_sentences)
    return {"Sentences": sentences} | {
        name: (count, len(theirs), len(ours)) for name, count in correct.items()
    }


@given(dice(150))
def test_the_counts_are_those_of_the_definition(dice: Dice) -> None:
    text = "abcdefghijkl"[: 1 + dice.below(12)]
    pred, gold = made(dice, text), made(dice, text)
    expected = by_hand(pred, gold)
    found = scores(pred, gold, METRICS, policy="lenient")
    for name, value in found.items():
        assert value is not None
        counts = value.figure.as_dict()
        assert (counts["correct"], counts["gold"], counts["predicted"]) == expected[name], name


@given(dice(120))
def test_the_stream_of_a_doc_is_its_text_without_white_space(dice: Dice) -> None:
    doc = made(dice, "abcdefghijkl"[: 1 + dice.below(12)])
    units = parse(split(conllu(doc)), checks=True)
    assert b"".join(unit.stream for unit in units).decode() == "".join(doc.text.split())
    codes = {problem.code for unit in units for problem in unit.problems}
    assert codes <= {"multiple-roots", "head-missing", "root-relation"}


@given(dice(120))
def test_it_does_not_matter_how_docs_are_divided(dice: Dice) -> None:
    docs = [made(dice, "abc"[: 1 + dice.below(3)]) for _ in range(1 + dice.below(3))]
    joined = Doc.from_docs(docs)
    assert joined is not None
    for metric in ("Sentences", "LAS"):
        assert score(docs, joined, metric, policy="lenient") == score(
            docs, docs, metric, policy="lenient"
        )
