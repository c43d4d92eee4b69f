"""The closed inventories of Universal Dependencies, version 2.

Tags, relations and features, and which relations the CoNLL 2018 metrics count as content or as
functional ones (Zeman et al. 2018, section 5). Everything is UTF-8 bytes, since scoring never
decodes; the names the reader checks are there as text too.
"""

from __future__ import annotations

from typing import Final

_TAGS: Final = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"

_CONTENT: Final = (
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod "
    "appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum "
    "root dep"
)

_FUNCTIONAL: Final = "aux cop mark det clf case cc"

_FEATURES: Final = (
    "Abbr Animacy Aspect Case Definite Degree Evident Foreign Gender Mood NumType Number "
    "Person Polarity Polite Poss PronType Reflex Tense VerbForm Voice"
)

UPOS_TAGS: Final = frozenset(_TAGS.split())
"""The 17 universal part-of-speech tags, as text."""

RELATION_NAMES: Final = frozenset([*_CONTENT.split(), *_FUNCTIONAL.split(), "punct"])
"""The 37 universal relations, without subtypes, as text."""

UPOS: Final = frozenset(_TAGS.encode().split())
"""The 17 universal part-of-speech tags."""

CONTENT_RELATIONS: Final = frozenset(_CONTENT.encode().split())
"""The 29 relations whose words CLAS, MLAS and BLEX are about."""

FUNCTIONAL_RELATIONS: Final = frozenset(_FUNCTIONAL.encode().split())
"""The 7 relations of the children that MLAS compares. `punct` is neither."""

UNIVERSAL_RELATIONS: Final = frozenset(name.encode() for name in RELATION_NAMES)
"""The 37 universal relations, without subtypes."""

UNIVERSAL_FEATURES: Final = frozenset(_FEATURES.encode().split())
"""The 21 features that UFeats compares."""
