"""What is said where a prediction differs from gold: the code, the cell, the message."""

from __future__ import annotations

from collections import Counter

import pytest

from goldlens.scoring.problems import Severity
from goldlens.scoring.ud.task import UD
from tests.scoring.ud.marked import Said, conllu, opened, said

NINE = """\
1 We we PRON _ _ 2 nsubj
2 saw see VERB VBD Tense=Past 0 root
3 the the DET _ _ 5 det
4 old old ADJ _ Degree=Pos 5 amod
5 dogs dog NOUN NNS Number=Plur 2 obj
6 of of ADP _ _ 8 case
7 the the DET _ _ 8 det
8 house house NOUN NN Number=Sing 5 nmod
9 . . PUNCT _ _ 2 punct
"""


def one(gold: str | bytes, pred: str | bytes) -> Said:
    (found,) = said(gold, pred)
    return found


def test_nothing_is_said_of_a_file_against_itself() -> None:
    assert said(NINE, NINE) == []


@pytest.mark.parametrize("head", [b"2", b"3"])
def test_a_relation_that_is_empty_is_called_so(head: bytes) -> None:
    full = b"1\tHe\t_\t_\t_\t_\t2\tnsubj\t_\t_\n2\tsat\t_\t_\t_\t_\t0\troot\t_\t_\n"
    full += b"3\tup\t_\t_\t_\t_\t2\tadvmod\t_\t_\n\n"
    empty = full.replace(b"2\tnsubj", head + b"\t")
    assert "relation is empty, gold has nsubj; LAS 2/3" in one(full, empty).message
    assert (
        "relation is nsubj, gold has nothing; LAS 2/3"
        in one(
            full.replace(b"2\tnsubj", b"2\t"), full.replace(b"2\tnsubj", head + b"\tnsubj")
        ).message
    )


def test_las_error_on_head_and_on_relation() -> None:
    pred = NINE.replace("5 nmod", "2 nmod").replace("2 obj", "2 iobj")
    relation, head = said(NINE, pred)
    assert (relation.code, head.code) == ("las-error", "las-error")
    assert relation.place == ("here", 5, "iobj")
    assert relation.related == [("gold", 5, "obj")]
    assert relation.message == "The relation is iobj, gold has obj; LAS 7/9"
    assert head.place == ("here", 8, "2")
    assert head.related == [("gold", 8, "5")]
    assert head.message == "HEAD is 2 (saw), gold has 5 (dogs); LAS 7/9"
    assert head.severity is Severity.WARNING


def test_las_error_is_one_where_head_and_relation_are_wrong() -> None:
    found = one(NINE, NINE.replace("5 nmod", "2 obl"))
    assert found.place == ("here", 8, "2")
    assert "HEAD is 2 (saw), gold has 5 (dogs)" in found.message
    assert "the relation is obl, gold has nmod" in found.message
    assert found.message.endswith("LAS 8/9")


def test_las_error_names_the_root() -> None:
    pred = NINE.replace("0 root", "5 obl").replace("2 obj", "0 root")
    messages = [found.message for found in said(NINE, pred)]
    assert any("HEAD is 5 (dogs), gold has 0 (root)" in message for message in messages)
    assert any("HEAD is 0 (root), gold has 2 (saw)" in message for message in messages)


def test_a_subtype_is_no_error() -> None:
    assert said(NINE, NINE.replace("nmod", "nmod:poss")) == []


def test_las_error_says_gold_head_by_the_numbers_here() -> None:
    gold = "1-2 im\n1 in in X _ _ 3 case\n2 dem der X _ _ 3 det\n3 Haus Haus X _ _ 0 root"
    gold += "\n4 rot rot X _ _ 3 amod\n5 da da X _ _ 4 obj"
    pred = "1 im im X _ _ 2 case\n2 Haus Haus X _ _ 0 root\n3 rot rot X _ _ 2 amod\n"
    pred += "4 da da X _ _ 2 obj"
    found = {f.code: f for f in said(gold, pred)}
    assert found["las-error"].place == ("here", 4, "2")
    # Gold's head is its word 4, which is 3 here.
    assert "HEAD is 2 (Haus), gold has 3 (rot)" in found["las-error"].message
    assert found["las-error"].related == [("gold", 6, "4")]
    # Of gold's five words two are right; the prediction has four.
    assert found["las-error"].message.endswith("LAS 2/5")


def test_las_error_says_where_golds_head_has_no_counterpart() -> None:
    gold = "1-2 xa\n1 x x X _ _ 0 root\n2 a a X _ _ 1 dep"
    pred = "1-2 xa\n1 y y X _ _ 0 root\n2 a a X _ _ 1 dep"
    found = {f.code: f for f in said(gold, pred)}
    assert set(found) == {"word-alignment", "las-error"}
    assert "gold has its own 1 (x), which has no counterpart here" in found["las-error"].message


def test_word_alignment_is_all_that_is_said_of_a_word_without_counterpart() -> None:
    gold = "1-2 im\n1 in in ADP _ _ 3 case\n2 dem der DET _ _ 3 det\n3 Haus Haus X _ _ 0 root"
    pred = "1 im im X _ _ 2 obj\n2 Haus Haus X _ _ 0 root"
    found = one(gold, pred)
    assert found.code == "word-alignment"
    assert found.place == ("here", 1, "im")
    assert found.message == "No word of gold corresponds to 'im'; gold has in + dem here"
    assert found.related == [("gold", 2, "in"), ("gold", 3, "dem")]


def test_word_alignment_for_each_piece_of_a_split_word() -> None:
    gold = "1 abc abc X _ _ 0 root"
    pred = "1 ab ab X _ _ 0 root\n2 c c X _ _ 1 dep"
    assert [(f.code, f.place) for f in said(gold, pred)] == [
        ("word-alignment", ("here", 1, "ab")),
        ("word-alignment", ("here", 2, "c")),
    ]


