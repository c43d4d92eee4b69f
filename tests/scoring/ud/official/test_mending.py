"""Sentences whose heads are no tree, made trees: who becomes the root, who hangs from it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.conllu.reader import read
from goldlens.scoring.ud.official.mending import Mended, depth, mended
from tests.strategies import row


def sentence(*heads: object) -> bytes:
    """Words w1, w2 … with these heads."""
    rows = [row(str(k), f"w{k}", "_", "X", "_", "_", str(h), "obj") for k, h in enumerate(heads, 1)]
    return ("".join(rows) + "\n").encode()


def mend(*heads: object, headless: Sequence[int] = ()) -> Mended | None:
    return mended(read(sentence(*heads)).canonical, headless)


def columns(text: bytes) -> list[tuple[str, str]]:
    """HEAD and DEPREL of each word."""
    cells = [line.split("\t") for line in text.decode().split("\n") if line]
    return [(row[6], row[7]) for row in cells]


@pytest.mark.parametrize("heads", [(0,), (2, 0), (0, 1, 2, 3), (3, 3, 0)])
def test_a_tree_is_left_alone(heads: tuple[int, ...]) -> None:
    assert mend(*heads) is None


@pytest.mark.parametrize(
    ("heads", "expected", "said"),
    [
        # A head that says nothing, out of range, or no number.
        (("0", "_", "2"), "0 1! 2", "word 2 attached to the root, word 1, as dep"),
        (("9", "0"), "2! 0", "word 1 attached to the root, word 2, as dep"),
        (("0", "x"), "0 1!", "word 2 attached to the root, word 1, as dep"),
        # Roots too many: the first is kept.
        (("2", "0", "0", "0"), "2 0 2! 2!", "words 3, 4 attached to the root, word 2, as dep"),
        # A ring, and what hangs below it stays there.
        (("0", "3", "2", "3"), "0 1! 1! 3", "words 2, 3 attached to the root, word 1, as dep"),
        (("1", "0"), "2! 0", "word 1 attached to the root, word 2, as dep"),
        # No root at all.
        (("_",), "0!", "word 1 made the root, as dep"),
        (("_", "_"), "0! 1!", "word 1 made the root, word 2 attached to it, as dep"),
        (("3", "1", "2"), "0! 1! 1!", "word 1 made the root, words 2, 3 attached to it, as dep"),
    ],
)
def test_who_is_attached_to_whom(heads: tuple[str, ...], expected: str, said: str) -> None:
    """`!` marks a word that was mended: its relation is dep."""
    found = mend(*heads)
    assert found is not None
    marked = [(each.rstrip("!"), "dep" if "!" in each else "obj") for each in expected.split()]
    assert columns(found.text) == marked
    assert str(found) == said


def test_a_word_without_a_head_becomes_the_root_rather_than_one_of_a_ring() -> None:
    found = mend("2", "1", "_", headless=(3,))
    assert found is not None
    assert columns(found.text) == [("3", "dep"), ("3", "dep"), ("0", "dep")]


def test_the_sentence_s_own_root_stays_the_root() -> None:
    found = mend("_", "0", headless=(1,))
    assert found is not None
    assert (found.root, found.made, found.attached) == (2, False, (1,))


def test_a_word_that_looks_like_a_mark_is_no_mark() -> None:
    text = row("1", "!", "!", "!", "!", "_", "0", "!").encode() + b"\n"
    assert mended(read(text).canonical) is None


def test_multiword_tokens_and_other_cells_are_left_as_they_are() -> None:
    text = row("1-2", "ab") + row("1", "a", "l", "X", "x", "A=B", "_", "obj") + row("2", "b") + "\n"
    found = mended(read(text.encode()).canonical)
    assert found is not None
    first, second, *_ = found.text.decode().split("\n")
    assert first + "\n" == row("1-2", "ab")
    assert second + "\n" == row("1", "a", "l", "X", "x", "A=B", "0", "dep")


def test_many_words_are_named_in_part() -> None:
    found = mend("0", *["_"] * 12)
    assert found is not None
    assert str(found).startswith("words 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more attached")


heads = st.lists(st.integers(0, 6) | st.sampled_from(["_", "x", "-1"]), min_size=1, max_size=6)


@given(heads)
def test_what_is_mended_is_a_tree_and_nothing_else_is_touched(found: list[object]) -> None:
    mending = mend(*found)
    after = mending.text if mending else sentence(*found)
    assert {problem.code for problem in read(after).problems} <= {"root-relation"}
    assert 1 <= depth(after) <= len(found)
    assert [head for head, _ in columns(after)].count("0") == 1
    for k, (head, relation) in enumerate(columns(after), 1):
        if mending is None or k not in (*mending.attached, mending.root if mending.made else 0):
            assert (head, relation) == (str(found[k - 1]), "obj")


@pytest.mark.parametrize(
    ("heads", "most"),
    [((0,), 1), ((0, 1, 2), 3), ((2, 3, 0), 3), ((0, 1, 1), 2), ((3, 1, 0, 2), 4)],
)
def test_how_deep_a_tree_is(heads: tuple[int, ...], most: int) -> None:
    assert depth(sentence(*heads)) == most


def test_a_long_chain_is_measured_too() -> None:
    assert depth(sentence(*range(2, 5001), 0)) == 5000
