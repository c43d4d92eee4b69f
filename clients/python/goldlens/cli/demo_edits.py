"""What the demonstration types: three edits, found in the texts rather than counted off in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

_FORM: Final = 1
_HEAD: Final = 6
_PLAIN: Final = "garden-05"
"""The sentence into which a letter is typed: one whose text faces gold's."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Something typed: `changes` are (line, start, end, text), one after the other, all from 0."""

    title: str
    changes: tuple[tuple[int, int, int, str], ...]
    seen: tuple[str, ...]
    explained: str


def edits(text: str, gold: str, problems: Sequence[Mapping[str, Any]]) -> Iterator[Edit]:
    """The edits for a document that has these problems: a repair, a slip, and its undoing."""
    yield from _repair(text, gold, problems)
    lines = text.split("\n")
    line = _first_long_form(lines)
    form = lines[line].split("\t")[_FORM]
    at = lines[line].index("\t") + 1 + len(form)
    yield Edit(
        f"A slip of the finger: “{form}” becomes “{form}x”, in line {line + 1}",
        ((line, at, at, "x"),),
        (),
        "One sentence has another text than gold now, so it counts as wrong. The official script "
        "would\n    refuse the whole file; here all other sentences stay scored.",
    )
    yield Edit(
        "Undone",
        ((line, at, at + 1, ""),),
        (),
        "All is as it was before the slip: scores never depend on the way there.",
    )


def _repair(text: str, gold: str, problems: Sequence[Mapping[str, Any]]) -> Iterator[Edit]:
    """Gives each word of the first ring the head that it has in gold."""
    ring = next((problem for problem in problems if problem["code"] == "head-cycle"), None)
    if ring is None:
        return
    heads = _heads(gold)
    places = [ring["range"], *(r["location"]["range"] for r in ring.get("relatedInformation", ()))]
    lines, changes, seen = text.split("\n"), [], []
    for number in sorted({place["start"]["line"] for place in places}):
        cells = lines[number].split("\t")
        head = heads.get((_sent_id(lines, number), cells[0]), cells[_HEAD])
        if head != cells[_HEAD]:
            start = sum(len(cell) + 1 for cell in cells[:_HEAD])
            changes.append((number, start, start + len(cells[_HEAD]), head))
            seen.append(f"line {number + 1}: the head of “{cells[_FORM]}”, {cells[_HEAD]} → {head}")
    yield Edit(
        "A repair: two words are each other's heads; one of them gets the head that gold has",
        tuple(changes),
        tuple(seen),
        "The ring is gone, and with it the words that it made wrong.",
    )


def _heads(text: str) -> dict[tuple[str, str], str]:
    """The HEAD of each word, by sent_id and ID."""
    heads, sent_id = {}, ""
    for line in text.split("\n"):
        cells = line.split("\t")
        if line.startswith("# sent_id = "):
            sent_id = line.removeprefix("# sent_id = ")
        elif len(cells) == 10:
            heads[sent_id, cells[0]] = cells[_HEAD]
    return heads


def _sent_id(lines: Sequence[str], number: int) -> str:
    """The sent_id of the sentence that a line is in."""
    while number and not lines[number].startswith("# sent_id = "):
        number -= 1
    return lines[number].removeprefix("# sent_id = ")


def _first_long_form(lines: Sequence[str]) -> int:
    """The number of the first word with some letters of the sentence to be spoilt."""
    begin = next((k for k, line in enumerate(lines) if line == f"# sent_id = {_PLAIN}"), 0)
    for number in range(begin, len(lines)):
        cells = lines[number].split("\t")
        if len(cells) == 10 and "-" not in cells[0] and len(cells[_FORM]) > 3:
            return number
    return next(k for k, line in enumerate(lines) if "\t" in line)
