"""JSON read with places: the `json` module says what a value is, but not where it stands."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from goldlens.scoring.classification.row import Span, Unreadable, shown

DEEPEST: Final = 64
"""How many lists and objects may stand in one another."""

_BLANK: Final = re.compile(rb"[ \t\r\n]*")
_STRING: Final = re.compile(rb'"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"')
_NUMBER: Final = re.compile(rb"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_INTEGER: Final = re.compile(rb"-?(?:0|[1-9]\d*)")
_WORD: Final = re.compile(rb"[-+.\w]+")
_WORDS: Final = frozenset((b"true", b"false", b"null", b"NaN", b"Infinity", b"-Infinity"))
_CHARACTER: Final = re.compile(rb"[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*|[\x80-\xbf]")
_SURROGATE: Final = re.compile(rb"\xed[\xa0-\xbf]")


@dataclass(slots=True)
class Value:
    """A value and where it stands.

    `kind`: string, number, integer, word (true, false, null, and the NaN and Infinity that Python
    writes), list or object. `text` is a string's content, or what is written. A list has `items`,
    an object `members`.
    """

    kind: str
    span: Span
    text: bytes = b""
    items: list[Value] | None = None
    members: Members | None = None

    def name(self) -> bytes:
        """What it says, without blanks at its edges. Raises Unreadable if it is half a character.

        A `\\ud800` by itself is half a surrogate pair, which no UTF-8 can hold.
        """
        if self.kind == "string" and _SURROGATE.search(self.text):
            message = "The string holds half a surrogate pair; write the character itself"
            raise Unreadable(self.span, message)
        return self.text.strip(b" \t")


Members: TypeAlias = list[tuple[Value, Value]]
"""The keys of an object and their values."""


def read_object(line: bytes, at: int, into: Members, *, depth: int = 1) -> int:
    """Reads the object that begins at an offset, and returns where it ends.

    Raises Unreadable where the object is broken; what stands before that is in `into`.
    """
    at = _skip(line, at + 1)
    if line[at : at + 1] == b"}":
        return at + 1
    while True:
        if line[at : at + 1] != b'"':
            raise _due(line, at, "a key in double quotes")
        key = _string(line, at)
        at = _skip(line, key.span[1])
        if line[at : at + 1] != b":":
            raise _due(line, at, "a colon")
        value = _value(line, _skip(line, at + 1), depth)
        into.append((key, value))
        at = _skip(line, value.span[1])
        if line[at : at + 1] == b"}":
            return at + 1
        if line[at : at + 1] != b",":
            raise _due(line, at, "a comma or }")
        at = _skip(line, at + 1)


def _list(line: bytes, at: int, into: list[Value], depth: int) -> int:
    """Reads the list that begins at an offset, and returns where it ends. Raises Unreadable."""
    at = _skip(line, at + 1)
    if line[at : at + 1] == b"]":
        return at + 1
    while True:
        value = _value(line, at, depth)
        into.append(value)
        at = _skip(line, value.span[1])
        if line[at : at + 1] == b"]":
            return at + 1
        if line[at : at + 1] != b",":
            raise _due(line, at, "a comma or ]")
        at = _skip(line, at + 1)


def _value(line: bytes, at: int, depth: int) -> Value:
    """The value that begins at an offset, within so many lists and objects. Raises Unreadable."""
    begins = line[at : at + 1]
    if begins == b'"':
        return _string(line, at)
    if begins == b"{" or begins == b"[":
        if depth == DEEPEST:
            raise Unreadable((at, at + 1), "The row is nested too deeply; leave this value out")
        if begins == b"[":
            items: list[Value] = []
            end = _list(line, at, items, depth + 1)
            return Value("list", (at, end), line[at:end], items=items)
        members: Members = []
        end = read_object(line, at, members, depth=depth + 1)
        return Value("object", (at, end), line[at:end], members=members)
    if not (found := _WORD.match(line, at)):
        raise _due(line, at, "a value")
    text, span = found[0], found.span()
    if _NUMBER.fullmatch(text):
        return Value("integer" if _INTEGER.fullmatch(text) else "number", span, text)
    if text not in _WORDS:
        message = f"{shown(text)} is no value of JSON; write text in double quotes, or a number"
        raise Unreadable(span, message)
    return Value("word", span, text)


def _string(line: bytes, at: int) -> Value:
    found = _STRING.match(line, at)
    if not found:
        message = "A string is not closed or has a bad escape; end it with a double quote"
        raise Unreadable((at, len(line)), message)
    text = found[1]
    if b"\\" in text:
        content: str = json.loads(found[0].decode("utf-8", "replace"))
        text = content.encode(errors="surrogatepass")
    return Value("string", found.span(), text)


def _skip(line: bytes, at: int) -> int:
    """The first offset from this one on that holds no blank."""
    blank = _BLANK.match(line, at)
    return blank.end() if blank else at


def _due(line: bytes, at: int, what: str) -> Unreadable:
    """What is due at an offset and is not there."""
    found = _CHARACTER.match(line, at)
    if not found:
        return Unreadable((at, at), f"The JSON object ends too early; {what} is due here")
    message = f"{shown(found[0])} cannot stand here in a JSON object; {what} is due"
    return Unreadable(found.span(), message)
