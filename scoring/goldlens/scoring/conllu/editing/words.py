"""Words put in, taken out, split, merged and moved, with all that hangs on their IDs.

What refers to words (HEAD, DEPS, ranges, empty nodes) follows them; `# text` and SpaceAfter stay
true where they were true. Putting a word in and taking it out again gives the same bytes, and so
do splitting and merging. Everything here wants a sentence whose IDs are in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from goldlens.scoring.conllu.editing.numbers import Names, mentioned, renumbered
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
from goldlens.scoring.conllu.rows import DEPREL, DEPS, FORM, HEAD, ID, MISC, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence

_ORDER: Final = (Kind.RANGE, Kind.WORD, Kind.EMPTY_NODE)
_ANY: Final = "dep"
_EMPTY: Final = "_"


class Impossible(ValueError):
    """A change that would leave a sentence broken. `str` says why, and what to do."""


@dataclass(slots=True)
class _Draft:
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

    def rename(
        self,
        names: Names,
        ranges: Callable[[Row], tuple[int, int] | None],
        gone: frozenset[int] = frozenset(),
    ) -> None:
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

    def take_out(self, row: Row) -> None:
        """A row goes."""
        self.gone.add(row.line)

    def put_in(self, line: int, cells: Sequence[str]) -> None:
        """A row comes, before a line."""
        text = "\t".join(cells).encode("utf-8", "surrogateescape")
        self.more.append(new_line(self.sentence.block, line, text))

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


def _orderly(sentence: Sentence) -> None:
    """Raises Impossible if IDs are not in order, or a row cannot be read."""
    if not sentence.words:
        raise Impossible("there is no word here")
    if any(row.kind is Kind.UNREADABLE for row in sentence.rows):
        raise Impossible("a row of this sentence cannot be read; repair it first")
    places = [(row.first, _ORDER.index(row.kind), row.second) for row in sentence.rows]
    if renumbered(sentence) != () or places != sorted(places):
        raise Impossible("the IDs of this sentence are not in order; renumber it first")


def inserted(sentence: Sentence, line: int, form: str = _EMPTY) -> Replacements:
    """A new word behind the word of a line; in a comment, before the first word.

    It hangs from the word before it, as dep. Raises Impossible.
    """
    _orderly(sentence)
    _written((form,))
    before = _word_at(sentence, line)
    draft = _Draft(sentence)
    words = {k: k + 1 for k in mentioned(sentence)[0] if k > before}
    draft.rename(Names(words, _shifted(sentence, before + 1, 1)), _stretched(before, 1))
    above = [row for row in sentence.rows if row.first <= before]
    behind = above[-1].line + 1 if above else sentence.rows[0].line
    head = before or 2
    misc = _EMPTY
    token = sentence.token_of(before)
    if token is None or token.second == before:
        misc = _text_in(draft, before, form)
    own = f"{head}:{_ANY}" if _enhanced(sentence) else _EMPTY
    draft.put_in(behind, (str(before + 1), form, *[_EMPTY] * 4, str(head), _ANY, own, misc))
    return draft.replacements()


def deleted(sentence: Sentence, line: int) -> Replacements:
    """A word taken out: what hangs from it hangs from its head.

    If it is the root, the first word that hangs from it becomes the root. Raises Impossible.
    """
    _orderly(sentence)
    row = sentence.row_at(line)
    if row is None or row.kind is not Kind.WORD:
        raise Impossible("there is no word in this line; put the cursor into the row of a word")
    if len(sentence.words) == 1:
        raise Impossible("this is the only word of the sentence; take the sentence out instead")
    number, head = row.first, sentence.head(row)
    heirs = sentence.dependents(number)
    draft = _Draft(sentence)
    if head is None or (head and head in {each.first for each in sentence.subtree(number)}):
        raise Impossible("the heads of this sentence are no tree here; repair them first")
    heir = head
    if not head:
        if not heirs:
            raise Impossible("this is the root and nothing hangs from it; make another the root")
        heir = heirs[0].first
        draft.put(heirs[0], HEAD, "0")
        draft.put(heirs[0], DEPREL, row.cell(DEPREL))
        edges = heirs[0].cell(DEPS).split("|")
        renewed = [
            f"0:{row.cell(DEPREL)}" if each.startswith(f"{number}:") else each for each in edges
        ]
        draft.put(heirs[0], DEPS, "|".join(dict.fromkeys(renewed)))
    down = {k: k - 1 for k in mentioned(sentence)[0] if k > number}
    names = Names({**down, number: down.get(heir, heir)}, _joined_nodes(sentence, number))
    alone = (token := sentence.token_of(number)) is None or token.first == token.second
    if alone:
        _text_out(draft, row if token is None else token)
    draft.take_out(row)
    draft.rename(names, _shrunk(number), frozenset((number,)))
    return draft.replacements()


def split(sentence: Sentence, line: int, forms: Sequence[str]) -> Replacements:
    """A word made several, which are a multiword token of its form.

    The first has all that the word had; the others hang from it, as dep. Raises Impossible.
    """
    _orderly(sentence)
    row = sentence.row_at(line)
    if row is None or row.kind is not Kind.WORD:
        raise Impossible("there is no word in this line; put the cursor into the row of a word")
    if len(forms) < 2:
        raise Impossible("a word is split into two forms or more")
    _written(forms)
    number, more = row.first, len(forms) - 1
    draft = _Draft(sentence)
    words = {k: k + more for k in mentioned(sentence)[0] if k > number}
    token = sentence.token_of(number)
    draft.put(row, FORM, forms[0])
    draft.rename(Names(words, _shifted(sentence, number, more)), _stretched(number, more, True))
    if token is None:
        cells = (f"{number}-{number + more}", row.cell(FORM), *[_EMPTY] * 7, row.cell(MISC))
        draft.put_in(row.line, cells)
        draft.put(row, MISC, _EMPTY)
    own = f"{number}:{_ANY}" if _enhanced(sentence) else _EMPTY
    for k, form in enumerate(forms[1:], number + 1):
        cells = (str(k), form, *[_EMPTY] * 4, str(number), _ANY, own, _EMPTY)
        draft.put_in(row.line + 1, cells)
    return draft.replacements()


def merged(sentence: Sentence, line: int) -> Replacements:
    """The words of a multiword token made one, with the token's form.

    Of its words the one stays whose head is outside. Raises Impossible.
    """
    _orderly(sentence)
    row = sentence.row_at(line)
    if row is None or row.kind is not Kind.RANGE:
        raise Impossible("there is no multiword token in this line; put the cursor into its row")
    first, last = row.first, row.second
    inner = range(first, last + 1)
    if any(each.kind is Kind.EMPTY_NODE and each.first in inner[:-1] for each in sentence.rows):
        raise Impossible("an empty node stands between the words of this token; move it first")
    # Where they are a ring, any of them will do: it stays one.
    stays = next((k for k in inner if sentence.head(sentence.words[k]) not in inner), first)
    kept = sentence.words[stays]
    draft = _Draft(sentence)
    named = mentioned(sentence)[0]
    words = {k: first if k in inner else k - len(inner) + 1 for k in named if k >= first}
    for k in inner:
        if k != stays:
            draft.take_out(sentence.words[k])
    draft.take_out(row)
    draft.put(kept, FORM, row.cell(FORM))
    draft.put(kept, MISC, row.cell(MISC))
    nodes = _shifted(sentence, last, 1 - len(inner))
    shrink = len(inner) - 1
    draft.rename(
        Names(words, nodes),
        lambda each: (
            (each.first - shrink, each.second - shrink)
            if each.first > last
            else (each.first, each.second)
        ),
        frozenset(k for k in inner if k != stays),
    )
    return draft.replacements()


def renamed(sentence: Sentence, line: int, new: int) -> Replacements:
    """A word given another ID.

    If no word has it, the word's own changes, and all that refers to it. In a sentence in order
    all IDs are taken: there the word moves to that place, and those in between move up. Raises
    Impossible.
    """
    row = sentence.row_at(line)
    if row is None or row.kind is not Kind.WORD:
        raise Impossible("only the ID of a word can be renamed")
    if new == row.first:
        return ()
    if renumbered(sentence) == ():
        if not 1 <= new <= len(sentence.words):
            raise Impossible(f"the words of this sentence have the IDs 1 to {len(sentence.words)}")
        return _moved(sentence, row, new)
    if new in sentence.words:
        name = sentence.name(sentence.words[new])
        raise Impossible(f"{name} has this ID already; renumber the sentence, or take another")
    if new < 1 or sentence.words.get(row.first) is not row:
        raise Impossible("another word has the same ID, or this is none; renumber the sentence")
    draft = _Draft(sentence)
    nodes = {
        (each.first, each.second): (new, each.second)
        for each in sentence.rows
        if each.kind is Kind.EMPTY_NODE and each.first == row.first
    }
    ends = {row.first: new}
    draft.rename(
        Names(ends, nodes),
        lambda each: (ends.get(each.first, each.first), ends.get(each.second, each.second)),
    )
    return draft.replacements()


def _moved(sentence: Sentence, row: Row, new: int) -> Replacements:
    old = row.first
    low, high = min(old, new), max(old, new)
    for each in sentence.rows:
        if each.kind is Kind.RANGE and each.first <= high and low <= each.second:
            raise Impossible("a multiword token stands between the two places")
        if each.kind is Kind.EMPTY_NODE and low <= each.first <= high:
            raise Impossible("an empty node stands between the two places")
    step = -1 if new > old else 1
    words = {k: k + step for k in range(low, high + 1) if k != old} | {old: new}
    draft = _Draft(sentence)
    draft.rename(Names(words), lambda each: (each.first, each.second))
    cells = [draft.text(row, column) for column in range(len(row.cells))]
    target = sentence.words[new].line
    draft.take_out(row)
    draft.put_in(target + (new > old), cells)
    place = text_place(sentence)
    if place is not None and stretches(sentence) is not None:
        order = sorted(tokens(sentence), key=lambda each: words.get(each.first, each.first))
        pieces = [each.cell(FORM) + (" " if spaced(each) else "") for each in order]
        text = "".join(pieces).strip()
        if text != formed(sentence):
            draft.more.append(at(sentence.block, place, text.encode("utf-8", "surrogateescape")))
    return draft.replacements()


def _word_at(sentence: Sentence, line: int) -> int:
    """The last word of the row of a line; 0 in what stands before the first row."""
    row = sentence.row_at(line)
    if row is None:
        return 0 if line < sentence.rows[0].line else len(sentence.words)
    return row.second if row.kind is Kind.RANGE else row.first


def _enhanced(sentence: Sentence) -> bool:
    return any(row.cell(DEPS) != _EMPTY for row in sentence.words.values())


def _shifted(sentence: Sentence, since: int, by: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Empty nodes behind word `since` and later ones, with their words moved on."""
    return {
        (word, node): (word + by, node) for word, node in mentioned(sentence)[1] if word >= since
    }


