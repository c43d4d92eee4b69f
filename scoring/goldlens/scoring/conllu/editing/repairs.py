"""What could be done about a problem of a sentence by itself, best first.

These are proposals, made from the text alone: who offers them tries them first, and leaves out
what does not make the text better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing import trees
from goldlens.scoring.conllu.editing.numbers import renumbered
from goldlens.scoring.conllu.editing.replacing import (
    Replacement,
    Replacements,
    at,
    cell,
    line_end,
    line_offsets,
    new_line,
    without_line,
)
from goldlens.scoring.conllu.editing.rows import ten_cells
from goldlens.scoring.conllu.editing.spelling import formed, text_place
from goldlens.scoring.conllu.inventory import RELATION_NAMES, UPOS_TAGS
from goldlens.scoring.conllu.rows import COLUMN_NAMES, FORM, HEAD, ID, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.problems import Problem

_CHOICES: Final = 3
_LIKENESS: Final = 0.6


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be done. `title` says it; the edits are of the problem's block.

    `safe`: it is the one right repair, and changes nothing that the text says. `revealing`: it
    makes a sentence legible, so that problems may come to light that could not be seen before.
    """

    title: str
    edits: Replacements
    safe: bool = False
    revealing: bool = False


Proposals = Iterator[Proposal]


def proposals(sentence: Sentence, problem: Problem) -> list[Proposal]:
    """What could be done about one of a sentence's own problems."""
    make = _MAKERS.get(problem.code)
    if make is None:
        return []
    return [each for each in make(sentence, problem) if each.edits]


def _row(sentence: Sentence, problem: Problem) -> Row | None:
    return sentence.row_at(problem.place.line)


def _cell(sentence: Sentence, problem: Problem) -> tuple[Row, int, str] | None:
    """The row, the column and the text of the cell that a problem is about."""
    row = _row(sentence, problem)
    if row is None:
        return None
    column = row.column_at(problem.place.start)
    return row, column, row.cell(column)


def _one(edit: Replacement | None) -> Replacements:
    return () if edit is None else (edit,)


def _columns(sentence: Sentence, problem: Problem) -> Proposals:
    row = _row(sentence, problem)
    if row is None:
        return
    for text, title in ten_cells(row.text):
        start = line_offsets(sentence.block)[row.line]
        yield Proposal(title, _one(_least(start, row.text, text)), revealing=True)


def _least(start: int, old: bytes, new: bytes) -> Replacement:
    """One text put for another, without what they begin and end with alike."""
    same = next(
        (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b),
        min(len(old), len(new)),
    )
    left = min(len(old), len(new)) - same
    tail = next((k for k in range(left) if old[-1 - k] != new[-1 - k]), left)
    return Replacement(start + same, start + len(old) - tail, new[same : len(new) - tail])


def _number(sentence: Sentence, problem: Problem) -> Proposals:
    title = "Number the words of the sentence 1, 2, 3 …, and all that refers to them"
    yield Proposal(title, renumbered(sentence) or (), revealing=True)
    row = _row(sentence, problem)
    if row is not None and any(row.text == each.text for each in sentence.rows if each is not row):
        edit = without_line(sentence.block, row.line)
        yield Proposal("Take the row out, which stands twice", (edit,), revealing=True)


def _empty(sentence: Sentence, problem: Problem) -> Proposals:
    found = _cell(sentence, problem)
    if found is None:
        return
    row, column, text = found
    if column == ID:
        yield from _number(sentence, problem)
    elif column == HEAD and row.kind is Kind.WORD:
        yield from _head(sentence, problem)
    elif column != FORM or _is_no_token(sentence, row):
        edit = cell(sentence.block, row, column, "_")
        yield Proposal(f"Write _ for an empty {COLUMN_NAMES[column]}", _one(edit), safe=not text)


def _is_no_token(sentence: Sentence, row: Row) -> bool:
    """Whether the form of a row is no part of the text, so that it may be `_`."""
    inside = row.kind is Kind.WORD and sentence.token_of(row.first) is not None
    return inside or row.kind is Kind.EMPTY_NODE


