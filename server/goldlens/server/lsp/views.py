"""What a client has been shown of each document it has open."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from goldlens.server.lsp.fragments import Fragments

if TYPE_CHECKING:
    from goldlens.server.lsp.tokens import Coloured

LARGE: Final = 4_000_000
"""A text of more bytes or characters than this is read in a thread."""


@dataclass(slots=True, eq=False)
class View:
    """One open document, from didOpen to didClose. `uri` is as it was opened, letter for letter.

    `size` is that of its text when it was opened, `version` the last one that was pushed,
    `scores` what was told last, `coloured` the tokens that the client has. `sight` is the line
    about which the client asked last, `around` the lines about which it may ask before it is to
    be given other lenses (None: any).
    """

    uri: str
    size: int
    fragments: Fragments
    version: int | None = None
    scores: dict[str, object] | None = None
    opening: bool = False
    """It is being read in a thread, and there is nothing to say of it yet."""
    coloured: Coloured | None = None
    sight: int = 0
    around: range | None = None
    json_uri: str = field(init=False)

    def __post_init__(self) -> None:
        self.json_uri = json.dumps(self.uri)

    def next_version(self, version: int | None) -> int | None:
        """The version to push for a document that is at `version`: it never goes down."""
        if version is not None and (self.version is None or version > self.version):
            self.version = version
        return self.version
