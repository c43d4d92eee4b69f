"""Law 1: after any series of edits everything is as if it had just been read.

A state machine edits a prediction and its gold as an editor would, and after each step holds the
documents against fresh ones of the same bytes, and the text against a plain string.
`GOLDLENS_STEPS` says how many steps are done at least.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.listing import Lister, Listing
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems
from tests import strategies
from tests.properties import lsp_model
from tests.properties.playing import play_on, quick

STEPS = int(os.environ.get("GOLDLENS_STEPS", "2500"))
SIDES = st.sampled_from((PRED, GOLD))
ENCODINGS = st.sampled_from(Encoding)


def severity(problem: Problem) -> Severity:
    return problem.severity


class Editor(RuleBasedStateMachine):
    """Two documents, a pair for a way of matching, and a string for each document."""

    steps: ClassVar[int] = 0

    @initialize(
        match=st.sampled_from(("auto", "auto", "stream", "sent_id")),
        gold=strategies.texts(),
        pred=st.one_of(st.none(), st.none(), strategies.texts()),
        checks=st.booleans(),
        later=st.booleans(),
    )
    def open(self, match: str, gold: str, pred: str | None, checks: bool, later: bool) -> None:
        self.match, self.checks = match, checks
        self.texts = [gold, gold if pred is None else pred]
        self.before: list[str | None] = [None, None]
        self.documents = self._fresh(later=later)
        self.pair = Pair(UD, *self.documents, match)

    def _fresh(self, *, later: bool = False) -> list[Document]:
        """The documents of the bytes that are there now; gold is not always checked."""
        return [
            Document(UD, self.texts[GOLD].encode(), checks=self.checks),
            Document(UD, self.texts[PRED].encode(), later=later),
        ]

    # What an editor does

    @rule(side=SIDES, encoding=ENCODINGS, new=strategies.fragments(), data=st.data())
    def edit_a_range(self, side: int, encoding: Encoding, new: str, data: st.DataObject) -> None:
        start = self._position(side, data)
        end = start
        if data.draw(st.booleans()):
            near = data.draw(st.integers(-1, 2)) + start[0]
            end = (max(0, near), self._column(side, max(0, near), data))
        self._edit(side, start, end, new, encoding)

    @rule(side=SIDES, encoding=ENCODINGS, new=strategies.fragments(), data=st.data())
    def put_in_lines(self, side: int, encoding: Encoding, new: str, data: st.DataObject) -> None:
        line = data.draw(st.integers(0, self._lines(side)))
        self._edit(side, (line, 0), (line, 0), new, encoding)

    @rule(side=SIDES, encoding=ENCODINGS, many=st.integers(1, 4), data=st.data())
    def take_out_lines(self, side: int, encoding: Encoding, many: int, data: st.DataObject) -> None:
        line = data.draw(st.integers(0, self._lines(side)))
        self._edit(side, (line, 0), (line + many, 0), "", encoding)

    @rule(side=SIDES, encoding=ENCODINGS, column=st.integers(0, 9), data=st.data())
    def change_a_cell(
        self, side: int, encoding: Encoding, column: int, data: st.DataObject
    ) -> None:
        rows = [k for k, line in enumerate(lsp_model.lines(self.texts[side])) if "\t" in line]
        if not rows:
            return
        line = data.draw(st.sampled_from(rows))
        cells = lsp_model.lines(self.texts[side])[line].split("\t")
        column = min(column, len(cells) - 1)
        before = "\t".join(cells[:column]) + "\t" * (column > 0)
        start = sum(lsp_model.width(char, encoding.value) for char in before)
        end = start + sum(lsp_model.width(char, encoding.value) for char in cells[column])
        new = data.draw(st.sampled_from(strategies.CELLS[column]))
        self._edit(side, (line, start), (line, end), new, encoding)

    @rule(side=SIDES, encoding=ENCODINGS, data=st.data())
    def copy_from_the_other_side(self, side: int, encoding: Encoding, data: st.DataObject) -> None:
        """The units of a stretch of lines are replaced by some of the other side."""
        theirs = self.documents[1 - side].units
        first = data.draw(st.integers(0, len(theirs)))
        stop = min(len(theirs), first + data.draw(st.integers(1, 2)))
        new = b"".join([unit.text for unit in theirs[first:stop]]).decode()
        ours = self.documents[side]
        at = data.draw(st.integers(0, len(ours.units)))
        end = min(len(ours.units), at + data.draw(st.integers(0, 2)))
        start_line, end_line = int(ours.line_starts[at]), int(ours.line_starts[end])
        self._edit(side, (start_line, 0), (end_line, 0), new, encoding)

    @rule(side=SIDES, encoding=ENCODINGS, throws=strategies.dice(30), data=st.data())
    def retokenise(
        self, side: int, encoding: Encoding, throws: strategies.Dice, data: st.DataObject
    ) -> None:
        """A sentence keeps its characters and gets other tokens, in place."""
        document = self.documents[side]
        whole = [k for k, unit in enumerate(document.units) if unit.stream and unit.readable]
        if not whole:
            return
        at = data.draw(st.sampled_from(whole))
        unit = document.units[at]
        name = f"# sent_id = {unit.sent_id.decode()}\n" if unit.sent_id else ""
        new = strategies.retokenised(throws, unit.stream.decode(), name)
        start, end = (int(line) for line in document.line_starts[at : at + 2])
        self._edit(side, (start, 0), (end, 0), new, encoding)

    @rule(side=SIDES, encoding=ENCODINGS, data=st.data())
    def move_a_line(self, side: int, encoding: Encoding, data: st.DataObject) -> None:
        """A comment, a row or a blank line goes elsewhere, in two edits."""
        line = data.draw(st.integers(0, self._lines(side)))
        begins = [*lsp_model.starts(self.texts[side]), len(self.texts[side])]
        moved = self.texts[side][begins[line] : begins[line + 1]]
        self._edit(side, (line, 0), (line + 1, 0), "", encoding)
        to = data.draw(st.integers(0, self._lines(side)))
        self._edit(side, (to, 0), (to, 0), moved, encoding)

    @precondition(lambda self: self.before[GOLD] is not None or self.before[PRED] is not None)
    @rule(encoding=ENCODINGS, prefer=SIDES)
    def undo(self, encoding: Encoding, prefer: int) -> None:
        """The last edit of a side is taken back, as an edit where positions can say it."""
        side = prefer if self.before[prefer] is not None else 1 - prefer
        old, now = self.before[side], self.texts[side]
        assert old is not None
        same = lsp_model.shared(old, now)
        rest = lsp_model.shared(old[same:][::-1], now[same:][::-1])
        stop = len(now) - rest
        if any(now[k - 1 : k + 1] == "\r\n" for k in (same, stop) if k):
            self._replace(side, old)
            return
        start = lsp_model.position(now, same, encoding.value)
        end = lsp_model.position(now, stop, encoding.value)
        self._edit(side, start, end, old[same : len(old) - rest], encoding)
        assert self.texts[side] == old

    @rule(side=SIDES, text=st.one_of(st.none(), strategies.texts()))
    def replace_everything(self, side: int, text: str | None) -> None:
        """Another text, or the other side's."""
        self._replace(side, self.texts[1 - side] if text is None else text)

    @precondition(lambda self: self.documents[PRED].unchecked)
    @rule(most=st.integers(1, 3))
    def look_for_more_problems(self, most: int) -> None:
        """A file that was opened without them gets its problems by and by."""
        before = self.documents[PRED].unchecked
        assert self.documents[PRED].check_some(most) == bool(self.documents[PRED].unchecked)
        assert self.documents[PRED].unchecked < before

    # How it is done

    def _lines(self, side: int) -> int:
        return len(lsp_model.lines(self.texts[side])) - 1

    def _position(self, side: int, data: st.DataObject) -> tuple[int, int]:
        line = data.draw(st.integers(0, self._lines(side) + 1))
        return line, self._column(side, line, data)

    def _column(self, side: int, line: int, data: st.DataObject) -> int:
        every = lsp_model.lines(self.texts[side])
        size = len(every[line].encode()) if line < len(every) else 0
        return data.draw(st.integers(0, size + 1))

    def _edit(
        self, side: int, start: tuple[int, int], end: tuple[int, int], new: str, encoding: Encoding
    ) -> None:
        text, _, _ = lsp_model.edited(self.texts[side], start, end, new, encoding.value)
        splice = self.documents[side].edit(Edit(*start, *end, new.encode()), encoding)
        self._took(side, text, splice)

    def _replace(self, side: int, text: str) -> None:
        self._took(side, text, self.documents[side].replace(text.encode()))

    def _took(self, side: int, text: str, splice: Splice) -> None:
        self.before[side], self.texts[side] = self.texts[side], text
        self.pair.apply(side, splice)

    # What must hold

    @invariant()
    def is_as_if_just_read(self) -> None:
        type(self).steps += 1
        fresh = self._fresh()
        for document, expected, text in zip(self.documents, fresh, self.texts, strict=True):
            if document.unchecked:
                expected = with_fewer_problems(document, expected)
            same_document(document, expected)
            is_the_text(document, text)
        same_pair(self.pair, Pair(UD, *fresh, self.match))


