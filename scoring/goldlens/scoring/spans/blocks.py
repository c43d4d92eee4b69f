"""Text cut into blocks: a sentence each, with the comments before it and the blank line behind.

A line ends in LF, CR LF or CR, as editors have it; no other character ends one. A line of nothing
but ASCII white space is blank (the files of WNUT-17 have a tab there). The first blank line ends
the block; one too many is a block of its own, so that what is cut depends on nothing outside the
block.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
"""A line with its end."""

_BLANK_LF: Final = re.compile(rb"\n(?=([ \t\v\f]*\r?\n))")
_BLANK: Final = re.compile(rb"(?:\A|\r\n|\n|\r(?!\n))(?=([ \t\v\f]*(?:\r\n|\n|\r)))")
_LF: Final = 10
_SPACE: Final = np.array([bytes((k,)).isspace() for k in range(256)])


def split(text: bytes) -> list[bytes]:
    """The blocks of a text; joined again they are the text, byte for byte."""
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
    """Whether the last line of a block is blank, and ends."""
    if not block.endswith((b"\n", b"\r")):
        return False
    body = block[:-2] if block.endswith(b"\r\n") else block[:-1]
    return not body[max(body.rfind(b"\n"), body.rfind(b"\r")) + 1 :].strip()


def lines(block: bytes) -> list[bytes]:
    """The lines of a text, each with its end."""
    return LINE.findall(block)


def _cut(text: bytes, blank: re.Pattern[bytes]) -> list[bytes]:
    """A text cut behind each blank line."""
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