def _joined_nodes(sentence: Sentence, number: int) -> dict[tuple[int, int], tuple[int, int]]:
    """Empty nodes when a word goes: those behind it follow those behind the one before."""
    nodes = [row for row in sentence.rows if row.kind is Kind.EMPTY_NODE]
    before = sum(row.first == number - 1 for row in nodes)
    found = _shifted(sentence, number + 1, -1)
    for row in nodes:
        if row.first == number:
            found[row.first, row.second] = (number - 1, before + row.second)
    return found


def _stretched(behind: int, by: int, last: bool = False) -> Callable[[Row], tuple[int, int] | None]:
    """Ranges when words come behind one; `last`: they are part of the token that it ends."""

    def ranges(row: Row) -> tuple[int, int]:
        start, end = row.first, row.second
        if start > behind:
            return start + by, end + by
        grows = end > behind or (last and end == behind)
        return start, end + by if grows else end

    return ranges


def _shrunk(number: int) -> Callable[[Row], tuple[int, int] | None]:
    """Ranges when a word goes."""

    def ranges(row: Row) -> tuple[int, int] | None:
        start = row.first - (row.first > number)
        end = row.second - (row.second >= number)
        return (start, end) if start <= end else None

    return ranges


def _written(forms: Sequence[str]) -> None:
    """Raises Impossible for forms that are none."""
    for form in forms:
        if not form.strip() or form != form.strip() or set(form) & set("\t\r\n"):
            raise Impossible(
                f"{form!r} is no form; write it without tabs and white space around it"
            )


