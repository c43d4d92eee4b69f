"""What to say where the characters of gold and prediction part: `stream-mismatch`."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from goldlens.scoring.problems import Place, Problem, Related, Side, problem
from goldlens.scoring.ud.places import Rows
from goldlens.scoring.ud.table import FORM
from goldlens.scoring.ud.unit import Unit

_SHOWN = 12


class _Spot(NamedTuple):
    """A place in the text, and the characters from there on."""

    place: Place
    rest: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run of sentences whose streams differ.

    `offset`: code points in the prediction's stream before it. `before`, `gold_before`: the units
    before it, which an empty side is placed behind. `surplus`: how many sentences the prediction
    has too many (below 0: too few), as far as that is to be said. `goes_on`: it has more behind
    the run.
    """

    gold: Sequence[Unit]
    pred: Sequence[Unit]
    offset: int
    before: Unit | None
    gold_before: Unit | None
    surplus: int
    goes_on: bool = False


def mismatch_problem(run: Run) -> Problem | None:
    """The one problem of a run. None if a sentence of it cannot be read: that is said there."""
    if any(not unit.readable for unit in [*run.gold, *run.pred]):
        return None
    ours, theirs = (b"".join([u.stream for u in side]) for side in (run.pred, run.gold))
    if ours == theirs:
        return _unfaced(run)
    same = _common(ours, theirs)
    here = _spot(run.pred, run.before, same, ours, Side.HERE)
    there = _spot(run.gold, run.gold_before, same, theirs, Side.THERE)
    at = run.offset + len(ours[:same].decode("utf-8", "replace"))
    message = _message(run, here.rest, there.rest, at)
    if here.rest and there.rest:
        message += f"; {_advice(ours, theirs)}"
    related = (Related(there.place, f"gold: {_quoted(there.rest) if there.rest else 'its end'}"),)
    return problem("stream-mismatch", here.place, message, related=related)


def _unfaced(run: Run) -> Problem:
    """Sentences that could face each other if the texts around them did, or their names."""
    here = Rows(run.pred, Side.HERE).token_place(0, FORM)
    there = Rows(run.gold, Side.THERE).token_place(0, FORM)
    message = (
        "Here the text is that of gold, but what stands around it differs, and no sent_id of its "
        "own says what it faces; repair the sentences around it, or give both sides the same "
        "unique sent_ids"
    )
    related = (Related(there, "gold: the same text"),)
    return problem("stream-mismatch", here, message, related=related)


def _message(run: Run, ours: str, theirs: str, at: int) -> str:
    """What differs, from the first character that does."""
    surplus = run.surplus
    if ours and theirs:
        counted = f" ({_counted(surplus)} in this stretch)" if surplus else ""
        return (
            f"The text differs from gold at offset {at} of the character stream: "
            f"{_pointed(ours)}, gold has {_pointed(theirs)}{counted}"
        )
    if run.goes_on:
        what = _counted(surplus) if surplus else f"Text {'is missing' if theirs else 'too much'}"
        rest = theirs or ours
        return f"{what} here, at offset {at} of the character stream: {_pointed(rest)} and so on"
    counted = f" ({_counted(surplus)})" if surplus else ""
    size = "1 character" if at == 1 else f"{at} characters"
    if theirs:
        return (
            f"The prediction is shorter than gold{counted}: it ends after {size}, and gold goes "
            f"on with {_pointed(theirs)}"
        )
    return (
        f"The prediction is longer than gold{counted}: gold ends after {size}, and the prediction "
        f"goes on with {_pointed(ours)}"
    )


def _counted(surplus: int) -> str:
    """How many sentences there are too many (or, below 0, are missing)."""
    count = abs(surplus)
    noun = "sentence" if count == 1 else "sentences"
    verb = "is" if count == 1 else "are"
    return f"{count} {noun} {verb} {'missing' if surplus < 0 else 'too many'}"


def _pointed(text: str) -> str:
    return f"{_quoted(text)} ({_point(text)})"


def _common(a: bytes, b: bytes) -> int:
    """How many bytes two streams share from the start, whole characters only."""
    same = 0
    size = min(len(a), len(b))
    while same < size and a[same : same + 64] == b[same : same + 64]:
        same = min(size, same + 64)
    while same < size and a[same] == b[same]:
        same += 1
    while same and (
        (same < len(a) and a[same] & 0xC0 == 0x80) or (same < len(b) and b[same] & 0xC0 == 0x80)
    ):
        same -= 1
    return same


def _spot(
    units: Sequence[Unit], before: Unit | None, same: int, stream: bytes, side: Side
) -> _Spot:
    rest = stream[same:].decode("utf-8", "replace")
    rows = Rows(units, side)
    table = rows.table
    token = int(table.token_end.searchsorted(same, side="right"))
    if token < len(table.token_end):
        return _Spot(rows.token_place(token, FORM), rest)
    return _Spot(behind(units, before, side), rest)


def behind(units: Sequence[Unit], before: Unit | None, side: Side) -> Place:
    """The end of the last word line of `units`, or else of the unit before (numbered -1)."""
    held = [k for k, unit in enumerate(units) if unit.sentence]
    if held:
        return Rows(units, side).end_of_unit(held[-1])
    if before is None:
        return Place(0, 0, 0, 0, side)
    end = Rows([before], side).end_of_unit(0)
    return Place(-1, end.line, end.start, end.end, side)


def _point(text: str) -> str:
    char = text[0]
    name = unicodedata.name(char, "")
    combining = len(text) > 1 and unicodedata.combining(text[1])
    more = f" + U+{ord(text[1]):04X} {unicodedata.name(text[1], '')}".rstrip() if combining else ""
    return f"U+{ord(char):04X} {name}".rstrip() + more


def _quoted(text: str) -> str:
    shown = "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text[:_SHOWN])
    return f"'{shown}{'…' if len(text) > _SHOWN else ''}'"


def _advice(ours: bytes, theirs: bytes) -> str:
    here, there = (text.decode("utf-8", "replace") for text in (ours, theirs))
    if unicodedata.normalize("NFC", here) == unicodedata.normalize("NFC", there):
        return (
            "the two are canonically equivalent: write the forms in gold's Unicode "
            "normalisation form"
        )
    if here.casefold() == there.casefold():
        return "only the letter case differs: write the forms as gold does"
    return "write the forms as gold does"
