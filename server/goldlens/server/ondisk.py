"""Files that other programs write: read when they change, and believed when they are whole.

A file that is read while somebody writes it may be anything: empty, broken off in the middle of a
line, or one half of what it will be. What looks so is left alone until it has stayed as it is for
`PATIENCE`; then that is what the file says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from goldlens.scoring.text import BOM
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.positions import Encoding
from goldlens.server.sources import Stamp, Unreadable, read, sha256, stamp

PATIENCE: Final = 5.0
"""Seconds after which a file that looks unfinished is taken for what it is."""

_COARSE: Final = 2.0
"""Seconds within which two changes may have one time, on the coarsest of file systems."""

_SCATTERED: Final = 8
"""Changes in up to one of so many blocks are cheaper one by one than all at once."""

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
    scattered over a text of as many blocks cost what they touch.
    """
    blocks = document.format.split(text.removeprefix(BOM))
    units = document.units
    if len(blocks) == len(units) and text.startswith(BOM) == document.bom:
        runs: list[tuple[int, int]] = []
        for k, (block, unit) in enumerate(zip(blocks, units, strict=True)):
            if block != unit.text:
                if runs and runs[-1][1] == k:
                    runs[-1] = runs[-1][0], k + 1
                else:
                    runs.append((k, k + 1))
        if len(runs) <= max(1, len(blocks) // _SCATTERED):
            # From the end, and by lines: those of what is still to come stay what they are.
            for edit in reversed([_edit(document, blocks, *run) for run in runs]):
                yield document.edit(edit, Encoding.UTF8)
    if document.text() != text:
        yield document.replace(text)


def _edit(document: Document, blocks: list[bytes], first: int, stop: int) -> Edit:
    """The edit that makes units `first` to `stop` be the blocks of these numbers."""
    starts, new = document.line_starts, b"".join(blocks[first:stop])
    column = len(BOM) if document.bom and not first else 0
    end = document.lines + 1 if stop == len(blocks) else int(starts[stop])
    return Edit(int(starts[first]), column, end, 0, new)
