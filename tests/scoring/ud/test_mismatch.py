"""What is said where the characters of both sides part, and of sentences without a pair."""

from __future__ import annotations

import pytest

from goldlens.scoring.problems import Problem, Severity
from goldlens.server.engine.listing import Lister
from goldlens.server.engine.refusals import refusals
from tests.scoring.ud.marked import Said, conllu, opened, said


def default(problem: Problem) -> Severity | None:
    return problem.severity


def file(*sentences: str) -> str:
    """Sentences of words, with the sent_ids s1, s2, …"""
    found = []
    for number, sentence in enumerate(sentences, 1):
        rows = [
            f"{k} {word} _ X _ _ {0 if k == 1 else 1} {'root' if k == 1 else 'dep'}"
            for k, word in enumerate(sentence.split(), 1)
        ]
        found.append("\n".join([f"# sent_id = s{number}", *rows]))
    return "\n\n".join(found)


def one(gold: str | bytes, pred: str | bytes) -> Said:
    (found,) = said(gold, pred)
    assert found.code == "stream-mismatch"
    assert found.severity is Severity.ERROR
    return found


def test_the_first_different_character_is_named_on_both_sides() -> None:
    found = one(file("ab cd", "ef"), file("ab cx", "ef"))
    assert found.place == ("here", 3, "cx")
    assert found.related == [("gold", 3, "cd")]
    assert "offset 3 of the character stream" in found.message
    assert "U+0078 LATIN SMALL LETTER X" in found.message
    assert "U+0064 LATIN SMALL LETTER D" in found.message


def test_offsets_count_characters_of_the_whole_stream() -> None:
    found = one(file("é𝐀", "b c"), file("é𝐀", "b x"))
    assert "offset 3 of" in found.message
    assert found.place == ("here", 6, "x")


def test_a_zero_width_space_is_named() -> None:
    found = one(file("ab c"), file("ab\u200b c"))
    assert "U+200B ZERO WIDTH SPACE" in found.message
    assert "\\u200b" in found.message
    assert "offset 2 of" in found.message
    assert found.place == ("here", 2, "ab\u200b")


def test_composed_and_decomposed_letters_are_named() -> None:
    found = one(file("caf\u00e9"), file("cafe\u0301"))
    assert "U+0065 LATIN SMALL LETTER E + U+0301 COMBINING ACUTE ACCENT" in found.message
    assert "U+00E9 LATIN SMALL LETTER E WITH ACUTE" in found.message
    assert "canonically equivalent" in found.message
    other = one(file("cafe\u0301"), file("caf\u00e9"))
    assert "canonically equivalent" in other.message


def test_a_difference_of_case_alone_is_said_to_be_one() -> None:
    found = one(file("Dog"), file("dog"))
    assert "only the letter case differs" in found.message


def test_a_byte_order_mark_inside_a_form_is_named() -> None:
    pred = conllu(file("ab c")).replace(b"ab", "\ufeffab".encode())
    found = one(conllu(file("ab c")), pred)
    assert "U+FEFF" in found.message
    assert "ZERO WIDTH NO-BREAK SPACE" in found.message
    assert "offset 0 of" in found.message


def test_a_byte_order_mark_at_the_start_is_not_part_of_the_text() -> None:
    text = conllu(file("ab c"))
    assert said(text, b"\xef\xbb\xbf" + text) == []


def test_a_prediction_that_ends_early() -> None:
    found = one(file("ab cd ef"), file("ab cd"))
    assert "shorter than gold" in found.message
    assert "it ends after 4 characters" in found.message
    assert "'ef' (U+0065 LATIN SMALL LETTER E)" in found.message
    # The end of the last word line, and gold's word that goes on.
    assert found.place == ("here", 3, "")
    assert found.related == [("gold", 4, "ef")]


def test_a_prediction_that_is_longer() -> None:
    found = one(file("ab"), file("ab cd"))
    assert "longer than gold" in found.message
    assert "gold ends after 2 characters" in found.message
    assert found.place == ("here", 3, "cd")
    assert found.related == [("gold", 2, "")]


def test_whole_sentences_that_are_missing() -> None:
    found = one(file("ab", "cd", "ef"), file("ab"))
    assert "(2 sentences are missing): it ends after 2 characters" in found.message
    assert "'cdef'" in found.message
    assert found.place == ("here", 2, "")
    assert found.related == [("gold", 5, "cd")]


def test_whole_sentences_too_many() -> None:
    found = one(file("ab"), file("ab", "cd"))
    assert "(1 sentence is too many): gold ends after 2 characters" in found.message
    assert found.place == ("here", 5, "cd")


