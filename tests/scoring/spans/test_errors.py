"""The errors of a sentence: each wrong or missed span once."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.spans.errors import Class, classes, compared, count_errors, errors
from goldlens.scoring.spans.schemes import Span, strict_spans


def spans(tags: str) -> list[Span]:
    return strict_spans(tags.encode().split())


@pytest.mark.parametrize(
    ("gold", "pred", "kinds"),
    [
        ("B-P I-P", "B-P I-P", []),
        ("B-P I-P O", "B-P O O", ["boundary"]),
        ("B-P I-P", "B-L I-L", ["type"]),
        ("B-P I-P O", "O B-L I-L", ["boundary and type"]),
        ("B-P O O", "O O B-P", ["missing", "spurious"]),
        ("B-P", "O", ["missing"]),
        ("O", "B-P", ["spurious"]),
        # Gold in pieces, and the other way round: one of them faces the whole.
        ("B-P I-P I-P", "B-P B-P I-P", ["spurious", "boundary"]),
        ("B-P B-P I-P", "B-P I-P I-P", ["boundary", "missing"]),
        # Equal boundaries go before equal labels, equal labels before a larger overlap.
        ("B-P I-P B-L", "B-L I-L O", ["type", "missing"]),
        ("B-P B-L I-L", "B-P I-P I-P", ["boundary", "missing"]),
    ],
)
def test_every_wrong_span_is_one_error(gold: str, pred: str, kinds: list[str]) -> None:
    assert [error.kind.value for error in errors(spans(gold), spans(pred))] == kinds
    assert count_errors(spans(gold), spans(pred)) == len(kinds)


def test_a_label_only_one_side_has_is_counted_for_it_alone() -> None:
    assert compared(spans("B-P O B-L"), spans("B-P B-M B-L")) == (
        (b"L", 1, 1, 1),
        (b"M", 0, 0, 1),
        (b"P", 1, 1, 1),
    )
    assert compared([], []) == ()


def test_classes_are_counted_over_sentences() -> None:
    pairs = [(spans("B-P I-P"), spans("B-P O")), (spans("B-P"), spans("B-L")), (spans("B-P"), [])]
    assert classes(pairs) == {
        Class.BOUNDARY: 1,
        Class.TYPE: 1,
        Class.BOTH: 0,
        Class.SPURIOUS: 0,
        Class.MISSING: 1,
    }


def test_many_errors_take_no_longer_each_than_few() -> None:
    # A hundred thousand each: a comparison of all with all would not end in this test's time.
    size = 100_000
    gold = [(3 * k, 3 * k + 2, b"P") for k in range(size)]
    pred = [(3 * k + 1, 3 * k + 3, b"P") for k in range(size)]
    assert classes([(gold, pred)])[Class.BOUNDARY] == size


TAGS = st.lists(
    st.sampled_from([b"O", b"B-P", b"I-P", b"I-P", b"B-L", b"I-L"]), min_size=6, max_size=9
)


@given(TAGS, TAGS)
def test_every_wrong_and_every_missed_span_is_in_exactly_one_error(
    one: list[bytes], two: list[bytes]
) -> None:
    gold, pred = strict_spans(one), strict_spans(two)
    found = errors(gold, pred)
    assert sorted(e.pred for e in found if e.pred) == sorted(set(pred) - set(gold))
    assert sorted(e.gold for e in found if e.gold) == sorted(set(gold) - set(pred))
    assert count_errors(gold, pred) == len(found)
    correct = len(set(gold) & set(pred))
    facing = sum(e.pred is not None and e.gold is not None for e in found)
    count = classes([(gold, pred)])
    assert correct + facing + count[Class.SPURIOUS] == len(pred)
    assert correct + facing + count[Class.MISSING] == len(gold)
    alone = [[e.pred for e in found if not e.gold], [e.gold for e in found if not e.pred]]
    for ours, theirs in product(*alone):
        # Two that overlap face each other, or one of them another.
        assert ours and theirs and (ours[1] <= theirs[0] or theirs[1] <= ours[0])
    for error in found:
        if error.pred and error.gold:
            assert max(error.pred[0], error.gold[0]) < min(error.pred[1], error.gold[1])
            same_label = error.pred[2] == error.gold[2]
            same_place = error.pred[:2] == error.gold[:2]
            expected = {
                (True, False): Class.BOUNDARY,
                (False, True): Class.TYPE,
                (False, False): Class.BOTH,
            }[same_label, same_place]
            assert error.kind is expected
