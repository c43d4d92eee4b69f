"""A sentence that is being changed: cells and lines, names, and the text that its tokens give.

A draft takes changes one by one and gives, in the end, what is to be replaced in the block. It
holds `# text` and SpaceAfter true where they were true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from goldlens.scoring.conllu.editing.numbers import Names, Ranges
from goldlens.scoring.conllu.editing.replacing import (
    Replacement,
    Replacements,
    at,
    cell,
    new_line,
    without_line,
)
from goldlens.scoring.conllu.editing.spelling import (
    NO_SPACE,
    formed,
    spaced,
    stretches,
    text_place,
    tokens,
)
from goldlens.scoring.conllu.rows import DEPS, FORM, HEAD, ID, MISC, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.problems import Place


@dataclass(slots=True)
class Draft:
    """A sentence that is being changed: cells by row and column, lines put in and taken out."""

    sentence: Sentence
    cells: dict[tuple[int, int], str] = field(default_factory=dict)
    more: list[Replacement] = field(default_factory=list)
    gone: set[int] = field(default_factory=set)

    def text(self, row: Row, column: int) -> str:
        """A cell as it is by now."""
        return self.cells.get((row.line, column), row.cell(column))

    def put(self, row: Row, column: int, text: str) -> None:
        """A cell gets another text."""
        self.cells[row.line, column] = text

    def take_out(self, row: Row) -> None:
        """A row goes."""
        self.gone.add(row.line)

    def put_in(self, line: int, cells: Sequence[str]) -> None:
        """A row comes, before a line."""
        self.more.append(new_line(self.sentence.block, line, _bytes("\t".join(cells))))

    def rename(self, names: Names, ranges: Ranges, gone: frozenset[int] = frozenset()) -> None:
        """IDs and all that refers to them get other names; a range without one goes.

        `gone` as in `Names.edges`.
        """
        for row in self.sentence.rows:
            if row.line in self.gone:
                continue
            if row.kind is Kind.RANGE:
                now = ranges(row)
                if now is None:
                    self.take_out(row)
                else:
                    self.put(row, ID, f"{now[0]}-{now[1]}")
                continue
            if row.kind is Kind.WORD:
                self.put(row, ID, str(names.words.get(row.first, row.first)))
                self.put(row, HEAD, names.head(self.text(row, HEAD)))
            else:
                node = names.nodes.get((row.first, row.second), (row.first, row.second))
                self.put(row, ID, f"{node[0]}.{node[1]}")
            self.put(row, DEPS, names.edges(self.text(row, DEPS), gone, self.text(row, ID)))

    def spell(self, before: int, form: str) -> str:
        """`# text` gets a form behind the token of a word; the MISC that the new word then has."""
        all_tokens = tokens(self.sentence)
        k = next((k for k, row in enumerate(all_tokens) if _last(row) == before), None)
        follows = k is None or spaced(all_tokens[k])
        found, place = stretches(self.sentence), text_place(self.sentence)
        if found and place is not None:
            word = _bytes(form)
            if k is None:
                start, new = place.start, word + b" "
            else:
                start, new = place.start + found[k][1], (b" " if follows else b"") + word
            self._write(Place(0, place.line, start, start), new)
        return "_" if follows else NO_SPACE

    def unspell(self, token: Row) -> None:
        """`# text` loses a token; the one before it has then the space that followed."""
        all_tokens = tokens(self.sentence)
        k = next(k for k, row in enumerate(all_tokens) if row is token)
        found, place = stretches(self.sentence), text_place(self.sentence)
        if found and place is not None and len(found) > 1:
            start, end = (found[k - 1][1], found[k][1]) if k else (found[0][0], found[1][0])
            self._write(Place(0, place.line, place.start + start, place.start + end), b"")
        if k and spaced(all_tokens[k - 1]) != spaced(token):
            before = all_tokens[k - 1]
            parts = [part for part in before.cell(MISC).split("|") if part not in (NO_SPACE, "_")]
            if not spaced(token):
                parts.append(NO_SPACE)
            self.put(before, MISC, "|".join(parts) or "_")

    def spell_in_order(self, words: Mapping[int, int]) -> None:
        """`# text` gets the order that the tokens have once words are where `words` puts them."""
        place = text_place(self.sentence)
        if place is None or stretches(self.sentence) is None:
            return
        order = sorted(tokens(self.sentence), key=lambda each: words.get(each.first, each.first))
        pieces = [each.cell(FORM) + (" " if spaced(each) else "") for each in order]
        text = "".join(pieces).strip()
        if text != formed(self.sentence):
            self._write(place, _bytes(text))

    def _write(self, place: Place, new: bytes) -> None:
        self.more.append(at(self.sentence.block, place, new))

    def replacements(self) -> Replacements:
        """All that changes."""
        block = self.sentence.block
        found = list(self.more)
        found += [without_line(block, line) for line in sorted(self.gone)]
        for row in self.sentence.rows:
            if row.line in self.gone:
                continue
            for column in range(len(row.cells)):
                now = self.cells.get((row.line, column))
                if now is not None and now != row.cell(column):
                    found.append(cell(block, row, column, now))
        return tuple(found)


def _last(row: Row) -> int:
    return row.second if row.kind is Kind.RANGE else row.first


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
