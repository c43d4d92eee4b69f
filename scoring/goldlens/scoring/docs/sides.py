"""The two sides of a pair as a caller gives them: Docs, a file, or text; and how to name a place.

Each is text in the end. What is wrong with it is told in the caller's terms: `gold[3]` for a Doc,
`PATH:LINE:COL` for a file.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

from goldlens.scoring.docs.errors import DocsError
from goldlens.scoring.docs.shape import Doc, Token, beginning, is_doc, is_parsed
from goldlens.scoring.docs.writing import listed, sentences, written
from goldlens.scoring.text import not_text

Given: TypeAlias = Doc | Iterable[Doc] | str | os.PathLike[str] | bytes
"""A Doc, several, the path of a CoNLL-U file, or the text of one in UTF-8."""


class Side(Protocol):
    """One side of a pair."""

    @property
    def unparsed(self) -> str | None:
        """The first of its Docs without a parse, by its name; None where all have one."""
        ...

    def text(self, *, heads: bool) -> bytes:
        """All of it as CoNLL-U; with `heads`, Docs are written with heads and relations."""
        ...

    def place(self, line: int, column: int) -> str:
        """What stands at a place of that text, both counted from 1; for messages."""
        ...

    def said(self, code: str, message: str, line: int) -> str:
        """The message of a problem at a line, in the caller's terms."""
        ...


def side(given: Given, name: str) -> Side:
    """A side by what it is given as. `name` is the caller's for it.

    Raises OSError for a file that cannot be read, DocsError for one that is no text, and
    TypeError for what is none of these.
    """
    if isinstance(given, bytes):
        return Text(name, _text(given, name))
    if isinstance(given, str | os.PathLike):
        path = os.fspath(given)
        if "\n" in path or "\t" in path:
            message = f"{name} is a str of several lines or cells, and a str is taken for a path"
            raise DocsError(f"{message}; give text as bytes: {name}.encode()")
        return Text(path, _text(Path(path).read_bytes(), path))
    if not is_doc(given) and not isinstance(given, Iterable):
        message = f"{name} is of type {type(given).__name__}"
        raise TypeError(f"{message}; give a Doc, several, or the path of a CoNLL-U file")
    return Docs(name, tuple(listed(given, name)), is_doc(given))


def _text(data: bytes, name: str) -> bytes:
    if why := not_text(data):
        raise DocsError(f"{name}: {why}")
    return data


@dataclass(frozen=True, slots=True)
class Text:
    """A side that is CoNLL-U already. `name` is its path."""

    name: str
    data: bytes

    @property
    def unparsed(self) -> None:
        """None: whether a text has heads, its scores say."""

    def text(self, *, heads: bool) -> bytes:
        """The text as it is."""
        return self.data

    def place(self, line: int, column: int) -> str:
        """`PATH:LINE:COL`."""
        return f"{self.name}:{line}:{column}"

    def said(self, code: str, message: str, line: int) -> str:
        """The message as it is."""
        return message


class _Line(NamedTuple):
    """The Doc, from 0; the sentence of it and the word of that, from 1; the word."""

    doc: int
    sentence: int
    number: int
    word: Token


@dataclass(frozen=True)
class Docs:
    """A side of Docs. `one`: it was given as a Doc, not as a sequence of one."""

    name: str
    docs: Sequence[Doc]
    one: bool = False

    @property
    def unparsed(self) -> str | None:
        """The first Doc without a parse, by its name."""
        lacking = [k for k, doc in enumerate(self.docs) if not is_parsed(doc)]
        return self.named(lacking[0]) if lacking else None

    def text(self, *, heads: bool) -> bytes:
        """The Docs one after the other."""
        return "".join([written(doc, heads=heads) for doc in self.docs]).encode()

    def named(self, index: int) -> str:
        """A Doc as the caller would write it, and how it begins."""
        name = self.name if self.one else f"{self.name}[{index}]"
        return f"{name} ({beginning(self.docs[index])})"

    def place(self, line: int, column: int) -> str:
        """The Doc that holds a line, and which word of which sentence stands there."""
        if line > len(self._lines):
            return f"the end of {self.name}"
        index, sentence, number, word = self._lines[line - 1]
        where = f", sentence {sentence}" if sentence > 1 else ""
        return f"{self.named(index)}{where}, word {number} (“{word.text}”)"

    def said(self, code: str, message: str, line: int) -> str:
        """The message; of a head that is not there, why it is not."""
        if code != "head-missing" or line > len(self._lines):
            return message
        if self._lines[line - 1].word.dep_:
            return "its head is no word of its sentence; set sentence boundaries by the parse"
        return "it has no relation (dep_), and so no head; parse all of the Doc"

    @cached_property
    def _lines(self) -> list[_Line]:
        """What stands on each line of the text: that of comments is about the first word of a
        sentence, the blank one about its last.
        """
        found: list[_Line] = []
        for index, doc in enumerate(self.docs):
            for sentence, words in enumerate(sentences(doc), 1):
                lines = [_Line(index, sentence, k, word) for k, word in enumerate(words, 1)]
                found += [lines[0], *lines, lines[-1]]
        return found
