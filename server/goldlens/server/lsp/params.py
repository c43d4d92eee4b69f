"""What clients send, taken apart, as far as it is LSP's own.

The messages that matter for speed or that other programs fill in (an edit, a list of foreign
diagnostics) never go through a converter, so everything is read by hand and with patience.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goldlens.server.arguments import items, table, text, whole


def document(params: object) -> Mapping[str, Any]:
    """The `textDocument` of some parameters, with a `uri`. Raises WrongCall."""
    found = table(table(params, "params").get("textDocument"), "textDocument")
    text(found.get("uri"), "textDocument.uri")
    return found


def changes(params: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The `contentChanges` of a didChange. Raises WrongCall."""
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
