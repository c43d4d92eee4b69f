"""Two files scored in one pass, a piece of each at a time.

Pieces of about a megabyte are read of both sides, as columns; what lies before the last common
cut is compared and forgotten, the rest is carried over. So memory does not grow with the files.
It works while the character streams agree and every sentence can be read; where they do not it
raises `Diverged`, and the caller holds the files whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

import numpy as np

from goldlens.scoring.conllu.blocks import count_lines, is_closed, lines, split, with_lf
from goldlens.scoring.problems import Place, Problem, problem
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.table import Table
from goldlens.scoring.ud.unit import Unit, parse

PIECE: Final = 1 << 20
_BOM: Final = b"\xef\xbb\xbf"


class Readable(Protocol):
    """What is read from."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


class Diverged(Exception):
    """The streams differ, or a sentence has no stream that could be compared."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """A problem for which somebody would refuse a file; line and column (code points) from 1."""

    side: Literal["gold", "pred"]
    sent_id: bytes | None
    line: int
    column: int
    problem: Problem


@dataclass(slots=True)
class Streamed:
    """What a pass found: the counts, the flaws, and how many predicted words have no HEAD."""

    total: np.ndarray = field(default_factory=lambda: np.zeros(metrics.WIDTH, np.int64))
    flaws: list[Flaw] = field(default_factory=list)
    words: int = 0
    unheaded: int = 0


def stream(gold: Readable, pred: Readable) -> Streamed:
    """Scores `pred` against `gold`. Raises Diverged, and GroupTooLarge (see `alignment`)."""
    found = Streamed()
    ours, theirs = _Side("pred", pred), _Side("gold", gold)
    while True:
        there, here = theirs.table(), ours.table()
        if there is None or here is None:
            if (there is None) is (here is None):
                break
            raise Diverged
        done = theirs.ended and ours.ended
        g, p = (len(there.block), len(here.block)) if done else _last_cut(there, here)
        if done and there.stream.tobytes() != here.stream.tobytes():
            raise Diverged
        if g:
            _compare(found, there.head(g), here.head(p))
            theirs.forget(g)
            ours.forget(p)
        if done:
            break
        # No common cut in these pieces: look at more of both.
        theirs.read_on(more=not g)
        ours.read_on(more=not g)
    found.flaws = theirs.flaws + ours.flaws
    found.words, found.unheaded = ours.words, ours.unheaded
    return found


def _compare(found: Streamed, there: Table, here: Table) -> None:
    found.total += Comparison(there, here).totals()


def _last_cut(there: Table, here: Table) -> tuple[int, int]:
    """How many sentences of each side lie before the last common cut. Raises Diverged."""
    size = min(len(there.stream), len(here.stream))
    if there.stream[:size].tobytes() != here.stream[:size].tobytes():
        raise Diverged
    ends_g, ends_p = there.sentence_end[:-1], here.sentence_end[:-1]
    common, g, p = np.intersect1d(ends_g, ends_p, assume_unique=True, return_indices=True)
    for k in range(len(common) - 1, -1, -1):
        if _is_cut(there, here, int(g[k]) + 1, int(p[k]) + 1):
            return int(g[k]) + 1, int(p[k]) + 1
    return 0, 0


def _is_cut(there: Table, here: Table, g: int, p: int) -> bool:
    """Whether nothing reaches over the border before sentences g and p (see `segments.is_cut`)."""
    tails, multi = [], False
    for table, sentence in ((there, g), (here, p)):
        word = int(table.sentence_word[sentence])
        multi |= bool(table.multiword[table.word_token[word]])
        token = int(table.word_token[word - 1])
        tails.append((int(table.token_start[token]), int(table.token_end[token])))
    return not multi or tails[0] == tails[1]


class _Side:
    """One file, read piece by piece as tables of well-formed sentences."""

    def __init__(self, side: Literal["gold", "pred"], file: Readable) -> None:
        self.side: Literal["gold", "pred"] = side
        self._file = file
        self._raw = b""
        self._table: Table | None = None
        self._line = 0
        self._first = True
        self._open = False
        self.ended = False
        self.flaws: list[Flaw] = []
        self.words = self.unheaded = 0
        self._carried = b""
        self.read_on(more=False)

    def table(self) -> Table | None:
        """What has been read and not forgotten; None at the end of the file."""
        return self._table

    def forget(self, sentences: int) -> None:
        """The first sentences of the table are done with."""
        assert self._table is not None
        end = int(self._table.block_end[self._table.block[sentences - 1]])
        self._carried = self._table.text[end:]

    def read_on(self, *, more: bool) -> None:
        """Reads another piece behind what is carried over; keeps all of the table if `more`."""
        if more and self._table is not None:
            self._carried = self._table.text
        while not self.ended:
            fresh = self._whole_blocks()
            if fresh:
                self._carried += self._well_formed(fresh)
            if len(self._carried) >= PIECE // 2 or fresh:
                break
        if not self._carried:
            self._table = None
            return
        self._table = Table(self._carried, canonical=True)

    def _whole_blocks(self) -> bytes:
        """A piece of the file that ends with a blank line, or all that is left of it."""
        while True:
            data = self._file.read(PIECE)
            if not data:
                self.ended = True
                rest, self._raw = self._raw, b""
                return rest
            if self._first:
                data = self._strip_bom(data)
            self._raw += data
            end = max(
                self._raw.rfind(b"\n\n"), self._raw.rfind(b"\n\r\n"), self._raw.rfind(b"\r\r")
            )
            # A CR at the very end may be half a line end.
            if end >= 0 and len(self._raw) - end > 4:
                stop = end + (3 if self._raw[end : end + 3] == b"\n\r\n" else 2)
                piece, self._raw = self._raw[:stop], self._raw[stop:]
                return piece

    def _strip_bom(self, data: bytes) -> bytes:
        self._first = False
        if not data.startswith(_BOM):
            return data
        message = "The file begins with a byte order mark; remove it"
        found = problem("bom", Place(0, 0, 0, 0), message, script=True)
        self.flaws.append(Flaw(self.side, None, 1, 1, found))
        return data[3:]

    def _well_formed(self, raw: bytes) -> bytes:
        """The piece as text that a table takes, with the flaws noted. Raises Diverged."""
        text = with_lf(raw)
        if text.endswith(b"\n\n") and not text.startswith(b"\n") and b"\n\n\n" not in text:
            table = Table(text)
            if not len(table.faulty):
                self.words += len(table.word_sentence)
                self._line += text.count(b"\n")
                return text
        return self._read_with_care(raw)

    def _read_with_care(self, raw: bytes) -> bytes:
        units: list[Unit] = parse(split(raw), checks=False, at_end=self.ended)
        for unit in units:
            if unit.problems:
                self._note(unit)
            self._line += count_lines(unit.text)
            if not unit.readable:
                raise Diverged
            self.words += unit.words
            self.unheaded += unit.unheaded
        return b"".join([_closed(unit) for unit in units])

    def _note(self, unit: Unit) -> None:
        text = lines(unit.text)
        for found in unit.problems:
            if found.refuses or found.script:
                line = text[found.place.line] if found.place.line < len(text) else b""
                column = len(line[: found.place.start].decode("utf-8", "replace")) + 1
                at = self._line + found.place.line + 1
                self.flaws.append(Flaw(self.side, unit.sent_id, at, column, found))


def _closed(unit: Unit) -> bytes:
    """The unit's canonical text, without comments where these could not be followed by a row."""
    text = unit.canonical
    return text if not text or is_closed(text) else text + b"\n"
