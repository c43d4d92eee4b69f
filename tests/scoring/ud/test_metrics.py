"""What each metric counts, by numbers counted by hand: (correct, gold, predicted)."""

from __future__ import annotations

import pytest

from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.relations import CONTENT, FUNCTIONAL, OTHER, relations
from goldlens.scoring.ud.table import DEPREL, Table
from tests.scoring.ud.marked import conllu, counts, numbers, scored

DOGS = """\
1 the the DET DT Definite=Def|PronType=Art 2 det
2 dogs dog NOUN NNS Number=Plur 3 nsubj
3 bark bark VERB VBP Mood=Ind 0 root
4 . . PUNCT . _ 3 punct
"""
EVERY = ("UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")


def changed(old: str, new: str, text: str = DOGS) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


def wrong(pred: str, gold: str = DOGS) -> dict[str, int]:
    """How many items of each metric are missed, for those where any is."""
    found = counts(gold, pred, *metrics.OFFICIAL, *metrics.STRICT)
    return {name: g - c for name, (c, g, _) in found.items() if g != c}


def test_a_file_against_itself() -> None:
    found = scored(DOGS, DOGS)
    assert {name: numbers(count) for name, count in found.figures().items()} == {
        "Tokens": (4, 4, 4), "Sentences": (1, 1, 1), "Words": (4, 4, 4),
        "UPOS": (4, 4, 4), "XPOS": (4, 4, 4), "UFeats": (4, 4, 4), "AllTags": (4, 4, 4),
        "Lemmas": (4, 4, 4), "UAS": (4, 4, 4), "LAS": (4, 4, 4),
        "CLAS": (2, 2, 2), "MLAS": (2, 2, 2), "BLEX": (2, 2, 2),
    }  # fmt: skip
    assert all(count.f1 == 100 for count in found.figures().values() if count)


def test_two_empty_files_score_nothing() -> None:
    found = scored("", "")
    figures = found.figures()
    assert {numbers(count) for count in figures.values()} == {(0, 0, 0)}
    assert {count.f1 for count in figures.values() if count} == {0.0}


def test_precision_recall_f1_and_aligned_accuracy() -> None:
    gold = """\
    1 ab ab X _ _ 0 root
    2 c c X _ _ 1 obj
    3 d d X _ _ 1 obj
    """
    pred = """\
    1 a a X _ _ 0 root
    2 b b X _ _ 1 obj
    3 c c Y _ _ 1 obj
    4 d d X _ _ 1 obj
    """
    upos = scored(gold, pred).figures()["UPOS"]
    assert upos is not None
    # c and d align; d's tag is right: 1 of 4 predicted, of 3 in gold, of 2 aligned.
    assert (upos.correct, upos.gold, upos.predicted, upos.aligned) == (1, 3, 4, 2)
    assert upos.precision == pytest.approx(25.0)
    assert upos.recall == pytest.approx(100 / 3)
    assert upos.f1 == pytest.approx(200 / 7)
    assert upos.aligned_accuracy == pytest.approx(50.0)
    tokens = scored(gold, pred).figures()["Tokens"]
    assert tokens is not None
    assert tokens.aligned_accuracy is None


TAGS = {"AllTags": 1, "AllTagsAll": 1}
ATTACHED = {"LAS": 1, "CLAS": 1, "MLAS": 1, "BLEX": 1, "LASFull": 1}
ONE_CELL = {
    "UPOS": ("VERB", "NOUN", {"UPOS": 1, "MLAS": 1, **TAGS}),
    "XPOS is not in MLAS": ("NNS", "NN", {"XPOS": 1, **TAGS}),
    "a feature": ("Plur", "Sing", {"UFeats": 1, "UFeatsAll": 1, "MLAS": 1, **TAGS}),
    "the lemma's case": ("bark bark", "bark Bark", {"Lemmas": 1, "BLEX": 1}),
    "a predicted lemma _": ("bark bark", "bark _", {"Lemmas": 1, "BLEX": 1}),
    "the head": ("3 nsubj", "4 nsubj", {"UAS": 1, **ATTACHED}),
    "the relation": ("3 nsubj", "3 obj", ATTACHED),
    "the subtype": ("3 nsubj", "3 nsubj:pass", {"LASFull": 1}),
    "punct is in LAS": ("3 punct", "2 punct", {"UAS": 1, "LAS": 1, "LASFull": 1}),
    "a function word moved": ("2 det", "3 det", {"UAS": 1, "LAS": 1, "MLAS": 2, "LASFull": 1}),
    "its relation": ("2 det", "2 case", {"LAS": 1, "MLAS": 1, "LASFull": 1}),
    "its UPOS": ("DET", "PRON", {"UPOS": 1, "MLAS": 1, **TAGS}),
    "its features": ("=Def", "=Ind", {"UFeats": 1, "UFeatsAll": 1, "MLAS": 1, **TAGS}),
    "not its XPOS": ("DT", "XX", {"XPOS": 1, **TAGS}),
    "not its lemma": ("the the", "the xxx", {"Lemmas": 1}),
    "HEAD 0 with another relation": ("0 root", "0 dep", ATTACHED),
}
"""What is changed in the prediction, and how many items each metric then misses."""