def test_missing_sentences_inside_a_stretch_are_counted() -> None:
    found = one(file("ab", "cd", "ef"), file("xb", "ef"))
    assert "1 sentence is missing in this stretch" in found.message


def test_an_empty_prediction() -> None:
    found = one(file("ab"), "")
    assert "shorter than gold (1 sentence is missing): it ends after 0 char" in found.message
    assert found.place == ("here", 1, "")


def test_long_texts_are_cut_short() -> None:
    found = one(file("a" * 30), file("b" * 30))
    assert f"'{'b' * 12}…'" in found.message


def test_one_run_of_sentences_is_one_problem() -> None:
    found = said(file("a", "b", "c", "d"), file("a", "x", "y", "d"))
    assert [f.code for f in found] == ["stream-mismatch"]
    # A sentence between that pairs by its sent_id makes two of it.
    found = said(file("a", "b", "c", "d", "e"), file("a", "x", "c", "y", "e"))
    assert [(f.code, f.place) for f in found] == [
        ("stream-mismatch", ("here", 5, "x")),
        ("stream-mismatch", ("here", 11, "y")),
    ]


def test_gold_that_cannot_be_read_is_no_fault_of_the_prediction() -> None:
    gold = conllu(file("a", "b")).replace(b"1\tb\t_", b"1 b _")
    assert said(gold, conllu(file("a", "b"))) == []


def test_a_sentence_missing_in_the_middle_is_said_there() -> None:
    gold = file("ab", "cd", "ef")
    pred = "\n\n".join([*gold.split("\n\n")[::2]])
    found = one(gold, pred)
    assert found.message.startswith("1 sentence is missing here, at offset 2")
    assert "'cd' (U+0063" in found.message


def test_a_character_that_nobody_sees_is_named_at_the_end_too() -> None:
    for gold, pred in ((file("ab"), file("ab\u200b")), (file("ab\u200b"), file("ab"))):
        assert "U+200B ZERO WIDTH SPACE" in one(gold, pred).message


def test_sentence_missing() -> None:
    gold = file("ab", "cd", "ef")
    pred = "\n\n".join([*gold.split("\n\n")[::2]])
    (found,) = said(gold, pred, "sent_id")
    assert found.code == "sentence-missing"
    assert found.severity is Severity.WARNING
    assert "Gold's sentence s2 is missing here" in found.message
    # Behind the sentence that precedes it in gold.
    assert found.place == ("here", 2, "")
    assert found.related[0][:2] == ("gold", 4)


def test_sentence_extra() -> None:
    pred = file("ab", "cd", "ef")
    gold = "\n\n".join([*pred.split("\n\n")[::2]])
    (found,) = said(gold, pred, "sent_id")
    assert found.code == "sentence-extra"
    assert found.severity is Severity.WARNING
    assert "Gold has no sentence s2" in found.message
    assert found.place == ("here", 4, "# sent_id = s2")
    assert found.related == []


def test_equal_texts_between_unequal_ones_are_told_apart_from_a_difference() -> None:
    gold = file("aa", "bb", "cc", "dd", "ee").replace("# sent_id = s3\n", "")
    pred = gold.replace(" aa ", " ax ").replace(" ee ", " ex ")
    found = {each.place: each for each in said(gold, pred) if each.code == "stream-mismatch"}
    assert len(found) == 3
    between = found["here", 7, "cc"]
    assert between.related == [("gold", 7, "cc")]
    assert "the text is that of gold" in between.message


DU = """\
1 va va X _ _ 0 root
{} du _ _ _ _ _ _
2 de de X _ _ 1 case
3 le le X _ _ 1 det
4 l l X _ _ 1 obj
"""


@pytest.mark.parametrize("wrong", ["3-2", "2-9"])
def test_a_range_that_does_not_hold_its_words_is_one_cause(wrong: str) -> None:
    """That the text differs in consequence refuses the pair, and is not told besides."""
    gold, pred = (conllu(DU.format(numbers)) for numbers in ("2-3", wrong))
    pair = opened(gold, pred)
    shown = Lister(pair.pred, pair, default).list([], None, 0).shown
    assert [found.problem.code for found in shown] == ["id-range"]
    assert pair.tally == {}
    assert [refusal.problem.code for refusal in refusals(pair)] == ["stream-mismatch"]


def test_a_text_that_differs_elsewhere_is_told_besides_a_wrong_range() -> None:
    gold = conllu("1 a a X _ _ 0 root\n\n" + DU.format("2-3"))
    pred = conllu("1 b b X _ _ 0 root\n\n" + DU.format("3-2"))
    pair = opened(gold, pred)
    listing = Lister(pair.pred, pair, default).list([], None, 0)
    assert [found.problem.code for found in listing.shown] == ["stream-mismatch", "id-range"]
    assert listing.more == 0
