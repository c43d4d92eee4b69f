"""Which word corresponds to which: the rule of the shared task, case by case."""

from __future__ import annotations

import random

import pytest

from goldlens.scoring.ud import alignment
from goldlens.scoring.ud.alignment import GroupTooLarge, align, common_subsequence
from goldlens.scoring.ud.segments import Pairing
from goldlens.scoring.ud.table import Table
from goldlens.scoring.ud.unit import parse
from tests.scoring.ud.marked import conllu, counts, scored


def tokens(text: str) -> str:
    """A sentence of tokens: `ab` is plain, `ab=a+b` has two words. All hang from the first."""
    rows: list[str] = []
    words = 0
    for token in text.split(" "):
        form, multi, parts = token.partition("=")
        forms = parts.split("+") if multi else [form]
        if multi:
            rows.append(f"{words + 1}-{words + len(forms)} {form}")
        for word in forms:
            words += 1
            head, relation = (1, "dep") if words > 1 else (0, "root")
            rows.append(f"{words} {word} {word} X _ _ {head} {relation}")
    return "\n".join(rows)


def file(text: str) -> str:
    """Sentences of tokens, with a bar between them."""
    return "\n\n".join(tokens(sentence) for sentence in text.split("|"))


def aligned(gold: str, pred: str) -> list[tuple[str, str]]:
    """The aligned words, as NUMBER:FORM of gold and of the prediction."""
    tables = [Table(conllu(file(side))) for side in (gold, pred)]
    found = []
    for pair in zip(*(side.tolist() for side in align(*tables)), strict=True):
        names = []
        for table, word in zip(tables, pair, strict=True):
            cells = table.word_cells[word]
            form = table.buffer.cell(int(cells[1]), int(cells[2]) - 1).decode()
            names.append(f"{word + 1}:{form}")
        found.append((names[0], names[1]))
    return found


def same(*words: str) -> list[tuple[str, str]]:
    return [(word, word) for word in words]


def test_plain_words_align_where_spans_are_equal() -> None:
    assert aligned("a bc d", "a b c d") == [("1:a", "1:a"), ("3:d", "4:d")]
    assert aligned("ab c", "a bc") == []


def test_plain_words_align_by_span_not_by_form() -> None:
    # The second a of gold faces the second of the prediction, not the first.
    assert aligned("aa a", "a a a") == [("2:a", "3:a")]


def test_words_of_a_token_align_by_form() -> None:
    assert aligned("im=in+dem x", "im=in+dem x") == same("1:in", "2:dem", "3:x")
    assert aligned("im=in+dem x", "im=an+dem x") == same("2:dem", "3:x")
    assert aligned("im=in+dem x", "im x") == [("3:x", "2:x")]


def test_a_plain_word_may_align_with_a_word_of_a_token() -> None:
    assert aligned("ab=ab+c d", "ab d") == [("1:ab", "1:ab"), ("3:d", "2:d")]


def test_letter_case_is_ignored_in_a_group_only() -> None:
    assert aligned("ab=A+b", "ab=a+B") == [("1:A", "1:a"), ("2:b", "2:B")]


def test_forms_in_a_group_are_as_written() -> None:
    pairs = {"a␣": "a␣", "a": "a␣"}
    found = {ours: aligned(f"ab={ours}+b", f"ab={theirs}+b") for ours, theirs in pairs.items()}
    assert [len(found["a␣"]), len(found["a"])] == [2, 1]
    assert aligned("ab=∅+b", "ab=∅+b") == same("1:", "2:b")


def test_a_plain_word_has_no_white_space_in_a_group_either() -> None:
    """The script takes it away from the forms of tokens, and such a word is its token."""
    assert aligned("ab=x+ab", "a␣b") == [("2:ab", "1:a b")]
    assert aligned("a\u00a0b", "ab=ab+x") == [("1:a\u00a0b", "1:ab")]


def test_overlapping_tokens_are_one_group() -> None:
    # Gold's ab reaches to the prediction's bc, which reaches to gold's c.
    assert aligned("ab=a+b c", "a bc=b+c") == same("1:a", "2:b", "3:c")


def test_a_plain_word_does_not_stretch_a_group() -> None:
    # The prediction's bc ends behind gold's token, so it stays out, and c with it.
    assert aligned("ab=a+bc c", "a bc") == [("1:a", "1:a")]


def test_a_word_that_does_not_belong_may_be_taken_but_stretches_nothing() -> None:
    # bcde starts before gold's cd and is taken with it; gold's ef, which it overlaps, is not.
    assert aligned("ab cd=x+y ef=bcde+f", "a bcde f") == [("5:f", "3:f")]
    assert aligned("ab cd=x+bcde e", "a bcde") == [("3:bcde", "2:bcde")]