@pytest.mark.parametrize(("old", "new", "missed"), ONE_CELL.values(), ids=list(ONE_CELL))
def test_one_cell_wrong(old: str, new: str, missed: dict[str, int]) -> None:
    assert wrong(changed(old, new)) == missed


def test_a_gold_lemma_of_underscore_accepts_any() -> None:
    assert wrong(DOGS, changed("bark bark", "bark _")) == {}


def test_content_words_are_counted_on_each_side() -> None:
    # Gold: dogs, bark; predicted: dogs, bark and the full stop.
    pred = changed("3 punct", "3 discourse")
    assert counts(DOGS, pred, "CLAS", "LAS") == {"CLAS": (2, 2, 3), "LAS": (3, 4, 4)}


@pytest.mark.parametrize(
    ("gold", "pred", "universal", "every"),
    [
        ("Case=Nom|Number=Sing", "Number=Sing|Case=Nom", 1, 1),
        ("Case=Nom", "Case=Nom|Typo=Yes", 1, 0),
        ("Case=Nom", "Case=Nom|Number[psor]=Sing", 1, 0),
        ("Case=Nom", "_", 0, 0),
        ("_", "∅", 1, 1),
        ("Case=Nom", "|Case=Nom|", 1, 1),
        ("Case=Nom", "Case=Nom|Case=Nom", 0, 0),
        ("Number=Sing", "Number", 0, 0),
        ("Case=Acc,Nom", "Case=Nom,Acc", 0, 0),
        ("Case=Nom", "case=Nom", 0, 0),
    ],
)
def test_features(gold: str, pred: str, universal: int, every: int) -> None:
    rows = [f"1 a a X _ {feats} 0 root" for feats in (gold, pred)]
    found = counts(*rows, "UFeats", "UFeatsAll", "AllTags", "AllTagsAll", "MLAS")
    assert found["UFeats"] == found["AllTags"] == found["MLAS"] == (universal, 1, 1)
    assert found["UFeatsAll"] == found["AllTagsAll"] == (every, 1, 1)


CONTENT_RELATIONS = """
    nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos
    nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep
"""
FUNCTIONAL_RELATIONS = "aux cop mark det clf case cc"
NEITHER = "punct _ xyz Nsubj det- ref"


@pytest.mark.parametrize(
    ("relation", "kind"),
    [
        *((name, CONTENT) for name in [*CONTENT_RELATIONS.split(), "obl:arg"]),
        *((name, FUNCTIONAL) for name in [*FUNCTIONAL_RELATIONS.split(), "aux:pass"]),
        *((name, OTHER) for name in NEITHER.split()),
    ],
)
def test_content_and_function_words(relation: str, kind: int) -> None:
    table = Table(conllu(f"1 a a X _ _ 0 {relation}"))
    start = table.word_cells[:, DEPREL]
    _, classes = relations(table.buffer, start, table.word_cells[:, DEPREL + 1] - 1 - start)
    assert int(classes[0]) == kind


def test_functional_children_agree_one_for_one() -> None:
    gold = """\
    1 a a X _ _ 3 case
    2 b b X _ _ 3 case
    3 c c X _ _ 0 root
    """
    assert counts(gold, gold, "MLAS")["MLAS"] == (1, 1, 1)
    # One more or one fewer of two alike is a difference.
    fewer = changed("2 b b X _ _ 3 case", "2 b b X _ _ 3 punct", gold)
    assert counts(gold, fewer, "MLAS", "CLAS") == {"MLAS": (0, 1, 1), "CLAS": (1, 1, 1)}
    assert counts(fewer, gold, "MLAS", "CLAS") == {"MLAS": (0, 1, 1), "CLAS": (1, 1, 1)}