def _break(sentence: Sentence, problem: Problem) -> Proposals:
    block, end = sentence.block, line_end(sentence.block)
    if problem.refuses:
        yield Proposal("Put a blank line before the sentence", (Replacement(0, 0, end),), True)
        return
    missing = end if block.endswith((b"\n", b"\r")) else end + end
    edit = Replacement(len(block), len(block), missing)
    yield Proposal("End the sentence with a blank line", (edit,), safe=True)


def _blank(sentence: Sentence, problem: Problem) -> Proposals:
    block, line = sentence.block, problem.place.line
    if sentence.rows:
        # At the very end of a file nothing ends the line: emptied, it would be none.
        new = b"" if block.endswith((b"\n", b"\r")) else line_end(block)
        yield Proposal("Empty the blank line", (at(block, problem.place, new),), safe=True)
        return
    # Comments before it would become those of the next sentence.
    safe = not any(each.startswith(b"#") for each in lines(block))
    yield Proposal("Take the superfluous blank line out", (without_line(block, line),), safe)


def _comment(sentence: Sentence, problem: Problem) -> Proposals:
    block, line = sentence.block, problem.place.line
    offsets = line_offsets(block)
    before = [row for row in sentence.rows if row.line < line]
    if before:
        text = block[offsets[line] : offsets[line + 1]].rstrip(b"\r\n")
        edits = (new_line(block, before[0].line, text), without_line(block, line))
        yield Proposal("Move the comment before the sentence", edits)
        return
    edit = Replacement(offsets[line], len(block), b"")
    yield Proposal("Take out the comments that no sentence follows", (edit,))


def _head(sentence: Sentence, problem: Problem) -> Proposals:
    row = _row(sentence, problem)
    if row is not None:
        for title, edits in trees.attached(sentence, row):
            yield Proposal(title, edits)


def _ring(sentence: Sentence, problem: Problem) -> Proposals:
    row = _row(sentence, problem)
    if row is not None:
        for each in sentence.chain(row.first):
            for title, edits in trees.attached(sentence, each):
                yield Proposal(title, edits)


def _roots(sentence: Sentence, problem: Problem) -> Proposals:
    for title, edits in trees.one_root(sentence):
        yield Proposal(title, edits)


def _no_words(sentence: Sentence, problem: Problem) -> Proposals:
    edit = Replacement(0, len(sentence.block), b"")
    yield Proposal("Take out the sentence, which has no word", (edit,))


def _root_relation(sentence: Sentence, problem: Problem) -> Proposals:
    row = _row(sentence, problem)
    if row is not None:
        for title, edits in trees.agreeing(sentence, row):
            yield Proposal(title, edits)


def _tag(sentence: Sentence, problem: Problem) -> Proposals:
    found = _cell(sentence, problem)
    if found is not None:
        yield from _spelt(sentence, *found, found[2].upper(), "", UPOS_TAGS)


def _relation(sentence: Sentence, problem: Problem) -> Proposals:
    found = _cell(sentence, problem)
    if found is not None:
        name, colon, subtype = found[2].partition(":")
        yield from _spelt(sentence, *found, name.lower(), colon + subtype, RELATION_NAMES)


def _spelt(
    sentence: Sentence,
    row: Row,
    column: int,
    text: str,
    name: str,
    rest: str,
    known: frozenset[str],
) -> Proposals:
    exact = [name] if name in known else []
    for near in exact or get_close_matches(name, sorted(known), _CHOICES, _LIKENESS):
        edit = cell(sentence.block, row, column, near + rest)
        yield Proposal(f"Change {text} to {near}{rest}", (edit,), safe=bool(exact))


def _parts(
    mend: Callable[[list[str]], list[str] | None], title: str, *, safe: bool = True
) -> Callable[[Sentence, Problem], Proposals]:
    """Mends the parts of a cell, those between pipes."""

    def make(sentence: Sentence, problem: Problem) -> Proposals:
        found = _cell(sentence, problem)
        if found is not None and (mended := mend(found[2].split("|"))) is not None:
            row, column, text = found
            now = "|".join(mended) or "_"
            if now != text:
                said = title.format(COLUMN_NAMES[column], now)
                yield Proposal(said, (cell(sentence.block, row, column, now),), safe=safe)

    return make


