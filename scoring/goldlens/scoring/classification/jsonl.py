"""JSON Lines rows: an object with id, label or labels, and scores."""

from __future__ import annotations

from goldlens.scoring.classification.json_scan import (
    Value,
    end_of,
    items,
    members,
)
from goldlens.scoring.classification.row import Row, Unreadable, shown

KEYS = frozenset((b"id", b"label", b"labels", b"scores"))
"""The keys that are read; others are left alone."""


def read(line: bytes, row: Row) -> None:
    """Reads a line (without its end) into a row. Raises Unreadable at the first thing wrong."""
    begin = line.index(b"{")
    found: dict[bytes, Value] = {}
    first: Unreadable | None = None
    try:
        for key, value in members(line, begin):
            if key.text not in KEYS:
                continue
            if key.text not in found:
                found[key.text] = value
            else:
                message = f"The key {shown(key.text)} stands twice; take one of them out"
                first = first or Unreadable(key.span, message)
        if (end := end_of(line, begin)) < len(line):
            message = "Something follows the JSON object; write one object a line"
            raise Unreadable((end, len(line)), message)
    except Unreadable as broken:
        first = broken
    # Whatever else is wrong, the row stands for its document if its id can be read.
    _read_id(line, begin, found.get(b"id"), row, first)
    if first:
        raise first
    _read_labels(line, found, row)
    _read_scores(line, found.get(b"scores"), row)
    if row.labels is None and b"scores" not in found:
        message = "The row has no label; add a key label, labels or scores"
        raise Unreadable((begin, end), message)


def _read_id(
    line: bytes, begin: int, value: Value | None, row: Row, first: Unreadable | None
) -> None:
    if value is not None and value.kind in ("string", "integer"):
        name = value.text.strip(b" \t")
        if name and not value.damaged:
            row.id, row.id_span = name, value.span
            return
    if first:
        raise first
    if value is None:
        message = 'The row has no id; add a key "id" with the id of the document'
        raise Unreadable((begin, len(line.rstrip(b" \t"))), message)
    if value.kind == "string" and value.name() == b"":
        raise Unreadable(value.span, "The id is empty; write the id of the document")
    raise Unreadable(value.span, "The id is no text and no whole number; write it in double quotes")


def _read_labels(line: bytes, found: dict[bytes, Value], row: Row) -> None:
    one, many = found.get(b"label"), found.get(b"labels")
    if one and many:
        second = max(one, many, key=lambda value: value.span)
        message = "The row has both label and labels; take one of them out"
        raise Unreadable(second.span, message)
    if one:
        row.labels, row.label_span = [_label(one)], one.span
    elif many:
        if many.kind != "list":
            message = "labels is no list; write it as a list of strings, or use the key label"
            raise Unreadable(many.span, message)
        row.labels = [_label(value) for value in items(line, many.span[0])]
        row.label_span = many.span


def _label(value: Value) -> bytes:
    """A label: a string, or a whole number as it is written."""
    if value.kind not in ("string", "integer"):
        message = f"{shown(value.text)} is no label; write the label in double quotes"
        raise Unreadable(value.span, message)
    label = value.name()
    if not label:
        raise Unreadable(value.span, "A label is empty; write one, or take it out")
    return label


def _read_scores(line: bytes, value: Value | None, row: Row) -> None:
    if value is None:
        return
    if value.kind != "object":
        message = 'scores is no object; write it as {"label": 0.5}'
        raise Unreadable(value.span, message)
    if row.label_span is None:
        row.label_span = value.span
    for key, number in members(line, value.span[0]):
        if number.kind not in ("integer", "number"):
            message = f"The score {shown(number.text)} is no finite number; write one such as 0.5"
            raise Unreadable(number.span, message)
        row.put_score(key.name(), key.span, number.text, number.span)
