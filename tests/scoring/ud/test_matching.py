"""Which sentences are compared: by stream, by sent_id, and what is left out."""

from __future__ import annotations

from typing import Any

import pytest

from goldlens.scoring.segment import Kind
from goldlens.scoring.ud.evaluate import Evaluation
from tests.scoring.ud.marked import conllu, numbers, opened, scored


def file(text: str) -> str:
    """Sentences of a word each: `s1:a s2:b`; `s1:a!` is not annotated yet, `:a` has no sent_id."""
    sentences = []
    for item in text.split():
        name, _, form = item.partition(":")
        head = "_ _" if form.endswith("!") else "0 root"
        comment = f"# sent_id = {name}\n" if name else ""
        sentences.append(f"{comment}1 {form.rstrip('!')} _ X _ _ {head}")
    return "\n\n".join(sentences)


def found(gold: str, pred: str, **options: object) -> Evaluation:
    return scored(file(gold), file(pred), **options)


def words(evaluation: Evaluation) -> tuple[int, ...]:
    return numbers(evaluation.figures()["Words"])


def kinds(gold: str, pred: str, match: str = "auto") -> list[tuple[Kind, int, int]]:
    """Of each segment: what it is, and how many sentences of each side it holds."""
    pair = opened(conllu(file(gold)), conllu(file(pred)), match)
    return [(s.kind, len(s.gold), len(s.pred)) for s in pair.pairing]


def ids(listed: Any) -> list[str | None]:
    return [entry["sent_id"] for entry in listed]


GOLD = "s1:a s2:b s3:c s4:d"


def test_equal_streams_are_compared_by_place_whatever_the_ids() -> None:
    assert words(found(GOLD, "x:a s1:b s1:c :d")) == (4, 4, 4)
    assert kinds(GOLD, "x:a s1:b s1:c :d") == [(Kind.STREAM, 1, 1)] * 4


def test_auto_keeps_what_lies_before_and_behind_a_difference() -> None:
    evaluation = found(GOLD, "s1:a s2:x s3:c s4:d", policy="lenient")
    # Nothing of the region is correct, but its words count on both sides.
    assert words(evaluation) == (3, 4, 4)
    assert evaluation.covered == {
        "compared": 3,
        "missing": [],
        "extra": [],
        "mismatch": [
            {"sent_id": "s2", "line": 4, "gold_line": 4, "gold_sentences": 1, "pred_sentences": 1}
        ],
    }


def test_auto_pairs_the_middle_by_unique_ids_and_equal_streams() -> None:
    pred = "s1:x s2:b s3:c s4:y"
    assert kinds(GOLD, pred) == [
        (Kind.MISMATCH, 1, 1),
        (Kind.PAIR, 1, 1),
        (Kind.PAIR, 1, 1),
        (Kind.MISMATCH, 1, 1),
    ]
    assert words(found(GOLD, pred, policy="lenient")) == (2, 4, 4)


def test_stream_does_not_look_at_ids() -> None:
    pred = "s1:x s2:b s3:c s4:y"
    assert kinds(GOLD, pred, "stream") == [(Kind.MISMATCH, 4, 4)]
    assert words(found(GOLD, pred, policy="lenient", match="stream")) == (0, 4, 4)


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        ("s1:a s2:b s2:b s4:d", "s1:x s2:b s3:z s4:y"),
        ("s1:a s2:b s3:c s4:d", "s1:x s2:b s2:b s4:y"),
    ],
)
def test_an_id_that_stands_twice_on_one_side_pairs_nothing(gold: str, pred: str) -> None:
    assert [kind for kind, _, _ in kinds(gold, pred)] == [Kind.MISMATCH]


def test_auto_pairs_sentences_in_another_order() -> None:
    assert words(found(GOLD, "s4:d s3:c s2:b s1:a", policy="lenient")) == (4, 4, 4)
    # A different total order of equal sentences is still a difference for the official policy.
    assert not found(GOLD, GOLD).refused


def test_streams_that_differ_refuse_at_the_first_difference() -> None:
    refused = found(GOLD, "s1:a s2:x s3:c s4:d").refused
    assert [(c.side, c.line, c.column, c.code) for c in refused] == [
        ("pred", 5, 3, "stream-mismatch")
    ]
    assert "offset 1 of the character stream" in refused[0].message
    assert "'xcd'" in refused[0].message or "'x'" in refused[0].message
    assert "gold line 5, column 3" in refused[0].message
    assert "--match sent_id" in refused[0].message


