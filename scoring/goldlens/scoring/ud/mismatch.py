"""What to say where the characters of gold and prediction part: `stream-mismatch`."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
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


def mismatch_problem(
    gold: Sequence[Unit],
    pred: Sequence[Unit],
    offset: int,
    before: Unit | None,
    gold_before: Unit | None,
) -> Problem | None:
    """The one problem of a run of sentences whose streams differ.

    `offset`: code points in the prediction's stream before the run. `before`, `gold_before`: the
    units before the run, which an empty side is placed behind. None if a sentence of the
    prediction cannot be read: that has been said already.
    """
    if any(not unit.readable for unit in pred):
        return None
    ours, theirs = (b"".join([u.stream for u in side]) for side in (pred, gold))
    same = _common(ours, theirs)
    here = _spot(pred, before, same, ours, Side.HERE)
    there = _spot(gold, gold_before, same, theirs, Side.THERE)
    at = offset + len(ours[:same].decode("utf-8", "replace"))
    unread = next((u for u in gold if not u.readable), None)
    n_pred, n_gold = (sum(u.sentence for u in side) for side in (pred, gold))
    if unread is not None:
        message = (
            f"Gold's sentence cannot be read ({unread.problems[0].code}), so this one is not "
            "compared; repair gold"
        )
    elif not here.rest:
        what = f"{_sentences(n_gold - n_pred)} missing" if n_gold > n_pred else "text is missing"
        message = (
            f"The prediction is shorter than gold: after {at} characters {what}; gold goes on "
            f"with {_quoted(there.rest)}"
        )
    elif not there.rest:
        what = f"{_sentences(n_pred - n_gold)} too many" if n_pred > n_gold else "text too much"
        message = (
            f"The prediction is longer than gold: after {at} characters there is {what}, from "
            f"{_quoted(here.rest)} on"
        )
    else:
        message = (
            f"The text differs from gold at offset {at} of the character stream: "
            f"{_quoted(here.rest)} ({_point(here.rest)}), gold has {_quoted(there.rest)} "
            f"({_point(there.rest)}); {_advice(ours, theirs)}"
        )
        if n_pred != n_gold:
            more = n_gold > n_pred
            count = abs(n_gold - n_pred)
            message += f" ({_sentences(count)} {'missing' if more else 'too many'} in this stretch)"
    related = (Related(there.place, f"gold: {_quoted(there.rest) if there.rest else 'its end'}"),)
    return problem("stream-mismatch", here.place, message, related=related)


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


def _sentences(count: int) -> str:
    return "1 sentence" if count == 1 else f"{count} sentences"


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
