"""Files that other programs write: read when they change, and believed when they are whole.

A file that is read while somebody writes it may be anything: empty, broken off in the middle of a
line, or one half of what it will be. What looks so is left alone until it has stayed as it is for
`PATIENCE`; then that is what the file says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from goldlens.scoring.text import BOM
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import Stamp, Unreadable, read, sha256, stamp

PATIENCE: Final = 5.0
"""Seconds after which a file that looks unfinished is taken for what it is."""

_COARSE: Final = 2.0
"""Seconds within which two changes may have one time, on the coarsest of file systems."""

_SCATTERED: Final = 8
"""Changes to up to one of so many units are cheaper one by one than all at once."""

_AHEAD: Final = 16
_NEAR: Final = 4096
"""How many units ahead, and how many bytes besides theirs, are looked through for where what
was there goes on."""

_BILLION: Final = 1_000_000_000


@dataclass(slots=True)
class OnDisk:
    """A file, and what is known of it.

    `sha256` is of the bytes that were taken last. `trouble` says why the file cannot be read now,
    `unfinished` why what it holds now is not taken yet. `again` is the time (in seconds, of the
    clock that `look` is given) at which to look even if nobody tells of a change.
    """

    path: Path
    stamp: Stamp | None = None
    sha256: str | None = None
    trouble: str | None = None
    unfinished: str | None = None
    again: float | None = None
    _seen: tuple[Stamp | None, float] | None = None

    def look(self, now: float) -> bytes | None:
        """What the file says, if that is news to be believed; None if not."""
        before = stamp(self.path)
        self.again = self.unfinished = self.trouble = None
        try:
            data = read(self.path)
        except Unreadable as error:
            self.stamp, self.trouble, self._seen = before, str(error), None
            return None
        after = stamp(self.path)
        self.stamp = before
        if before is None or before != after:
            # It is written at this very moment: what was read may be neither old nor new.
            self.unfinished, self.again = "it is being written", now + _COARSE / 2
            return None
        digest = sha256(data)
        if not self._is_racy(before, now):
            self.again = None
        if digest == self.sha256:
            return None
        if not data.endswith((b"\n", b"\r")) and not self.is_settled(now):
            what = "breaks off in the middle of a line" if data else "is empty"
            self.wait(f"it {what}", now)
            return None
        self.sha256 = digest
        return data

    def is_settled(self, now: float) -> bool:
        """Whether the file has been what it is for `PATIENCE`, by its own time or as seen here."""
        if self.stamp is None:
            return True
        if self._seen is None or self._seen[0] != self.stamp:
            self._seen = self.stamp, now
        changed = max(self.stamp.changed, self.stamp.modified) / _BILLION
        return now - min(changed, self._seen[1]) >= PATIENCE

    def wait(self, why: str, now: float) -> None:
        """What the file holds is not to be believed yet."""
        self.unfinished = why
        self.again = now + PATIENCE / 5

    def _is_racy(self, found: Stamp, now: float) -> bool:
        """Whether another change may yet have the time of this one; it is then looked at again."""
        if abs(now - found.changed / _BILLION) >= _COARSE:
            return False
        self.again = now + _COARSE
        return True


def rewritten(document: Document, text: bytes) -> Iterator[Splice]:
    """Gives a document another text by what differs.

    The splices come one by one, and each is to be passed on before the next is asked for. Changes
    scattered over a text cost what they touch; the rest is only compared, byte by byte.
    """
    mark = len(BOM) if document.bom else 0
    if text.startswith(BOM) == document.bom:
        edits = _edits(document, text[mark:] if mark else text, mark)
        # From the end, and by lines: those of what is still to come stay what they are.
        for edit in reversed(edits):
            yield document.edit(edit, Encoding.UTF8)
    if document.text() != text:
        yield document.replace(text)


def _edits(document: Document, text: bytes, mark: int) -> list[Edit]:
    """The edits that make the units of a document be a text; none if they would be too many."""
    units, starts = document.units, document.line_starts
    found: list[Edit] = []
    most = max(1, len(units) // _SCATTERED)
    number = at = 0
    behind = document.lines + 1
    while number < len(units) or at < len(text):
        if number < len(units) and text.startswith(units[number].text, at):
            at += len(units[number].text)
            number += 1
            continue
        stop, end = _anchor(units, number, text, at)
        if len(found) == most:
            return []
        line = int(starts[number]) if number < len(units) else behind
        last = int(starts[stop]) if stop < len(units) else behind
        columns = 0 if number else mark, 0 if stop else mark
        found.append(Edit(line, columns[0], last, columns[1], text[at:end]))
        number, at = stop, end
    return found


def _anchor(units: Sequence[Any], number: int, text: bytes, at: int) -> tuple[int, int]:
    """Where units and text meet again: the next unit that stands in the text near `at`.

    The end of both, if they do not. Any meeting will do; the nearest costs least.
    """
    window = _NEAR
    for k in range(number, min(number + _AHEAD, len(units))):
        block = units[k].text
        window += 2 * len(block)
        found = text.find(block, at, at + window)
        if found == at or (found > at and text[found - 1 : found] == b"\n"):
            return k, found
    return len(units), len(text)
