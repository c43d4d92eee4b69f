"""What could stand in the cell under the cursor, likely things first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from goldlens.scoring.conllu.editing.spelling import formed
from goldlens.scoring.conllu.inventory import RELATION_NAMES, UNIVERSAL_FEATURES, UPOS_TAGS
from goldlens.scoring.conllu.rows import (
    DEPREL,
    DEPS,
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    MISC,
    UPOS,
    XPOS,
    Kind,
)
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.spot import Spot
from goldlens.server.views import meanings
from goldlens.server.views.seen import Seen, seen_in
from goldlens.server.views.taking import Counterparts, counterparts

_EMPTY: Final = "_"
_MOST: Final = 200
"""So many are proposed at most."""
_LISTS: Final = (FEATS, DEPS, MISC)
"""Columns whose cells have parts, between pipes."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What could be written: `text` in place of the part. `label` and `filter` are what one sees
    and types; `about` says what it means, as Markdown; `gold`: it is what gold has.
    """

    text: str
    label: str = ""
    filter: str = ""
    about: str | None = None
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Proposals:
    """Proposals for bytes `start` to `end` of a line; `more` if there are others."""

    start: int
    end: int
    old: str
    proposals: tuple[Proposal, ...]
    more: bool


def proposals(spot: Spot, line: int, pair: Pair | None) -> Proposals | None:
    """What could stand at a spot in a line; None where nothing can be proposed."""
    row = spot.row
    if row is None:
        return _comment(spot, spot.document.line(line))
    if row.kind not in (Kind.WORD, Kind.EMPTY_NODE) and spot.column != MISC:
        return None
    start, end = row.span(spot.column)
    if spot.column in _LISTS:
        start, end = _part(row, spot.column, spot.offset)
    old = row.text[start:end].decode("utf-8", "replace")
    used = [] if pair is None else [pair.gold]
    gold: Counterparts | None = None
    if pair is not None:
        gold = counterparts(pair, spot.unit)
        if gold is not None and row.first not in gold.rows:
            gold = None
    found = list(
        _proposed(_Place(spot.sentence, row, spot.column, old, [*used, spot.document], gold))
    )
    return Proposals(start, end, old, tuple(found[:_MOST]), len(found) > _MOST)


@dataclass(frozen=True, slots=True)
class _Place:
    """A cell, or a part of one: its text, what files use, what gold has."""

    sentence: Sentence
    row: Row
    column: int
    old: str
    documents: list[Document]
    gold: Counterparts | None

    @property
    def seen(self) -> list[Seen]:
        """What files use: gold, and this one."""
        return [seen_in(document) for document in self.documents]

    @property
    def wanted(self) -> str | None:
        """What gold has in the cell, by our numbers; None where it has nothing."""
        if self.gold is None:
            return None
        number = self.row.first
        if self.column == HEAD:
            head = self.gold.heads.get(number)
            return None if head is None else str(head)
        text = self.gold.rows[number].cell(self.column)
        return text if text not in ("", _EMPTY) else None


def _part(row: Row, column: int, offset: int) -> tuple[int, int]:
    """The part of a cell, between pipes, that an offset is in."""
    start, end = row.span(column)
    offset = min(max(start, offset), end)
    before = row.text.rfind(b"|", start, offset)
    behind = row.text.find(b"|", offset, end)
    return (start if before < 0 else before + 1), (end if behind < 0 else behind)


def _proposed(place: _Place) -> Iterator[Proposal]:
    make = _MAKERS.get(place.column)
    if make is None or (place.row.kind is Kind.EMPTY_NODE and place.column in (HEAD, DEPREL)):
        return
    told = set()
    for each in make(place):
        if each.text and each.text not in told:
            told.add(each.text)
            yield each


def _tags(place: _Place) -> Iterator[Proposal]:
    used = _sum(seen.tags for seen in place.seen)
    ordered = sorted(UPOS_TAGS, key=lambda tag: (-used[tag], tag))
    for tag in _first(place.wanted, ordered):
        yield Proposal(tag, about=meanings.tag(tag), gold=tag == place.wanted)


def _xpos(place: _Place) -> Iterator[Proposal]:
    upos = place.row.cell(UPOS)
    used = _sum(seen.xpos.get(upos, Counter()) for seen in place.seen)
    for tag in _first(place.wanted, _common(used)):
        if tag != _EMPTY:
            yield Proposal(tag, gold=tag == place.wanted)


def _relations(place: _Place) -> Iterator[Proposal]:
    used = _sum(seen.relations for seen in place.seen)
    root = place.row.cell(HEAD) == "0"
    known = {*RELATION_NAMES, *(name for name in used if _base(name) in RELATION_NAMES)}
    ordered = sorted(known, key=lambda name: ((_base(name) == "root") != root, -used[name], name))
    for name in _first(place.wanted, ordered):
        yield Proposal(name, about=meanings.relation(name), gold=name == place.wanted)


def _base(relation: str) -> str:
    return relation.partition(":")[0]


def _features(place: _Place) -> Iterator[Proposal]:
    """Features that are not there yet: gold's, those seen with the tag, then names alone."""
    there = {part.partition("=")[0] for part in place.row.cell(FEATS).split("|")}
    there.discard(place.old.partition("=")[0])
    wanted = (place.wanted or "").split("|")
    upos = place.row.cell(UPOS)
    used = _sum(seen.features.get(upos, Counter()) for seen in place.seen)
    for feature in chain(wanted, _common(used)):
        name, _, value = feature.partition("=")
        if value and name not in there:
            about = meanings.feature(name)
            yield Proposal(feature, about=about, gold=feature in wanted)
    for name in sorted(feature.decode() for feature in UNIVERSAL_FEATURES):
        if name not in there:
            yield Proposal(f"{name}=", about=meanings.feature(name))


