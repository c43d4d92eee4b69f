"""When a change of a file is told: on times and stamps that are made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from goldlens.server.sources import Stamp
from goldlens.server.watching.settling import Limits, Settling

FILE = Path("/corpus/gold.conllu")
LIMITS = Limits(quiet=0.2, absent=0.5, unfinished=0.9, latest=1.1)


def version(number: int) -> Stamp:
    return Stamp(1, number, 10, number, number)


@pytest.fixture
def settling() -> Settling:
    found = Settling(LIMITS)
    found.know(FILE, version(1))
    return found


def whole(path: Path) -> bool:
    return True


def half(path: Path) -> bool:
    return False


def test_a_change_is_told_once_it_has_been_left_alone(settling: Settling) -> None:
    settling.look(FILE, version(2), 10.0)
    assert settling.due(10.19, whole) == []
    assert settling.next(10.1) == pytest.approx(0.1)
    assert settling.due(10.2, whole) == [FILE]
    assert settling.due(20, whole) == []
    assert not settling.busy


def test_the_last_of_many_changes_counts(settling: Settling) -> None:
    for k in range(4):
        settling.look(FILE, version(2 + k), 10 + 0.15 * k)
    assert settling.due(10.6, whole) == []
    assert settling.due(10.66, whole) == [FILE]


def test_what_never_rests_is_told_all_the_same(settling: Settling) -> None:
    told = []
    for k in range(40):
        now = 10 + 0.1 * k
        settling.look(FILE, version(2 + k), now)
        told += [now for _ in settling.due(now, half)]
    assert told == pytest.approx([11.1, 12.3, 13.5])


def test_a_file_that_is_as_it_was_is_no_news(settling: Settling) -> None:
    settling.look(FILE, version(2), 10)
    settling.look(FILE, version(1), 10.1)
    assert not settling.busy
    assert settling.due(12, whole) == []


def test_a_deletion_is_believed_after_a_while(settling: Settling) -> None:
    settling.look(FILE, None, 10)
    assert settling.due(10.49, whole) == []
    assert settling.due(10.5, whole) == [FILE]


def test_a_file_that_is_deleted_and_made_again_has_changed_once(settling: Settling) -> None:
    settling.look(FILE, None, 10)
    settling.look(FILE, version(2), 10.3)
    assert settling.due(10.5, whole) == [FILE]
    assert settling.due(11, whole) == []


def test_half_a_file_is_waited_for(settling: Settling) -> None:
    settling.look(FILE, version(2), 10)
    assert settling.due(10.7, half) == []
    settling.look(FILE, version(3), 10.75)
    assert settling.due(10.95, whole) == [FILE]


def test_half_a_file_that_stays_half_is_told_of(settling: Settling) -> None:
    settling.look(FILE, version(2), 10)
    assert settling.due(10.89, half) == []
    assert settling.due(10.91, half) == [FILE]


def test_a_new_file_is_news_and_a_known_one_is_not(settling: Settling) -> None:
    other = FILE.with_name("other.conllu")
    settling.appear(other, version(1), 10)
    assert settling.due(10.2, whole) == [other]
    settling.know(other, version(2))
    settling.look(other, version(2), 11)
    assert not settling.busy


def test_what_is_of_no_interest_any_more_is_forgotten(settling: Settling) -> None:
    settling.look(FILE, version(2), 10)
    settling.keep([])
    assert FILE not in settling
    assert settling.due(20, whole) == []
    assert settling.next(20) is None
