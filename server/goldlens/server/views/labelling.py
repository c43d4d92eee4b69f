"""What tag a token could have, and what label a document: those that gold uses, likely ones first.

A tag is proposed only where it is one of IOB2 behind the tag before it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from goldlens.scoring.spans.rows import MISSING
from goldlens.scoring.spans.tags import OUTSIDE, is_valid, label_of
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.views.completing import Proposal, Proposals
from goldlens.server.views.labels import counts_by_label, faced

_MOST: Final = 200
"""So many are proposed at most."""
_LOOKED_AT: Final = 2_000
"""So many units of a file without gold are looked at for what it uses."""
_LONGEST: Final = 10_000
"""Bytes before the cursor that are looked at in a row of JSON."""

_STRING: Final = rb'"(?:[^"\\]|\\.)*"'
_OPEN: Final = rb'\s*(?P<open>"?)(?P<text>[^"\\:,{}\[\]]*)\Z'
_LABEL: Final = re.compile(rb'"label"\s*:' + _OPEN)
_LABELS: Final = re.compile(rb'"labels"\s*:\s*\[(?:\s*' + _STRING + rb"\s*,)*" + _OPEN)
_SCORES: Final = re.compile(
    rb'"scores"\s*:\s*\{(?:\s*' + _STRING + rb"\s*:\s*[-+.\deE]+\s*,)*" + _OPEN
)
_REST: Final = re.compile(rb'[^"\\:,{}\[\]]*')


def proposals(document: Document, pair: Pair | None, line: int, offset: int) -> Proposals | None:
    """What could stand at a byte of a line, of a file of spans or of classes; else None."""
    unit = document.unit_at(line)
    if not 0 <= unit < len(document.units):
        return None
    if document.format.name == "span":
        return _tag(document, pair, line, offset)
    if document.format.name == "classification":
        return _label(document, pair, line, offset)
    return None


# Tags


def _tag(document: Document, pair: Pair | None, line: int, offset: int) -> Proposals | None:
    number = document.unit_at(line)
    unit, inside = document.units[number], line - int(document.line_starts[number])
    token = next((k for k in range(unit.tokens) if unit.line(k) == inside), None)
    if token is None:
        return None
    row, text = unit.rows()[token], document.line(line)
    if unit.reading.tags[token] == MISSING:
        start = end = len(text)
        if not text.endswith((b" ", b"\t")):
            return None
    else:
        start, end = unit.tag_place(token, row)
    if not start <= offset <= end:
        return None
    before = unit.reading.tags[token - 1] if token else OUTSIDE
    both = faced(pair, number) if pair is not None else None
    wanted = both[0].reading.tags[token] if both is not None else None
    found = list(_tags(before, wanted, _known(document, pair)))
    return _proposals(start, end, text, found)


def _tags(before: bytes, wanted: bytes | None, labels: Iterable[bytes]) -> Iterator[Proposal]:
    """Gold's tag, what continues the span before, no span, and spans that begin."""
    goes_on = label_of(before) if before != OUTSIDE and is_valid(before) else None
    told = set()
    every = [wanted] if wanted is not None and _fits(wanted, goes_on) else []
    every += [] if goes_on is None else [b"I-" + goes_on]
    every += [OUTSIDE, *(b"B-" + label for label in labels)]
    for tag in every:
        if tag not in told:
            told.add(tag)
            yield Proposal(_text(tag), gold=tag == wanted)


def _fits(tag: bytes, goes_on: bytes | None) -> bool:
    """Whether a tag may stand behind one of a span with such a label, or of none."""
    return is_valid(tag) and (tag[:1] != b"I" or label_of(tag) == goes_on)


# Labels


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a label is written: bytes `start` to `end` of a line, the labels `there` before it.

    `quotes` are those that its JSON string lacks; None where there is no JSON.
    """

    start: int
    end: int
    there: frozenset[bytes]
    quotes: str | None = None


def _label(document: Document, pair: Pair | None, line: int, offset: int) -> Proposals | None:
    number, text = document.unit_at(line), document.line(line)
    row = document.units[number]
    spot = (_in_json if text.lstrip(b" \t").startswith(b"{") else _in_cell)(text, offset)
    if spot is None:
        return None
    both = faced(pair, number) if pair is not None else None
    wanted = both[0].labels if both is not None else ()
    there = (spot.there | {*row.labels, *row.scored}) - {text[spot.start : spot.end]}
    found = [
        Proposal(_written(label, spot.quotes), filter=_text(label), gold=label in wanted)
        for label in dict.fromkeys((*wanted, *_known(document, pair)))
        if label not in there
    ]
    return _proposals(spot.start, spot.end, text, found)


def _in_cell(text: bytes, offset: int) -> _Spot | None:
    """In a tab-separated row: a part of a cell between bars, but for its score."""
    first = text.find(b"\t")
    if first < 0 or offset <= first:
        return None
    begin = text.rfind(b"\t", 0, offset) + 1
    start = max(begin, text.rfind(b"|", begin, offset) + 1)
    ends = [found for mark in (b"\t", b"|", b"=") if (found := text.find(mark, start)) >= 0]
    end = min([*ends, len(text)])
    if offset > end:
        return None
    before = text[begin:start].split(b"|")
    return _Spot(start, end, frozenset(part.partition(b"=")[0] for part in before))


def _in_json(text: bytes, offset: int) -> _Spot | None:
    """In a row of JSON, however unfinished."""
    low = max(0, offset - _LONGEST)
    before = text[low:offset]
    found = _LABEL.search(before) or _LABELS.search(before) or _SCORES.search(before)
    rest = _REST.match(text, offset)
    if found is None or rest is None:
        return None
    there = frozenset(each[1:-1] for each in re.findall(_STRING, found[0]))
    if not found["open"]:
        # What is no string yet becomes one.
        return _Spot(offset, offset, there, '""') if not found["text"].strip() else None
    start = low + found.start("text")
    if text[rest.end() : rest.end() + 1] == b'"':
        return _Spot(start, rest.end(), there, "")
    return _Spot(start, offset, there, '"')


def _written(label: bytes, quotes: str | None) -> str:
    """A label as it is written: bare, or in a JSON string with the quotes that it lacks."""
    if quotes is None:
        return _text(label)
    inner = json.dumps(_text(label), ensure_ascii=False)[1:-1]
    return f'"{inner}"' if len(quotes) == 2 else inner + quotes


# What is in use


def _known(document: Document, pair: Pair | None) -> list[bytes]:
    """The labels in use, the most frequent first: gold's, then those of the prediction alone."""
    if pair is not None:
        counts = counts_by_label(pair)
        names = sorted(counts, key=lambda name: (-counts[name].gold, name))
        return [name.encode("utf-8") for name in names]
    used: Counter[bytes] = Counter()
    for unit in document.units[:_LOOKED_AT]:
        used.update(_labels_of(unit))
    return sorted(used, key=lambda label: (-used[label], label))


def _labels_of(unit: Any) -> Iterator[bytes]:
    if hasattr(unit, "reading"):
        tags = unit.reading.tags
        yield from (label_of(tag) for tag in tags if tag != OUTSIDE and is_valid(tag))
    else:
        yield from unit.labels


def _proposals(start: int, end: int, text: bytes, found: list[Proposal]) -> Proposals:
    old = _text(text[start:end])
    return Proposals(start, end, old, tuple(found[:_MOST]), len(found) > _MOST)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
