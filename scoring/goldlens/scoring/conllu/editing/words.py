"""Words put in, taken out, split, merged and moved, with all that hangs on their IDs.

What refers to words (HEAD, DEPS, ranges, empty nodes) follows them; `# text` and SpaceAfter stay
true where they were true. Putting a word in and taking it out again gives the same bytes, and so
do splitting and merging. Everything here wants a sentence whose IDs are in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from goldlens.scoring.conllu.editing.draft import Draft
from goldlens.scoring.conllu.editing.numbers import (
    Names,
    joined_nodes,
    mentioned,
    renumbered,
    shifted,
    shrunk,
    stretched,
)
from goldlens.scoring.conllu.editing.replacing import Replacements
from goldlens.scoring.conllu.rows import DEPREL, DEPS, FORM, HEAD, MISC, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence

_ORDER: Final = (Kind.RANGE, Kind.WORD, Kind.EMPTY_NODE)
_ANY: Final = "dep"
_EMPTY: Final = "_"


class Impossible(ValueError):
    """A change that would leave a sentence broken. `str` says why, and what to do."""


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
    draft = Draft(sentence)
    words = {k: k + 1 for k in mentioned(sentence)[0] if k > before}
    draft.rename(Names(words, shifted(sentence, before + 1, 1)), stretched(before, 1))
    above = [row for row in sentence.rows if row.first <= before]
    behind = above[-1].line + 1 if above else sentence.rows[0].line
    head = before or 2
    misc = _EMPTY
    token = sentence.token_of(before)
    if token is None or token.second == before:
        misc = draft.spell(before, form)
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
    draft = Draft(sentence)
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
    names = Names({**down, number: down.get(heir, heir)}, joined_nodes(sentence, number))
    alone = (token := sentence.token_of(number)) is None or token.first == token.second
    if alone:
        draft.unspell(row if token is None else token)
    draft.take_out(row)
    draft.rename(names, shrunk(number), frozenset((number,)))
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
    draft = Draft(sentence)
    words = {k: k + more for k in mentioned(sentence)[0] if k > number}
    token = sentence.token_of(number)
    draft.put(row, FORM, forms[0])
    draft.rename(Names(words, shifted(sentence, number, more)), stretched(number, more, True))
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
    draft = Draft(sentence)
    named = mentioned(sentence)[0]
    words = {k: first if k in inner else k - len(inner) + 1 for k in named if k >= first}
    for k in inner:
        if k != stays:
            draft.take_out(sentence.words[k])
    draft.take_out(row)
    draft.put(kept, FORM, row.cell(FORM))
    draft.put(kept, MISC, row.cell(MISC))
    nodes = shifted(sentence, last, 1 - len(inner))
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
    draft = Draft(sentence)
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
    draft = Draft(sentence)
    draft.rename(Names(words), lambda each: (each.first, each.second))
    cells = [draft.text(row, column) for column in range(len(row.cells))]
    target = sentence.words[new].line
    draft.take_out(row)
    draft.put_in(target + (new > old), cells)
    draft.spell_in_order(words)
    return draft.replacements()


def _word_at(sentence: Sentence, line: int) -> int:
    """The last word of the row of a line; 0 in what stands before the first row."""
    row = sentence.row_at(line)
    if row is None:
        return 0 if line < sentence.rows[0].line else len(sentence.words)
    return row.second if row.kind is Kind.RANGE else row.first


def _enhanced(sentence: Sentence) -> bool:
    return any(row.cell(DEPS) != _EMPTY for row in sentence.words.values())


def _written(forms: Sequence[str]) -> None:
    """Raises Impossible for forms that are none."""
    for form in forms:
        if not form.strip() or form != form.strip() or set(form) & set("\t\r\n"):
            raise Impossible(
                f"{form!r} is no form; write it without tabs and white space around it"
            )