def test_sent_id_is_not_named_where_ids_are_not_unique() -> None:
    refused = found(":a s2:b", ":a s2:x").refused
    assert [cause.code for cause in refused] == ["stream-mismatch"]
    assert "--match sent_id" not in refused[0].message


def test_sentences_that_the_prediction_lacks_count_against_recall() -> None:
    evaluation = found(GOLD, "s1:a s3:c s4:d", match="sent_id")
    assert not evaluation.refused
    assert words(evaluation) == (3, 4, 3)
    assert evaluation.covered["compared"] == 3
    assert evaluation.covered["missing"] == [{"sent_id": "s2", "line": 4}]
    assert kinds(GOLD, "s1:a s3:c s4:d", "sent_id")[1] == (Kind.MISSING, 1, 0)


def test_sentences_that_gold_lacks_count_against_precision() -> None:
    evaluation = found("s1:a s3:c", "s1:a s9:z s3:c", match="sent_id")
    assert not evaluation.refused
    assert words(evaluation) == (2, 2, 3)
    assert evaluation.covered["extra"] == [{"sent_id": "s9", "line": 4}]
    assert evaluation.covered["compared"] == 2


def test_a_pair_with_other_text_refuses_or_is_a_mismatch() -> None:
    pred = "s1:a s2:x s3:c s4:d"
    assert [c.code for c in found(GOLD, pred, match="sent_id").refused] == ["stream-mismatch"]
    lenient = found(GOLD, pred, match="sent_id", policy="lenient")
    assert words(lenient) == (3, 4, 4)
    assert ids(lenient.covered["mismatch"]) == ["s2"]


def test_two_sentences_with_one_id_refuse_and_name_both_lines() -> None:
    refused = found("s1:a s1:b s3:c", "s1:a s3:c s3:c", match="sent_id").refused
    doubled = [(c.side, c.line, c.sent_id) for c in refused if c.code == "sent-id-duplicate"]
    assert doubled == [("gold", 4, "s1"), ("pred", 7, "s3")]
    messages = [c.message for c in refused if c.code == "sent-id-duplicate"]
    assert "line 1 and at line 4" in messages[0]
    assert "line 4 and at line 7" in messages[1]
    # By stream nobody asks for ids.
    assert not found("s1:a s1:b", "s1:a s1:b").refused


def test_predicted_only_leaves_out_what_the_prediction_lacks() -> None:
    evaluation = found(GOLD, "s1:a s3:c", only="predicted")
    assert not evaluation.refused
    assert words(evaluation) == (2, 2, 2)
    assert evaluation.covered["compared"] == 2
    assert ids(evaluation.covered["missing"]) == ["s2", "s4"]
    # What gold lacks still counts against precision.
    assert words(found("s1:a s2:b", "s1:a s9:z", only="predicted")) == (1, 1, 2)


def test_annotated_only_leaves_out_what_has_no_head_yet() -> None:
    evaluation = found(GOLD, "s1:a s2:b! s4:d", only="annotated")
    assert not evaluation.refused
    assert words(evaluation) == (2, 2, 2)
    assert numbers(evaluation.figures()["LAS"]) == (2, 2, 2)
    assert evaluation.covered["compared"] == 2
    # With equal streams too.
    assert words(found("s1:a s2:b", "s1:a s2:b!", only="annotated")) == (1, 1, 1)
    # Asked for all, that sentence counts, and refuses.
    whole = found("s1:a s2:b", "s1:a s2:b!")
    assert numbers(whole.figures()["LAS"]) == (1, 2, 2)
    assert [cause.code for cause in whole.refused] == ["head-missing"]


def test_annotated_only_leaves_out_whole_segments() -> None:
    """Gold's one sentence faces two, of which one is not annotated: all of it goes."""
    gold = "1 a a X _ _ 0 root\n2 b b X _ _ 1 dep\n\n1 c c X _ _ 0 root"
    pred = "1 a a X _ _ 0 root\n\n1 b b X _ _ _ _\n\n1 c c X _ _ 0 root"
    evaluation = scored(gold, pred, only="annotated")
    assert words(evaluation) == (1, 1, 1)
    assert numbers(evaluation.figures()["Sentences"]) == (1, 1, 1)


