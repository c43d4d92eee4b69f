"""Which problems are shown where not all can be."""

from __future__ import annotations

import pytest

from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.listing import Judge, Lister, Listing
from goldlens.server.engine.memo import Memo
from goldlens.server.engine.pair import PRED, Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.wholefile import file_problems

GOOD = "1\ta\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
WRONG_TAG = GOOD.replace("NOUN", "VERB")
NO_ROOT = GOOD.replace("0\troot", "9\tdep")


def default(problem: Problem) -> Severity | None:
    return problem.severity


def listed(
    pred: str, limit: int | None, near: int = 0, judge: Judge = default
) -> tuple[list[tuple[int, str]], int]:
    """Line and code of what is shown, and how many more there are."""
    sentences = pred.count("\n\n")
    document = Document(UD, pred.encode(), judge=judge)
    pair = Pair(UD, Document(UD, (GOOD * sentences).encode(), checks=False), document)
    found: Listing = Lister(document, pair, judge).list(file_problems(document), limit, near)
    return [(f.line + 1, f.problem.code) for f in found.shown], found.more


def test_all_are_shown_in_order_of_line() -> None:
    assert listed(WRONG_TAG + NO_ROOT + WRONG_TAG, None) == (
        [(1, "tag-error"), (3, "head-out-of-range"), (5, "tag-error")],
        0,
    )


def test_as_many_as_the_limit_need_no_summary() -> None:
    shown, more = listed(WRONG_TAG * 4, 4)
    assert (len(shown), more) == (4, 0)


def test_a_place_is_kept_for_the_summary() -> None:
    shown, more = listed(WRONG_TAG * 5, 4)
    assert (len(shown), more) == (3, 2)


@pytest.mark.parametrize(("near", "lines"), [(0, [1, 3, 5]), (4, [7, 9, 11]), (8, [13, 15, 17])])
def test_the_nearest_to_the_last_edit_are_shown(near: int, lines: list[int]) -> None:
    shown, more = listed(WRONG_TAG * 9, 4, near)
    assert ([line for line, _ in shown], more) == (lines, 6)


def test_errors_come_before_what_is_nearer() -> None:
    shown, more = listed(WRONG_TAG * 5 + NO_ROOT, 3)
    assert shown == [(1, "tag-error"), (11, "head-out-of-range")]
    assert more == 4


def test_a_severity_of_its_own_counts() -> None:
    def judge(problem: Problem) -> Severity | None:
        if problem.code == "tag-error":
            return Severity.ERROR
        return None if problem.code == "head-out-of-range" else problem.severity

    shown, more = listed(WRONG_TAG + NO_ROOT + WRONG_TAG, None, judge=judge)
    assert (shown, more) == ([(1, "tag-error"), (5, "tag-error")], 0)


def test_what_is_off_is_not_counted_as_more() -> None:
    def judge(problem: Problem) -> Severity | None:
        return None if problem.code == "tag-error" else problem.severity

    assert listed(WRONG_TAG * 5 + NO_ROOT, 3, judge=judge) == ([(11, "head-out-of-range")], 0)


def test_a_sent_id_that_stands_twice_is_listed_once_for_each_but_the_first() -> None:
    named = f"# sent_id = p\n{GOOD}"
    assert listed(named * 3, None) == (
        [(4, "sent-id-duplicate"), (7, "sent-id-duplicate")],
        0,
    )
    assert listed(named * 5, 3)[1] == 2


def test_problems_of_the_whole_file_are_listed_once() -> None:
    text = "\ufeff" + (GOOD * 3).replace("\n", "\r\n")
    shown, _ = listed_raw(text)
    assert sorted(shown) == [(1, "bom"), (1, "line-ending")]


def listed_raw(text: str) -> tuple[list[tuple[int, str]], int]:
    document = Document(UD, text.encode())
    found = Lister(document, None, default).list(file_problems(document), None, 0)
    return [(f.line + 1, f.problem.code) for f in found.shown], found.more


def test_lines_follow_edits_above() -> None:
    """Problems below an edit move with their lines, and are not made again."""
    gold = Document(UD, (GOOD * 3).encode(), checks=False)
    pred = Document(UD, (GOOD * 2 + WRONG_TAG).encode())
    pair = Pair(UD, gold, pred)
    lister = Lister(pred, pair, default)
    before = lister.list([], None, 0).shown[0]
    pair.apply(PRED, pred.edit(Edit(0, 0, 0, 0, b"# a\n# b\n"), Encoding.UTF16))
    after = lister.list([], None, 0).shown[0]
    assert (before.line, after.line) == (4, 6)
    assert after.problem is before.problem


def test_a_memo_keeps_the_most_recently_used() -> None:
    memo: Memo[int] = Memo(2)
    made: list[str] = []

    def get(key: str) -> int:
        return memo.get(key, lambda: made.append(key) or len(made))

    assert [get(key) for key in "abab"] == [1, 2, 1, 2]
    get("c")
    assert len(memo) == 2
    get("b")
    get("a")
    assert made == ["a", "b", "c", "a"]
