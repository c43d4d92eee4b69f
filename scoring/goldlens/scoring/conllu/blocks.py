"""Text cut into blocks: a sentence each, with its comments and the blank line that ends it.

A line ends in LF, CR LF or CR, as editors and the official scorer have it; no other character
ends one. A line of nothing but spaces and tabs is blank. A blank line ends the block it stands
in; one too many is a block of its own.

Where the blank line between two sentences is missing a break is put in, so that one slip does not
merge two sentences: before comments that follow a row, if the next row's ID is 1, and before a
row that starts numbering again and is followed by the next number. A block is *closed* if a blank
line ends it. What is cut depends on nothing outside the run of unclosed blocks it stands in, so
an edit needs new cuts only from one closed block to the next.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

LINE: Final = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
"""A line with its end."""

_BLANK: Final = re.compile(rb"(?:\A|\r\n|\n|\r(?!\n))(?=([ \t]*(?:\r\n|\r|\n)|[ \t]+\Z))")
_ID: Final = re.compile(rb"[ \t]*(\d{1,9})(?:(-\d+)|(\.\d+))?\t")


def split(text: bytes) -> list[bytes]:
    """The blocks of a text; joined again they are the text, byte for byte."""
    if not text:
        return []
    if b"\r" in text or b"\n " in text or b"\n\t" in text or text[:1] in (b" ", b"\t"):
        blocks = _at_any_blank_line(text)
        suspects = _with_missing_blank_lines(_Lines(with_lf(text)))
        sizes = np.array([len(with_lf(block)) for block in blocks]).cumsum()
    else:
        lines = _Lines(text)
        sizes = lines.blank_ends
        if not len(sizes) or sizes[-1] < len(text):
            sizes = np.append(sizes, len(text))
        ends = sizes.tolist()
        blocks = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        suspects = _with_missing_blank_lines(lines)
    if not len(suspects):
        return blocks
    whole: list[bytes] = []
    done = 0
    for k in sorted(set(sizes.searchsorted(suspects, side="right").tolist())):
        whole += blocks[done:k]
        whole += _broken_up(blocks[k])
        done = k + 1
    return whole + blocks[done:]


def is_closed(block: bytes) -> bool:
    """Whether the last line of a block is blank, and ends.

    White space at the end of a file, without a line end, may yet become something else.
    """
    if block.endswith(b"\r\n"):
        body = block[:-2]
    elif block.endswith((b"\r", b"\n")):
        body = block[:-1]
    else:
        return False
    return not body[max(body.rfind(b"\n"), body.rfind(b"\r")) + 1 :].strip(b" \t")


def lines(block: bytes) -> list[bytes]:
    """The lines of a text, each with its end."""
    return LINE.findall(block)


def count_lines(block: bytes) -> int:
    """How many line ends a text has."""
    count = block.count
    if b"\r" in block:
        return count(b"\n") + count(b"\r") - count(b"\r\n")
    return count(b"\n")


def with_lf(text: bytes) -> bytes:
    """The text with LF for every line end."""
    if b"\r" in text:
        return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text


def _at_any_blank_line(text: bytes) -> list[bytes]:
    """Blocks of a text whose line ends and blank lines may be of any kind."""
    blocks: list[bytes] = []
    done = 0
    for match in _BLANK.finditer(text):
        blocks.append(text[done : match.end(1)])
        done = match.end(1)
    if done < len(text):
        blocks.append(text[done:])
    return blocks


class _Lines:
    """Where the lines of a text with LF line ends begin and end."""

    def __init__(self, text: bytes) -> None:
        self.byte = np.frombuffer(text + b"\n\0\0", np.uint8)
        self.ends = (self.byte[: len(text)] == 10).nonzero()[0]
        self.before = np.append(0, self.ends[:-1] + 1)[: len(self.ends)]

    @property
    def blank_ends(self) -> Ints:
        """The offsets behind empty lines."""
        behind: Ints = self.ends[self.before == self.ends] + 1
        return behind


def _with_missing_blank_lines(lines: _Lines) -> Ints:
    """Offsets of lines before which a blank line may be missing."""
    byte, before, starts = lines.byte, lines.before, lines.ends + 1
    first, second = byte[starts], byte[starts + 1]
    first_before = byte[before]
    row_before = (first_before != 35) & (before != lines.ends) & (first_before > 32)
    restart = (first == 49) & ((second == 9) | (second == 45))
    restart |= (first == 48) & (second == 46)
    found: Ints = starts[row_before & ((first == 35) | restart)]
    return found


def _broken_up(block: bytes) -> list[bytes]:
    """A block cut where a blank line is missing."""
    parts = lines(block)
    kinds = [_kind(line) for line in parts]
    cuts: list[int] = []
    highest = 0
    k = 0
    while k < len(parts):
        kind = kinds[k]
        if kind == "#":
            after = _next(kinds, k, "#")
            if highest and _begins(kinds, after):
                cuts.append(k)
                highest = 0
            k = after
            continue
        if highest >= 2 and _begins(kinds, k) and _goes_on(kinds, k):
            cuts.append(k)
            highest = 0
        if isinstance(kind, int):
            highest = max(highest, kind)
        elif kind == "?":
            highest = max(highest, 1)
        k += 1
    borders = [0, *cuts, len(parts)]
    return [b"".join(parts[a:b]) for a, b in pairwise(borders)]


def _next(kinds: Sequence[int | str], k: int, passed: str) -> int:
    """The first line from k on that is of another kind."""
    while k < len(kinds) and kinds[k] == passed:
        k += 1
    return k


def _begins(kinds: Sequence[int | str], k: int) -> bool:
    """Whether the row at k may be a sentence's first: word 1, a range from 1, or a node 0.1."""
    if k < len(kinds) and kinds[k] == "0.":
        return _begins(kinds, _next(kinds, k, "0."))
    return k < len(kinds) and kinds[k] in (1, "1-")


def _goes_on(kinds: Sequence[int | str], k: int) -> bool:
    """Whether the row at k, which may begin a sentence, is followed by what follows then."""
    following = kinds[k + 1] if k + 1 < len(kinds) else None
    return following == 2 if kinds[k] == 1 else following in (1, "1-", "0.")


def _kind(line: bytes) -> int | str:
    """What a line is: the ID of a word, a range from 1, an empty node 0.1, or what else.

    "#" a comment, "" blank, "-" another range or empty node, "?" a row without an ID.
    """
    if line[:1] == b"#":
        return "#"
    if not line.strip():
        return ""
    match = _ID.match(line)
    if not match:
        return "?"
    if match[2]:
        return "1-" if int(match[1]) == 1 else "-"
    if match[3]:
        return "0." if int(match[1]) == 0 else "-"
    return int(match[1])
