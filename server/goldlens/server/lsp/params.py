"""What clients send, taken apart: the value, or InvalidParams that says what was expected.

The messages that matter for speed or that other programs fill in (an edit, a list of foreign
diagnostics) never go through a converter, so everything is read here by hand and with patience:
unknown members are nobody's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams


def invalid(message: str) -> JsonRpcInvalidParams:
    """The error for a request whose parameters are wrong."""
    return JsonRpcInvalidParams(message=f"Invalid params: {message}")


def table(value: object, where: str) -> Mapping[str, Any]:
    """An object. Raises JsonRpcInvalidParams."""
    if not isinstance(value, dict):
        raise invalid(f"expected {where} to be an object, not {shown(value)}")
    return value


def items(value: object, where: str) -> list[Any]:
    """An array. Raises JsonRpcInvalidParams."""
    if not isinstance(value, list):
        raise invalid(f"expected {where} to be an array, not {shown(value)}")
    return value


def text(value: object, where: str) -> str:
    """A string. Raises JsonRpcInvalidParams."""
    if not isinstance(value, str):
        raise invalid(f"expected {where} to be a string, not {shown(value)}")
    return value


def whole(value: object, where: str, least: int = 0) -> int:
    """A whole number. Raises JsonRpcInvalidParams."""
    # `type`, not `isinstance`: true and false are ints to Python.
    if type(value) is not int or value < least:
        raise invalid(f"expected {where} to be a whole number from {least}, not {shown(value)}")
    return value


def document(params: object) -> Mapping[str, Any]:
    """The `textDocument` of some parameters, with a `uri`. Raises JsonRpcInvalidParams."""
    found = table(table(params, "params").get("textDocument"), "textDocument")
    text(found.get("uri"), "textDocument.uri")
    return found


def changes(params: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The `contentChanges` of a didChange. Raises JsonRpcInvalidParams."""
    found = items(params.get("contentChanges"), "contentChanges")
    for change in found:
        text(table(change, "each of contentChanges").get("text"), "text")
        where = change.get("range")
        if where is None:
            continue
        for end in ("start", "end"):
            position = table(table(where, "range").get(end), f"range.{end}")
            whole(position.get("line"), f"range.{end}.line")
            whole(position.get("character"), f"range.{end}.character")
    return found


def shown(value: object) -> str:
    """A value in a message: strings and numbers themselves, else what kind of thing it is."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f"{value!r}" if len(value) <= 60 else f"{value[:59]!r}…"
        case dict():
            return "an object"
        case list():
            return "an array"
        case _:
            return str(value)
