"""The editor's open documents, as it told of them: a text, and the changes since."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeGuard

from goldlens.cli.forwarding import messages
from goldlens.cli.forwarding.folding import folded
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import key_of

MOST_CHANGES: Final = 1000
"""Changes of a document are folded into its text when there are so many,"""

LEAST_SIZE: Final = 1 << 16
"""or when their messages are longer than the text, and have so many bytes."""


class Document:
    """One open document. What in `about` is beside its URI, language and version is let go."""

    def __init__(self, about: Mapping[str, Any]) -> None:
        """`about`: the `textDocument` of a didOpen, with a `uri` and a `text`."""
        self.text: bytes = about["text"].encode("utf-8", "surrogatepass")
        self._about = {key: about[key] for key in ("uri", "languageId", "version") if key in about}
        self._log: list[bytes] = []
        self._size = 0

    @property
    def uri(self) -> str:
        """As it was opened, letter for letter."""
        uri: str = self._about["uri"]
        return uri

    def changed(self, body: bytes, params: Mapping[str, Any], encoding: Encoding | None) -> None:
        """Takes a didChange: the message, and its parameters."""
        self._about["version"] = params["textDocument"].get("version")
        changes = params["contentChanges"]
        whole = [k for k, change in enumerate(changes) if change.get("range") is None]
        if whole and (encoding is not None or whole[-1] == len(changes) - 1):
            # Nothing of what was before is left.
            self.text = folded(b"", changes[whole[-1] :], encoding or Encoding.UTF16)
            self._log, self._size = [], 0
            return
        self._log.append(body)
        self._size += len(body)
        long = self._size > max(len(self.text), LEAST_SIZE)
        if encoding is not None and (long or len(self._log) >= MOST_CHANGES):
            self._fold(encoding)

    def _fold(self, encoding: Encoding) -> None:
        changes = (change for body in self._log for change in _changes(body))
        self.text = folded(self.text, changes, encoding)
        self._log, self._size = [], 0

    def again(self, encoding: Encoding | None) -> list[bytes]:
        """What opens the document anew: one message, where it is known what columns count."""
        if encoding is not None and self._log:
            self._fold(encoding)
        text = self.text.decode("utf-8", "surrogatepass")
        opened = {"textDocument": {**self._about, "text": text}}
        return [messages.notification("textDocument/didOpen", opened), *self._log]


def _changes(body: bytes) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = json.loads(body)["params"]["contentChanges"]
    return found


class Documents:
    """All of them. What a server would not take is not taken here either."""

    def __init__(self) -> None:
        self._open: dict[str, Document] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(self._open.values())

    def opened(self, params: Mapping[str, Any]) -> Document | None:
        """textDocument/didOpen. The document, or None."""
        about = params.get("textDocument")
        if not _named(about) or not isinstance(about.get("text"), str):
            return None
        document = self._open[key_of(about["uri"])] = Document(about)
        return document

    def changed(self, body: bytes, params: Mapping[str, Any], encoding: Encoding | None) -> None:
        """textDocument/didChange."""
        about = params.get("textDocument")
        if not _named(about) or not _are_changes(params.get("contentChanges")):
            return
        document = self._open.get(key_of(about["uri"]))
        if document is not None:
            document.changed(body, params, encoding)

    def closed(self, params: Mapping[str, Any]) -> None:
        """textDocument/didClose."""
        about = params.get("textDocument")
        if _named(about):
            self._open.pop(key_of(about["uri"]), None)

    def find(self, uri: str) -> Document | None:
        """The open document of a URI, however it is spelt."""
        return self._open.get(key_of(uri))


def _named(about: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(about, dict) and isinstance(about.get("uri"), str)


def _are_changes(changes: Any) -> bool:
    return isinstance(changes, list) and all(map(_is_change, changes))


def _is_change(change: Any) -> bool:
    if not isinstance(change, dict) or not isinstance(change.get("text"), str):
        return False
    where = change.get("range")
    return where is None or (
        isinstance(where, dict)
        and _is_position(where.get("start"))
        and _is_position(where.get("end"))
    )


def _is_position(position: Any) -> bool:
    if not isinstance(position, dict):
        return False
    numbers = position.get("line"), position.get("character")
    return all(type(number) is int and number >= 0 for number in numbers)
