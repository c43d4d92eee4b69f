"""A text as units, found by line, and changed by edits that cost what they touch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import Format
from goldlens.scoring.text import BOM
from goldlens.server.engine.duplicates import Duplicates
from goldlens.server.engine.known import Known
from goldlens.server.engine.memo import Memo
from goldlens.server.engine.positions import Encoding

_RECENT: Final = 4

ERRORS: Final = 0
OTHERS: Final = 1
WARNINGS: Final = 4
"""Columns of `Document.flaws`."""


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
    a CR in their line ends), `keys` (how often each key stands, see `Task.key`), `doubled` (the
    keys that stand more than once), and `flaws`, a row of counts for each unit: Errors, other
    problems, problems that refuse, problems for which the official scorer would refuse, and
    those of the other problems that are Warnings (`flaw_sums` is their sum).

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
        judge: Callable[[Problem], Severity | None] = lambda problem: problem.severity,
    ) -> None:
        """`judge` says how severe a problem is to be taken; None leaves it out.

        Without `checks` problems that do not touch the score are not looked for, with `later`
        only by `check_some`. `units` are those of the text (without its mark), parsed without
        checks, where they have been parsed already; `known` is all that parsing would find, of
        a format without regimes.
        """
        self.format, self._checks, self._extra = format, checks, frozenset(extra)
        self._judge = judge
        self.bom = text.startswith(BOM)
        body = text[3:] if self.bom else text
        self.regime = format.likely_regime(body)
        self.cr = 0
        self.keys: Counter[Hashable] = Counter()
        self.doubled: set[Hashable] = set()
        self._may_have_cr = b"\r" in text
        # Units that were edited away a moment ago: undoing brings them back as they were.
        self._recent: Memo[Any] = Memo(_RECENT)
        self._duplicates: Duplicates | None = None
        self._known = known
        self.units: MutableSequence[Any]
        if known is None:
            self.units = self._read(body, units, checks=checks and not later)
            self.line_starts = _starts([unit.lines for unit in self.units])
            self._count((), self.units)
            self.flaws = self._flaws(self.units)
        else:
            self.units, self.facts = known.units, known.facts
            self.line_starts = _starts(known.lines)
            self.cr, self.keys = known.cr, Counter(known.keys)
            self.keys.pop(None, None)
            self.doubled = {key for key, count in self.keys.items() if count > 1}
            self.flaws = self._judged(len(known.units), known.problems.items())
        self._to_check = np.full(len(self.units), checks and later)
        self._may_have_cr = True
        self.flaw_sums = self.flaws.sum(axis=0, dtype=np.int64)
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
        offset = _line_offset(rest, number - int(self.line_starts[unit]))
        return rest[offset : _line_end(rest, offset)]

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
        offset = _line_offset(text, inside)
        end = _line_end(text, offset)
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
        first, stop, text = self._stretch(first, stop, text)
        if not first and self.format.has_header and stop < len(units):
            # What is the file's first block now, or was until now, says something else there.
            first, stop, text = self._stretch(0, stop + 1, text + units[stop].text)
        blocks = self.format.split(text)
        while stop < len(units) and blocks and self._runs_into(blocks[-1], stop):
            first, stop, text = self._stretch(first, stop + 1, text + units[stop].text)
            blocks = self.format.split(text)
        at_end = stop == len(units)
        known = None
        if len(blocks) == 1 and (first or not self.format.has_header):
            known = self._recent.find(blocks[0])
        added = [known] if known else self._parse(blocks, at_start=not first, at_end=at_end)
        # A unit that was the last one may say other things now that something follows it.
        removed = units[first:stop]
        while added and removed and _same(added[0], removed[0]):
            added, removed, first = added[1:], removed[1:], first + 1
        while added and removed and _same(added[-1], removed[-1]):
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

    def _stretch(self, first: int, stop: int, text: bytes) -> tuple[int, int, bytes]:
        """Takes in the neighbours that are split and parsed together with these units."""
        units = self.units
        while first > 0 and (
            (first < len(units) and units[first].glued)
            or (first == len(units) and units[first - 1].last)
            or (units[first - 1].text.endswith(b"\r") and text[:1] in (b"\n", b""))
        ):
            first -= 1
            text = units[first].text + text
        while stop < len(units) and units[stop].glued:
            text += units[stop].text
            stop += 1
        return first, stop, text

    def _runs_into(self, block: bytes, following: int) -> bool:
        """Whether a new block and the unit behind it hang together."""
        if not self.format.is_closed(block):
            return True
        return block.endswith(b"\r") and self.units[following].text.startswith(b"\n")

    def _stands_alone(self, unit: Any) -> bool:
        """Whether a unit says the same wherever its block stands."""
        inside = not unit.glued and not unit.first and not unit.last
        return inside and self.format.is_closed(unit.text)

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
        self.as_opened, self._known = False, None
        if not self._same_keys(removed, added):
            self._duplicates = None
        self._count(removed, added)
        self.facts += self._facts(added) - self._facts(removed)
        flaws = self._flaws(added)
        behind = first + len(removed)
        if len(removed) == 1 and not self._to_check[first] and self._stands_alone(removed[0]):
            self._recent.put(removed[0].text, removed[0])
        self.flaw_sums += flaws.sum(axis=0) - self.flaws[first:behind].sum(axis=0)
        if len(added) == len(removed):
            self.flaws[first:behind] = flaws
            self._to_check[first:behind] = False
        else:
            self.flaws = np.concatenate([self.flaws[:first], flaws, self.flaws[behind:]])
            fresh = np.zeros(len(added), bool)
            self._to_check = np.concatenate(
                [self._to_check[:first], fresh, self._to_check[behind:]]
            )
        starts = self.line_starts
        counts = [unit.lines for unit in added]
        base = int(starts[first])
        shift = base + sum(counts) - int(starts[behind])
        if len(counts) == len(removed):
            if len(counts) > 1:
                starts[first : first + len(counts)] = base + _starts(counts)[:-1]
            if shift:
                starts[first + len(counts) :] += shift
            return
        self.line_starts = np.concatenate(
            [starts[:first], base + _starts(counts)[:-1], starts[behind:] + shift]
        )

    def duplicates(self) -> Duplicates | None:
        """Which units have a key that stood before; None if none has."""
        if not self.doubled:
            return None
        if self._duplicates is None:
            self._duplicates = Duplicates(self.format, self.units, self.doubled, self._known)
        return self._duplicates

    def _same_keys(self, removed: Sequence[Any], added: Sequence[Any]) -> bool:
        """Whether all keys stand where they stood."""
        key = self.format.key
        return len(removed) == len(added) and all(
            key(a) == key(b) and (key(a) not in self.doubled or a == b)
            for a, b in zip(removed, added, strict=True)
        )

    def _count(self, removed: Sequence[Any], added: Sequence[Any]) -> None:
        for units, sign in ((removed, -1), (added, 1)):
            if not units:
                continue
            if self._may_have_cr:
                self.cr += sign * sum([b"\r" in unit.text for unit in units])
            keys = Counter(map(self.format.key, units))
            keys.pop(None, None)
            for key, count in keys.items():
                now = self.keys[key] = self.keys[key] + sign * count
                if now > 1:
                    self.doubled.add(key)
                    continue
                self.doubled.discard(key)
                if not now:
                    del self.keys[key]

    def _flaws(self, units: Sequence[Any]) -> np.ndarray:
        problems = ((k, unit.problems) for k, unit in enumerate(units) if unit.problems)
        return self._judged(len(units), problems)

    def _judged(
        self, units: int, problems: Iterable[tuple[int, tuple[Problem, ...]]]
    ) -> np.ndarray:
        """A row of flaws for each of so many units, of the problems of those that have any."""
        flaws = np.zeros((units, 5), np.int32)
        for k, found in problems:
            for problem in found:
                severity = self._judge(problem) if problem.shown else None
                if severity is not None:
                    flaws[k, ERRORS if severity is Severity.ERROR else OTHERS] += 1
                    flaws[k, WARNINGS] += severity is Severity.WARNING
                flaws[k, 2] += problem.refuses
                flaws[k, 3] += problem.script
        return flaws

    @property
    def unchecked(self) -> int:
        """How many units may have problems that have not been looked for."""
        return int(self._to_check.sum())

    def check_some(self, most: int) -> bool:
        """Looks for the problems of up to `most` units; whether any are left to do."""
        if not self._to_check.any():
            return False
        self.as_opened = False
        first = int(self._to_check.argmax())
        stop = min(first + most, len(self.units))
        units = self.units[first:stop]
        # What is glued together, or the last of the file, was read with care already.
        for k, unit in enumerate(units):
            if unit.glued or unit.first or unit.last or not self.format.is_closed(unit.text):
                units, stop = units[:k], first + k
                break
        if not units:
            self._to_check[first] = False
            return self.check_some(most)
        texts = [unit.text for unit in units]
        checked = self._parse(texts, at_start=not first, at_end=False)
        flaws = self._flaws(checked)
        self.flaw_sums += flaws.sum(axis=0) - self.flaws[first:stop].sum(axis=0)
        self.units[first:stop] = checked
        self.flaws[first:stop] = flaws
        self._to_check[first:stop] = False
        return bool(self._to_check.any())

    def rejudge(self, judge: Callable[[Problem], Severity | None]) -> None:
        """Takes severities from somewhere else."""
        self._judge = judge
        self.flaws = self._flaws(self.units)
        self.flaw_sums = self.flaws.sum(axis=0, dtype=np.int64)


def _same(a: Any, b: Any) -> bool:
    if a.text != b.text or a.glued != b.glued:
        return False
    return bool(a.first == b.first and a.last == b.last)


def _starts(counts: Sequence[int] | np.ndarray) -> np.ndarray:
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _line_offset(text: bytes, number: int) -> int:
    """Where a line of a text begins; the text's end for a line that is not there."""
    offset = 0
    if b"\r" not in text:
        for _ in range(number):
            offset = text.find(b"\n", offset) + 1
            if not offset:
                return len(text)
        return offset
    for _ in range(number):
        end = _line_end(text, offset)
        if end == len(text):
            return end
        offset = end + (2 if text[end : end + 2] == b"\r\n" else 1)
    return offset


def _line_end(text: bytes, offset: int) -> int:
    """Where the line that begins at an offset ends, before its line end."""
    end = text.find(b"\n", offset)
    end = len(text) if end < 0 else end
    carriage = text.find(b"\r", offset, end)
    return end if carriage < 0 else carriage