def with_fewer_problems(document: Document, fresh: Document) -> Document:
    """What a fresh document is without the problems that are still to be looked for."""
    looser = Document(fresh.format, fresh.text(), checks=False)
    for k, (ours, found) in enumerate(zip(document.units, fresh.units, strict=True)):
        if ours.problems == found.problems:
            looser.units[k], looser.flaws.rows[k] = found, fresh.flaws.rows[k]
    return looser


def is_the_text(document: Document, text: str) -> None:
    """The document is that string, line by line."""
    assert document.text() == text.encode()
    every = lsp_model.lines(text.removeprefix("\ufeff"))
    assert document.lines == len(every) - 1
    assert [document.line(k).decode() for k in range(len(every))] == every
    inside = [document.unit_at(k) for k in range(len(every))]
    assert inside == sorted(inside)
    for k, begin in enumerate(document.line_starts[:-1].tolist()):
        assert inside[begin] == k


def same_document(document: Document, fresh: Document) -> None:
    assert document.bom == fresh.bom
    assert [unit.text for unit in document.units] == [unit.text for unit in fresh.units]
    for ours, theirs in zip(document.units, fresh.units, strict=True):
        assert ours == theirs
    assert document.line_starts.tolist() == fresh.line_starts.tolist()
    assert document.flaws.rows.tolist() == fresh.flaws.rows.tolist()
    assert document.facts.tolist() == fresh.facts.tolist()
    assert (document.keys, document.keys.doubled) == (fresh.keys, fresh.keys.doubled)
    assert document.cr == fresh.cr
    assert _duplicates(document) == _duplicates(fresh)


