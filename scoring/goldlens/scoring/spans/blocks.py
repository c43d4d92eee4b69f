"""Text cut into blocks: a sentence each, with the comments before it and the blank line behind.

A line ends in LF, CR LF or CR, as editors have it; no other character ends one. A line of nothing
but ASCII white space is blank (the files of WNUT-17 have a tab there). The first blank line ends
the block; one too many is a block of its own, so that what is cut depends on nothing outside the
block. A `-DOCSTART-` line ends a block too: no sentence goes on from one document to the next.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import Final

import numpy as np

from goldlens.scoring.spans.rows import DOCSTART, is_docstart

LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
"""A line with its end."""

_BLANK_LF: Final = re.compile(rb"\n(?=([ \t\v\f]*\r?\n))")
_BLANK: Final = re.compile(rb"(?:\A|\r\n|\n|\r(?!\n))(?=([ \t\v\f]*(?:\r\n|\n|\r)))")
_DOCSTART: Final = re.compile(
    rb"(?:\A|(?<=[\r\n]))%b(?:[ \t\v\f][^\r\n]*)?(?:\r\n|\n|\r)" % DOCSTART
)
_LF: Final = 10
_SPACE: Final = np.array([bytes((k,)).isspace() for k in range(256)])


def split(text: bytes) -> list[bytes]:
    """The blocks of a text; joined again they are the text, byte for byte."""
    found = _at_blank_lines(text)
    if DOCSTART not in text:
        return found
    return list(chain.from_iterable(map(_at_docstarts, found)))


def _at_docstarts(block: bytes) -> list[bytes]:
    """A block cut behind each `-DOCSTART-` line."""
    ends = [match.end() for match in _DOCSTART.finditer(block)] if DOCSTART in block else []
    bounds = dict.fromkeys([*ends, len(block)])
    return [block[a:b] for a, b in zip([0, *bounds], bounds, strict=False)]


def _at_blank_lines(text: bytes) -> list[bytes]:
    """A text cut behind each blank line."""
    if not text:
        return []
    if b"\r" in text:
        lone = text.count(b"\r") != text.count(b"\r\n")
        return _cut(text, _BLANK if lone else _BLANK_LF)
    byte = np.frombuffer(text + b"\n", np.uint8)
    ends = (byte[:-1] == _LF).nonzero()[0]
    following = byte[ends + 1]
    if (_SPACE[following] & (following != _LF)).any() or text[:1].isspace():
        return _cut(text, _BLANK_LF)
    # Most files: where there is nothing on a blank line.
    behind: list[int] = (ends[following == _LF] + 2).tolist()
    if not behind or behind[-1] < len(text):
        behind.append(len(text))
    elif behind[-1] > len(text):
        # The last line end was followed by nothing but the one put in above.
        behind[-1] = len(text)
    bounds = dict.fromkeys(behind)
    return [text[a:b] for a, b in zip([0, *bounds], bounds, strict=False)]


def is_closed(block: bytes) -> bool:
    """Whether the last line of a block is blank, or a `-DOCSTART-`, and ends."""
    if not block.endswith((b"\n", b"\r")):
        return False
    body = block[:-2] if block.endswith(b"\r\n") else block[:-1]
    last = body[max(body.rfind(b"\n"), body.rfind(b"\r")) + 1 :]
    return not last.strip() or is_docstart(last)


def lines(block: bytes) -> list[bytes]:
    """The lines of a text, each with its end."""
    return LINE.findall(block)


def _cut(text: bytes, blank: re.Pattern[bytes]) -> list[bytes]:
    """A text cut behind each blank line, as this pattern finds them."""
    done = 0
    blocks: list[bytes] = []
    if blank is _BLANK_LF:
        # This pattern sees no blank line that is the first line.
        end = text.find(b"\n") + 1
        if end and not text[:end].strip():
            blocks.append(text[:end])
            done = end
    for match in blank.finditer(text):
        end = match.end(1)
        blocks.append(text[done:end])
        done = end
    if done < len(text):
        blocks.append(text[done:])
    return blocks