def test_sentences_are_spans() -> None:
    gold = "1 a a X _ _ 0 root\n\n1 b b X _ _ 0 root\n\n1 c c X _ _ 0 root"
    pred = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep\n\n1 c c X _ _ 0 root"
    # c's sentence is the same; the words all align, b's head is not.
    assert counts(gold, pred, "Sentences", "Tokens", "Words", "UAS") == {
        "Sentences": (1, 3, 2),
        "Tokens": (3, 3, 3),
        "Words": (3, 3, 3),
        "UAS": (2, 3, 3),
    }


def test_white_space_inside_forms_is_no_character() -> None:
    gold = "1 New␣York New␣York X _ _ 0 root"
    pred = "1 New\u00a0York New␣York X _ _ 0 root"
    assert counts(gold, pred, "Tokens", "Lemmas") == {"Tokens": (1, 1, 1), "Lemmas": (1, 1, 1)}
    split = "1 New New X _ _ 0 root\n2 York York X _ _ 1 flat"
    assert counts(gold, split, "Tokens", "Words") == {"Tokens": (0, 1, 2), "Words": (0, 1, 2)}


def test_empty_nodes_do_not_count() -> None:
    gold = "1 a a X _ _ 0 root\n1.1 e e X _ _ _ _\n2 b b X _ _ 1 dep"
    pred = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    assert counts(gold, pred, "Words", "Tokens", "LAS") == dict.fromkeys(
        ("Words", "Tokens", "LAS"), (2, 2, 2)
    )


def test_digits_of_any_kind_are_heads() -> None:
    gold = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep"
    for head in ("01", "１", "١"):
        pred = f"1 a a X _ _ 0 root\n2 b b X _ _ {head} dep"
        assert counts(gold, pred, "LAS") == {"LAS": (2, 2, 2)}
        assert not scored(gold, pred).refused


# Bad trees, and files without trees


RING = "1 a a X _ _ 2 dep\n2 b b X _ _ 1 dep\n3 c c X _ _ 0 root"
TREE = "1 a a X _ _ 2 dep\n2 b b X _ _ 3 dep\n3 c c X _ _ 0 root"


@pytest.mark.parametrize(
    ("pred", "code", "uas"),
    [
        (RING, "head-cycle", 1),
        (TREE.replace("3 dep", "_ dep"), "head-missing", 2),
        (TREE.replace("3 dep", "x dep"), "head-not-a-number", 2),
        (TREE.replace("3 dep", "9 dep"), "head-out-of-range", 2),
        (TREE.replace("3 dep", "0 root"), "multiple-roots", 1),
        (TREE.replace("0 root", "2 dep").replace("3 dep", "1 dep"), "head-cycle", 0),
    ],
)
def test_a_bad_tree_refuses_and_is_scored_leniently(pred: str, code: str, uas: int) -> None:
    found = scored(TREE, pred)
    assert code in {cause.code for cause in found.refused}
    assert found.as_dict("", "")["metrics"] is None
    lenient = scored(TREE, pred, policy="lenient")
    assert not lenient.refused
    assert code in {cause.code for cause in lenient.causes if cause.script}
    count = lenient.figures()["UAS"]
    assert count is not None
    # The words of a bad tree that are wrong miss; the rest is scored, as are the tags.
    assert count.gold == count.predicted == 3
    assert count.correct == uas
    assert counts(TREE, pred, "UPOS", policy="lenient") == {"UPOS": (3, 3, 3)}


def test_a_bad_tree_in_gold_refuses_too() -> None:
    assert [(c.side, c.code) for c in scored(RING, TREE).refused] == [("gold", "head-cycle")]


def test_every_offending_sentence_is_listed() -> None:
    found = scored(f"{TREE}\n\n{TREE}\n\n{TREE}", f"{RING}\n\n{TREE}\n\n{RING}")
    assert [(c.side, c.line, c.code) for c in found.refused] == [
        ("pred", 1, "head-cycle"),
        ("pred", 9, "head-cycle"),
    ]


