"""What is said of a token and its tag, of a document and its labels, and of a form and its stem."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from goldlens.scoring.counts import Count
from goldlens.scoring.segment import Kind
from goldlens.scoring.spans.sentence import Sentence
from goldlens.scoring.task import PRED
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.views.hovering import escaped
from goldlens.server.views.labels import counts_by_label, faced
from goldlens.server.views.titles import title_of

_MOST: Final = 12
"""Scores, and forms of a group, that are named."""


@dataclass(frozen=True, slots=True)
class Said:
    """Markdown about bytes `start` to `end` of a line; the whole line, if they are the same."""

    text: str
    start: int = 0
    end: int = 0


def described(document: Document, pair: Pair | None, line: int) -> Said | None:
    """What there is to say of a line; None if there is nothing, or for a file of trees."""
    number = document.unit_at(line)
    if not 0 <= number < len(document.units):
        return None
    unit = document.units[number]
    match document.format.name:
        case "span":
            return _token(document, pair, number, line - int(document.line_starts[number]))
        case "classification":
            return _document(unit, pair, number) if unit.id is not None else None
        case "stemming":
            return _form(unit, pair, number) if getattr(unit, "output", None) else None
        case _:
            return None


def _token(document: Document, pair: Pair | None, number: int, inside: int) -> Said | None:
    unit = document.units[number]
    token = next((k for k in range(unit.tokens) if unit.line(k) == inside), None)
    if token is None:
        title = document.format.title(unit)
        said = [f"**{escaped(title)}**"] if title else []
        said += [title_of(pair, number)] if pair is not None and unit.tokens else []
        return Said("\n\n".join(said)) if said else None
    here = Sentence(unit, 0)
    place = here.tag_place(token)
    said = [f"**{escaped(_text(here.form(token)))}** · token {token + 1}"]
    if pair is None:
        said += [escaped(here.named(span)) for span in _around(unit, token)]
    elif (both := faced(pair, number)) is None:
        said.append(title_of(pair, number) or "Not compared with gold")
    else:
        there = Sentence(both[0], 0)
        tags = [escaped(_text(side.unit.reading.tags[token]) or "_") for side in (here, there)]
        said.append(_table("tag", *tags))
        ours, theirs = _around(unit, token), _around(both[0], token)
        if ours == theirs:
            said += [f"As in gold: {escaped(here.named(span))}" for span in ours]
        else:
            said += [f"Here: {escaped(here.named(span))}" for span in ours]
            said += [f"Gold: {escaped(there.named(span))}" for span in theirs]
    return Said("\n\n".join(said), place.start, place.end)


def _around(unit: Any, token: int) -> list[Any]:
    """The span that a token is in."""
    return [span for span in unit.reading.spans if span[0] <= token < span[1]]


def _table(what: str, here: str, there: str) -> str:
    row = f"| {what} | {here} | {there} |"
    if here != there:
        row = f"| **{what}** | **{here}** | **{there}** |"
    return f"| | here | gold |\n|---|---|---|\n{row}"


def _document(unit: Any, pair: Pair | None, number: int) -> Said:
    said = [f"**{escaped(_text(unit.id))}**"]
    both = faced(pair, number) if pair is not None else None
    here = _listed(unit.labels) or "no label"
    if both is None:
        said.append(here)
        if pair is not None:
            repeated = pair.pairing[pair.segment_of(PRED, number)].kind is Kind.REPEATED
            said.append("A row before it counts" if repeated else "Gold has no such document")
    else:
        said.append(_table("labels", here, _listed(both[0].labels) or "no label"))
    if unit.scored:
        scores = sorted(zip(unit.scores, unit.scored, strict=True), key=lambda s: (-s[0], s[1]))
        named = [f"{escaped(_text(label))} {score:g}" for score, label in scores[:_MOST]]
        said.append("Scores: " + ", ".join(named) + (" …" if len(scores) > _MOST else ""))
    if pair is not None:
        every = {*unit.labels, *(both[0].labels if both is not None else ())}
        counts = counts_by_label(pair)
        figures = [
            _figures(name, counts[name]) for name in sorted(counts) if name.encode() in every
        ]
        said += figures[:_MOST]
    return Said("\n\n".join(said))


def _figures(label: str, count: Count) -> str:
    return (
        f"{escaped(label)} in the file: {count.correct} right of {count.gold} in gold "
        f"and {count.predicted} here"
    )


def _form(unit: Any, pair: Pair | None, number: int) -> Said:
    said = [f"**{escaped(_text(unit.form))}**"]
    if pair is not None:
        segment = pair.pairing[pair.segment_of(PRED, number)]
        if segment.kind is Kind.PAIR:
            forms = pair.gold.units[segment.gold.start].forms
            said.append(f"Gold's group: {_listed(forms[:_MOST])}{' …' * (len(forms) > _MOST)}")
        elif segment.kind is Kind.EXTRA:
            said.append("The dictionary has no such form")
    return Said("\n\n".join(said))


def _listed(names: Sequence[bytes]) -> str:
    return ", ".join(escaped(_text(name)) for name in names)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
