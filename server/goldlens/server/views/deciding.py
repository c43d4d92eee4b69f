"""Gold's labels taken over into the row of a document, whatever the row has them in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from goldlens.scoring.classification import errors
from goldlens.scoring.classification.json_scan import Members, Value, read_object
from goldlens.scoring.classification.reading import read_row
from goldlens.scoring.classification.row import Row, Unreadable, shown
from goldlens.scoring.conllu.editing.replacing import Replacement, Replacements, at

_SHOWN: Final = 4


def labels_taken(theirs: Any, ours: Any, threshold: float) -> Iterator[tuple[str, Replacements]]:
    """What makes the labels of one unit be those of gold's, and what is said of it.

    Labels that are written are replaced. Where scores decide, those that decide otherwise become
    1 or 0, or what the threshold takes for that.
    """
    row = read_row(ours.text)
    if row.wrong is not None:
        return
    if row.labels is None:
        yield from _scores(row, theirs.labels, ours, threshold)
        return
    if _is_json(ours):
        yield "Take gold's labels", _members(ours.text, theirs.labels)
        return
    there, here = errors.label_place(theirs), errors.label_place(ours)
    new = b"|".join(theirs.labels) if _is_json(theirs) else theirs.text[there.start : there.end]
    yield "Take gold's labels", (at(ours.text, here, new),)


def _is_json(unit: Any) -> bool:
    return bool(unit.text.lstrip(b" \t").startswith(b"{"))


def _members(text: bytes, labels: tuple[bytes, ...]) -> Replacements:
    """`label` or `labels` of an object, with its key where one label becomes several."""
    for key, value in _object(text):
        if key.text in (b"label", b"labels"):
            names = [label.decode("utf-8", "replace") for label in labels]
            if key.text == b"label" and len(names) == 1:
                return (Replacement(*value.span, _json(names[0])),)
            if key.text == b"labels":
                return (Replacement(*value.span, _json(names)),)
            return (Replacement(key.span[0], value.span[1], b'"labels": ' + _json(names)),)
    return ()


def _object(text: bytes) -> Members:
    members: Members = []
    try:
        read_object(text, text.index(b"{"), members)
    except Unreadable:
        return []
    return members


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _scores(
    row: Row, wanted: tuple[bytes, ...], ours: Any, threshold: float
) -> Iterator[tuple[str, Replacements]]:
    high, low = max(1.0, threshold), 0.0 if threshold > 0 else threshold - 1
    edits, said = [], []
    for (label, score), span in zip(row.scores.items(), row.score_spans, strict=True):
        if (score >= threshold) != (label in wanted):
            new = high if label in wanted else low
            edits.append(Replacement(*span, b"%g" % new))
            said.append(f"{shown(label)} {new:g}")
    if lacking := [label for label in wanted if label not in row.scores]:
        put = _put(row, lacking, ours, high)
        if put is None:
            return
        edits.append(put)
        said += [f"{shown(label)} {high:g}" for label in lacking]
    if edits:
        more = " …" if len(said) > _SHOWN else ""
        title = f"Set the scores to gold's labels: {', '.join(said[:_SHOWN])}{more}"
        yield title, tuple(edits)


def _put(row: Row, labels: list[bytes], ours: Any, score: float) -> Replacement | None:
    """Scores of labels put in behind those that are there."""
    if _is_json(ours):
        found = next((v for k, v in _object(ours.text) if k.text == b"scores"), None)
        return None if found is None else _put_members(found, labels, score)
    if not row.score_spans:
        return None
    end = row.score_spans[-1][1]
    return Replacement(end, end, b"".join([b"|%b=%g" % (label, score) for label in labels]))


def _put_members(found: Value, labels: list[bytes], score: float) -> Replacement:
    end = found.span[1] - 1
    named = [b"%b: %g" % (_json(label.decode("utf-8", "replace")), score) for label in labels]
    lead = b", " if found.members else b""
    return Replacement(end, end, lead + b", ".join(named))
