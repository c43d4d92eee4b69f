"""A change of a text tried before it is offered: whether it leaves the text better than it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from goldlens.scoring.conllu.editing.replacing import Replacements, applied
from goldlens.scoring.problems import CODES, Problem
from goldlens.scoring.segment import Kind
from goldlens.scoring.task import PRED
from goldlens.server.engine.document import Document
from goldlens.server.engine.memo import Memo
from goldlens.server.engine.pair import Pair
from goldlens.server.views.lacking import beside

_MOST_UNITS: Final = 64
"""How many units are compared with gold to try a change; of more only the own problems count."""
_MOST_BYTES: Final = 1 << 20
"""A change of more text is not tried, and so not offered."""

_UNITS: Final[Memo[list[Any]]] = Memo(4)
_COUNTS: Final[Memo[Counter[str]]] = Memo(4)

OF_A_TREE: Final = frozenset(
    (
        "head-missing",
        "head-not-a-number",
        "head-out-of-range",
        "head-cycle",
        "no-root",
        "multiple-roots",
        "root-relation",
        "text-mismatch",
    )
)
"""What is not looked for in a sentence whose rows or IDs cannot be read."""

OF_A_ROW: Final = frozenset(
    (
        "upos-unknown",
        "deprel-unknown",
        "feats-format",
        "feats-order",
        "feats-duplicate",
        "deps-format",
        "misc-format",
        "form-whitespace",
    )
)
"""What is not looked for in a row that cannot be read."""


@dataclass(frozen=True, slots=True)
class Change:
    """Replacements in the joined text of units `first` to `stop` of a document."""

    first: int
    stop: int
    edits: Replacements


def betters(
    document: Document,
    pair: Pair | None,
    change: Change,
    code: str | None,
    *,
    revealing: bool = False,
    reading: bool = False,
) -> bool:
    """Whether a change takes away a problem of a code, and adds none of any code.

    `code` None: it need take none away, as what is no problem can differ from gold too.
    `revealing`: problems of trees and against gold may come to light, though not in the lines
    that the change writes. `reading`: what is wrong with cells in those lines may too.
    """
    units = document.units
    first, stop = _stretch(document, change)
    before = b"".join([unit.text for unit in units[first:stop]])
    if len(before) > _MOST_BYTES:
        return False
    lead = sum(len(unit.text) for unit in units[first : change.first])
    text = b"".join([unit.text for unit in units[change.first : change.stop]])
    tail = before[lead + len(text) :]
    try:
        changed = applied(text, change.edits)
    except ValueError:
        return False
    then = _parsed(document, before, first, stop, code)
    now = _parsed(document, before[:lead] + changed + tail, first, stop, code)
    was, found = _own(then), _own(now)
    if doubled := document.format.duplicate_code:
        was[doubled], found[doubled] = _doubled(document, then, now)
    written = _written(changed, lead, before, change) if revealing else frozenset()
    if pair is not None:
        compared = None if _is_repeated(pair, change) else _compared(pair, first, stop, now)
        if compared is not None:
            was, found = was + compared[0], found + (Counter() if revealing else compared[1])
    if revealing:
        for unit in now:
            for each in unit.problems:
                codes = (
                    OF_A_TREE if _line(unit, each) not in written else OF_A_ROW if reading else ()
                )
                if each.code in codes:
                    found[each.code] -= 1
    return _fewer(found, was, code)


def _fewer(found: Counter[str], was: Counter[str], code: str | None) -> bool:
    fewer = code is None or found[code] < was[code]
    return fewer and all(count <= was[name] for name, count in found.items())


def _stretch(document: Document, change: Change) -> tuple[int, int]:
    """The units that are read together with those that a change touches."""
    units, first, stop = document.units, change.first, change.stop
    closed = document.format.is_closed
    if document.format.has_header and first <= 1:
        first = 0
    while first > 0 and (
        units[min(first, len(units) - 1)].glued or not closed(units[first - 1].text)
    ):
        first -= 1
    stop = min(stop + 1, len(units))
    while stop < len(units) and (units[stop].glued or not closed(units[stop - 1].text)):
        stop += 1
    return first, stop


def _parsed(document: Document, text: bytes, first: int, stop: int, code: str | None) -> list[Any]:
    extra = (code,) if code in CODES and not CODES[code].on else ()
    ends = not first, stop == len(document.units)
    format, regime = document.format, document.regime
    # Several changes of one text are tried one after another.
    return _UNITS.get(
        (format, text, ends, extra, regime),
        lambda: format.parse(
            format.split(text), at_start=ends[0], at_end=ends[1], extra=extra, regime=regime
        ),
    )


def _own(units: Sequence[Any]) -> Counter[str]:
    return Counter(found.code for unit in units for found in unit.problems if found.shown)


def _doubled(document: Document, then: Sequence[Any], now: Sequence[Any]) -> tuple[int, int]:
    """How many units have a key that stood before, of the keys that are touched; then and now."""
    keys = Counter(document.format.key(unit) for unit in then)
    fresh = Counter(document.format.key(unit) for unit in now)
    touched = (keys.keys() | fresh.keys()) - {None}
    was = sum(max(0, document.keys[key] - 1) for key in touched)
    return was, sum(max(0, document.keys[key] - keys[key] + fresh[key] - 1) for key in touched)


def _line(unit: Any, problem: Problem) -> bytes:
    lines: list[bytes] = unit.text.splitlines() or [b""]
    return lines[min(problem.place.line, len(lines) - 1)]


def _written(changed: bytes, lead: int, before: bytes, change: Change) -> frozenset[bytes]:
    """The lines that were not there before."""
    return frozenset(changed.splitlines()) - frozenset(before.splitlines())


def _is_repeated(pair: Pair, change: Change) -> bool:
    """Whether a change is of units alone whose names stood before: gold faces the first ones."""
    units = range(change.first, min(change.stop, len(pair.pred.units)))
    kinds = [pair.pairing[pair.segment_of(PRED, unit)].kind for unit in units]
    return bool(kinds) and all(kind is Kind.REPEATED for kind in kinds)


def _compared(
    pair: Pair, first: int, stop: int, now: Sequence[Any]
) -> tuple[Counter[str], Counter[str]] | None:
    """The problems against gold of a stretch, as it is and as it would be.

    None where that is too much to compare, or nothing faces it.
    """
    gold, pred = pair.gold.units, pair.pred.units
    segments = [pair.pairing[k] for k in beside(pair, first, stop)]
    ours = _span([segment.pred for segment in segments], range(first, stop))
    theirs = _span([segment.gold for segment in segments])
    if max(len(ours), len(theirs)) > _MOST_UNITS:
        return None
    inner = [*pred[ours.start : first], *now, *pred[stop : ours.stop]]
    facing, here = gold[theirs.start : theirs.stop], pred[ours.start : ours.stop]
    # What is there already is the same for all the changes that are tried.
    was = _COUNTS.get(
        (pair.task, pair.match, tuple(facing), tuple(here)), lambda: _against(pair, facing, here)
    )
    return was, _against(pair, facing, inner)


def _span(ranges: Sequence[range], least: range = range(0)) -> range:
    full = [each for each in (*ranges, least) if each]
    if not full:
        return least
    return range(min(each.start for each in full), max(each.stop for each in full))


def _against(pair: Pair, gold: Sequence[Any], pred: Sequence[Any]) -> Counter[str]:
    gold, pred = list(gold), list(pred)
    return Counter(
        found.code
        for segment in pair.task.pair(gold, pred, pair.match)
        for found in pair.task.problems(gold, pred, segment, 0)
        if found.shown
    )
