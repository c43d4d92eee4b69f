"""Which sentences face which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.segment import Kind
from goldlens.scoring.spans.segments import SpanPairing
from goldlens.scoring.task import PRED
from tests.scoring.spans.pairs import counts, pair, units


def text(sentences: str) -> str:
    """A file of sentences parted by blanks: each letter a token; `-` is a comment by itself."""
    return "".join(
        "# c\n\n" if one == "-" else "".join(f"{c} O\n" for c in one) + "\n"
        for one in sentences.split()
    )


def laid(gold: str, pred: str) -> list[tuple[str, list[int], list[int]]]:
    pairing = SpanPairing(units(text(gold)), units(text(pred)))
    return [(s.kind.name, list(s.gold), list(s.pred)) for s in pairing]


@pytest.mark.parametrize(
    ("gold", "pred", "segments"),
    [
        # As many sentences: by order, whatever the tokens are.
        ("ab c", "ab c", [("STREAM", [0], [0]), ("STREAM", [1], [1])]),
        ("ab c", "xy z", [("STREAM", [0], [0]), ("STREAM", [1], [1])]),
        (
            "ab c de",
            "ab cc de",
            [("STREAM", [0], [0]), ("MISMATCH", [1], [1]), ("STREAM", [2], [2])],
        ),
        # Another number: by equal texts from the front, then from the back.
        ("ab c de", "ab de", [("STREAM", [0], [0]), ("MISSING", [1], []), ("STREAM", [2], [1])]),
        ("ab de", "ab c de", [("STREAM", [0], [0]), ("EXTRA", [], [1]), ("STREAM", [1], [2])]),
        ("a b", "a b c", [("STREAM", [0], [0]), ("STREAM", [1], [1]), ("EXTRA", [], [2])]),
        ("b c", "a b c", [("EXTRA", [], [0]), ("STREAM", [0], [1]), ("STREAM", [1], [2])]),
        # A sentence cut in two.
        (
            "a bcd e",
            "a b cd e",
            [("STREAM", [0], [0]), ("MISMATCH", [1], [1, 2]), ("STREAM", [2], [3])],
        ),
        # Inside, equal numbers of tokens, from the front and then from the back.
        (
            "a bb c ddd e",
            "a xx y e",
            [
                ("STREAM", [0], [0]),
                ("STREAM", [1], [1]),
                ("STREAM", [2], [2]),
                ("MISSING", [3], []),
                ("STREAM", [4], [3]),
            ],
        ),
        (
            "a bbb cc e",
            "a xxxx x yy e",
            [
                ("STREAM", [0], [0]),
                ("MISMATCH", [1], [1, 2]),
                ("STREAM", [2], [3]),
                ("STREAM", [3], [4]),
            ],
        ),
        # Nothing on a side, or on both.
        ("", "", []),
        ("a b", "", [("MISSING", [0, 1], [])]),
        ("", "a b", [("EXTRA", [], [0, 1])]),
        ("-", "", [("BLANK", [0], [])]),
        ("-", "- -", [("BLANK", [0], [0, 1])]),
        ("-", "a", [("EXTRA", [0], [0])]),
        # Blocks without sentences go with the sentence before them, or the first.
        ("- a - b", "a b -", [("STREAM", [0, 1, 2], [0]), ("STREAM", [3], [1, 2])]),
        ("a b", "- x a b", [("EXTRA", [], [0, 1]), ("STREAM", [0], [2]), ("STREAM", [1], [3])]),
    ],
)
def test_sentences_face_each_other_by_order(
    gold: str, pred: str, segments: list[tuple[str, list[int], list[int]]]
) -> None:
    assert laid(gold, pred) == segments


def test_what_is_not_compared_is_listed() -> None:
    pairing = SpanPairing(units(text("ab c de")), units(text("ab cc de")))
    assert list(pairing.uncompared()) == [1]
    assert not pairing.agrees
    assert pairing.starts(2) == (2, 2)
    assert SpanPairing(units(text("-")), units(text("- -"))).agrees
    with pytest.raises(IndexError):
        pairing[3]


def tagged(tags: str) -> list[bytes]:
    """Blocks of one token `w`, with these tags."""
    return [f"w {tag}\n\n".encode() for tag in tags.split()]


@pytest.mark.parametrize(
    ("before", "at", "removed", "new"),
    [
        # All sentences have the same tokens: what faces what has moved, though no bound has.
        ("B-a B-b B-c", 0, 1, ""),
        ("B-a B-b B-c", 1, 1, ""),
        ("B-a B-b B-c", 0, 0, "B-d"),
        ("B-a B-b B-c", 1, 0, "B-d B-e"),
        ("B-a B-b B-c", 1, 2, "B-d"),
    ],
)
def test_what_faces_another_sentence_is_compared_again(
    before: str, at: int, removed: int, new: str
) -> None:
    gold, pred = b"".join(tagged(before)), tagged(before)
    held = pair(gold, b"".join(pred))
    pred[at : at + removed] = tagged(new)
    held.apply(PRED, held.pred.replace(b"".join(pred)))
    fresh = pair(gold, b"".join(pred))
    assert held.comparisons == fresh.comparisons
    assert counts(held) == counts(fresh)


def test_an_edit_of_a_token_is_seen_when_the_numbers_of_sentences_part_later() -> None:
    held = pair(text("b d"), text("b"))
    for now in ("b d", "x d", "x b d"):
        held.apply(PRED, held.pred.replace(text(now).encode()))
        assert list(held.pairing) == list(pair(text("b d"), text(now)).pairing)
    assert [segment.kind.name for segment in held.pairing] == ["EXTRA", "STREAM", "STREAM"]


SENTENCES = st.lists(st.sampled_from(["a", "b", "ab", "ba", "abc", "-"]), max_size=6).map(" ".join)


@given(SENTENCES, SENTENCES)
def test_every_unit_is_in_one_segment_and_compared_ones_hold_one_sentence_each(
    gold: str, pred: str
) -> None:
    sides = units(text(gold)), units(text(pred))
    pairing = SpanPairing(*sides)
    segments = list(pairing)
    assert segments == [pairing[k] for k in range(len(pairing))]
    for side, ranges in zip(
        sides, ([s.gold for s in segments], [s.pred for s in segments]), strict=True
    ):
        assert [k for where in ranges for k in where] == list(range(len(side)))
    for segment in segments:
        held = [
            [side[k].tokens for k in where if side[k].tokens]
            for side, where in zip(sides, (segment.gold, segment.pred), strict=True)
        ]
        if segment.kind is Kind.STREAM:
            assert held[0] == held[1] and len(held[0]) == 1
        elif segment.kind is Kind.MISMATCH:
            assert held[0] and held[1] and held[0] != held[1]
        elif segment.kind is Kind.MISSING:
            assert held[0] and not held[1]
        elif segment.kind is Kind.EXTRA:
            assert held[1] and not held[0]
        else:
            assert not held[0] and not held[1]
