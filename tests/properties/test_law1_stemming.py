"""Law 1 for stemming: after any edits everything is as a fresh run has it, and as by pairs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as play

from goldlens.scoring.keyed import KeyedPairing
from goldlens.scoring.stemming.pairing import PartialPairing
from goldlens.scoring.stemming.policies import MODES, Pairs
from goldlens.scoring.stemming.sharing import Sharing
from goldlens.scoring.stemming.sums import StemSums
from goldlens.scoring.stemming.task import Stemming
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from tests.properties import lsp_model
from tests.properties.playing import listing, play_on, quick
from tests.scoring.stemming.brute import Case, counted
from tests.strategies import Dice, dice

STEPS = int(os.environ.get("GOLDLENS_STEPS", "2000"))
SIDES = st.sampled_from((0, 1))
FORMS = ("a", "b", "as", "bs", "c", "ç", "A", "ǅ", "#", "d", "", " ", "\u2028")
STEMS = ("a", "b", "c", "s", "t", "", "a", "b")
ENDS = ("\n", "\n", "\n", "\r\n", "\r")
TYPED = ("", "a", "\t", "#", "\n", "s", "\r", " ", "A")


def row(throws: Dice, side: int) -> str:
    """A row of a side, seldom a wrong one."""
    if throws.hits(1, 12):
        return throws.pick(("", "\t", "# a\tb", "a", " \t ", "#"))
    forms = FORMS if throws.hits(1, 6) else FORMS[:10]
    if side == 0:
        return "\t".join(throws.pick(forms) for _ in range(1 + throws.below(4)))
    stems = STEMS if throws.hits(1, 6) else STEMS[:5]
    many = throws.pick((1, 1, 1, 2, 3))
    return "\t".join([throws.pick(forms), *(throws.pick(stems) for _ in range(many))])


def text(throws: Dice, side: int, rows: int = 8) -> str:
    lines = [row(throws, side) + throws.pick(ENDS) for _ in range(throws.below(rows + 1))]
    return "".join(lines) if throws.hits(3, 4) else "".join(lines)[:-1]


class Editor(RuleBasedStateMachine):
    """A dictionary and an output under edits, held by the engine and as plain strings."""

    steps = 0

    @initialize(throws=dice(200), mode=st.sampled_from(MODES))
    def open(self, throws: Dice, mode: str) -> None:
        self.task = Stemming(mode)
        self.texts = [text(throws, 0), text(throws, 1, 14)]
        self.documents = self._fresh()
        self.pair = self._paired(self.documents)

    def _fresh(self) -> list[Document]:
        return [Document(self.task.format(k), each.encode()) for k, each in enumerate(self.texts)]

    def _paired(self, documents: list[Document]) -> Pair:
        gold, pred = documents
        return Pair(self.task, gold, pred)

    @rule(side=SIDES, throws=dice(20))
    def change_a_row(self, side: int, throws: Dice) -> None:
        lines = lsp_model.lines(self.texts[side])
        line = throws.below(len(lines))
        self._edit(side, (line, 0), (line, len(lines[line].encode())), row(throws, side))

    @rule(side=SIDES, throws=dice(60))
    def change_lines(self, side: int, throws: Dice) -> None:
        lines = len(lsp_model.lines(self.texts[side]))
        start = throws.below(lines)
        stop = min(lines, start + throws.pick((0, 1, 2)))
        new = "".join(
            row(throws, side) + throws.pick(ENDS) for _ in range(throws.pick((0, 1, 1, 3)))
        )
        self._edit(side, (start, 0), (stop, 0), new)

    @rule(side=SIDES, throws=dice(8), new=st.sampled_from(TYPED))
    def type_somewhere(self, side: int, throws: Dice, new: str) -> None:
        lines = lsp_model.lines(self.texts[side])
        line = throws.below(len(lines))
        column = len(lines[line][: throws.below(len(lines[line]) + 1)].encode())
        self._edit(side, (line, column), (line, column + throws.below(2)), new)

    @rule(side=SIDES, throws=dice(8))
    def double_a_row(self, side: int, throws: Dice) -> None:
        lines = lsp_model.lines(self.texts[side])
        to = throws.below(len(lines))
        self._edit(side, (to, 0), (to, 0), throws.pick(lines) + "\n")

    @rule(side=SIDES, throws=dice(200))
    def replace_everything(self, side: int, throws: Dice) -> None:
        new = text(throws, side, 20)
        self.pair.apply(side, self.documents[side].replace(new.encode()))
        self.texts[side] = new

    def _edit(self, side: int, start: tuple[int, int], end: tuple[int, int], new: str) -> None:
        after, _, _ = lsp_model.edited(self.texts[side], start, end, new, "utf-8")
        edit = Edit(*start, *end, new.encode())
        self.pair.apply(side, self.documents[side].edit(edit, Encoding.UTF8))
        self.texts[side] = after

    @invariant()
    def is_as_if_just_read(self) -> None:
        type(self).steps += 1
        fresh = self._fresh()
        for document, expected, its in zip(self.documents, fresh, self.texts, strict=True):
            assert document.text() == its.encode()
            assert document.units == expected.units
            assert document.line_starts.tolist() == expected.line_starts.tolist()
            assert document.facts.tolist() == expected.facts.tolist()
            assert document.flaws.rows.tolist() == expected.flaws.rows.tolist()
            assert (document.keys, document.keys.doubled) == (expected.keys, expected.keys.doubled)
        same_pair(self.task, self.pair, self._paired(fresh))

    @invariant()
    def counts_as_pair_by_pair(self) -> None:
        gold, pred = (document.units for document in self.documents)
        groups = [[form.decode() for form in unit.forms] for unit in gold if unit.group]
        stems: dict[str, list[str]] = {}
        for unit in pred:
            if unit.form is not None and unit.form.decode() not in stems:
                its = unit.output
                stems[unit.form.decode()] = (
                    [stem.decode() for stem in (its.primary, *its.candidates)] if its else []
                )
        assert counts(self.pair) == counted(Case(groups, stems), self.task.mode)


def counts(pair: Pair) -> dict[str, Pairs]:
    assert isinstance(pair.sums, StemSums)
    return pair.sums.pairs()


def same_pair(task: Stemming, pair: Pair, fresh: Pair) -> None:
    assert list(pair.pairing) == list(fresh.pairing)
    assert list(pair.pairing.uncompared()) == list(fresh.pairing.uncompared())
    assert pair.comparisons == fresh.comparisons
    assert counts(pair) == counts(fresh)
    assert Scoreboard(pair).as_dict({}, {}) == Scoreboard(fresh).as_dict({}, {})
    assert pair.tallies.tolist() == fresh.tallies.tolist()
    for number, its in enumerate(pair.tallies.tolist()):
        problems = pair.problems_of(number)
        assert problems == fresh.problems_of(number)
        assert Counter(problem.code for problem in problems) == {
            code: n for code, n in zip(task.codes, its, strict=True) if n
        }
    assert listing(pair) == listing(fresh)


def test_edits_end_where_a_fresh_run_begins() -> None:
    class Counted(Editor):
        steps = 0

    played = play_on(Counted, STEPS, a_game=40, games=50)
    assert played >= STEPS


def _forgets_other_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    found = KeyedPairing.update
    monkeypatch.setattr(KeyedPairing, "update", lambda *given: found(*given)[:1])


def _forgets_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PartialPairing, "update", lambda self, *told: self._base.update(*told))


def _keeps_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StemSums, "_remove_output", lambda self, output: None)


def _keeps_items(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sharing, "remove", lambda self, *sets: None)


@pytest.mark.parametrize(
    "break_it",
    [_forgets_other_segments, _forgets_what_is_left_out, _keeps_outputs, _keeps_items],
)
def test_a_broken_part_is_caught(
    break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch)
    how = quick(60, 40)
    with pytest.raises((AssertionError, IndexError, KeyError)):
        play(Editor, settings=how)
