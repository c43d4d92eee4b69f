from __future__ import annotations

import pytest

from goldlens.server.cache import stretches
from goldlens.server.cache.stretches import Again, cut, found_again

BLOCKS = [b"block %d\nis here\n\n" % k for k in range(40)]
TEXT = b"".join(BLOCKS)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "SIZE", 50)


def cuts(blocks: list[bytes] = BLOCKS) -> list[stretches.Stretch]:
    return list(cut(blocks, lambda block: block.endswith(b"\n\n")))


def known(text: bytes) -> list[int]:
    """The stretches of the text above that are found in another; each must stand there."""
    found = found_again(cuts(), text)
    starts = [sum(s.size for s in cuts()[:k]) for k in range(len(cuts()))]
    at = 0
    for again in found:
        size = cuts()[again.number].size
        assert at <= again.at
        at = again.at + size
        assert text[again.at : at] == TEXT[starts[again.number] :][:size]
    numbers = [again.number for again in found]
    assert numbers == sorted(set(numbers))
    return numbers


def test_stretches_are_whole_blocks_and_all_of_the_text() -> None:
    assert {stretch.units for stretch in cuts()[:-1]} == {3}
    assert sum(stretch.units for stretch in cuts()) == len(BLOCKS)
    assert sum(stretch.size for stretch in cuts()) == len(TEXT)


def test_a_stretch_ends_where_what_follows_is_apart() -> None:
    blocks = [b"a\n\n", b"long and not closed " * 9, b"glued\n", b"more\n\n", b"b\n\n"]
    assert [stretch.units for stretch in cuts(blocks)] == [4, 1]


def test_all_of_the_same_text_is_found() -> None:
    assert found_again(cuts(), TEXT)[:2] == [Again(0, 0), Again(1, cuts()[0].size)]
    assert known(TEXT) == list(range(len(cuts())))


@pytest.mark.parametrize("number", [0, 5, 13])
def test_one_change_costs_one_stretch(number: int) -> None:
    at = sum(stretch.size for stretch in cuts()[:number]) + 3
    for changed in (TEXT[:at] + b"X" + TEXT[at + 1 :], TEXT[:at] + TEXT[at + 1 :]):
        assert known(changed) == [k for k in range(len(cuts())) if k != number]


def test_changes_in_many_places_cost_a_stretch_each() -> None:
    changed = TEXT.replace(b"block 7\n", b"block seven\n").replace(b"block 31\n", b"")
    assert known(changed) == [k for k in range(len(cuts())) if k not in (2, 10)]


def test_what_stands_before_behind_and_in_between_is_no_stretch() -> None:
    every = list(range(len(cuts())))
    assert known(b"before\n\n" + TEXT + b"behind") == every
    size = cuts()[0].size
    assert known(TEXT[:size] + b"between\n\n" + TEXT[size:]) == every


def test_of_a_text_that_repeats_itself_no_part_is_found_twice() -> None:
    first, other, third = TEXT[:60], b"block X\nis other\n\n" * 4, TEXT[60:130]
    blocks = [block + b"\n\n" for block in (first + other + first + third).split(b"\n\n")[:-1]]
    changed = first + other.replace(b"X", b"Y") + first + third
    found = found_again(cuts(blocks), changed)
    ends = [again.at + cuts(blocks)[again.number].size for again in found]
    assert len(found) > 2
    assert all(end <= again.at for end, again in zip(ends, found[1:], strict=False))


def test_after_a_long_change_the_end_is_found() -> None:
    assert known(b"x" * 5000 + TEXT[-200:]) != []


def test_a_stretch_begins_a_line() -> None:
    assert 1 not in known(TEXT[: cuts()[0].size] + b"# " + TEXT[cuts()[0].size :])


def test_another_text_has_none() -> None:
    assert known(b"") == known(b"\n") == known(TEXT.upper()) == []