def test_a_mismatch_counts_items_of_all_kinds() -> None:
    gold = "1-2 im\n1 in in ADP _ _ 2 case 2:case\n2 dem der DET _ _ 0 root 0:root"
    pred = "1 um um ADP _ _ 2 det 2:det\n2 x x X _ _ 0 root 0:root|1:x\n\n1 y y X _ _ 0 root _"
    figures = scored(gold, pred, policy="lenient").figures()
    assert {name: numbers(figures[name]) for name in ("Tokens", "Sentences", "Words", "CLAS")} == {
        "Tokens": (0, 1, 3),
        "Sentences": (0, 1, 2),
        "Words": (0, 2, 3),
        "CLAS": (0, 1, 2),
    }
    assert numbers(figures["ELAS"]) == (0, 2, 3)
    upos = figures["UPOS"]
    assert upos is not None
    assert upos.aligned == 0


def test_a_sentence_that_cannot_be_read_is_not_compared() -> None:
    broken = file(GOLD).replace("1 b _ X _ _ 0 root", "1 b")
    pred = conllu(broken).replace(b"1\tb\t_\t_\t_\t_\t_\t_\t_\t_", b"1\tb")
    pair = opened(conllu(file(GOLD)), pred)
    assert [s.kind for s in pair.pairing] == [
        Kind.STREAM, Kind.MISMATCH, Kind.STREAM, Kind.STREAM,
    ]  # fmt: skip
    assert pair.sums.total[2] == 4


def test_the_same_sentences_in_another_order_are_not_the_same_text() -> None:
    evaluation = found("s1:a s2:b", "s2:b s1:a")
    assert [(c.code, c.line, c.column) for c in evaluation.refused] == [("stream-mismatch", 2, 3)]
    assert "--match sent_id" in evaluation.refused[0].message
    lenient = found("s1:a s2:b", "s2:b s1:a", policy="lenient")
    assert [cause.code for cause in lenient.causes if cause.script] == ["stream-mismatch"]
    by_id = found("s1:a s2:b", "s2:b s1:a", match="sent_id")
    assert not by_id.refused
    assert [cause.code for cause in by_id.causes if cause.script] == ["stream-mismatch"]


def test_a_sentence_missing_in_the_middle_refuses_at_the_first_character_that_differs() -> None:
    (cause,) = found("s1:a s2:b s3:c", "s1:a s3:c").refused
    assert (cause.line, cause.column) == (5, 3)
    assert "'c' (U+0063" in cause.message
    assert "gold has 'b' (U+0062" in cause.message


def test_what_is_left_out_still_refuses_the_official_script() -> None:
    evaluation = found("s1:a s2:b s3:c", "s1:a s3:c", only="predicted")
    assert not evaluation.refused
    assert [cause.code for cause in evaluation.causes if cause.script] == ["stream-mismatch"]


def test_sentences_that_are_left_out_are_named() -> None:
    gold, pred = file("s1:a s2:b s3:c"), file("s1:a s2:b s3:c")
    pred = pred.replace("1 b _ X _ _ 0 root", "1 b _ X _ _ _ _")
    evaluation = scored(gold, pred, only="annotated")
    assert not evaluation.refused
    assert evaluation.covered["compared"] == 2
    assert evaluation.covered["left_out"] == [{"sent_id": "s2", "line": 4}]
    assert [cause.code for cause in evaluation.causes if cause.script] == ["head-missing"]


def test_a_gold_without_any_head_refuses_nothing() -> None:
    gold = file("s1:a s2:b").replace("0 root", "_ _")
    for pred in (gold, file("s1:a s2:b")):
        evaluation = scored(gold, pred)
        assert not evaluation.refused
        assert evaluation.figures()["LAS"] is None
        assert evaluation.figures()["UPOS"] is not None


def test_a_relation_ends_where_its_cell_ends() -> None:
    gold, pred = file("s1:a"), file("s1:a").replace("root", "root\0")
    assert numbers(scored(gold, pred).figures()["LAS"])[0] == 0
    assert numbers(scored(pred, gold).figures()["LAS"])[0] == 0
