"""What a tag is: `O`, `B-X`, `I-X`, and bare `B` and `I`; and what a wrong one was meant to be.

A tag is the bytes of its cell. A label (X) is not empty and may itself contain `-`; bare tags
have the label `_`, as in seqeval 1.2.2.
"""

from __future__ import annotations

import re
from typing import Final

OUTSIDE: Final = b"O"
UNNAMED: Final = b"_"
"""The label of a bare `B` or `I`."""

_REPAIRS: Final = {b"E": b"I", b"L": b"I", b"M": b"I", b"S": b"B", b"U": b"B"}
_LOOSE: Final = re.compile(rb"([bieslum])[-_ \xe2\x80\x90\xe2\x80\x91\xe2\x80\x93]+(\S.*)", re.I)
_GLUED: Final = re.compile(rb"([BI])([A-Z]{3,}|[A-Z][a-z]{2,})")


def is_valid(tag: bytes) -> bool:
    """Whether a tag is one of IOB2, or bare."""
    if tag[:2] in (b"B-", b"I-"):
        return len(tag) > 2
    return tag in (b"O", b"B", b"I")


def is_bare(tag: bytes) -> bool:
    """Whether a tag is `B` or `I` without a label."""
    return tag in (b"B", b"I")


def label_of(tag: bytes) -> bytes:
    """The label of a valid tag that is not `O`."""
    return tag[2:] or UNNAMED


def parts(tag: bytes) -> tuple[bytes, bytes] | None:
    """The letter and the label of a tag of any scheme with labels; None for all else.

    The letters are B, I, E, S, L, U and M.
    """
    if tag[1:2] == b"-" and len(tag) > 2 and tag[0] in b"BIESLUM":
        return tag[:1], tag[2:]
    return (tag, UNNAMED) if is_bare(tag) else None


def repaired(tag: bytes, goes_on: bytes | None = None) -> bytes | None:
    """The valid tag that an invalid one evidently stands for; None if that is not evident.

    `goes_on`: the label of the span, if any, that the tag before it is in. `E-X`, `L-X` and `M-X`
    end or continue a span of X; where there is none they begin one.
    """
    bare = tag.strip()
    if is_valid(bare):
        return bare
    if bare in (b"o", b"0"):
        return OUTSIDE
    match = _LOOSE.fullmatch(bare) or _GLUED.fullmatch(bare)
    if not match:
        return None
    letter, label = match[1].upper(), match[2]
    letter = _REPAIRS.get(letter, letter)
    if match[1].upper() in (b"E", b"L", b"M") and goes_on != label:
        letter = b"B"
    return letter + b"-" + label
