"""Which well-formed sentences may have problems that a score does not feel.

A screen looks at all cells of a table at once and names the sentences that the careful reader has
to see. It may suspect the innocent, but passes nobody over who has a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import numpy as np

from goldlens.scoring.conllu.cells import (
    Finding,
    judge_deps,
    judge_feats,
    judge_misc,
    judge_upos,
)
from goldlens.scoring.ud.cells import Bools, Ints, increments, some, spread
from goldlens.scoring.ud.relations import relation_number, relations, universal
from goldlens.scoring.ud.table import (
    DEPREL,
    DEPS,
    FEATS,
    FORM,
    LEMMA,
    MISC,
    ROOT,
    UPOS,
    Table,
)

_BLANK: Final = 95
_KEPT: Final = 1 << 16
_WHITE: Final = np.array(
    sorted(
        int.from_bytes(char.encode(), "little")
        for code in [*range(0x80), 0x85, 0xA0, 0x1680, *range(0x2000, 0x2030), 0x205F, 0x3000]
        if (char := chr(code)).isspace()
    ),
    np.uint64,
)
"""White-space characters in UTF-8, read as little-endian numbers."""

_EDGE: Final = np.zeros(256, bool)
"""Bytes with which a white-space character begins or ends in UTF-8."""
for _code in _WHITE.tolist():
    _bytes = _code.to_bytes(3, "little").rstrip(b"\0")
    _EDGE[_bytes[0]] = _EDGE[_bytes[-1]] = True


class _Verdicts:
    """Whether cells are well, remembered by their bytes, for a bounded number of cells."""

    def __init__(self, judge: Callable[[str], tuple[Finding, ...]]) -> None:
        self._judge = judge
        self._known: dict[bytes, bool] = {b"_": True}

    def wrong(self, table: Table, cells: Ints, column: int) -> list[int]:
        """The rows of `cells` whose cell in `column` is not well."""
        start, end = cells[:, column], cells[:, column + 1] - 1
        at = ((end - start > 1) | (table.buffer.byte[start] != _BLANK)).nonzero()[0]
        text, known = table.text, self._known
        wrong = []
        for row, a, b in zip(at.tolist(), start[at].tolist(), end[at].tolist(), strict=True):
            cell = text[a:b]
            fine = known.get(cell)
            if fine is None:
                fine = self._learn(cell)
            if not fine:
                wrong.append(row)
        return wrong

    def _learn(self, cell: bytes) -> bool:
        fine = not self._judge(cell.decode("utf-8", "replace"))
        if len(self._known) >= _KEPT:
            self._known.clear()
        self._known[cell] = fine
        return fine


_upos, _feats, _deps, _misc = map(_Verdicts, (judge_upos, judge_feats, judge_deps, judge_misc))


class Screen:
    """A look at all cells of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._token_sentence = np.arange(len(table.block)).repeat(increments(table.sentence_token))

    def suspects(self, extra: Collection[str] = ()) -> list[int]:
        """The blocks that may have problems; all of them where `extra` asks for more codes."""
        table = self.table
        if extra:
            return [int(block) for block in table.block]
        suspect = np.zeros(len(table.block), bool)
        words, of = table.word_cells, table.word_sentence
        suspect[table.empty_nodes] = True
        suspect[of[self._empty_or_white(words)]] = True
        suspect[self._token_sentence[self._empty_or_white(table.token_cells)]] = True
        for verdicts, column in ((_upos, UPOS), (_feats, FEATS), (_deps, DEPS), (_misc, MISC)):
            suspect[of[verdicts.wrong(table, words, column)]] = True
        multi = table.multiword.nonzero()[0]
        wrong = _misc.wrong(table, table.token_cells[multi], MISC)
        suspect[self._token_sentence[multi[wrong]]] = True
        suspect[of[self._relations()]] = True
        suspect |= self._texts_differ()
        return [int(block) for block in table.block[suspect]]

    def _empty_or_white(self, cells: Ints) -> Bools:
        found: Bools = (cells[:, 1:] - cells[:, :-1] == 1).any(axis=1)
        buffer = self.table.buffer
        for column in (FORM, LEMMA):
            start, end = cells[:, column], cells[:, column + 1] - 1
            # ASCII white space, or the lead byte or last byte of a longer white character.
            odd = _EDGE[buffer.byte[start]] | _EDGE[buffer.byte[np.maximum(end - 1, 0)]]
            if some(odd):
                at = odd.nonzero()[0]
                found[at] |= self._white_edges(start[at], end[at])
        return found

    def _white_edges(self, start: Ints, end: Ints) -> Bools:
        first = self.table.buffer.eight[start]
        last = self.table.buffer.eight[np.maximum(end - 3, 0)]
        found = np.zeros(len(start), bool)
        for size in (1, 2, 3):
            mask = np.uint64((1 << 8 * size) - 1)
            shift = np.uint64(8 * (3 - size))
            found |= _is_white(first & mask) | _is_white((last >> shift) & mask)
        return found

    def _relations(self) -> Bools:
        table = self.table
        start = table.word_cells[:, DEPREL]
        length = table.word_cells[:, DEPREL + 1] - 1 - start
        numbers, _ = relations(table.buffer, start, length)
        is_root = numbers == relation_number(b"root")
        blank = numbers == relation_number(b"_")
        odd: Bools = (~universal(numbers) | ((table.head_of == ROOT) != is_root)) & ~blank
        return odd

    def _texts_differ(self) -> Bools:
        """Sentences whose text comment is not, to the letter, what their tokens spell."""
        table = self.table
        start = table.token_cells[:, FORM]
        length = table.token_cells[:, FORM + 1] - 1 - start
        size = length + self._spaced()
        end = size.cumsum()
        spelt = np.full(int(end[-1]) if len(end) else 0, 32, np.uint8)
        spelt[spread(end - size, length)] = table.buffer.byte[spread(start, length)]
        written = spelt.tobytes()
        ends = end[table.sentence_token[1:] - 1].tolist()
        text, begin, at = table.text, 0, 0
        wrong = np.zeros(len(ends), bool)
        block_start = [0, *table.block_end.tolist()]
        rows = table.token_cells[table.sentence_token[:-1], 0].tolist()
        for s, (block, stop) in enumerate(zip(table.block.tolist(), ends, strict=True)):
            begin = block_start[block]
            head = text[begin : rows[s]]
            if b"text" in head:
                wrong[s] = not _says(head, written[at:stop].rstrip(b" "))
            at = stop
        return wrong

    def _spaced(self) -> Ints:
        """For each token 1 if a space follows it, else 0."""
        table = self.table
        start = table.token_cells[:, MISC]
        end = table.token_cells[:, MISC + 1] - 1
        spaced = np.ones(len(start), np.int64)
        long = (end - start >= 13).nonzero()[0]
        text = table.text
        for row, a, b in zip(long.tolist(), start[long].tolist(), end[long].tolist(), strict=True):
            misc = text[a:b]
            if misc == b"SpaceAfter=No" or b"SpaceAfter=No" in misc.split(b"|"):
                spaced[row] = 0
        return spaced


def _says(comments: bytes, text: bytes) -> bool:
    at = comments.find(b"# text = ")
    if at < 0 or (at and comments[at - 1] != 10):
        return False
    # The first text comment counts; one spelt otherwise before it is left to the reader.
    if b"text" in comments[:at]:
        return False
    return comments[at + 9 : comments.index(b"\n", at)] == text


def _is_white(number: np.ndarray) -> Bools:
    at = np.minimum(_WHITE.searchsorted(number), len(_WHITE) - 1)
    found: Bools = _WHITE[at] == number
    return found
