"""What a workspace keeps of an open document and of a gold file, and how it tells of them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from goldlens.scoring.counts import Figure
from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import Format
from goldlens.server.config import Settings
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister, Located
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.judging import judged
from goldlens.server.pairing import Pairing
from goldlens.server.roles import Role
from goldlens.server.sources import Stamp, sha256

UNSAVED: Final = "unsaved buffer"
LARGE: Final = 4 << 20
"""From this many bytes on a text is opened without the checks that do not touch its score; these
are made while nothing else waits."""


@dataclass(frozen=True, slots=True)
class FileListing:
    """The problems of an open document and what is needed to show them.

    `revision` changes whenever the listing may.
    """

    shown: Sequence[Located]
    more: int
    document: Document
    gold: Document | None
    gold_uri: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class Held:
    """The text of an open document and what it is held against.

    `uri` is as it was opened; `pair` and `gold_uri` are None without gold.
    """

    uri: str
    document: Document
    pair: Pair | None
    gold_uri: str | None


@dataclass(slots=True)
class GoldFile:
    """A gold file read from disk."""

    document: Document
    stamp: Stamp | None
    sha256: str


@dataclass(slots=True, eq=False)
class OpenDocument:
    """An open document: `buffer` is what the editor has, `document` what is scored of it.

    `readings` are of the same text as `document`, for predictions that face it as gold and need
    it read otherwise: in other columns, with another threshold.
    """

    uri: str
    path: Path | None
    version: int | None
    buffer: Document
    document: Document
    settings: Settings
    language: str | None = None
    role: Role = field(default_factory=lambda: Role(None))
    facing: Pairing | None = None
    pair: Pair | None = None
    readings: dict[Format, Document] = field(default_factory=dict)
    lister: Lister | None = None
    trouble: Problem | None = None
    too_large: str | None = None
    excused: frozenset[str] = frozenset()
    edited: bool = False
    digest: str | None = None
    near: int = 0
    revision: int = 0
    edits: int = 0
    at_open: dict[str, Figure | None] = field(default_factory=dict)
    at_save: dict[str, Figure | None] = field(default_factory=dict)

    def figures(self) -> dict[str, Figure | None]:
        """What the document scores now; nothing without gold."""
        return Scoreboard(self.pair).figures() if self.pair else {}

    def sha256(self, *, whole: bool = False) -> str:
        """The SHA-256 of what is scored, or that it has not been saved.

        Of a large text only if `whole` insists: hashing it takes longer than an edit may.
        """
        if self.edited:
            return UNSAVED
        if self.digest is None:
            text = self.document.text()
            if len(text) > LARGE and not whole:
                return UNSAVED
            self.digest = sha256(text)
        return self.digest

    def listed(self) -> Lister:
        """What lists the problems of what is scored now."""
        lister = self.lister
        if lister is None or lister.document is not self.document or lister.pair is not self.pair:
            lister = self.lister = Lister(self.document, self.pair, self.judge)
        return lister

    def judge(self, problem: Problem) -> Severity | None:
        """How severe a problem shows; None for not at all."""
        return judged(problem, self.settings, self.excused)


@contextmanager
def no_collection(large: bool) -> Iterator[None]:
    """No garbage collection while a large text is opened: it makes much, and no garbage."""
    collecting = large and gc.isenabled()
    if collecting:
        gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def change_of(
    before: Mapping[str, Figure | None], now: Mapping[str, Figure | None]
) -> dict[str, float | None]:
    """The change of each metric's score, in points; None where it was or is undefined."""
    found: dict[str, float | None] = {}
    for name, figure in now.items():
        old = before.get(name)
        was = None if old is None else old.score
        score = None if figure is None else figure.score
        found[name] = None if score is None or was is None else score - was
    return found


def pair_dict(uri: str, facing: Pairing, *, is_open: bool) -> dict[str, object]:
    """A prediction and its gold, as `goldlens.pairs` tells of them."""
    trouble = facing.trouble
    return {
        "pred": uri,
        "gold": str(facing.gold),
        "task": facing.task,
        "system": facing.system,
        "rule": facing.rule,
        "open": is_open,
        "trouble": None if trouble is None else trouble.message,
        "component": facing.pair.component,
        "metrics": list(facing.pair.metrics),
    }
