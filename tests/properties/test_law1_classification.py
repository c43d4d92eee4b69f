"""Law 1 for classification: after any edits everything is as a fresh run has it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as play

from goldlens.scoring.classification.ranks import Ranks
from goldlens.scoring.classification.task import CLASSIFICATION, Classification
from goldlens.scoring.keyed import KeyedPairing
from goldlens.scoring.labels import LabelSums
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from tests.properties import lsp_model
from tests.properties.playing import listing, play_on, quick
from tests.scoring.classification import rows
from tests.strategies import Dice, dice

STEPS = int(os.environ.get("GOLDLENS_STEPS", "2000"))
SIDES = st.sampled_from((0, 1))
TYPED = ("", "a", "\t", "|", "\n", "{", "=", "1")


class Editor(RuleBasedStateMachine):
    """Two texts under edits, held by the engine and as plain strings."""

    steps = 0

    @initialize(throws=dice(200), threshold=st.sampled_from((0.5, 0.5, 0.3)))
    def open(self, throws: Dice, threshold: float) -> None:
        self.task = Classification(threshold)
        gold = rows.text(throws)
        self.texts = [gold, throws.pick((gold, rows.text(throws)))]
        self.documents = [Document(self.task, text.encode()) for text in self.texts]
        self.pair = Pair(self.task, *self.documents)

    @rule(side=SIDES, throws=dice(40))
    def change_a_row(self, side: int, throws: Dice) -> None:
        lines = lsp_model.lines(self.texts[side])
        line = throws.below(len(lines))
        new = rows.row(throws).rstrip("\r\n")
        self._edit(side, (line, 0), (line, len(lines[line].encode())), new)

    @rule(side=SIDES, throws=dice(80))
    def change_lines(self, side: int, throws: Dice) -> None:
        lines = len(lsp_model.lines(self.texts[side]))
        start = throws.below(lines)
        stop = min(lines, start + throws.pick((0, 1, 2)))
        new = "".join(rows.row(throws) for _ in range(throws.pick((0, 1, 1, 3))))
        self._edit(side, (start, 0), (stop, 0), new)

    @rule(side=SIDES, new=st.sampled_from(("", "id\tlabel\n", "id\n", "\n", "d1\tb\n")))
    def change_the_start(self, side: int, new: str) -> None:
        """A header comes, or goes, and all that is known is the text there is now."""
        text = self.texts[side]
        second = [*lsp_model.starts(text), len(text)][1]
        self._replace(side, new + text if new else text[second:])

    @rule(side=SIDES, throws=dice(8), new=st.sampled_from(TYPED))
    def type_somewhere(self, side: int, throws: Dice, new: str) -> None:
        lines = lsp_model.lines(self.texts[side])
        line = throws.below(len(lines))
        column = throws.below(len(lines[line]) + 1)
        column = len(lines[line][:column].encode())
        self._edit(side, (line, column), (line, column + throws.below(2)), new)

    @rule(side=SIDES)
    def copy_the_other_side(self, side: int) -> None:
        self._replace(side, self.texts[1 - side])

    @rule(side=SIDES, throws=dice(200))
    def replace_everything(self, side: int, throws: Dice) -> None:
        self._replace(side, rows.text(throws, 20))

    def _edit(self, side: int, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        text, _, _ = lsp_model.edited(self.texts[side], start, end, new, "utf-8")
        edit = Edit(*start, *end, new.encode())
        self.pair.apply(side, self.documents[side].edit(edit, Encoding.UTF8))
        self.texts[side] = text

    def _replace(self, side: int, text: str) -> None:
        self.pair.apply(side, self.documents[side].replace(text.encode()))
        self.texts[side] = text

    @invariant()
    def is_as_if_just_read(self) -> None:
        type(self).steps += 1
        fresh = [Document(self.task, text.encode()) for text in self.texts]
        for document, expected, text in zip(self.documents, fresh, self.texts, strict=True):
            assert document.text() == text.encode()
            assert document.units == expected.units
            assert document.facts.tolist() == expected.facts.tolist()
            assert document.flaws.rows.tolist() == expected.flaws.rows.tolist()
            assert (document.keys, document.keys.doubled) == (expected.keys, expected.keys.doubled)
        same_pair(self.task, self.pair, Pair(self.task, *fresh))


def same_pair(task: Classification, pair: Pair, fresh: Pair) -> None:
    assert list(pair.pairing) == list(fresh.pairing)
    assert list(pair.pairing.uncompared()) == list(fresh.pairing.uncompared())
    assert pair.comparisons == fresh.comparisons
    assert task.labels(pair.sums) == task.labels(fresh.sums)
    assert task.skipped(pair.sums) == task.skipped(fresh.sums)
    assert pair.sums.areas() == fresh.sums.areas()
    assert Scoreboard(pair).as_dict({}, {}) == Scoreboard(fresh).as_dict({}, {})
    assert notices(task, pair) == notices(task, fresh)
    assert pair.tallies.tolist() == fresh.tallies.tolist()
    for number, row in enumerate(pair.tallies.tolist()):
        problems = pair.problems_of(number)
        assert problems == fresh.problems_of(number)
        assert Counter(problem.code for problem in problems) == {
            code: n for code, n in zip(task.codes, row, strict=True) if n
        }
    assert listing(pair) == listing(fresh)


def notices(task: Classification, pair: Pair) -> list[Any]:
    found = task.pair_notices(pair.sums, pair.gold.units, pair.pred.units)
    return found + task.notices(pair.pred.units, pair.pred.facts.tolist())


def test_edits_end_where_a_fresh_run_begins() -> None:
    class Counted(Editor):
        steps = 0

    played = play_on(Counted, STEPS, a_game=40, games=50)
    assert played >= STEPS


def _forgets_other_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    found = KeyedPairing.update
    monkeypatch.setattr(KeyedPairing, "update", lambda *given: found(*given)[:1])


def _keeps_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    found = LabelSums.put
    monkeypatch.setattr(
        LabelSums, "put", lambda self, entries, times=1: found(self, entries, max(times, 0))
    )


def _keeps_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ranks, "remove", lambda self, positives, negatives: None)


def _reads_no_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Classification, "has_header", False)


@pytest.mark.parametrize(
    "break_it", [_forgets_other_segments, _keeps_labels, _keeps_scores, _reads_no_header]
)
def test_a_broken_part_is_caught(
    break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch)
    how = quick(60, 40)
    with pytest.raises((AssertionError, IndexError, KeyError)):
        play(Editor, settings=how)


def test_an_undone_edit_leaves_the_same_bits() -> None:
    gold = Document(CLASSIFICATION, b"d0\ta\nd1\ta\nd2\tb\n")
    pred = Document(CLASSIFICATION, b"d0\ta\ta=0.7\nd1\tb\ta=0.1\nd2\tb\ta=0.4\n")
    pair = Pair(CLASSIFICATION, gold, pred)
    before = Scoreboard(pair).as_dict({}, {})
    pair.apply(1, pred.edit(Edit(1, 3, 1, 4, b"a"), Encoding.UTF8))
    assert Scoreboard(pair).as_dict({}, {}) != before
    pair.apply(1, pred.edit(Edit(1, 3, 1, 4, b"b"), Encoding.UTF8))
    assert Scoreboard(pair).as_dict({}, {}) == before