def _duplicates(document: Document) -> list[Problem]:
    found = document.duplicates()
    return [] if found is None else [found.problem(k) for k in found.numbers()]


def same_pair(pair: Pair, fresh: Pair) -> None:
    assert _segments(pair) == _segments(fresh)
    assert pair.sums.total.tolist() == fresh.sums.total.tolist()
    assert [c.tolist() for c in pair.comparisons] == [c.tolist() for c in fresh.comparisons]
    summed = UD.sums()
    summed.add(pair.comparisons)
    assert summed.total.tolist() == pair.sums.total.tolist()
    assert pair.tallies.tolist() == fresh.tallies.tolist()
    assert pair.tally == fresh.tally
    assert min(pair.tally.values(), default=0) >= 0
    for k, row in enumerate(pair.tallies.tolist()):
        problems = pair.problems_of(k)
        assert problems == fresh.problems_of(k)
        tally = {code: n for code, n in zip(UD.codes, row, strict=True) if n}
        assert Counter(problem.code for problem in problems if problem.shown) == tally
    board, expected = Scoreboard(pair, strict=True), Scoreboard(fresh, strict=True)
    assert board.figures() == expected.figures()
    assert board.covered() == expected.covered()
    assert board.would_refuse() == expected.would_refuse()
    same_listing(pair, fresh)


def same_listing(pair: Pair, fresh: Pair) -> None:
    whole = _listing(pair, None)
    if not pair.pred.unchecked:
        assert whole == _listing(fresh, None)
    assert not whole.more
    cut = _listing(pair, 4)
    assert len(cut.shown) + cut.more == len(whole.shown)
    assert len(cut.shown) == (3 if len(whole.shown) > 4 else len(whole.shown))
    # A summary needs a place: Errors are what fills the rest first.
    errors = sum(found.severity is Severity.ERROR for found in whole.shown)
    assert sum(found.severity is Severity.ERROR for found in cut.shown) == min(
        errors, len(cut.shown)
    )


def _listing(pair: Pair, limit: int | None) -> Listing:
    lister = Lister(pair.pred, pair, severity)
    return lister.list(file_problems(pair.pred), limit, 1)


def _segments(pair: Pair) -> list[Any]:
    return [pair.pairing[k] for k in range(len(pair.pairing))]


def test_edits_end_where_a_fresh_run_begins(capsys: pytest.CaptureFixture[str]) -> None:
    class Counted(Editor):
        steps = 0

    played = play_on(Counted, STEPS, a_game=50, games=100)
    with capsys.disabled():
        print(f" {played} steps", end="")
    assert played >= STEPS


def _forgets_a_neighbour(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Pairing._hull

    def hull(self: Pairing, side: int, start: int, removed: int, added: int) -> tuple[int, int]:
        low, high = found(self, side, start, removed, added)
        return low, max(low, high - 1)

    monkeypatch.setattr(Pairing, "_hull", hull)


def _leaves_glued_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "goldlens.server.engine.document.stretched",
        lambda units, first, stop, text: (first, stop, text),
    )


def _keeps_line_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Document._renumber

    def renumber(self: Document, first: int, removed: Any, added: Any) -> None:
        found(self, first, removed, added)
        if len(added) > len(removed):
            self.line_starts = np.minimum(self.line_starts, self.line_starts[-1] - 1)

    monkeypatch.setattr(Document, "_renumber", renumber)


def _forgets_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pairing, "_count_ids", lambda self, side, removed, added: False)


def _tells_of_all_changes_but_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Pair.apply

    def apply(self: Pair, side: int, splice: Splice) -> None:
        before = self.sums.total.copy()
        found(self, side, splice)
        if len(splice.removed) == 2:
            self.sums.total = before

    monkeypatch.setattr(Pair, "apply", apply)


@pytest.mark.parametrize(
    "break_engine",
    [
        _forgets_a_neighbour,
        _leaves_glued_units,
        _keeps_line_starts,
        _forgets_ids,
        _tells_of_all_changes_but_one,
    ],
)
def test_a_broken_engine_is_caught(
    break_engine: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_engine(monkeypatch)
    how = quick(80, 50)
    with pytest.raises((AssertionError, IndexError, ValueError, StopIteration)):
        run_state_machine_as_test(Editor, settings=how)
