"""What the client at the other end can do, as far as it matters here.

Read from the raw capabilities: editors send members that no typed parser has heard of, and an
`initialize` must not fail because of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from goldlens.server.engine.positions import Encoding

_REFRESHES: Final = ("codeLens", "inlayHint", "semanticTokens")

_KNOWN = {encoding.value: encoding for encoding in Encoding}


@dataclass(frozen=True, slots=True)
class Client:
    """One client's abilities. The defaults are those of a client that says nothing."""

    encoding: Encoding = Encoding.UTF16
    related: bool = False
    """Diagnostics may have relatedInformation."""
    data: bool = False
    """It keeps a diagnostic's data, and sends it back with a request for code actions."""
    pulls: bool = False
    """It asks for diagnostics, so none are pushed."""
    refresh: bool = False
    """It asks again when told that diagnostics changed."""
    progress: bool = False
    """The server may open a progress display."""
    nested: bool = False
    """It shows symbols that hold others."""
    watches: bool = False
    """It watches files when asked to."""
    literals: bool = False
    """It takes code actions, and not only commands."""
    resolves: bool = False
    """It asks for the edits of a code action when they are wanted."""
    prepares: bool = False
    """It asks what can be renamed before it asks for a name."""
    versions: bool = False
    """Its edits may be bound to a version of a document."""
    applies: bool = False
    """It makes edits that the server asks it to."""
    refreshes: frozenset[str] = frozenset()
    """Methods by which it can be asked to ask again for lenses, hints and colours."""

    @classmethod
    def of(cls, capabilities: object) -> Client:
        """The client with these capabilities; whatever is odd in them counts as absent."""
        return cls(
            encoding=_encoding(_at(capabilities, "general", "positionEncodings")),
            related=(
                _at(capabilities, "textDocument", "publishDiagnostics", "relatedInformation")
                is True
                or _at(capabilities, "textDocument", "diagnostic", "relatedInformation") is True
            ),
            data=_at(capabilities, "textDocument", "publishDiagnostics", "dataSupport") is True,
            pulls=isinstance(_at(capabilities, "textDocument", "diagnostic"), Mapping),
            refresh=_at(capabilities, "workspace", "diagnostics", "refreshSupport") is True,
            progress=_at(capabilities, "window", "workDoneProgress") is True,
            nested=_at(
                capabilities, "textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"
            )
            is True,
            watches=(
                _at(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration")
                is True
            ),
            literals=isinstance(
                _at(capabilities, "textDocument", "codeAction", "codeActionLiteralSupport"), Mapping
            ),
            resolves=_resolves(_at(capabilities, "textDocument", "codeAction")),
            prepares=_at(capabilities, "textDocument", "rename", "prepareSupport") is True,
            versions=_at(capabilities, "workspace", "workspaceEdit", "documentChanges") is True,
            applies=_at(capabilities, "workspace", "applyEdit") is True,
            refreshes=frozenset(
                f"workspace/{name}/refresh"
                for name in _REFRESHES
                if _at(capabilities, "workspace", name, "refreshSupport") is True
            ),
        )


def _at(value: object, *keys: str) -> Any:
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _resolves(actions: object) -> bool:
    properties = _at(actions, "resolveSupport", "properties")
    named = isinstance(properties, list) and "edit" in properties
    return named and _at(actions, "dataSupport") is True


def _encoding(offered: object) -> Encoding:
    """The first that the client offers of utf-8 and utf-32, which cost less; else utf-16."""
    known = (
        [_KNOWN[o] for o in offered if isinstance(o, str) and o in _KNOWN]
        if isinstance(offered, list)
        else []
    )
    return next((e for e in known if e is not Encoding.UTF16), Encoding.UTF16)