def _heads(place: _Place) -> Iterator[Proposal]:
    """Words that may be the head: gold's, then the nearest. What hangs below would be a ring."""
    sentence, row = place.sentence, place.row
    below = {each.first for each in sentence.subtree(row.first)} | {row.first}
    numbers = sorted(
        (number for number in sentence.words if number not in below),
        key=lambda number: (abs(number - row.first), number),
    )
    others = [root for root in sentence.dependents(0) if root is not row]
    ordered = [*map(str, numbers), "0"] if others else ["0", *map(str, numbers)]
    for text in _first(place.wanted, ordered):
        number = int(text)
        name = "root" if not number else sentence.words[number].cell(FORM)
        gold = text == place.wanted
        yield Proposal(text, f"{text} → {name}", f"{text} {name}", gold=gold)


def _edges(place: _Place) -> Iterator[Proposal]:
    """Edges: gold's, the basic one, and after a head its relations."""
    head, colon, _ = place.old.partition(":")
    if place.gold is not None and list(place.gold.heads) == list(place.sentence.words):
        for edge in (place.wanted or "").split("|"):
            yield Proposal(edge, gold=True)
    if colon:
        used = _sum(seen.relations for seen in place.seen)
        for name in chain(_common(used), sorted(RELATION_NAMES)):
            yield Proposal(f"{head}:{name}", about=meanings.relation(name))
        return
    basic = place.row.cell(HEAD), place.row.cell(DEPREL)
    if all(text not in ("", _EMPTY) for text in basic):
        yield Proposal(":".join(basic))
    for number, row in place.sentence.words.items():
        form = row.cell(FORM)
        yield Proposal(f"{number}:", f"{number}: → {form}", f"{number}: {form}")


def _misc(place: _Place) -> Iterator[Proposal]:
    """Parts that files have more than once, and the keys of the others."""
    there = set(place.row.cell(MISC).split("|")) - {place.old}
    keys = {part.partition("=")[0] for part in there}
    used = _sum(seen.parts for seen in place.seen)
    used["SpaceAfter=No"] += 1
    names: Counter[str] = Counter()
    for part, count in used.most_common():
        name, equals, _ = part.partition("=")
        if part in there or (equals and name in keys):
            continue
        if count > 1 or part == "SpaceAfter=No":
            yield Proposal(part)
        elif equals:
            names[f"{name}="] += 1
    for name in _common(names):
        yield Proposal(name)


def _lemmas(place: _Place) -> Iterator[Proposal]:
    form = place.row.cell(FORM)
    if place.wanted is not None:
        yield Proposal(place.wanted, gold=True)
    yield Proposal(form.lower())
    yield Proposal(form)


def _comment(spot: Spot, line: bytes) -> Proposals | None:
    """Comments that a sentence has not got yet."""
    if not line.startswith(b"#") or b"=" in line:
        return None
    texts = [] if "sent_id" in spot.sentence.comments else ["# sent_id = "]
    if "text" not in spot.sentence.comments and (text := formed(spot.sentence)):
        texts.append(f"# text = {text}")
    texts += ["# newdoc id = ", "# newpar id = "]
    made = tuple(Proposal(text, filter=text) for text in texts)
    return Proposals(0, len(line), line.decode("utf-8", "replace"), made, False)


def _first(wanted: str | None, others: Iterable[str]) -> Iterator[str]:
    """All of them, what is wanted first."""
    if wanted is not None:
        yield wanted
    yield from (each for each in others if each != wanted)


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for each in counts:
        found.update(each)
    return found


def _common(counts: Counter[str]) -> list[str]:
    """The most frequent first, then by the letter, so that the order is always the same."""
    return sorted(counts, key=lambda name: (-counts[name], name))


_MAKERS: Final = {
    LEMMA: _lemmas,
    UPOS: _tags,
    XPOS: _xpos,
    FEATS: _features,
    HEAD: _heads,
    DEPREL: _relations,
    DEPS: _edges,
    MISC: _misc,
}