def test_token_boundary_of_a_token_that_gold_does_not_have() -> None:
    gold = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    pred = "1-2 ab\n1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    found = one(gold, pred)
    assert found.code == "token-boundary"
    assert found.place == ("here", 1, "ab")
    assert found.message == "Gold has no token 'ab'; its tokens here are a b"
    assert found.related == [("gold", 1, "a"), ("gold", 2, "b")]


def test_token_boundary_of_plain_words_that_align_all_the_same() -> None:
    gold = "1-2 ab\n1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    pred = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    found = said(gold, pred)
    assert [(f.code, f.place) for f in found] == [
        ("token-boundary", ("here", 1, "a")),
        ("token-boundary", ("here", 2, "b")),
    ]
    assert found[0].related == [("gold", 1, "ab")]


APART = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep\n\n1 c c X _ _ 0 root"
JOINED = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep\n3 c c X _ _ 1 dep"


def test_sentence_boundary_that_gold_does_not_have() -> None:
    found = [f for f in said(JOINED, APART) if f.code == "sentence-boundary"]
    assert [f.place for f in found] == [("here", 2, "b")]
    assert found[0].message == "The sentence ends here; gold's goes on"


def test_sentence_boundary_that_only_gold_has() -> None:
    found = [f for f in said(APART, JOINED) if f.code == "sentence-boundary"]
    assert [f.place for f in found] == [("here", 3, "c")]
    assert found[0].message == "Gold begins a sentence here; this one goes on"
    assert found[0].related == [("gold", 4, "1")]


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "related", "message"),
    [
        ("VERB", "AUX", "tag-error", "AUX", "VERB", "UPOS is AUX, gold has VERB"),
        ("VBD", "VBN", "tag-error", "VBN", "VBD", "XPOS is VBN, gold has VBD"),
        ("see", "saw", "lemma-error", "saw", "see", "The lemma is saw, gold has see"),
        (
            "Tense=Past", "Tense=Pres", "feats-error", "Tense=Pres", "Tense=Past",
            "Tense=Pres, gold has Tense=Past",
        ),
        ("Tense=Past", "_", "feats-error", "_", "Tense=Past", "Tense=Past is missing"),
        (
            "Tense=Past", "Mood=Ind|Tense=Past", "feats-error", "Mood=Ind|Tense=Past",
            "Tense=Past", "Mood=Ind is not in gold",
        ),
    ],
)  # fmt: skip
def test_cells(old: str, new: str, code: str, place: str, related: str, message: str) -> None:
    gold = "2 saw see VERB VBD Tense=Past 0 root".replace("2 ", "1 ", 1)
    found = one(gold, gold.replace(old, new))
    assert (found.code, found.severity) == (code, Severity.INFORMATION)
    assert found.place == ("here", 1, place)
    assert found.related == [("gold", 1, related)]
    assert found.message == message


def test_features_that_do_not_count_are_no_error() -> None:
    gold = "1 a a X _ Case=Nom|Number=Sing 0 root"
    assert said(gold, gold.replace("Sing", "Sing|Typo=Yes")) == []


def test_a_gold_lemma_of_underscore_is_no_error() -> None:
    assert said("1 a _ X _ _ 0 root", "1 a b X _ _ 0 root") == []


def test_places_are_those_of_the_text_with_comments_and_empty_nodes() -> None:
    gold = "# sent_id = g\n# text = a b\n1 a a X _ _ 0 root\n1.1 e e X\n2 b b X _ _ 1 dep"
    pred = "# c\n1 a a X _ _ 0 root\n2 b b Y _ _ 1 dep\n2.1 e e X"
    found = one(gold, f"{gold.replace('g', 'h')}\n\n{pred}".partition("\n\n")[2])
    assert found.place == ("here", 3, "Y")
    assert found.related == [("gold", 5, "X")]


def test_a_bad_head_is_said_once() -> None:
    """What the tree check says the comparison does not say again, for gold or prediction."""
    ring = NINE.replace("8 case", "6 case").replace("5 nmod", "2 nmod")
    assert [(f.code, f.place) for f in said(NINE, ring)] == [("las-error", ("here", 8, "2"))]
    pair = opened(conllu(NINE), conllu(ring))
    assert [p.code for unit in pair.pred.units for p in unit.problems] == ["head-cycle"]
    assert [f.place for f in said(ring, NINE)] == [("here", 8, "5")]


def test_a_row_that_cannot_be_read_gives_no_gold_problems() -> None:
    gold = conllu(f"{NINE}\n{NINE}")
    # One row lost its tabs; a tag is wrong in the same sentence, and one in the next.
    pred = gold.replace(b"4\told\told\tADJ", b"4 old old ADJ", 1)
    pred = pred.replace(b"VERB", b"AUX")
    pair = opened(gold, pred)
    assert [p.code for unit in pair.pred.units for p in unit.problems] == ["column-count"]
    assert [(f.code, f.place) for f in said(gold, pred)] == [("tag-error", ("here", 12, "AUX"))]
    assert pair.tally == Counter({"tag-error": 1})


def test_counts_and_lists_agree() -> None:
    pred = NINE.replace("2 punct", "5 punct").replace("NOUN", "X").replace("dog ", "dgo ")
    pair = opened(conllu(NINE), conllu(pred))
    segment = pair.pairing[0]
    problems = UD.problems(pair.gold.units, pair.pred.units, segment, 0)
    assert Counter(p.code for p in problems) == {
        "las-error": 1, "tag-error": 2, "lemma-error": 1,
    } == pair.tally  # fmt: skip
