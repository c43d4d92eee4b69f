"""A pairing that is told of edits is the one that a fresh run would make."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring.segment import Kind
from goldlens.scoring.task import GOLD, PRED
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.unit import Unit, parse
from tests.strategies import IDS, Dice, dice, retokenised, row

MATCHES = ("auto", "auto", "auto", "stream", "sent_id")
many = settings(
    max_examples=500, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def tiny(dice: Dice) -> bytes:
    """A sentence of one to three words over two letters, so that streams often go on alike."""
    words = [dice.pick("ab") * dice.pick((1, 1, 2)) for _ in range(dice.pick((1, 1, 2, 3)))]
    lines = [f"# sent_id = {dice.pick(IDS)}\n"] if dice.hits(3, 5) else []
    k = 0
    while k < len(words):
        width = 1
        if k + 1 < len(words) and dice.hits(1, 3):
            token = dice.pick((words[k] + words[k + 1], "ab", "a", "ba"))
            lines.append(row(f"{k + 1}-{k + 2}", token))
            width = 2
        for w in range(k, k + width):
            head, relation = ("1", "dep") if w else ("0", "root")
            lines.append(row(str(w + 1), words[w], "_", "X", "_", "_", head, relation))
        k += width
    if dice.hits(1, 12):
        lines[-1] = lines[-1].replace("\tX", "X")
    text = "".join(lines) + "\n"
    if dice.hits(1, 12):
        text = dice.pick(("\n", "# only a comment\n\n"))
    return text.encode()


def other_tokens(throws: Dice, unit: Unit) -> bytes:
    """The same sentence with other tokens."""
    if not unit.stream or not unit.readable:
        return unit.text
    name = f"# sent_id = {unit.sent_id.decode()}\n" if unit.sent_id else ""
    return retokenised(throws, unit.stream.decode(), name).encode()


def state(pairing: Pairing) -> tuple[Any, ...]:
    segments = list(pairing)
    middle = pairing.middle
    counted = [pairing.offset(k) for k in range(len(pairing.units[PRED]) + 1)]
    return segments, middle if len(middle) else None, counted


@many
@given(throws=dice(600), match=st.sampled_from(MATCHES))
def test_updates_end_where_a_fresh_pairing_begins(throws: Dice, match: str) -> None:
    base = [tiny(throws) for _ in range(throws.below(8))]
    sides = [list(base), list(base)]
    for blocks in sides:
        for _ in range(throws.pick((0, 0, 1, 2))):
            blocks.insert(throws.below(len(blocks) + 1), tiny(throws))
    units: list[list[Unit]] = [parse(blocks) for blocks in sides]
    pairing = Pairing(units[GOLD], units[PRED], match)
    listed = list(pairing)
    for _ in range(10):
        side = throws.below(2)
        ours, theirs = units[side], units[1 - side]
        start = throws.below(len(ours) + 1)
        stop = min(len(ours), start + throws.pick((1, 0, 1, 2)))
        texts = throws.pick(
            (
                [],
                [tiny(throws)],
                [tiny(throws), tiny(throws)],
                [unit.text for unit in theirs[start:stop]],
                base[:1],
                [unit.text for unit in ours[start:stop]],
                [other_tokens(throws, unit) for unit in ours[start:stop]],
                [other_tokens(throws, unit) for unit in ours[start:stop]],
            )
        )
        removed, added = ours[start:stop], parse(texts)
        ours[start:stop] = added
        for change in pairing.update(side, start, removed, added):
            listed[change.at : change.at + change.removed] = [None] * change.added
        fresh = Pairing(units[GOLD], units[PRED], match)
        assert state(pairing) == state(fresh)
        # What the changes do not name has stayed; only its numbers may have moved.
        assert len(listed) == len(fresh)
        for before, now in zip(listed, fresh, strict=True):
            assert before is None or _sizes(before) == _sizes(now)
        listed = list(fresh)


def _sizes(segment: Any) -> tuple[Kind, int, int]:
    return segment.kind, len(segment.gold), len(segment.pred)


@many
@given(throws=dice(300), match=st.sampled_from(MATCHES))
def test_every_unit_is_in_one_segment(throws: Dice, match: str) -> None:
    gold = parse([tiny(throws) for _ in range(throws.below(7))])
    kept = [unit.text for unit in gold if not throws.hits(1, 4)]
    pred = parse([*kept, *[tiny(throws) for _ in range(throws.below(2))]])
    pairing = Pairing(gold, pred, match)
    segments = list(pairing)
    for side, units in ((GOLD, gold), (PRED, pred)):
        held = Counter(k for s in segments for k in (s.gold if side == GOLD else s.pred))
        assert held == Counter(range(len(units)))
    for segment in segments:
        streams = [
            b"".join([unit.stream for unit in units[r.start : r.stop]])
            for units, r in ((gold, segment.gold), (pred, segment.pred))
        ]
        if segment.kind.compared:
            assert streams[0] == streams[1]
            assert all(gold[k].readable for k in segment.gold)
            assert all(pred[k].readable for k in segment.pred)
    order = [k for s in segments for k in s.pred]
    assert order == sorted(order)


@pytest.mark.parametrize("match", ["auto", "stream", "sent_id"])
def test_equal_texts_are_compared_whole(match: str) -> None:
    texts = [
        f"# sent_id = {name}\n{row('1', name, '_', 'X', '_', '_', '0', 'root')}\n".encode()
        for name in "pqr"
    ]
    pairing = Pairing(parse(texts), parse(texts), match)
    assert [len(segment.gold) for segment in pairing] == [1, 1, 1]
    assert all(segment.kind.compared for segment in pairing)
