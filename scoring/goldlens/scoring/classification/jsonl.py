"""JSON Lines rows: an object with id, label or labels, and scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from goldlens.scoring.classification.json_scan import Members, Value, read_object
from goldlens.scoring.classification.row import Row, Span, Unreadable, shown

_KEYS: Final = frozenset((b"id", b"label", b"labels", b"scores"))
"""The keys that are read; others are left alone."""


def read(line: bytes, row: Row) -> None:
    """Reads a line (without its end) into a row. Raises Unreadable at the first thing wrong."""
    begin = line.index(b"{")
    members: Members = []
    wrong: Unreadable | None = None
    try:
        end = read_object(line, begin, members)
        if rest := line[end:].strip(b" \t"):
            start = line.index(rest, end)
            message = "Something follows the JSON object; write one object a line"
            raise Unreadable((start, start + len(rest)), message)
    except Unreadable as broken:
        wrong = broken
    found: dict[bytes, Value] = {}
    for key, value in members:
        if key.text in _KEYS and key.text in found:
            message = f"The key {shown(key.text)} stands twice; take one of them out"
            wrong = Unreadable(key.span, message)
            break
        found[key.text] = value
    # Whatever else is wrong, the row stands for its document if its id can be read.
    if not _read_id(found.get(b"id"), row) or wrong:
        raise wrong or _no_id(found.get(b"id"), (begin, end))
    if not found.keys() & {b"label", b"labels", b"scores"}:
        message = "The row has no label; add a key label, labels or scores"
        raise Unreadable((begin, end), message)
    _read_labels(found, row)
    if b"scores" in found:
        _read_scores(found[b"scores"], row)


def _read_id(value: Value | None, row: Row) -> bool:
    """Takes the id in, if there is one. Raises Unreadable."""
    if value is None or value.kind not in ("string", "integer"):
        return False
    row.id, row.id_span = value.name() or None, value.span
    return row.id is not None


def _no_id(value: Value | None, whole: Span) -> Unreadable:
    """Why a row has no id."""
    if value is None:
        return Unreadable(whole, "The row has no id; add a key id with the id of the document")
    if value.kind == "string":
        return Unreadable(value.span, "The id is empty; write the id of the document")
    message = "The id is no text and no whole number; write it in double quotes"
    return Unreadable(value.span, message)


def _read_labels(found: Mapping[bytes, Value], row: Row) -> None:
    one, many = found.get(b"label"), found.get(b"labels")
    if one and many:
        second = max(one, many, key=lambda value: value.span)
        message = "The row has both label and labels; take one of them out"
        raise Unreadable(second.span, message)
    if one:
        row.labels, row.label_span = [_label(one)], one.span
    elif many:
        if many.items is None:
            message = "labels is no list; write it as a list of strings, or use the key label"
            raise Unreadable(many.span, message)
        row.labels, row.label_span = [_label(value) for value in many.items], many.span


def _label(value: Value) -> bytes:
    """A label: a string, or a whole number as it is written."""
    if value.kind not in ("string", "integer"):
        message = f"{shown(value.text)} is no label; write the label in double quotes"
        raise Unreadable(value.span, message)
    label = value.name()
    if not label:
        raise Unreadable(value.span, "A label is empty; write one, or take it out")
    return label


def _read_scores(value: Value, row: Row) -> None:
    if value.members is None:
        message = 'scores is no object; write it as {"label": 0.5}'
        raise Unreadable(value.span, message)
    row.label_span = row.label_span or value.span
    for key, number in value.members:
        if number.kind not in ("integer", "number"):
            message = f"The score {shown(number.text)} is no finite number; write one such as 0.5"
            raise Unreadable(number.span, message)
        row.put_score(key.name(), key.span, number.text, number.span)
