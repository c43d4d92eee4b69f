"""A text as units, found by line, and changed by edits that cost what they touch."""

from __future__ import annotations

from collections.abc import Collection, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goldlens.scoring.task import Format
from goldlens.scoring.text import BOM
from goldlens.server.engine.duplicates import Duplicates
from goldlens.server.engine.flaws import Flaws, Judge, problems_of
from goldlens.server.engine.glue import runs_into, stands_alone, stretched, unchanged
from goldlens.server.engine.keys import Keys
from goldlens.server.engine.known import Known
from goldlens.server.engine.memo import Memo
from goldlens.server.engine.positions import Encoding, line_end, line_start

_RECENT: Final = 4


@dataclass(frozen=True, slots=True)
class Splice:
    """Units `removed`, from number `start` on, have become `added`."""

    start: int
    removed: Sequence[Any]
    added: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Edit:
    """A change as editors send it: a range of lines and columns replaced by a text."""

    start_line: int
    start_column: int
    end_line: int
    end_column: int
    text: bytes


class Document:
    """The units of one text.

    `units` is the list itself, which a pairing may hold on to; only `Document` changes it.
    `line_starts` has the line each unit begins at, and at last the number of the last line.
    A byte order mark at the start belongs to no unit; `bom` says whether there is one.

    Facts about the whole are kept as sums: `facts` (see `Task.facts`), `cr` (how many units have
    a CR in their line ends), `keys` (how often each key stands) and `flaws` (how many problems
    each unit has).

    A large text may be opened without looking for problems that do not touch the score; they are
    then found by and by (`check_some`), and `unchecked` says how many units are left.

    `regime` is what of the whole file decides how its blocks are read (see `Format.regime`).
    `as_opened` says whether nothing has been edited, nor looked for, since it was opened.
    """

    def __init__(
        self,
        format: Format,
        text: bytes,
        *,
        checks: bool = True,
        later: bool = False,
        units: list[Any] | None = None,
        known: Known | None = None,
        extra: Collection[str] = (),
        judge: Judge = lambda problem: problem.severity,
    ) -> None:
        """`judge` says how severe problems are to be taken.

        Without `checks` problems that do not touch the score are not looked for, with `later`
        only by `check_some`. `units` are those of the text (without its mark), parsed without
        checks, where they have been parsed already; `known` is all that parsing would find, of
        a format without regimes.
        """
        self.format, self._checks, self._extra = format, checks, frozenset(extra)
        self.bom = text.startswith(BOM)
        body = text[3:] if self.bom else text
        self.regime = format.likely_regime(body)
        # Units that were edited away a moment ago: undoing brings them back as they were.
        self._recent: Memo[Any] = Memo(_RECENT)
        self._duplicates: Duplicates | None = None
        self._known = known
        self.units: MutableSequence[Any]
        if known is None:
            self.units = self._read(body, units, checks=checks and not later)
            self.line_starts = _starts([unit.lines for unit in self.units])
            self.cr = _with_cr(self.units) if b"\r" in text else 0
            self.keys = Keys(map(format.key, self.units))
            problems = problems_of(self.units)
        else:
            self.units, self.facts = known.units, known.facts
            self.line_starts = _starts(known.lines)
            self.cr, self.keys = known.cr, Keys(known.keys)
            problems = known.problems.items()
        self.flaws = Flaws(len(self.units), problems, judge, waiting=checks and later)
        self.as_opened = True

    def _read(self, body: bytes, units: list[Any] | None, *, checks: bool) -> list[Any]:
        """The units of a text, under the regime that their facts ask for."""
        if units is None:
            units = self._parse(self.format.split(body), checks=checks)
        self.facts = self._facts(units)
        if (regime := self.format.regime(self.facts.tolist())) != self.regime:
            self.regime = regime
            units = self._parse(self.format.split(body), checks=checks)
            self.facts = self._facts(units)
        return units

    def forget(self) -> None:
        """From now on what is edited away is not kept: nobody is going to undo it."""
        self._recent = Memo(0)

    def text(self) -> bytes:
        """The whole text, byte for byte."""
        return (BOM if self.bom else b"") + b"".join([unit.text for unit in self.units])

    @property
    def lines(self) -> int:
        """The number of the last line, counting from 0 (it may be empty)."""
        return int(self.line_starts[-1])

    def unit_at(self, line: int) -> int:
        """The unit that holds a line; the number of units for a line behind them all."""
        if not self.units or line < 0:
            return 0
        unit = int(self.line_starts.searchsorted(line, side="right")) - 1
        if unit == len(self.units) and self._runs_on(line):
            unit -= 1
        return unit

    def _runs_on(self, line: int) -> bool:
        """Whether the last unit's text does not end with a line end, and has that line."""
        return line == self.lines and not self.units[-1].text.endswith((b"\n", b"\r"))

    def line(self, number: int) -> bytes:
        """The bytes of a line, without its end; empty for a line that is not there."""
        unit = self.unit_at(number)
        if unit >= len(self.units):
            return b""
        rest: bytes = self.units[unit].text
        offset = line_start(rest, number - int(self.line_starts[unit]))
        return rest[offset : line_end(rest, offset)]

    def edit(self, edit: Edit, encoding: Encoding) -> Splice:
        """Applies an edit. Positions behind a line or the text mean its end.

        A range whose end lies before its start is read the other way round.
        """
        start, end = (edit.start_line, edit.start_column), (edit.end_line, edit.end_column)
        if end < start:
            edit = Edit(*end, *start, edit.text)
        if self.bom and edit.start_line <= 0:
            return self._edit_behind_bom(edit, encoding)
        return self._edit(edit, encoding)

    def _edit(self, edit: Edit, encoding: Encoding) -> Splice:
        first, first_offset = self._locate(edit.start_line, edit.start_column, encoding)
        last, last_offset = self._locate(edit.end_line, edit.end_column, encoding)
        units = self.units
        head = units[first].text[:first_offset] if first < len(units) else b""
        tail = units[last].text[last_offset:] if last < len(units) else b""
        text, stop = head + edit.text + tail, min(last + 1, len(units))
        if first == 0 and not self.bom and text.startswith(BOM):
            # The edit brought a byte order mark to the start: a rare thing, done plainly.
            return self.replace(text + b"".join([unit.text for unit in units[stop:]]))
        return self._put(first, stop, text)

    def _edit_behind_bom(self, edit: Edit, encoding: Encoding) -> Splice:
        """On the first line columns count the byte order mark; an edit may even take it away."""
        width = 3 if encoding is Encoding.UTF8 else 1
        if edit.start_column >= width:
            end = edit.end_column - (width if edit.end_line == edit.start_line else 0)
            moved = Edit(edit.start_line, edit.start_column - width, edit.end_line, end, edit.text)
            return self._edit(moved, encoding)
        # The edit begins before the mark, which it may take away: a rare thing, done plainly.
        body = self.text()[3:]
        if (edit.end_line, edit.end_column) < (0, width):
            return self.replace(edit.text + BOM + body)
        end_column = max(0, edit.end_column - width) if edit.end_line <= 0 else edit.end_column
        unit, offset = self._locate(edit.end_line, end_column, encoding)
        end = sum([len(before.text) for before in self.units[:unit]]) + offset
        return self.replace(edit.text + body[end:])

    def _locate(self, line: int, column: int, encoding: Encoding) -> tuple[int, int]:
        """The unit of a position and the byte offset in it."""
        unit = self.unit_at(line)
        if line < 0:
            return 0, 0
        if unit >= len(self.units):
            return len(self.units), 0
        text = self.units[unit].text
        inside = line - int(self.line_starts[unit])
        offset = line_start(text, inside)
        end = line_end(text, offset)
        return unit, offset + encoding.to_byte(text[offset:end], column)

    def replace(self, text: bytes) -> Splice:
        """Takes another text; only the units that differ are parsed again."""
        self.bom = text.startswith(BOM)
        blocks = self.format.split(text[3:] if self.bom else text)
        units = self.units
        same = 0
        limit = min(len(blocks), len(units))
        while same < limit and blocks[same] == units[same].text:
            same += 1
        same_end = 0
        limit -= same
        while same_end < limit and blocks[-1 - same_end] == units[-1 - same_end].text:
            same_end += 1
        return self._put(
            same, len(units) - same_end, b"".join(blocks[same : len(blocks) - same_end])
        )

    def _put(self, first: int, stop: int, text: bytes) -> Splice:
        """Replaces units first to stop by those of a text, and what hangs together with them."""
        units = self.units
        first, stop, text = stretched(units, first, stop, text)
        if not first and self.format.has_header and stop < len(units):
            # What is the file's first block now, or was until now, says something else there.
            first, stop, text = stretched(units, 0, stop + 1, text + units[stop].text)
        blocks = self.format.split(text)
        while stop < len(units) and blocks and runs_into(self.format, blocks[-1], units[stop]):
            first, stop, text = stretched(units, first, stop + 1, text + units[stop].text)
            blocks = self.format.split(text)
        at_end = stop == len(units)
        known = None
        if len(blocks) == 1 and (first or not self.format.has_header):
            known = self._recent.find(blocks[0])
        added = [known] if known else self._parse(blocks, at_start=not first, at_end=at_end)
        # A unit that was the last one may say other things now that something follows it.
        removed = units[first:stop]
        while added and removed and unchanged(added[0], removed[0]):
            added, removed, first = added[1:], removed[1:], first + 1
        while added and removed and unchanged(added[-1], removed[-1]):
            added, removed = added[:-1], removed[:-1]
        units[first : first + len(removed)] = added
        self._renumber(first, removed, added)
        if (regime := self.format.regime(self.facts.tolist())) != self.regime:
            return self._read_again(regime, Splice(first, removed, added))
        return Splice(first, removed, added)

    def _read_again(self, regime: Any, done: Splice) -> Splice:
        """Reads all blocks under another regime, after a change that has been made already."""
        self.regime, now = regime, list(self.units)
        before = [*now[: done.start], *done.removed, *now[done.start + len(done.added) :]]
        added = self._parse([unit.text for unit in now])
        self._recent = self._recent.emptied()
        self.units[:] = added
        self._renumber(0, now, added)
        self._recent = self._recent.emptied()
        return Splice(0, before, added)

    def _parse(
        self,
        blocks: Sequence[bytes],
        *,
        at_start: bool = True,
        at_end: bool = True,
        checks: bool | None = None,
    ) -> list[Any]:
        return self.format.parse(
            blocks,
            at_start=at_start,
            at_end=at_end,
            checks=self._checks if checks is None else checks,
            extra=self._extra,
            regime=self.regime,
        )

    def _facts(self, units: Sequence[Any]) -> np.ndarray:
        """The sums of the units' facts."""
        sums = np.zeros(len(self.format.fact_names), np.int64)
        if units:
            columns = zip(*map(self.format.facts, units), strict=True)
            sums[:] = [sum(values) for values in columns]
        return sums

    def _renumber(self, first: int, removed: Sequence[Any], added: Sequence[Any]) -> None:
        """Takes in that units `removed`, from `first` on, have become `added`."""
        self.as_opened, self._known = False, None
        if not self._same_keys(removed, added):
            self._duplicates = None
        if len(removed) == 1 and not self.flaws.waiting[first]:
            was = removed[0]
            if stands_alone(self.format, was):
                self._recent.put(was.text, was)
        key = self.format.key
        self.keys.replace(map(key, removed), map(key, added))
        self.cr += _with_cr(added) - _with_cr(removed)
        self.facts += self._facts(added) - self._facts(removed)
        self.flaws.replace(first, first + len(removed), added)
        self._move_lines(first, first + len(removed), [unit.lines for unit in added])

    def _move_lines(self, first: int, stop: int, counts: Sequence[int]) -> None:
        """Takes in that units `first` to `stop` have become others, with so many lines each."""
        starts = self.line_starts
        base = int(starts[first])
        shift = base + sum(counts) - int(starts[stop])
        if len(counts) == stop - first:
            if len(counts) > 1:
                starts[first:stop] = base + _starts(counts)[:-1]
            if shift:
                starts[stop:] += shift
            return
        self.line_starts = np.concatenate(
            [starts[:first], base + _starts(counts)[:-1], starts[stop:] + shift]
        )

    def duplicates(self) -> Duplicates | None:
        """Which units have a key that stood before; None if none has."""
        if not self.keys.doubled:
            return None
        if self._duplicates is None:
            self._duplicates = Duplicates(self.format, self.units, self.keys.doubled, self._known)
        return self._duplicates

    def _same_keys(self, removed: Sequence[Any], added: Sequence[Any]) -> bool:
        """Whether all keys stand where they stood."""
        key = self.format.key
        return len(removed) == len(added) and all(
            key(a) == key(b) and (key(a) not in self.keys.doubled or a == b)
            for a, b in zip(removed, added, strict=True)
        )

    @property
    def unchecked(self) -> int:
        """How many units may have problems that have not been looked for."""
        return int(self.flaws.waiting.sum())

    def check_some(self, most: int) -> bool:
        """Looks for the problems of up to `most` units; whether any are left to do."""
        waiting = self.flaws.waiting
        if not waiting.any():
            return False
        self.as_opened = False
        first = int(waiting.argmax())
        units = self.units[first : first + most]
        # What is glued together, or the last of the file, was read with care already.
        glued = (k for k, unit in enumerate(units) if not stands_alone(self.format, unit))
        units = units[: next(glued, len(units))]
        if not units:
            waiting[first] = False
            return self.check_some(most)
        texts = [unit.text for unit in units]
        checked = self._parse(texts, at_start=not first, at_end=False)
        self.units[first : first + len(units)] = checked
        self.flaws.replace(first, first + len(units), checked)
        return bool(waiting.any())

    def rejudge(self, judge: Judge) -> None:
        """Takes severities from somewhere else."""
        self.flaws.rejudge(self.units, judge)


def _with_cr(units: Sequence[Any]) -> int:
    return sum([b"\r" in unit.text for unit in units])


def _starts(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts
