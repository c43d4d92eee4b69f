"""Law 1 for spans: after any series of edits everything is as if it had just been read.

A state machine edits a prediction and its gold by lines and cells, and after each step holds both
documents and the pair against fresh ones of the same bytes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.segment import Kind
from goldlens.scoring.spans.segments import SpanPairing
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.task import GOLD, PRED
from goldlens.server.engine.document import Document, Edit, Splice
from goldlens.server.engine.listing import Lister, Listing
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.engine.wholefile import file_problems
from tests.properties import lsp_model
from tests.properties.playing import play_on, quick
from tests.scoring.spans.pairs import label_sums

STEPS = int(os.environ.get("GOLDLENS_STEPS", "2500"))
SIDES = st.sampled_from((PRED, GOLD))

TAGS = ("O", "O", "B-P", "I-P", "B-L", "I-L", "B", "I", "b-P", "E-P", "S-L", "")
FORMS = ("a", "b", "c", "é", "#", "😀")
OTHERS = ("# c", "# sent_id = s", "-DOCSTART- O", "\t", " ", "x", "TOKEN\tNE", "a\rb O")


@st.composite
def sentences(draw: st.DrawFn) -> str:
    """Rows, and now and then another line among them."""
    tab = draw(st.sampled_from(" \t"))
    rows = [
        draw(st.sampled_from(FORMS)) + tab + draw(st.sampled_from(TAGS))
        for _ in range(draw(st.integers(1, 4)))
    ]
    if draw(st.integers(0, 5)) == 0:
        rows.insert(draw(st.integers(0, len(rows))), draw(st.sampled_from(OTHERS)))
    end = draw(st.sampled_from(("\n", "\n", "\n", "\r\n")))
    return end.join([*rows, "", ""])


TEXTS = st.lists(sentences(), max_size=6).map("".join)
PIECES = st.one_of(
    sentences(),
    st.sampled_from(
        ("\n", "\n\n", "\r\n", "\r", "B-P", "O", " ", "\t", "", "#", "a O\n", "\ufeff")
    ),
)


def severity(problem: Problem) -> Severity:
    return problem.severity


class Editor(RuleBasedStateMachine):
    """Two documents, a pair, and a string for each document."""

    steps = 0

    @initialize(
        gold=TEXTS,
        pred=st.one_of(st.none(), TEXTS),
        task=st.sampled_from((Spans(), Spans(), Spans(reading="conlleval"), Spans(1, 2))),
    )
    def open(self, gold: str, pred: str | None, task: Spans) -> None:
        self.task = task
        self.texts = [gold, gold if pred is None else pred]
        self.documents = self._fresh()
        self.pair = Pair(task, self.documents[GOLD], self.documents[PRED])

    def _fresh(self) -> list[Document]:
        return [Document(self.task, text.encode()) for text in self.texts]

    @rule(side=SIDES, new=PIECES, data=st.data())
    def edit_a_range(self, side: int, new: str, data: st.DataObject) -> None:
        start = self._position(side, data)
        end = self._position(side, data) if data.draw(st.booleans()) else start
        self._edit(side, start, (min(end[0], start[0] + 3), end[1]), new)

    @rule(side=SIDES, new=PIECES, data=st.data())
    def put_in_lines(self, side: int, new: str, data: st.DataObject) -> None:
        line = data.draw(st.integers(0, self._lines(side)))
        self._edit(side, (line, 0), (line, 0), new)

    @rule(side=SIDES, many=st.integers(1, 5), data=st.data())
    def take_out_lines(self, side: int, many: int, data: st.DataObject) -> None:
        line = data.draw(st.integers(0, self._lines(side)))
        self._edit(side, (line, 0), (line + many, 0), "")

    @rule(side=SIDES, cell=st.integers(0, 1), data=st.data())
    def change_a_cell(self, side: int, cell: int, data: st.DataObject) -> None:
        """A token or a tag becomes another one."""
        every = lsp_model.lines(self.texts[side])
        rows = [k for k, line in enumerate(every) if len(line.split()) == 2]
        if not rows:
            return
        line = data.draw(st.sampled_from(rows))
        old = every[line].split()[cell]
        at = every[line].rindex(old) if cell else every[line].index(old)
        new = data.draw(st.sampled_from((FORMS, TAGS)[cell]))
        start, end = (lsp_model.width(every[line][:k], "utf-8") for k in (at, at + len(old)))
        self._edit(side, (line, start), (line, end), new)

    @rule(side=SIDES, data=st.data())
    def copy_from_the_other_side(self, side: int, data: st.DataObject) -> None:
        theirs, ours = self.documents[1 - side], self.documents[side]
        first = data.draw(st.integers(0, len(theirs.units)))
        stop = min(len(theirs.units), first + data.draw(st.integers(1, 2)))
        new = b"".join([unit.text for unit in theirs.units[first:stop]]).decode()
        at = data.draw(st.integers(0, len(ours.units)))
        end = min(len(ours.units), at + data.draw(st.integers(0, 2)))
        start_line, end_line = int(ours.line_starts[at]), int(ours.line_starts[end])
        self._edit(side, (start_line, 0), (end_line, 0), new)

    @rule(side=SIDES, text=st.one_of(st.none(), TEXTS))
    def replace_everything(self, side: int, text: str | None) -> None:
        new = self.texts[1 - side] if text is None else text
        self._took(side, new, self.documents[side].replace(new.encode()))

    def _lines(self, side: int) -> int:
        return len(lsp_model.lines(self.texts[side])) - 1

    def _position(self, side: int, data: st.DataObject) -> tuple[int, int]:
        line = data.draw(st.integers(0, self._lines(side) + 1))
        every = lsp_model.lines(self.texts[side])
        size = len(every[line].encode()) if line < len(every) else 0
        return line, data.draw(st.integers(0, size + 1))

    def _edit(self, side: int, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        text, _, _ = lsp_model.edited(self.texts[side], start, end, new, "utf-8")
        splice = self.documents[side].edit(Edit(*start, *end, new.encode()), Encoding.UTF8)
        self._took(side, text, splice)

    def _took(self, side: int, text: str, splice: Splice) -> None:
        self.texts[side] = text
        self.pair.apply(side, splice)

    @invariant()
    def is_as_if_just_read(self) -> None:
        type(self).steps += 1
        fresh = self._fresh()
        for document, expected, text in zip(self.documents, fresh, self.texts, strict=True):
            assert document.text() == text.encode()
            assert document.units == expected.units
            assert document.line_starts.tolist() == expected.line_starts.tolist()
            assert document.flaws.rows.tolist() == expected.flaws.rows.tolist()
            assert document.facts.tolist() == expected.facts.tolist()
            assert document.regime == expected.regime
        same_pair(self.pair, Pair(self.task, fresh[GOLD], fresh[PRED]))


def same_pair(pair: Pair, fresh: Pair) -> None:
    segments = _segments(pair)
    assert segments == _segments(fresh)
    covers_everything(pair, segments)
    assert pair.comparisons == fresh.comparisons
    assert label_sums(pair).micro() == label_sums(fresh).micro()
    assert label_sums(pair).by_label() == label_sums(fresh).by_label()
    assert pair.tallies.tolist() == fresh.tallies.tolist()
    assert pair.tally_sums.tolist() == fresh.tally_sums.tolist()
    for k, row in enumerate(pair.tallies.tolist()):
        problems = pair.problems_of(k)
        assert problems == fresh.problems_of(k)
        tally = {code: n for code, n in zip(pair.task.codes, row, strict=True) if n}
        assert Counter(problem.code for problem in problems) == tally
        places_are_there(pair, k, problems)
    board, expected = Scoreboard(pair), Scoreboard(fresh)
    assert board.as_dict({}, {}) == expected.as_dict({}, {})
    sample, other = pair.sample(), fresh.sample()
    assert sample is not None and other is not None
    assert sample.counts.tolist() == other.counts.tolist()
    if len(sample.counts):
        micro = label_sums(pair).micro()
        assert sample.counts[:, :3].sum(axis=0).tolist() == [
            micro.correct,
            micro.gold,
            micro.predicted,
        ]
    assert _listing(pair) == _listing(fresh)


def covers_everything(pair: Pair, segments: list[Any]) -> None:
    """Every unit of each side is in one segment, in order; it is found there."""
    for side, units in ((GOLD, pair.gold.units), (PRED, pair.pred.units)):
        ranges = [(segment.gold, segment.pred)[side] for segment in segments]
        assert [k for where in ranges for k in where] == list(range(len(units)))
        for k, where in enumerate(ranges):
            for unit in where:
                assert k in pair.pairing.segments_of(side, unit, unit + 1)
    kinds = [segment.kind for segment in segments]
    uncompared = [k for k, kind in enumerate(kinds) if not kind.compared and kind != Kind.BLANK]
    assert list(pair.pairing.uncompared()) == uncompared
    assert pair.pairing.agrees is (not uncompared)


def places_are_there(pair: Pair, segment: int, problems: list[Problem]) -> None:
    """Every place of a problem is in its text."""
    there, here = pair.pairing.starts(segment)
    for problem in problems:
        for place in (problem.place, *(related.place for related in problem.related)):
            document, first = ((pair.pred, here), (pair.gold, there))[place.side]
            if not document.units:
                continue
            unit = first + place.unit
            assert 0 <= unit <= len(document.units)
            line = document.line(int(document.line_starts[unit]) + place.line)
            assert 0 <= place.start <= place.end <= len(line)


def _segments(pair: Pair) -> list[Any]:
    segments = [pair.pairing[k] for k in range(len(pair.pairing))]
    assert segments == list(pair.pairing)
    return segments


def _listing(pair: Pair) -> Listing:
    return Lister(pair.pred, pair, severity).list(file_problems(pair.pred), None, 1)


def test_edits_end_where_a_fresh_run_begins(capsys: pytest.CaptureFixture[str]) -> None:
    class Counted(Editor):
        steps = 0

    played = play_on(Counted, STEPS, a_game=50, games=100)
    with capsys.disabled():
        print(f" {played} steps", end="")
    assert played >= STEPS


def _forgets_token_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = SpanPairing._in_place

    def in_place(self: SpanPairing, *arguments: Any) -> Any:
        kinds = self._kinds.copy()
        changes = found(self, *arguments)
        self._kinds = kinds
        return changes

    monkeypatch.setattr(SpanPairing, "_in_place", in_place)


def _keeps_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("goldlens.scoring.spans.segments._same_forms", lambda a, b: True)


def _changes_too_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "goldlens.scoring.spans.segments._same",
        lambda old, new, *, front: min(len(old[0]), len(new[0])) if front else 0,
    )


@pytest.mark.parametrize(
    "break_pairing", [_forgets_token_counts, _keeps_names, _changes_too_little]
)
def test_a_broken_pairing_is_caught(
    break_pairing: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_pairing(monkeypatch)
    how = quick(100, 50)
    with pytest.raises((AssertionError, IndexError, ValueError, StopIteration)):
        run_state_machine_as_test(Editor, settings=how)
