"""What tags, relations and features mean, in a few words, and where the guidelines say more."""

from __future__ import annotations

from typing import Final

_SITE: Final = "https://universaldependencies.org/u"

_TAGS: Final = {
    "ADJ": "adjective",
    "ADP": "adposition: preposition or postposition",
    "ADV": "adverb",
    "AUX": "auxiliary",
    "CCONJ": "coordinating conjunction",
    "DET": "determiner",
    "INTJ": "interjection",
    "NOUN": "noun",
    "NUM": "numeral",
    "PART": "particle",
    "PRON": "pronoun",
    "PROPN": "proper noun",
    "PUNCT": "punctuation",
    "SCONJ": "subordinating conjunction",
    "SYM": "symbol",
    "VERB": "verb",
    "X": "other: what fits no other tag",
}

_RELATIONS: Final = {
    "acl": "clause that modifies a noun",
    "advcl": "adverbial clause that modifies a predicate",
    "advmod": "adverb that modifies a word",
    "amod": "adjective that modifies a noun",
    "appos": "noun that names again what another one names",
    "aux": "auxiliary of a verb",
    "case": "adposition or other marker of a noun's case",
    "cc": "coordinating conjunction, at the conjunct it precedes",
    "ccomp": "clause that is a complement, with a subject of its own",
    "clf": "classifier",
    "compound": "part of a compound",
    "conj": "conjunct, at the first one of the coordination",
    "cop": "copula, at the predicate",
    "csubj": "clause that is the subject",
    "dep": "dependency that could not be told more precisely",
    "det": "determiner of a noun",
    "discourse": "interjection or particle that belongs to the discourse",
    "dislocated": "fronted or postponed element, outside of the clause's core",
    "expl": "expletive: fills the place of an argument and means nothing",
    "fixed": "part of a fixed expression, at its first word",
    "flat": "part of a name or date without a head, at its first word",
    "goeswith": "part of a word that was written apart, at its first part",
    "iobj": "indirect object",
    "list": "item of a list, at the first one",
    "mark": "word that marks a clause as subordinate",
    "nmod": "noun that modifies a noun",
    "nsubj": "noun that is the subject",
    "nummod": "numeral that modifies a noun",
    "obj": "direct object",
    "obl": "oblique noun: an argument or adjunct that is no core argument",
    "orphan": "dependent of a predicate that was left out",
    "parataxis": "clause placed side by side, without coordination or subordination",
    "punct": "punctuation",
    "reparandum": "what a speaker corrected, at its correction",
    "root": "root of the sentence",
    "vocative": "who is addressed",
    "xcomp": "complement without a subject of its own",
}

_FEATURES: Final = {
    "Abbr": "abbreviation",
    "Animacy": "animacy",
    "Aspect": "aspect",
    "Case": "case",
    "Definite": "definiteness",
    "Degree": "degree of comparison",
    "Evident": "evidentiality: where the speaker knows it from",
    "Foreign": "word of another language",
    "Gender": "gender",
    "Mood": "mood",
    "NumType": "kind of numeral",
    "Number": "number",
    "Person": "person",
    "Polarity": "affirmative or negative",
    "Polite": "politeness",
    "Poss": "possessive",
    "PronType": "kind of pronoun, determiner or adverb of these kinds",
    "Reflex": "reflexive",
    "Tense": "tense",
    "Typo": "misspelt",
    "VerbForm": "form of the verb",
    "Voice": "voice",
}

# Windows knows no file of this name, so the guidelines' page has another.
_ON_DISK: Final = frozenset(("aux", "AUX"))

COLUMNS: Final = {
    "ID": "number of the word; 3-4 for a multiword token, 5.1 for an empty node",
    "FORM": "the word as it stands in the text",
    "LEMMA": "its dictionary form",
    "UPOS": "universal part of speech",
    "XPOS": "the treebank's own part of speech",
    "FEATS": "features, sorted: Case=Nom|Number=Sing",
    "HEAD": "ID of the head; 0 for the root",
    "DEPREL": "relation to the head",
    "DEPS": "enhanced graph: head:relation|head:relation",
    "MISC": "anything else: SpaceAfter=No|…",
}
"""What each column holds."""


def tag(name: str) -> str | None:
    """The meaning of a universal tag and a link, in Markdown; None for one that is not known."""
    return _linked(_TAGS.get(name), "pos", name)


def relation(name: str) -> str | None:
    """The meaning of a relation, which may have a subtype, and a link."""
    base, colon, subtype = name.partition(":")
    found = _linked(_RELATIONS.get(base), "dep", base)
    return f"{found} (subtype {subtype})" if found and colon else found


def feature(name: str) -> str | None:
    """The meaning of a feature and a link; layers, as in Number[psor], are left out."""
    base = name.partition("[")[0]
    return _linked(_FEATURES.get(base), "feat", base)


def _linked(meaning: str | None, part: str, name: str) -> str | None:
    if meaning is None:
        return None
    page = f"{name}_" if name in _ON_DISK else name
    return f"[{name}]({_SITE}/{part}/{page}.html): {meaning}"
