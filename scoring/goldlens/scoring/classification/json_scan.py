"""JSON read with places: the `json` module says what a value is, but not where it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from goldlens.scoring.classification.row import Span, Unreadable, shown

_STRING: Final = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*"')
_NUMBER: Final = re.compile(rb"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_INTEGER: Final = re.compile(rb"-?(?:0|[1-9]\d*)")
_WORD: Final = re.compile(rb"[-+.\w]+")
_WORDS: Final = frozenset((b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"))
_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_CHARACTER: Final = re.compile(rb"[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*|[\x80-\xbf]")
_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf]")

DEEPEST: Final = 64
"""How many lists and objects may stand in one another."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value and where it stands.

    `kind`: string, number, integer, word (true, false, null, and the NaN and Infinity that Python
    writes), list or object. `text` is a string's content, or what is written.
    """

    kind: str
    span: Span
    text: bytes = b""

    @property
    def damaged(self) -> bool:
        """Whether it is a string that holds half a surrogate pair, which is no character."""
        return self.kind == "string" and bool(_SURROGATE.search(self.text))

    def name(self) -> bytes:
        """What it says, without blanks at its edges. Raises Unreadable if that is damaged."""
        if self.damaged:
            message = "The string holds half a surrogate pair; write the character itself"
            raise Unreadable(self.span, message)
        return self.text.strip(b" \t")


def members(line: bytes, at: int, *, deep: int = 0) -> Iterator[tuple[Value, Value]]:
    """The keys and values of the object that begins at an offset, as they are read.

    Raises Unreadable where the object is broken, after what stands before that.
    """
    at = _skip(line, at + 1)
    if line[at : at + 1] == b"}":
        return
    while True:
        key = value_at(line, at, deep=deep + 1) if line[at : at + 1] == b'"' else None
        if key is None:
            raise _due(line, at, "a key in double quotes")
        at = _skip(line, key.span[1])
        if line[at : at + 1] != b":":
            raise _due(line, at, "a colon")
        value = value_at(line, _skip(line, at + 1), deep=deep + 1)
        yield key, value
        at = _skip(line, value.span[1])
        if line[at : at + 1] == b"}":
            return
        if line[at : at + 1] != b",":
            raise _due(line, at, "a comma or }")
        at = _skip(line, at + 1)


def items(line: bytes, at: int, *, deep: int = 0) -> Iterator[Value]:
    """The values of the list that begins at an offset. Raises Unreadable where it is broken."""
    at = _skip(line, at + 1)
    if line[at : at + 1] == b"]":
        return
    while True:
        value = value_at(line, at, deep=deep + 1)
        yield value
        at = _skip(line, value.span[1])
        if line[at : at + 1] == b"]":
            return
        if line[at : at + 1] != b",":
            raise _due(line, at, "a comma or ]")
        at = _skip(line, at + 1)


def value_at(line: bytes, at: int, *, deep: int = 0) -> Value:
    """The value that begins at an offset. Raises Unreadable if there is none."""
    begins = line[at : at + 1]
    if begins == b'"':
        return _string(line, at)
    if begins in (b"{", b"["):
        if deep > DEEPEST:
            raise Unreadable((at, at + 1), "The row is nested too deeply; leave this value out")
        last = at
        if begins == b"{":
            for _, value in members(line, at, deep=deep):
                last = value.span[1] - 1
        else:
            for value in items(line, at, deep=deep):
                last = value.span[1] - 1
        end = _skip(line, last + 1) + 1
        return Value("object" if begins == b"{" else "list", (at, end), line[at:end])
    if not (found := _WORD.match(line, at)):
        raise _due(line, at, "a value")
    text = found[0]
    if text in _WORDS:
        return Value("word", found.span(), text)
    if not _NUMBER.fullmatch(text):
        message = f"{shown(text)} is no value of JSON; write text in double quotes, or a number"
        raise Unreadable(found.span(), message)
    number = "integer" if _INTEGER.fullmatch(text) else "number"
    return Value(number, found.span(), text)


def end_of(line: bytes, at: int) -> int:
    """The end of the object that begins at an offset, blanks behind it included."""
    return _skip(line, value_at(line, at).span[1])


def _string(line: bytes, at: int) -> Value:
    found = _STRING.match(line, at)
    if not found:
        message = "A string is not closed or has a bad escape; end it with a double quote"
        raise Unreadable((at, len(line)), message)
    text: str = json.loads(found[0].decode("utf-8", "replace"))
    return Value("string", found.span(), text.encode(errors="surrogatepass"))


def _skip(line: bytes, at: int) -> int:
    blank = _BLANK.match(line, at)
    return blank.end() if blank else at


def _due(line: bytes, at: int, what: str) -> Unreadable:
    """What is due at an offset and is not there."""
    found = _CHARACTER.match(line, at)
    if not found:
        return Unreadable((at, at), f"The JSON object ends too early; {what} is due here")
    message = f"{shown(found[0])} cannot stand here in a JSON object; {what} is due"
    return Unreadable(found.span(), message)
