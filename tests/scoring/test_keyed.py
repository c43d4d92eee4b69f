"""Pairing by name: what faces what, and that updates end where a fresh pairing begins."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring import keyed
from goldlens.scoring.keyed import KeyedPairing, Places
from goldlens.scoring.segment import Change, Kind
from goldlens.scoring.task import GOLD, PRED
from tests.strategies import Dice, dice

Unit = tuple[str, ...]
"""A unit is its keys, and after a colon what it holds: `a b:1`."""


def unit(text: str) -> Unit:
    names, _, content = text.partition(":")
    return (*names.split(), content)


def pairing(gold: Sequence[Unit], pred: Sequence[Unit], *, by_itself: bool = False) -> KeyedPairing:
    return KeyedPairing(
        gold,
        pred,
        keys=lambda unit: unit[:-1],
        key=lambda unit: unit[0] if len(unit) > 1 else None,
        by_itself=by_itself,
    )


def brute(gold: Sequence[Unit], pred: Sequence[Unit], by_itself: bool) -> list[str]:
    """The segments, straight from the definition."""
    found = []
    there = {key: k for k, unit in reversed(list(enumerate(gold))) for key in unit[:-1]}
    seen = set()
    for unit in pred:
        key = unit[0] if len(unit) > 1 else None
        if key is None:
            found.append("BLANK")
        elif key in seen:
            found.append("REPEATED")
        else:
            found.append(f"PAIR {there[key]}" if key in there else "EXTRA")
        seen.add(key)
    for k, unit in enumerate(gold):
        lacking = [key for key in dict.fromkeys(unit[:-1]) if key not in seen and there[key] == k]
        rest = "GOLD" if by_itself else "BLANK"
        found.append(f"MISSING {' '.join(lacking)}" if lacking else rest)
    return found


def said(found: KeyedPairing) -> list[str]:
    """The segments, one by one; each is where it should be."""
    before = len(found.segments_of(PRED, 0, 10**9)) and found.segments_of(GOLD, 0, 1).start
    lines = []
    for number in range(len(found)):
        segment = found[number]
        assert found.starts(number) == (segment.gold.start, segment.pred.start)
        name = segment.kind.name
        if number < before:
            assert segment.pred == range(number, number + 1)
            assert len(segment.gold) == (segment.kind is Kind.PAIR)
            name += f" {segment.gold.start}" if segment.gold else ""
        else:
            assert segment.gold == range(number - before, number - before + 1)
            assert segment.pred == range(before, before)
            name += f" {' '.join(map(str, segment.detail))}" if segment.detail else ""
        lines.append(name)
    return lines


def test_each_kind() -> None:
    gold = [unit(u) for u in ("a:", "b c:", "", "d:", "b e:")]
    pred = [unit(u) for u in ("d:", "x:", "", "a:", "d:", "x:", "b:")]
    assert said(pairing(gold, pred)) == [
        "PAIR 3",
        "EXTRA",
        "BLANK",
        "PAIR 0",
        "REPEATED",
        "REPEATED",
        "PAIR 1",
        # Each gold unit by itself: b stands first in the second.
        "BLANK",
        "MISSING c",
        "BLANK",
        "BLANK",
        "MISSING e",
    ]
    assert said(pairing(gold, pred, by_itself=True))[-5:] == [
        "GOLD",
        "MISSING c",
        "GOLD",
        "GOLD",
        "MISSING e",
    ]


def test_uncompared_is_what_is_extra_repeated_or_missing() -> None:
    gold = [unit(u) for u in ("a:", "b:", "c:")]
    pred = [unit(u) for u in ("x:", "a:", "a:", "", "x:")]
    for by_itself in (False, True):
        found = pairing(gold, pred, by_itself=by_itself)
        assert list(found.uncompared()) == [0, 2, 4, 6, 7]
    assert found.agrees
    assert found.offset(3) == 0


@pytest.mark.parametrize(
    ("side", "start", "removed", "added", "changes"),
    [
        # New contents under the same key: the segment, and where gold changed what faces it.
        (PRED, 0, ["a:1"], ["a:2"], [Change(0, 1, 1, alike=True)]),
        (GOLD, 0, ["a:1"], ["a:2"], [Change(4, 1, 1, alike=True), Change(0, 1, 1)]),
        # A key comes or goes: its segments on the other side are others now, neighbours at once.
        (PRED, 3, [], ["c:"], [Change(3, 0, 1), Change(7, 1, 1)]),
        (PRED, 0, ["a:1"], [], [Change(0, 1, 0), Change(3, 1, 1)]),
        (GOLD, 0, ["a:1"], ["x:"], [Change(4, 1, 1), Change(0, 1, 1), Change(2, 1, 1)]),
        (GOLD, 0, ["a:1", "b:"], [], [Change(4, 2, 0), Change(0, 2, 2)]),
        # A second row of one key: the first, the gold unit, and the rows behind.
        (PRED, 0, [], ["b:"], [Change(0, 0, 1), Change(2, 1, 1), Change(6, 1, 1)]),
    ],
)
def test_an_update_tells_what_has_changed(
    side: int, start: int, removed: list[str], added: list[str], changes: list[Change]
) -> None:
    sides = [[unit(u) for u in ("a:1", "b:", "c:")], [unit(u) for u in ("a:1", "b:", "x:", "")]]
    found = pairing(*sides)
    sides[side][start : start + len(removed)] = [unit(u) for u in added]
    told = found.update(side, start, [unit(u) for u in removed], [unit(u) for u in added])
    assert told == changes


def play(throws: Dice, by_itself: bool, many: int) -> None:
    """Random updates: every segment that is not told to have changed is what it was."""
    names = [f"k{k}" for k in range(2 + many)]

    def some() -> Unit:
        if throws.hits(1, 6):
            return unit("")
        count = throws.pick((1, 1, 2, 3))
        keys = " ".join(throws.pick(names) for _ in range(count))
        return unit(f"{keys}:{throws.below(3)}")

    sides = [[some() for _ in range(throws.below(2 + many))] for _ in range(2)]
    found = pairing(*sides, by_itself=by_itself)
    contents = _contents(found, sides)
    for _ in range(8):
        side = throws.below(2)
        units = sides[side]
        start = throws.below(len(units) + 1)
        stop = min(len(units), start + throws.pick((1, 0, 1, 2, many)))
        removed = units[start:stop]
        if removed and throws.hits(1, 2):
            added = [(*old[:-1], str(throws.below(3))) for old in removed]
        else:
            added = [some() for _ in range(throws.pick((1, 0, 1, 2, many)))]
        units[start:stop] = added
        changes = found.update(side, start, removed, added)
        now = _contents(found, sides)
        for change in changes:
            fresh = now[change.at : change.at + change.added]
            if change.alike:
                was = contents[change.at : change.at + change.removed]
                assert [kind for kind, *_ in was] == [kind for kind, *_ in fresh]
            contents[change.at : change.at + change.removed] = fresh
        assert contents == now
        expected = brute(*sides, by_itself)
        assert said(found) == expected
        assert list(found) == [found[k] for k in range(len(found))]
        fresh_one = pairing(*sides, by_itself=by_itself)
        assert list(found.uncompared()) == list(fresh_one.uncompared())
        assert list(found.uncompared()) == [
            k for k, line in enumerate(expected) if line.startswith(("EXTRA", "REP", "MISSING"))
        ]


def _contents(found: KeyedPairing, sides: Sequence[Sequence[Unit]]) -> list[Any]:
    """What each segment holds, wherever it stands."""
    return [
        (
            segment.kind,
            segment.detail,
            sides[GOLD][segment.gold.start : segment.gold.stop],
            sides[PRED][segment.pred.start : segment.pred.stop],
        )
        for segment in map(found.__getitem__, range(len(found)))
    ]


quiet = settings(
    max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@quiet
@given(throws=dice(300), by_itself=st.booleans(), many=st.sampled_from((1, 4)))
def test_updates_end_where_a_fresh_pairing_begins(throws: Dice, by_itself: bool, many: int) -> None:
    play(throws, by_itself, many)


@pytest.mark.parametrize("seed", range(30))
def test_updates_of_long_lists(seed: int) -> None:
    play(Dice(random.Random(seed).randbytes(5000)), bool(seed % 2), 150)


def _finds_no_gold_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keyed, "_runs", lambda numbers: [])


def _keeps_old_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Places, "changed", lambda *given: None)


def _forgets_the_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Places.every
    monkeypatch.setattr(Places, "every", lambda self, key: found(self, key)[:1])


@pytest.mark.parametrize(
    "break_it", [_finds_no_gold_again, _keeps_old_places, _forgets_the_repeated]
)
def test_a_broken_pairing_is_caught(
    break_it: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    break_it(monkeypatch)
    with pytest.raises((AssertionError, IndexError, KeyError)):
        for seed in range(30):
            play(Dice(random.Random(seed).randbytes(400)), False, 4)


@pytest.mark.parametrize("side", [GOLD, PRED])
def test_an_edit_reads_few_units_however_many_there_are(side: int) -> None:
    read = 0

    def names(unit: Unit) -> Unit:
        nonlocal read
        read += 1
        return unit[:-1]

    sides = [[unit(f"k{k}:") for k in range(5000)] for _ in range(2)]
    found = KeyedPairing(*sides, keys=names, key=lambda unit: names(unit)[0])
    assert len(list(found)) == 10_000
    edits = [(70, ["k70:"], ["x:"]), (70, ["x:"], []), (9, [], ["y:", "k8:"]), (9, ["y:"], ["z:"])]
    for number, (start, removed, added) in enumerate(edits):
        sides[side][start : start + len(removed)] = [unit(u) for u in added]
        before = read
        changes = found.update(side, start, [unit(u) for u in removed], [unit(u) for u in added])
        for change in changes:
            for k in range(change.at, change.at + change.added):
                assert found[k].kind in Kind
        list(found.uncompared())
        # The first edit alone makes the tables in which the others find their way.
        assert read - before < (11_000 if not number else 60)


def test_keys_of_one_hash_are_told_apart() -> None:
    places = Places([(-1, ""), (-2, ""), (-1, "")], lambda unit: unit[:-1])
    assert hash(-1) == hash(-2)
    assert (places.every(-1), places.every(-2), places.every(7)) == ([0, 2], [1], [])
    places.expect(1000)
    assert (places.every(-1), places.every(-2), places.every(7)) == ([0, 2], [1], [])
    assert places.first(-2) == 1


def test_a_unit_that_has_a_key_twice_is_one_unit() -> None:
    places = Places([unit("a:"), unit("a a:")], lambda unit: unit[:-1])
    assert places.every("a") == [0, 1]
    places.expect(1000)
    assert places.every("a") == [0, 1]


def test_a_unit_that_misses_many_keys_does_not_look_through_all_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = pairing([unit(" ".join(f"k{k}" for k in range(500)))], [])

    def looks(places: Places, key: Any) -> list[int]:
        raise AssertionError(key)

    monkeypatch.setattr(Places, "every", looks)
    assert len(found[0].detail or ()) == 500  # type: ignore[arg-type]
