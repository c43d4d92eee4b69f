"""The sentences of a file as texts: the id of each and its tokens, whatever is annotated on them.

A file is read a piece at a time, so that it may be of any size. What is read are blocks, which
joined again are the file byte for byte. The tokens of CoNLL-U are those of the text: a multiword
token counts once, with its own form, and empty nodes do not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from unicodedata import normalize

from goldlens.scoring.conllu import blocks as conllu
from goldlens.scoring.spans import blocks as iob2
from goldlens.scoring.spans.rows import Layout, is_docstart
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.spans.unit import parse
from goldlens.scoring.text import BOM

PIECE: Final = 1 << 20
"""So many bytes are read at a time, more only where blocks are longer."""

BETWEEN: Final = b"\n"
"""What stands between two tokens in `Sentence.forms`; no token has one."""

_SENT_ID: Final = re.compile(rb"^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t]*$", re.M)


class Readable(Protocol):
    """What is read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a file: the `number`-th, from the line `line` on (both from 1).

    `sent_id` is None where there is none. `forms` are the `tokens` tokens in Unicode's normal form
    C, with BETWEEN between them: two sentences have equal forms if and only if these are equal.
    """

    number: int
    line: int
    sent_id: bytes | None
    forms: bytes
    tokens: int


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a file: a sentence with all that belongs to it, or something else.

    `closed` says whether its end ends a sentence. `rest` is what must stay where the sentence is
    taken out: the beginning of a document.
    """

    text: bytes
    sentence: Sentence | None
    closed: bool = True
    rest: bytes = b""


@dataclass(frozen=True, slots=True)
class Format:
    """How a text is cut into blocks, and what the tokens of each block are."""

    split: Callable[[bytes], list[bytes]]
    is_closed: Callable[[bytes], bool]
    tokens: Callable[[Sequence[bytes]], Iterable[Sequence[bytes]]]
    rest: Callable[[bytes], bytes] = lambda block: b""


def format_of(task: str, beginning: bytes, token_column: int = 1, tag_column: int = -1) -> Format:
    """The format of a task's files, "ud" or "span"; `beginning` is that of the file.

    The columns are for spans (the tag tells a token `#` from a comment); they count from 1, or from
    the end with -1. Raises KeyError for another task, and ValueError for a column 0.
    """
    if task == "ud":
        return Format(conllu.split, conllu.is_closed, lambda blocks: map(_tokens, blocks))
    if task != "span":
        raise KeyError(task)
    spans = Spans(token_column, tag_column)
    layout = Layout(token_column, tag_column, spans.likely_regime(beginning))

    def tokens(blocks: Sequence[bytes]) -> Iterator[list[bytes]]:
        return (unit.forms() for unit in parse(blocks, layout))

    return Format(iob2.split, iob2.is_closed, tokens, _docstart)


def read(file: Readable, form: Format, *, piece: int = PIECE) -> Iterator[Block]:
    """The blocks of a file, from its start to its end. A byte order mark is a block by itself."""
    number, line = 0, 1
    for blocks in _pieces(file, form, piece):
        if blocks[0] == BOM:
            yield Block(BOM, None)
            continue
        for block, tokens in zip(blocks, form.tokens(blocks), strict=True):
            if tokens:
                number += 1
                found = Sentence(number, line, _sent_id(block), _joined(tokens), len(tokens))
                yield Block(block, found, form.is_closed(block), form.rest(block))
            else:
                yield Block(block, None)
            line += conllu.count_lines(block)


def _pieces(file: Readable, form: Format, piece: int) -> Iterator[list[bytes]]:
    """The blocks of a file, many at a time; the byte order mark alone."""
    carried = file.read(piece)
    if carried.startswith(BOM):
        yield [BOM]
        carried = carried[len(BOM) :]
    while True:
        # As much again, so that a text without an end of a block is not split over and over.
        fresh = file.read(max(piece, len(carried)))
        text = carried + fresh
        blocks = form.split(text)
        if not fresh:
            if blocks:
                yield blocks
            return
        # What comes next may change what is not closed, and the line end that is the last byte.
        sure = len(blocks) - 1
        while sure > 0 and not form.is_closed(blocks[sure - 1]):
            sure -= 1
        if sure > 0:
            yield blocks[:sure]
        carried = b"".join(blocks[max(sure, 0) :])


def _sent_id(block: bytes) -> bytes | None:
    found = _SENT_ID.search(conllu.with_lf(block)) if b"sent_id" in block else None
    return (found[1] or None) if found else None


def _joined(tokens: Sequence[bytes]) -> bytes:
    # A line end neither composes with anything nor lets marks pass, so that the whole is in normal
    # form if its parts are.
    text = BETWEEN.join(tokens)
    if text.isascii():
        return text
    return normalize("NFC", text.decode("utf-8", "surrogateescape")).encode(
        "utf-8", "surrogateescape"
    )


def _tokens(block: bytes) -> list[bytes]:
    """The tokens of a CoNLL-U block; none if no row can be read.

    A row that cannot be read, among others that can, is a token like no other.
    """
    found: list[bytes] = []
    covered = odd = 0
    for line in conllu.with_lf(block).split(b"\n"):
        name, tab, cells = line.partition(b"\t")
        if name[:1] == b"#" or not (tab or name.strip()):
            continue
        form = cells.partition(b"\t")[0]
        if name.isdigit() and tab:
            if covered and int(name[:9]) <= covered:
                continue
            covered = 0
        elif b"-" in name and tab:
            last = name.partition(b"-")[2]
            covered = int(last) if last.isdigit() and len(last) < 10 else 0
        elif b"." in name and tab:
            continue
        else:
            form = line
            odd += 1
        found.append(form)
    return found if odd < len(found) else []


def _docstart(block: bytes) -> bytes:
    return b"".join(line for line in iob2.lines(block) if is_docstart(line))
