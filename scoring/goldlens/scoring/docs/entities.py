"""Entities of Docs against those of gold, by their characters.

An entity is right if gold has one of the same label over the same characters of the stream, which
is the text without white space. So, unlike tags in columns, entities may be compared where gold
has other tokens. Where tokens are the same, the figures are those of the `span` task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from goldlens.scoring.counts import Count, Figure, mean_of
from goldlens.scoring.docs.errors import Refused, Unannotated
from goldlens.scoring.docs.shape import Doc, is_space
from goldlens.scoring.docs.sides import Docs

_SHOWN = 12


class _Entity(NamedTuple):
    """From where to where in a stream, and what."""

    start: int
    end: int
    label: str


class _Facing(NamedTuple):
    """Texts that face each other: how to call them, their streams, their entities."""

    names: tuple[str, str]
    streams: tuple[str, str]
    entities: tuple[set[_Entity], set[_Entity]]


def entity_figures(ours: Docs, theirs: Docs, policy: str) -> dict[str, Figure]:
    """Micro and Macro of predicted entities (`ours`) against gold's.

    As many Docs on both sides face each other one by one; else all face all, joined. Entities of
    texts that differ are refused by the official policy, and wrong under the lenient one. Raises
    Unannotated for a Doc whose entities were never set, and Refused.
    """
    right: Counter[str] = Counter()
    gold: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    causes: list[str] = []
    for facing in _facing(ours, theirs):
        here, there = facing.entities
        predicted.update(entity.label for entity in here)
        gold.update(entity.label for entity in there)
        if facing.streams[0] == facing.streams[1]:
            right.update(entity.label for entity in here & there)
        else:
            causes.append(_difference(facing))
    if causes and policy == "official":
        raise Refused(causes)
    labels = gold.keys() | predicted.keys()
    return {
        "Micro": Count(right.total(), gold.total(), predicted.total()),
        "Macro": mean_of([Count(right[x], gold[x], predicted[x]) for x in labels]),
    }


def _facing(ours: Docs, theirs: Docs) -> Iterable[_Facing]:
    here, there = _read(ours), _read(theirs)
    if len(here) == len(there):
        names = [(ours.named(k), theirs.named(k)) for k in range(len(here))]
        return (
            _Facing(named, (a[0], b[0]), (a[1], b[1]))
            for named, a, b in zip(names, here, there, strict=True)
        )
    a, b = _joined(here), _joined(there)
    return [_Facing((ours.name, theirs.name), (a[0], b[0]), (a[1], b[1]))]


def _read(side: Docs) -> list[tuple[str, set[_Entity]]]:
    found = []
    for k, doc in enumerate(side.docs):
        if not doc.has_annotation("ENT_IOB") and not all(map(is_space, doc)):
            raise Unannotated(
                f"{side.named(k)} has no entities, not even none; run what finds them over it, or "
                "say that there are none: doc.ents = []"
            )
        found.append(_stream(doc))
    return found


def _stream(doc: Doc) -> tuple[str, set[_Entity]]:
    """The text without white space, and the entities where they stand in that."""
    text = doc.text
    at = list(accumulate((not char.isspace() for char in text), initial=0))
    entities = {
        _Entity(at[entity.start_char], at[entity.end_char], entity.label_) for entity in doc.ents
    }
    return "".join(text.split()), {entity for entity in entities if entity.start < entity.end}


def _joined(read: Sequence[tuple[str, set[_Entity]]]) -> tuple[str, set[_Entity]]:
    starts = accumulate((len(stream) for stream, _ in read), initial=0)
    moved = {
        _Entity(start + entity.start, start + entity.end, entity.label)
        for start, (_, entities) in zip(starts, read, strict=False)
        for entity in entities
    }
    return "".join([stream for stream, _ in read]), moved


def _difference(facing: _Facing) -> str:
    here, there = facing.streams
    pairs = enumerate(zip(here, there, strict=False))
    at = next((k for k, (a, b) in pairs if a != b), min(len(here), len(there)))
    ours, theirs = (_quoted(stream[at:]) for stream in (here, there))
    ours_named, theirs_named = facing.names
    return (
        f"{ours_named}: stream-mismatch: The text differs from {theirs_named} at offset {at} of "
        f"the character stream: {ours}, gold has {theirs}"
    )


def _quoted(rest: str) -> str:
    if not rest:
        return "its end"
    return f"'{rest[:_SHOWN]}{'…' if len(rest) > _SHOWN else ''}'"