def _full(parts: list[str]) -> list[str]:
    return [part for part in parts if part]


def _once(parts: list[str]) -> list[str]:
    return list(dict.fromkeys(_full(parts)))


def _ordered(parts: list[str]) -> list[str]:
    return sorted(parts, key=lambda part: part.partition("=")[0].lower())


def _joined(parts: list[str]) -> list[str]:
    """Features with all the values of each name, behind commas."""
    values: dict[str, dict[str, None]] = {}
    for part in parts:
        name, _, value = part.partition("=")
        values.setdefault(name, {}).update(dict.fromkeys(value.split(",")))
    return _ordered([f"{name}={','.join(sorted(found))}" for name, found in values.items()])


def _features_once(sentence: Sentence, problem: Problem) -> Proposals:
    found = _cell(sentence, problem)
    if found is None:
        return
    row, column, text = found
    single = _once(text.split("|"))
    if len({part.partition("=")[0] for part in single}) == len(single):
        edit = cell(sentence.block, row, column, "|".join(_ordered(single)))
        yield Proposal("Take out the feature that stands twice", (edit,), safe=True)
        return
    now = "|".join(_joined(single))
    yield Proposal(f"Join the values: {now}", (cell(sentence.block, row, column, now),))


def _features(sentence: Sentence, problem: Problem) -> Proposals:
    """Pipes that lead to nothing go; what is no feature stays, and nobody knows what it means."""
    return _parts(lambda parts: _ordered(_full(parts)), "Take out the empty parts of {}")(
        sentence, problem
    )


def _white_space(sentence: Sentence, problem: Problem) -> Proposals:
    found = _cell(sentence, problem)
    if found is not None:
        row, column, text = found
        edit = cell(sentence.block, row, column, text.strip() or "_")
        title = f"Take the white space around the {COLUMN_NAMES[column]} out"
        yield Proposal(title, (edit,), safe=bool(text.strip()))


def _text(sentence: Sentence, problem: Problem) -> Proposals:
    now = formed(sentence)
    if now:
        edit = at(sentence.block, problem.place, now.encode("utf-8", "surrogateescape"))
        if edit.start == edit.end and not sentence.block[: edit.start].endswith((b" ", b"\t")):
            edit = Replacement(edit.start, edit.end, b" " + edit.new)
        yield Proposal("Write the text that the forms give", (edit,))


def _text_missing(sentence: Sentence, problem: Problem) -> Proposals:
    now = formed(sentence)
    if now and sentence.rows and text_place(sentence) is None:
        text = f"# text = {now}".encode("utf-8", "surrogateescape")
        first = sentence.rows[0].line
        title = "Add the text comment that the forms give"
        yield Proposal(title, (new_line(sentence.block, first, text),), safe=True)


_MAKERS: Final[dict[str, Callable[[Sentence, Problem], Proposals]]] = {
    "column-count": _columns,
    "id-sequence": _number,
    "id-range": _number,
    "empty-cell": _empty,
    "missing-blank-line": _break,
    "blank-line": _blank,
    "comment-position": _comment,
    "head-missing": _head,
    "head-not-a-number": _head,
    "head-out-of-range": _head,
    "head-cycle": _ring,
    "no-root": _no_words,
    "multiple-roots": _roots,
    "root-relation": _root_relation,
    "upos-unknown": _tag,
    "deprel-unknown": _relation,
    "feats-format": _features,
    "feats-duplicate": _features_once,
    "feats-order": _parts(_ordered, "Sort the features: {1}"),
    "deps-format": _parts(_full, "Take out the empty parts of {}"),
    "misc-format": _parts(_once, "Take out what is empty or doubled in {}"),
    "form-whitespace": _white_space,
    "text-mismatch": _text,
    "text-missing": _text_missing,
}