def test_one_word_before_a_token_is_passed_over_and_no_more() -> None:
    # a is passed over; b, though it stands before the token c, is in the group.
    assert aligned("ab c=b+c", "a b c") == [("2:b", "2:b"), ("3:c", "3:c")]
    # With the sides changed it is gold's b that is passed over, and c is in the group.
    assert aligned("a b c d", "abc d=c+d") == [("3:c", "2:c"), ("4:d", "3:d")]


def test_that_word_is_passed_over_even_where_it_overlaps_the_token() -> None:
    # The prediction's ab starts before gold's token bc, and is spelt as its first word.
    assert aligned("a bc=ab+c", "ab c") == [("3:c", "2:c")]


def test_subsequences_are_taken_from_the_left() -> None:
    assert common_subsequence(["a", "b"], ["b", "a"]) == [(1, 0)]
    assert common_subsequence(["a"], ["a", "a"]) == [(0, 0)]
    assert common_subsequence(["a", "a"], ["a"]) == [(0, 0)]
    assert common_subsequence(["x", "a", "b"], ["a", "y", "b"]) == [(1, 0), (2, 2)]
    assert common_subsequence(["a", "b", "a"], ["b", "a", "b"]) == [(1, 0), (2, 1)]
    assert common_subsequence([], ["a"]) == []


def test_long_groups_follow_the_same_rule() -> None:
    """Twenty by twenty and more are counted in arrays: as the table by hand has it."""
    throws = random.Random(7)
    for _ in range(20):
        gold, pred = (throws.choices("abc", k=throws.randint(20, 40)) for _ in range(2))
        left = [[0] * (len(pred) + 1) for _ in range(len(gold) + 1)]
        for g in reversed(range(len(gold))):
            for p in reversed(range(len(pred))):
                left[g][p] = (
                    left[g + 1][p + 1] + 1
                    if gold[g] == pred[p]
                    else max(left[g + 1][p], left[g][p + 1])
                )
        expected, g, p = [], 0, 0
        while g < len(gold) and p < len(pred):
            if gold[g] == pred[p]:
                expected.append((g, p))
                g, p = g + 1, p + 1
            elif left[g][p] == left[g + 1][p]:
                g += 1
            else:
                p += 1
        assert common_subsequence(gold, pred) == expected


def test_a_group_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "GROUP_LIMIT", 5)
    assert aligned("ab=a+b", "ab=c+b") == [("2:b", "2:b")]
    with pytest.raises(GroupTooLarge, match="3 gold words with 2 predicted"):
        scored(tokens("abc=a+b+c"), tokens("abc=x+y"))
    # Equal forms need no table.
    assert len(aligned("abc=a+b+c", "abc=a+b+c")) == 3


def test_a_sentence_end_before_a_token_is_no_cut_unless_the_last_tokens_are_equal() -> None:
    """The counterexample to cutting at every common sentence end: b aligns over the border."""
    gold, pred = "abc|bx=b+x", "a b c|bx"
    assert aligned(gold, pred) == [("2:b", "2:b")]
    assert counts(file(gold), file(pred), "Words") == {"Words": (1, 3, 4)}
    assert segments(gold, pred) == 1
    assert segments("abc|bx=b+x", "abc|bx") == 2
    assert segments("abc|bx", "a b c|bx") == 2
    assert segments("abc|bx", "a b c|bx=b+x") == 1


def segments(gold: str, pred: str) -> int:
    sides = [
        parse([conllu(tokens(sentence)) for sentence in side.split("|")]) for side in (gold, pred)
    ]
    return len(Pairing(sides[0], sides[1]))


def test_heads_are_compared_through_the_alignment() -> None:
    # b's head is a on both sides, by other numbers.
    gold = "1-2 xa\n1 x x X _ _ 2 dep\n2 a a X _ _ 0 root\n3 b b X _ _ 2 obj"
    pred = "1-2 xa\n1 y y X _ _ 2 dep\n2 a a X _ _ 0 root\n3 b b X _ _ 2 obj"
    assert counts(gold, pred, "Words", "UAS") == {"Words": (2, 3, 3), "UAS": (2, 3, 3)}


def test_two_unaligned_heads_are_no_agreement() -> None:
    gold = "1-2 xa\n1 x x X _ _ 0 root\n2 a a X _ _ 1 dep"
    pred = "1-2 xa\n1 y y X _ _ 0 root\n2 a a X _ _ 1 dep"
    assert counts(gold, pred, "Words", "UAS") == {"Words": (1, 2, 2), "UAS": (0, 2, 2)}


def test_words_follow_their_range_whatever_its_numbers() -> None:
    gold = "1 a a X _ _ 0 root\n2-3 bc\n2 b b X _ _ 1 dep\n3 c c X _ _ 1 dep"
    pred = gold.replace("2-3", "3-4")
    assert counts(gold, pred, "Words", "Tokens") == {"Words": (3, 3, 3), "Tokens": (2, 2, 2)}
