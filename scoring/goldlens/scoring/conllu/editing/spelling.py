"""The text of a sentence and where its tokens stand in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.rows import FORM, MISC, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.problems import Place

NO_SPACE: Final = "SpaceAfter=No"


def tokens(sentence: Sentence) -> list[Row]:
    """The rows whose forms are the text: multiword tokens, and words that are in none."""
    found = []
    covered = -1
    for row in sentence.rows:
        if row.kind is Kind.RANGE:
            found.append(row)
            covered = row.second
        elif row.kind is Kind.WORD and row.first > covered:
            found.append(row)
    return found


def spaced(row: Row) -> bool:
    """Whether a space comes after a token."""
    return NO_SPACE not in row.cell(MISC).split("|")


def formed(sentence: Sentence) -> str:
    """The text that the forms give; runs of white space are one space."""
    pieces = [row.cell(FORM) + (" " if spaced(row) else "") for row in tokens(sentence)]
    return " ".join("".join(pieces).split())


def text_place(sentence: Sentence) -> Place | None:
    """Where the value of `# text` stands; None if there is no such comment."""
    if "text" not in sentence.comments:
        return None
    number = sentence.comments["text"][0]
    line = lines(sentence.block)[number].rstrip(b"\r\n")
    key, _, value = line.partition(b"=")
    start = len(key) + 1 + len(value) - len(value.lstrip())
    return Place(0, number, start, max(start, len(line.rstrip())))


def stretches(sentence: Sentence) -> list[tuple[int, int]] | None:
    """Where each token stands in the value of `# text`, in bytes; None if they do not fit it."""
    place = text_place(sentence)
    if place is None:
        return None
    value = lines(sentence.block)[place.line][place.start : place.end]
    found = list(_fitted(value, [row.cell(FORM).encode() for row in tokens(sentence)]))
    fits = len(found) == len(tokens(sentence))
    return found if fits and not value[found[-1][1] if found else 0 :].strip() else None


def _fitted(value: bytes, forms: list[bytes]) -> Iterator[tuple[int, int]]:
    at = 0
    for form in forms:
        while value[at : at + 1] in (b" ", b"\t"):
            at += 1
        if not form or not value.startswith(form, at):
            return
        yield at, at + len(form)
        at += len(form)