def test_a_file_without_any_head_is_a_tagging_prediction() -> None:
    pred = "1 a a X _ _ _ _\n2 b b Y _ _ _ _\n3 c c X _ _ _ _"
    found = scored(TREE, pred)
    assert not found.refused
    figures = found.figures()
    assert numbers(figures["UPOS"]) == (2, 3, 3)
    for name in ("UAS", "LAS", "CLAS", "MLAS", "BLEX"):
        assert figures[name] is None
    assert found.as_dict("", "")["metrics"]["LAS"] is None  # type: ignore[index]
    # A single head makes it a parse.
    parsed = scored(TREE, pred.replace("_ _ _ _\n2", "_ _ 0 root\n2"))
    assert parsed.figures()["UAS"] is not None
    assert {cause.code for cause in parsed.refused} == {"head-missing"}


# Enhanced dependencies


def edges(*cells: str) -> str:
    return "\n".join(
        f"{k} w{k} w X _ _ {0 if k == 1 else 1} {'root' if k == 1 else 'dep'} {cell}"
        for k, cell in enumerate(cells, 1)
    )


@pytest.mark.parametrize(
    ("gold", "pred", "elas", "eulas"),
    [
        (("0:root", "1:obj"), ("0:root", "1:obj"), (2, 2, 2), (2, 2, 2)),
        (("0:root", "1:obj"), ("0:root", "1:iobj"), (1, 2, 2), (1, 2, 2)),
        (("0:root", "1:obl:in"), ("0:root", "1:obl:on"), (1, 2, 2), (2, 2, 2)),
        (("0:root", "1:conj:en>obj:x"), ("0:root", "1:conj>obj"), (1, 2, 2), (2, 2, 2)),
        (("0:root", "1:conj>obj"), ("0:root", "1:obj"), (1, 2, 2), (1, 2, 2)),
        (("0:root", "1:obj|2:x"), ("0:root", "2:x|1:obj"), (3, 3, 3), (3, 3, 3)),
        (("0:root", "1:obj"), ("0:root", "2:obj"), (1, 2, 2), (1, 2, 2)),
        (("0:root", "1:obj"), ("0:root", "_"), (1, 2, 1), (1, 2, 1)),
        (("0:root", "1:obj|1.1:x"), ("0:root", "1:obj"), (2, 2, 2), (2, 2, 2)),
        (("0:root", "0:root"), ("0:root", "1:root"), (1, 2, 2), (1, 2, 2)),
    ],
)
def test_enhanced_edges(
    gold: tuple[str, ...], pred: tuple[str, ...], elas: tuple[int, ...], eulas: tuple[int, ...]
) -> None:
    found = scored(edges(*gold), edges(*pred))
    figures = found.figures()
    assert numbers(figures["ELAS"]) == elas
    assert numbers(figures["EULAS"]) == eulas
    assert figures["ELAS"].aligned_accuracy is None  # type: ignore[union-attr]


def test_heads_of_edges_are_words_of_their_own_sentence() -> None:
    """The same cell names another word where the prediction ends a sentence in between."""
    gold = "1 a a X _ _ 0 root 0:root\n2 b b X _ _ 1 dep 1:x\n3 c c X _ _ 1 dep 2:y"
    pred = "1 a a X _ _ 0 root 0:root\n\n1 b b X _ _ 0 root 1:x\n2 c c X _ _ 1 dep 2:y"
    assert numbers(scored(gold, pred).figures()["ELAS"]) == (1, 3, 3)
    assert numbers(scored(pred, gold).figures()["ELAS"]) == (1, 3, 3)


def test_enhanced_metrics_are_left_out_where_gold_has_no_edges() -> None:
    found = scored(edges("_", "_"), edges("0:root", "1:obj"))
    assert not {"ELAS", "EULAS"} & set(found.figures())


def test_strict_metrics_come_when_asked_for() -> None:
    assert not set(metrics.STRICT) & set(scored(DOGS, DOGS).figures())
    assert set(metrics.STRICT) < set(scored(DOGS, DOGS, strict=True).figures())


def test_a_sentence_without_any_readable_word_beside_one_with_a_graph() -> None:
    """Gold of a stretch that is not compared is counted as far as it can be read."""
    more = " _" * 10
    gold = (
        f"1 a a X _ _ 0 root 0:root\n\n1-2 bc\n1 b{more}\n2 c{more}\n\n1 d d X _ _ 0 root 0:root\n"
    )
    found = counts(gold, "1 z z X _ _ 0 root", "Words", "ELAS")
    assert {name: numbers[:2] for name, numbers in found.items()} == {
        "Words": (0, 2),
        "ELAS": (0, 2),
    }
