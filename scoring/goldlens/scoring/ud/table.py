"""Sentences as columns: words, tokens and the character stream of a run of CoNLL-U text.

A `Table` reads a piece of text of any size, one sentence after an edit or a megabyte on opening,
with the same few dozen array operations. It takes well-formed sentences only; those that are not
it names in `faulty`, and its caller has them read with care (`conllu.reader`) and puts their
canonical form in place. So there is one way to compare, whatever the text looked like.

Spans are in *bytes* of the stream: where two streams are equal, byte offsets and code point
offsets order and match tokens alike.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Final

import numpy as np

from goldlens.scoring.conllu.marks import EXTRA_ROOT
from goldlens.scoring.ud.cells import (
    Bools,
    Buffer,
    Ints,
    decimal,
    every,
    followed,
    increments,
    preceded,
    some,
    spread,
)
from goldlens.scoring.ud.grid import Grid

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)

ROOT: Final = -1
"""The head of a root, in `Table.head_of`."""
WRONG: Final = -2
"""The head of a word whose HEAD cannot be right, in `Table.head_of`."""

SPACE: Final = re.compile(
    b"[ ]|\xc2\xa0|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80"
)
"""A character of Unicode category Zs, in UTF-8."""

_NOTHING: Final = np.empty(0, np.int64)

_RANGE: Final = re.compile(rb"(\d{1,8})-(\d{1,8})")
_DOTTED: Final = re.compile(rb"(\d{1,8})\.([1-9]\d{0,7})")


class Table:
    """The words and tokens of consecutive sentences.

    Sizes: n words, t tokens (a multiword token counts once, with its own form), s sentences.

    word_cells     n x 11; cell k of a word is [cells[k], cells[k + 1] - 1)
    word_token     n; the token a word belongs to
    word_sentence  n
    head_of        n; the index of the head word, `ROOT` or `WRONG`
    token_cells    t x 11
    token_start, token_end   t; spans in bytes of `stream`
    token_word     t + 1; the first word of a token, at last n
    multiword      t
    sentence_word, sentence_token   s + 1; the first word and token of a sentence
    several_roots  the sentences that have roots too many, one entry a root too many
    stream         the token forms joined, white space removed
    block          s; which blank-line-ended block of the text a sentence is
    block_end      the offset behind each block's blank line
    block_lines    how many lines each block has
    empty_nodes    the sentences that have empty nodes, one entry a node
    faulty         the blocks that are not well-formed, in order
    text           the bytes that were read
    """

    __slots__ = (
        "block",
        "block_end",
        "block_lines",
        "buffer",
        "empty_nodes",
        "faulty",
        "head_of",
        "multiword",
        "sentence_token",
        "sentence_word",
        "several_roots",
        "stream",
        "text",
        "token_cells",
        "token_end",
        "token_start",
        "token_word",
        "word_cells",
        "word_sentence",
        "word_token",
    )

    def __init__(self, text: bytes, *, canonical: bool = False) -> None:
        """Reads `text`: UTF-8, LF line ends, each sentence closed by an empty line.

        `canonical` says that `text` is canonical already (see `conllu.reading.Reading`): then
        heads may be marks, and nothing is checked that canonical form promises.
        """
        self.text = text
        self.buffer = buffer = Buffer(text)
        grid = Grid(text, buffer, canonical=canonical)
        self.block_end, self.block_lines = grid.block_end, grid.block_lines
        cells, row_block, faults = grid.cells, grid.row_block, grid.faults
        rows = len(row_block)

        fresh = np.ones(rows, bool)
        fresh[1:] = row_block[1:] != row_block[:-1]
        row_sentence = fresh.cumsum() - 1
        first_row = fresh.nonzero()[0]
        self.block = row_block[first_row]
        if not canonical and len(self.block) < len(self.block_end):
            # Every block has rows.
            rowless = np.ones(len(self.block_end), bool)
            rowless[self.block] = False
            faults.append(rowless.nonzero()[0])

        value, is_word = decimal(buffer, cells[:, 0], cells[:, 1] - 1 - cells[:, 0])
        ranges, odd, dotted = self._other_rows(cells, is_word)
        self.empty_nodes: Ints = row_sentence[dotted]
        if len(odd):
            faults.append(row_block[odd])

        # Where every row is a word, rows are words are tokens, and nothing need be picked out.
        plain = every(is_word)
        word_row = np.arange(rows) if plain else is_word.nonzero()[0]
        words_before = word_row if plain else is_word.cumsum() - is_word
        n = len(word_row)
        sentence_word = followed(words_before[first_row], n)
        word_sentence = row_sentence if plain else row_sentence[word_row]
        ordinal = np.arange(1, n + 1) - sentence_word[word_sentence]
        size = increments(sentence_word)
        bad = (value if plain else value[word_row]) != ordinal
        if some(bad):
            faults.append(row_block[word_row[bad]])
        if some(size == 0):
            faults.append(self.block[size == 0])
        self.word_cells = cells if plain else cells[word_row]
        self.word_sentence = word_sentence
        self.sentence_word = sentence_word

        faults += self._heads(size, canonical)
        if plain:
            self.word_token = word_row
            self.token_word = followed(word_row, n)
            self.multiword = ~is_word
            self.token_cells = cells
            self.sentence_token = sentence_word
            self._close(faults, row_block)
            return

        is_token = is_word
        if len(ranges):
            is_token, wrong = self._tokens(
                is_word, word_row, words_before, row_sentence, ranges, dotted, canonical
            )
            if len(wrong):
                faults.append(row_block[wrong])
        token_row = is_token.nonzero()[0]
        tokens_before = is_token.cumsum()
        self.word_token = tokens_before[word_row] - 1
        self.token_word = followed(words_before[token_row], n)
        self.multiword = ~is_word[token_row]
        self.token_cells = cells[token_row]
        self.sentence_token = followed((tokens_before - is_token)[first_row], len(token_row))
        self._close(faults, row_block[token_row])

    def _tokens(
        self,
        is_word: Bools,
        word_row: Ints,
        words_before: Ints,
        row_sentence: Ints,
        ranges: Ints,
        dotted: Ints,
        canonical: bool,
    ) -> tuple[Bools, Ints]:
        """Which rows are tokens (ranges, and words in none), and the rows of what is wrong there.

        A wrong range covers no words and is no token.
        """
        row = ranges[:, 0]
        begin = words_before[row]
        end = begin + ranges[:, 2] - ranges[:, 1] + 1
        sentence = row_sentence[row]
        # One that runs past its sentence must not cast a shadow on the next.
        limit = self.sentence_word[sentence + 1]
        wrong = (ranges[:, 1] != begin - self.sentence_word[sentence] + 1) | (end > limit)
        end = np.minimum(end, limit)
        wrong[1:] |= begin[1:] < np.maximum.accumulate(end)[:-1]
        if not canonical:
            wrong |= end <= begin
        faulty = row[wrong]
        if len(faulty):
            row, begin, end = row[~wrong], begin[~wrong], end[~wrong]
        inner = self._inner(dotted, row, words_before, end)
        if len(inner) and not canonical:
            faulty = np.concatenate([faulty, inner])
        cover = np.zeros(len(word_row) + 1, np.int64)
        np.add.at(cover, begin, 1)
        np.add.at(cover, end, -1)
        is_token = is_word.copy()
        is_token[word_row[cover.cumsum()[:-1] > 0]] = False
        is_token[row] = True
        return is_token, faulty

    @staticmethod
    def _inner(dotted: Ints, range_row: Ints, words_before: Ints, end: Ints) -> Ints:
        """The empty nodes inside multiword tokens, over which the official scorer trips."""
        if not len(dotted) or not len(range_row):
            return _NOTHING
        at = range_row.searchsorted(dotted) - 1
        inside = (at >= 0) & (words_before[dotted] < end[np.maximum(at, 0)])
        found: Ints = dotted[inside]
        return found

    def _close(self, faults: list[Ints], token_block: Ints) -> None:
        """Sets the stream and what is `faulty`; `token_block` has the block of each token."""
        hollow = self._stream()
        if hollow is not None:
            faults.append(token_block[hollow])
        self.faulty: Ints = np.unique(np.concatenate(faults)) if faults else _NOTHING

    def _other_rows(self, cells: Ints, is_word: Bools) -> tuple[Ints, Ints, Ints]:
        """Ranges (row, first and last ID), rows with an ID of no known kind, empty nodes."""
        other = (~is_word).nonzero()[0]
        ranges: list[tuple[int, int, int]] = []
        odd: list[int] = []
        dotted: list[int] = []
        if len(other):
            for row, (start, end) in zip(other.tolist(), cells[other, :2].tolist(), strict=True):
                text = self.buffer.cell(start, end - 1)
                if match := _RANGE.fullmatch(text):
                    ranges.append((row, int(match[1]), int(match[2])))
                elif _DOTTED.fullmatch(text):
                    dotted.append(row)
                else:
                    odd.append(row)
        found = np.array(ranges, np.int64).reshape(-1, 3)
        return found, np.array(odd, np.int64), np.array(dotted, np.int64)

    def _heads(self, size: Ints, canonical: bool) -> list[Ints]:
        """Sets `head_of`; returns the blocks whose heads do not form a tree."""
        start, end = self.word_cells[:, HEAD], self.word_cells[:, HEAD + 1] - 1
        value, numeric = decimal(self.buffer, start, end - start)
        sentence = self.word_sentence
        self.several_roots = _NOTHING
        head = np.where(value > 0, self.sentence_word[sentence] + value - 1, ROOT)
        if canonical:
            if not every(numeric):
                head[~numeric] = WRONG
                extra = ~numeric & (end - start == len(EXTRA_ROOT))
                self.several_roots = sentence[extra]
            self.head_of = head
            return []
        wrong = ~numeric | (value > size[sentence])
        roots = np.bincount(sentence[(value == 0) & numeric], minlength=len(size))
        bad = roots != 1
        bad[sentence[wrong]] = True
        head[wrong] = WRONG
        self.head_of = head
        # Follow all heads at once, doubling the distance: what has not met the root by then
        # stands in a ring or hangs below one.
        above = followed(np.where(head < 0, len(head), head), len(head))
        distance, longest = 1, int(size.max()) if len(size) else 0
        open_ = above[:-1] != len(head)
        while some(open_) and distance <= longest:
            above = above[above]
            open_ = above[:-1] != len(head)
            distance *= 2
        bad[sentence[open_]] = True
        return [self.block[bad]] if some(bad) else []

    def _stream(self) -> Bools | None:
        """Sets `stream` and the token spans; returns which tokens hold no character, if any."""
        start = self.token_cells[:, FORM]
        length = self.token_cells[:, FORM + 1] - 1 - start
        stream = self.buffer.byte[spread(start, length)]
        end = length.cumsum()
        joined = stream.tobytes()
        if _has_space(joined):
            keep = np.ones(len(stream), bool)
            for match in SPACE.finditer(joined):
                keep[match.start() : match.end()] = False
            kept = preceded(0, keep.cumsum())
            end = kept[end]
            stream = stream[keep]
        self.stream = stream
        self.token_end = end
        self.token_start = np.empty_like(end)
        self.token_start[:1] = 0
        self.token_start[1:] = end[:-1]
        hollow: Bools = self.token_start == end
        return hollow if some(hollow) else None

    def head(self, sentences: int) -> Table:
        """The table of the first sentences alone, which shares its arrays with this one."""
        words = int(self.sentence_word[sentences])
        tokens = int(self.sentence_token[sentences])
        part = Table.__new__(Table)
        part.text, part.buffer = self.text, self.buffer
        part.block, part.block_end = self.block[:sentences], self.block_end
        part.block_lines = self.block_lines
        part.sentence_word = self.sentence_word[: sentences + 1]
        part.sentence_token = self.sentence_token[: sentences + 1]
        part.word_cells, part.head_of = self.word_cells[:words], self.head_of[:words]
        part.word_sentence, part.word_token = self.word_sentence[:words], self.word_token[:words]
        part.token_cells, part.multiword = self.token_cells[:tokens], self.multiword[:tokens]
        part.token_start, part.token_end = self.token_start[:tokens], self.token_end[:tokens]
        part.token_word = self.token_word[: tokens + 1]
        part.stream = self.stream[: int(self.token_end[tokens - 1]) if tokens else 0]
        part.empty_nodes = self.empty_nodes[self.empty_nodes < sentences]
        part.faulty = self.faulty[:0]
        part.several_roots = self.several_roots[self.several_roots < sentences]
        return part

    @property
    def sentence_end(self) -> Ints:
        """s; where each sentence ends in the stream."""
        ends: Ints = self.token_end[self.sentence_token[1:] - 1]
        return ends


_SMALL: Final = 1 << 15
_KEPT: Final = 256
_kept: OrderedDict[tuple[bytes, bool], Table] = OrderedDict()


def table_of(text: bytes, *, canonical: bool) -> Table:
    """The table of a text, kept for a while if the text is small: an edit asks for it again.

    A text in which the strict eye found nothing faulty is canonical, too, and has one table.
    """
    table = _kept.get((text, False)) or (_kept.get((text, True)) if canonical else None)
    if table is None:
        table = Table(text, canonical=canonical)
        if len(text) <= _SMALL and not len(table.faulty):
            _kept[text, canonical] = table
            if len(_kept) > _KEPT:
                _kept.popitem(last=False)
    return table


def _has_space(joined: bytes) -> bool:
    return b" " in joined or (not joined.isascii() and SPACE.search(joined) is not None)
