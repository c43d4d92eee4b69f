"""Two files scored in one pass, a piece of each at a time.

Pieces of about a megabyte are read of both sides, as columns; what lies before the last common
cut is compared and forgotten, the rest is carried over. So memory does not grow with the files.
It works while the character streams agree and every sentence can be read; where they do not it
raises `Diverged`, and the caller holds the files whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol

import numpy as np

from goldlens.scoring.text import BOM
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.cells import is_in
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import in_total
from goldlens.scoring.ud.table import Table

if TYPE_CHECKING:
    from goldlens.scoring.problems import Problem
    from goldlens.scoring.ud.unit import Unit

PIECE: Final = 3 << 17


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
    """What a pass found: the counts, the flaws, and how many words of either side have no HEAD."""

    total: np.ndarray = field(default_factory=lambda: np.zeros(metrics.WIDTH, np.int64))
    flaws: list[Flaw] = field(default_factory=list)
    words: int = 0
    unheaded: int = 0
    gold_words: int = 0
    gold_unheaded: int = 0


def _totals(gold: Table, pred: Table) -> np.ndarray:
    return in_total(Comparison(gold, pred))


def stream(
    gold: Readable, pred: Readable, totals: Callable[[Table, Table], np.ndarray] = _totals
) -> Streamed:
    """Scores `pred` against `gold`; `totals` counts two facing pieces.

    Raises Diverged, and GroupTooLarge (see `alignment`).
    """
    found = Streamed()
    theirs, ours = SideReader("gold", gold), SideReader("pred", pred)
    for there, here in pieces(theirs, ours):
        found.total += totals(there, here)
    found.flaws = theirs.flaws + ours.flaws
    found.words, found.unheaded = ours.words, ours.unheaded
    found.gold_words, found.gold_unheaded = theirs.words, theirs.unheaded
    return found


def pieces(theirs: SideReader, ours: SideReader) -> Iterator[tuple[Table, Table]]:
    """Facing pieces of gold and prediction, one after the other, to the end. Raises Diverged."""
    theirs.read_on()
    ours.read_on()
    while True:
        there, here = theirs.table, ours.table
        if there is None or here is None:
            if (there is None) is (here is None):
                return
            raise Diverged
        done = theirs.ended and ours.ended
        g, p = (len(there.block), len(here.block)) if done else _last_cut(there, here)
        if done and there.stream.tobytes() != here.stream.tobytes():
            raise Diverged
        if g:
            yield there.head(g), here.head(p)
            theirs.forget(g)
            ours.forget(p)
        if done:
            return
        # No common cut in these pieces: look at more of both.
        theirs.read_on(more=not g)
        ours.read_on(more=not g)


def _last_cut(there: Table, here: Table) -> tuple[int, int]:
    """How many sentences of each side lie before the last common cut. Raises Diverged."""
    size = min(len(there.stream), len(here.stream))
    if there.stream[:size].tobytes() != here.stream[:size].tobytes():
        raise Diverged
    ends_g, ends_p = there.sentence_end[:-1], here.sentence_end[:-1]
    g = is_in(ends_g, ends_p).nonzero()[0]
    p = ends_p.searchsorted(ends_g[g])
    for k in range(len(g) - 1, -1, -1):
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


class SideReader:
    """One file, read piece by piece as tables of well-formed sentences.

    `table` is what has been read and not forgotten, None at the end of the file.
    """

    def __init__(
        self, side: Literal["gold", "pred"], file: Readable, *, piece: int = PIECE
    ) -> None:
        self._piece = piece
        self.side: Literal["gold", "pred"] = side
        self.table: Table | None = None
        self.ended = False
        self.flaws: list[Flaw] = []
        self.words = self.unheaded = 0
        self._file = file
        self._raw = b""
        self._line = 0
        self._first = True
        self._carried = b""
        self._carried_words = 0

    def forget(self, sentences: int) -> None:
        """The first sentences of the table are done with."""
        assert self.table is not None
        end = int(self.table.block_end[self.table.block[sentences - 1]])
        self._carried = self.table.text[end:]
        words = self.table.sentence_word
        self._carried_words = int(words[-1] - words[sentences])

    def read_on(self, *, more: bool = False) -> None:
        """Reads another piece behind what is carried over; keeps all of the table if `more`."""
        if more and self.table is not None:
            self._carried = self.table.text
            self._carried_words = len(self.table.word_sentence)
        # Both sides keep about a piece in hand, so that the longer file does not lag behind.
        room = self._piece - len(self._carried) - len(self._raw)
        size = self._piece if more else max(room, self._piece // 8)
        while not self.ended:
            fresh = self._whole_blocks(size)
            if fresh and self._append(fresh):
                return
            if fresh:
                break
        self.table = Table(self._carried, canonical=True) if self._carried else None

    def rest(self) -> bytes:
        """What of the file has not been looked at yet; the reader is of no use afterwards."""
        chunks = [self._raw]
        while data := self._file.read(self._piece):
            chunks.append(data)
        return b"".join(chunks)

    def _whole_blocks(self, size: int) -> bytes:
        """A piece of the file of about `size` bytes that ends with a blank line, or its rest."""
        while True:
            data = self._file.read(size)
            if not data:
                self.ended = True
                rest, self._raw = self._raw, b""
                return rest
            if self._first:
                data = self._strip_bom(data)
            self._raw += data
            end = self._raw.rfind(b"\n\n")
            if b"\r" in self._raw:
                end = max(end, self._raw.rfind(b"\n\r\n"), self._raw.rfind(b"\r\r"))
            # A CR at the very end may be half a line end.
            if end >= 0 and len(self._raw) - end > 4:
                stop = end + (3 if self._raw[end : end + 3] == b"\n\r\n" else 2)
                piece, self._raw = self._raw[:stop], self._raw[stop:]
                return piece

    def _strip_bom(self, data: bytes) -> bytes:
        self._first = False
        if not data.startswith(BOM):
            return data
        from goldlens.scoring.ud.careful import bom

        self.flaws.append(bom(self.side))
        return data[3:]

    def _append(self, raw: bytes) -> bool:
        """Puts a piece behind what is carried over; whether that made the table, too."""
        text = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw
        if not (text.endswith(b"\n\n") and text[0] not in b"\n \t"):
            self._carried += self._read_with_care(raw)
            return False
        # What is carried over has been repaired, perhaps, and then is faulty to the strict eye.
        table = Table(self._carried + text)
        if len(table.faulty):
            self._carried += self._read_with_care(raw)
            return False
        self._take(table, len(self._carried), raw)
        self.words += len(table.word_sentence) - self._carried_words
        self._line += text.count(b"\n")
        self._carried, self.table = table.text, table
        return True

    def _take(self, table: Table, carried: int, raw: bytes) -> None:
        """Told of a table whose text behind the first `carried` bytes is new."""

    def _read_with_care(self, raw: bytes) -> bytes:
        """The piece in canonical form, with its flaws noted. Raises Diverged."""
        # Imported here: most files need no careful reading, and the command line starts quickly.
        from goldlens.scoring.ud.careful import read_piece

        piece = read_piece(self.side, raw, self._line, at_end=self.ended)
        self._take_units(piece.units)
        self.flaws += piece.flaws
        if piece.canonical is None:
            raise Diverged
        self._line += piece.lines
        self.words += piece.words
        self.unheaded += piece.unheaded
        return piece.canonical

    def _take_units(self, units: Sequence[Unit]) -> None:
        """Told of units that were read with care."""
