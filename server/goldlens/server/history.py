"""What each system has scored over time, kept from one session to the next.

A system's history is a file of JSON Lines in the user's state folder, a line for each version
that was scored: when, the SHA-256 of the prediction and of its gold, and the score of each metric
in points. It is a convenience, and never in the way: what cannot be written is not, and lines that
are damaged are passed over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from platformdirs import user_state_path

MOST: Final = 10_000
"""So many lines a file may have; it is then cut to the newer half."""

LARGEST: Final = 4 << 20
"""The same in bytes, for who does not count lines."""

_TAIL: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Scored:
    """A version of a prediction that was scored.

    `time` is UTC to the second, as ISO 8601 has it; `scores` are points, None where undefined.
    """

    time: str
    pred: str
    gold: str
    scores: Mapping[str, float | None]

    @property
    def content(self) -> tuple[str, str]:
        """What was scored: the SHA-256 of the prediction and of its gold."""
        return self.pred, self.gold

    def line(self) -> bytes:
        """The version as a line of a history."""
        table = {"time": self.time, "pred": self.pred, "gold": self.gold, "scores": self.scores}
        return json.dumps(table).encode() + b"\n"


def folder() -> Path:
    """Where histories are kept unless somebody says otherwise."""
    return user_state_path("goldlens", appauthor=False) / "history"


def moment(seconds: float) -> str:
    """A time, in seconds since 1970, as histories have it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


class History:
    """The histories in a folder, which is made when first written to.

    Without a folder they last as long as the session.
    """

    def __init__(self, folder: Path | None, most: int = MOST) -> None:
        self._folder, self._most = folder, most
        self._known: dict[str, list[Scored]] = {}

    def of(self, *key: str) -> list[Scored]:
        """What a system has scored, the oldest first; `key` is its prediction, gold, and task."""
        name = _name(key)
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def add(self, scored: Scored, *key: str) -> None:
        """Notes a score; the same contents as those noted last are no news."""
        known = self.of(*key)
        if known and known[-1].content == scored.content:
            return
        known.append(scored)
        self._append(_name(key), scored)
        if len(known) > self._most:
            self._cut(_name(key), known)

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name

    def _read(self, name: str) -> list[Scored]:
        path = self._path(name)
        try:
            lines = path.read_bytes().split(b"\n") if path is not None else []
        except OSError:
            return []
        found: list[Scored] = []
        for line in lines:
            scored = _parsed(line)
            # Two sessions may have noted the same version.
            if scored is not None and (not found or found[-1].content != scored.content):
                found.append(scored)
        return found[-self._most :]

    def _append(self, name: str, scored: Scored) -> None:
        path = self._path(name)
        if path is not None:
            _append(path, scored)

    def _cut(self, name: str, known: list[Scored]) -> None:
        """Keeps the newer half, of what another session may have noted too."""
        kept = (self._read(name) or known)[-max(1, self._most // 2) :]
        known[:] = kept
        path = self._path(name)
        if path is not None:
            _replace(path, b"".join(scored.line() for scored in kept))


class Notes:
    """The same histories for who only adds to them: of each no more than its end is read.

    A history that has grown larger than `most` bytes is cut to its newer half.
    """

    def __init__(self, folder: Path, most: int = LARGEST) -> None:
        self._folder, self._most = folder, most
        self._last: dict[str, tuple[str, str]] = {}

    def add(self, scored: Scored, *key: str) -> None:
        """Notes a score; the same contents as those noted last are no news."""
        name = _name(key)
        path = self._folder / name
        if name not in self._last and (last := _last_of(path)) is not None:
            self._last[name] = last.content
        if self._last.get(name) == scored.content:
            return
        self._last[name] = scored.content
        if _append(path, scored) > self._most:
            with contextlib.suppress(OSError):
                lines = path.read_bytes().splitlines(keepends=True)
                _replace(path, b"".join(lines[len(lines) // 2 :]))


def _append(path: Path, scored: Scored) -> int:
    """Adds a line to a history; its size then, 0 if it could not be written."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            line = scored.line()
            # What broke off in the middle of a line must not spoil this one.
            if file.tell() and not _ends_whole(file):
                line = b"\n" + line
            file.write(line)
            return file.tell()
    return 0


def _replace(path: Path, data: bytes) -> None:
    new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        new.write_bytes(data)
        new.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            new.unlink(missing_ok=True)


def _last_of(path: Path) -> Scored | None:
    """The last line of a history."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            lines = file.read().split(b"\n")
    except OSError:
        return None
    return next((found for line in reversed(lines) if (found := _parsed(line))), None)


def _name(key: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(key).encode("utf-8", "surrogateescape")).hexdigest() + ".jsonl"


def _ends_whole(file: Any) -> bool:
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")


def _parsed(line: bytes) -> Scored | None:
    """A line of a history; None if it is damaged."""
    try:
        table = json.loads(line)
        scored = Scored(table["time"], table["pred"], table["gold"], table["scores"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = (scored.time, scored.pred, scored.gold)
    if not all(isinstance(text, str) for text in texts) or not isinstance(scored.scores, dict):
        return None
    numbers = scored.scores.values()
    return scored if all(n is None or type(n) in (int, float) for n in numbers) else None
