"""What a Doc has to have: as much of spaCy's classes as is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol, TypeGuard


class Token(Protocol):
    """A token; all annotation is text, empty where there is none."""

    @property
    def i(self) -> int:
        """Its number in the Doc, from 0."""
        ...

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def whitespace_(self) -> str:
        """A space, if one follows."""
        ...

    @property
    def lemma_(self) -> str: ...  # noqa: D102
    @property
    def pos_(self) -> str:
        """UPOS."""
        ...

    @property
    def tag_(self) -> str:
        """XPOS."""
        ...

    @property
    def morph(self) -> Any:
        """FEATS, as `str` gives it."""
        ...

    @property
    def head(self) -> Token:
        """Its head; itself if it is a root, or if it has none."""
        ...

    @property
    def dep_(self) -> str:
        """The relation. Where it is empty, nothing is known of the head either."""
        ...


class Entity(Protocol):
    """A labelled stretch of the text."""

    @property
    def start_char(self) -> int: ...  # noqa: D102
    @property
    def end_char(self) -> int: ...  # noqa: D102
    @property
    def label_(self) -> str: ...  # noqa: D102


class Doc(Protocol):
    """A text in tokens."""

    @property
    def text(self) -> str: ...  # noqa: D102
    def __iter__(self) -> Iterator[Any]:
        """Its tokens."""
        ...

    def has_annotation(self, attr: str, /) -> bool:
        """Whether any token has a value of `SENT_START` or of `ENT_IOB`."""
        ...

    @property
    def sents(self) -> Iterable[Iterable[Any]]:
        """Its sentences, each of tokens; only asked for where there are SENT_STARTs."""
        ...

    @property
    def ents(self) -> Iterable[Entity]:
        """Its entities, which do not overlap."""
        ...


class Example(Protocol):
    """A prediction and its gold, as spaCy gives them to a scorer."""

    @property
    def predicted(self) -> Doc: ...  # noqa: D102
    @property
    def reference(self) -> Doc: ...  # noqa: D102


def is_doc(thing: object) -> TypeGuard[Doc]:
    """Whether a thing is a Doc, and not several."""
    return hasattr(thing, "has_annotation")


def is_space(token: Token) -> bool:
    """Whether a token is nothing but white space, which is no word of any treebank."""
    return token.text.isspace()


def is_parsed(doc: Doc) -> bool:
    """Whether any word has a relation, or there is no word at all."""
    words = [token for token in doc if not is_space(token)]
    return not words or any(word.dep_ for word in words)


def beginning(doc: Doc, size: int = 24) -> str:
    """The first characters of a text in quotation marks, for messages."""
    text = " ".join(doc.text[: 4 * size].split())
    return f"“{text[:size].rstrip()}…”" if len(text) > size else f"“{text}”"