def _text_in(draft: _Draft, before: int, form: str) -> str:
    """The text comment gets a form behind the token of a word; the MISC that it then has."""
    sentence = draft.sentence
    all_tokens = tokens(sentence)
    k = next((k for k, row in enumerate(all_tokens) if _last(row) == before), None)
    follows = k is None or spaced(all_tokens[k])
    found, place = stretches(sentence), text_place(sentence)
    if found and place is not None:
        word = form.encode("utf-8", "surrogateescape")
        if k is None:
            start, new = place.start, word + b" "
        else:
            start, new = place.start + found[k][1], (b" " if follows else b"") + word
        point = type(place)(0, place.line, start, start)
        draft.more.append(at(sentence.block, point, new))
    return _EMPTY if follows else NO_SPACE


def _text_out(draft: _Draft, token: Row) -> None:
    """The text comment loses a token; the one before it has then the space that followed."""
    sentence = draft.sentence
    all_tokens = tokens(sentence)
    k = next(k for k, row in enumerate(all_tokens) if row is token)
    found, place = stretches(sentence), text_place(sentence)
    if found and place is not None and len(found) > 1:
        start, end = (found[k - 1][1], found[k][1]) if k else (found[0][0], found[1][0])
        gone = type(place)(0, place.line, place.start + start, place.start + end)
        draft.more.append(at(sentence.block, gone, b""))
    if k and spaced(all_tokens[k - 1]) != spaced(token):
        before = all_tokens[k - 1]
        parts = [part for part in before.cell(MISC).split("|") if part not in (NO_SPACE, _EMPTY)]
        if not spaced(token):
            parts.append(NO_SPACE)
        draft.put(before, MISC, "|".join(parts) or _EMPTY)


def _last(row: Row) -> int:
    return row.second if row.kind is Kind.RANGE else row.first
