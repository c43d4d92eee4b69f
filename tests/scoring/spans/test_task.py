"""Spans as a task: counts, figures, and what is said of a prediction."""

from __future__ import annotations

import pytest

from goldlens.scoring.counts import Mean
from goldlens.scoring.problems import Severity, Side
from goldlens.scoring.spans.task import SPANS, Spans
from goldlens.scoring.spans.unit import Unit
from goldlens.scoring.task import GOLD, PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard
from tests.scoring.spans.pairs import counts, found, listed, pair, text_of


def said(held: Pair, code: str) -> list[tuple[int, str]]:
    """Line (from 1) and message of the problems of a code."""
    every = listed(held.pred, held)
    return [(one.line + 1, one.problem.message) for one in every if one.problem.code == code]


def macro(held: Pair) -> Mean:
    figure = Scoreboard(held).figures()["Macro"]
    assert isinstance(figure, Mean)
    return figure


# Counts


def test_a_span_is_correct_if_start_end_and_label_are_gold_s() -> None:
    held = pair(text_of(["B-P I-P O B-L B-M"]), text_of(["B-P I-P O B-P O"]))
    assert counts(held) == (1, 3, 2)
    labels = held.task.labels(held.sums)
    assert {
        label: (of["correct"], of["gold"], of["predicted"]) for label, of in labels.items()
    } == {
        "L": (0, 1, 0),
        "M": (0, 1, 0),
        "P": (1, 1, 2),
    }
    assert [labels["P"][part] for part in ("precision", "recall", "f1")] == [
        50.0,
        100.0,
        pytest.approx(200 / 3),
    ]
    assert macro(held).f1 == pytest.approx(200 / 9)


def test_no_label_on_either_side_is_0() -> None:
    for texts in ([], ["O O"], ["I-P"]):
        held = pair(text_of(texts), text_of(texts))
        assert (counts(held), macro(held)) == ((0, 0, 0), Mean(0.0, 0.0, 0.0))


def test_spans_of_a_mismatch_count_in_the_totals_and_none_is_right() -> None:
    gold = text_of(["B-P", "B-P O", "B-L"])
    held = pair(gold, text_of(["B-P", "B-P O B-M", "B-L"]))
    assert counts(held) == (2, 3, 4)
    assert said(held, "stream-mismatch") == [
        (5, "The sentence has 3 tokens, and 2 in gold; give it the tokens of gold")
    ]
    assert Scoreboard(held).would_refuse() == [
        {"side": "pred", "sent_id": None, "line": 3, "code": "stream-mismatch"}
    ]
    assert counts(pair(gold, b"")) == (0, 3, 0)
    assert counts(pair(b"", gold)) == (0, 0, 3)


def test_a_mismatch_counts_for_the_gold_sentences_in_its_place() -> None:
    held = pair(text_of(["O", "B-P O"]), text_of(["O", "B-P", "B-L", "B-L"]))
    sample = held.sample()
    assert sample is not None
    assert sample.counts[:, :3].tolist() == [[0, 0, 0], [0, 1, 3]]


def test_conlleval_is_another_reading_and_the_signature_says_which() -> None:
    gold, pred = text_of(["B-P I-P O"]), text_of(["I-P I-P O"])
    assert counts(pair(gold, pred)) == (0, 1, 0)
    lenient = Spans(reading="conlleval")
    assert counts(pair(gold, pred, lenient)) == (1, 1, 1)
    signatures = [str(task.signature("auto", "lenient")) for task in (SPANS, lenient)]
    assert "|reading:strict|" in signatures[0] and "|reading:conlleval|" in signatures[1]
    assert "column" not in signatures[0]
    columns = str(Spans(2, 3).signature("auto", "lenient"))
    assert "|token-column:2|tag-column:3|" in columns


def test_the_bootstrap_draws_sentences_and_no_document_marks() -> None:
    text = b"-DOCSTART- O\n\nw B-P\n\n-DOCSTART- O\n\nw O\n\n"
    sample = pair(text, text).sample()
    assert sample is not None
    assert sample.counts[:, :3].tolist() == [[1, 1, 1], [0, 0, 0]]


# What is said


def test_a_span_error_is_said_once_at_its_first_tag_with_its_class() -> None:
    held = pair(
        text_of(["B-P I-P O B-P O", "B-P I-P O O", "O B-P O"], "w"),
        text_of(["B-P O O B-L O", "O B-L I-L O", "B-L O O"], "w"),
    )
    assert found(held.pred, held) == [
        (1, "span-error", "B-P"),
        (4, "span-error", "B-L"),
        (8, "span-error", "B-L"),
        (12, "span-error", "B-L"),
        (13, "span-error", "O"),
    ]
    assert [message for _, message in said(held, "span-error")] == [
        "Boundary: gold has P over tokens 1 to 2 (w1 w2), not P over token 1 (w1)",
        "Type: gold has P over token 4 (w4), not L over token 4 (w4)",
        "Boundary and type: gold has P over tokens 1 to 2 (w1 w2), "
        "not L over tokens 2 to 3 (w2 w3)",
        "Spurious: no span of gold faces L over token 1 (w1)",
        "Missing: gold has P over token 2 (w2)",
    ]
    boundary = listed(held.pred, held)[0]
    assert boundary.severity is Severity.WARNING
    (related,) = boundary.problem.related
    assert (related.place.side, related.place.line) == (Side.THERE, 0)


def test_other_text_is_a_warning_at_the_first_token_that_differs() -> None:
    held = pair("a O\nb B-P\nc O\n", "a O\nx B-P\ny O\n")
    assert found(held.pred, held) == [(2, "token-text", "x")]
    assert counts(held) == (1, 1, 1)
    assert Scoreboard(held).would_refuse() == []


@pytest.mark.parametrize(
    ("gold", "pred", "shown"),
    [
        ("café", "cafe\u0301", "cafe\u0301, and café in gold (U+0065 U+0301 here, U+00E9 in gold)"),
        ("a", "\u200ba", "\\u200ba, and a in gold (U+200B here, U+0061 in gold)"),
        ("a", "a\u00a0", "a\\xa0, and a in gold (U+00A0 here, nothing in gold)"),
        ("Mo", "М" + "o", "Мo, and Mo in gold (U+041C here, U+004D in gold)"),
        ("cat", "cap", "cap, and cat in gold"),
    ],
)
def test_code_points_are_named_where_texts_may_look_alike(gold: str, pred: str, shown: str) -> None:
    [(_, message)] = said(pair(f"{gold} O\n", f"{pred} O\n"), "token-text")
    assert message == f"The token is {shown}; tags are compared by position all the same"


def test_what_cannot_be_seen_in_a_label_is_spelt_out() -> None:
    [(_, message)] = said(pair("a B-X\n", "a B-X\u00a0\n"), "span-error")
    assert message == "Type: gold has X over token 1 (a), not X\\xa0 over token 1 (a)"


def test_a_tag_that_is_not_utf8_is_one_problem() -> None:
    held = pair(b"a B-X\nb I-X\n", b"a B-X\nb I-X\xff\n")
    assert [one.problem.code for one in listed(held.pred, held)] == ["encoding"]
    (segment,) = held.pairing
    both = held.gold.units, held.pred.units
    assert not held.task.tallies(*both, [segment], held.task.compare(*both, [segment])).any()


@pytest.mark.parametrize("faulty", [GOLD, PRED])
def test_a_token_that_is_not_utf8_is_one_problem(faulty: int) -> None:
    texts = [b"a O\nb B-X\nc O\n", b"a O\nb B-X\nd O\n"]
    texts[faulty] = texts[faulty].replace(b"b", b"b\xff")
    held = pair(*texts)
    told = [(one.problem.code, one.line + 1) for one in listed(held.pred, held)]
    # The token after it is another.
    assert told == [("encoding", 2)] * (faulty == PRED) + [("token-text", 3)]
    (segment,) = held.pairing
    both = held.gold.units, held.pred.units
    counted = held.task.tallies(*both, [segment], held.task.compare(*both, [segment]))
    assert counted.tolist() == [[0, 1, 0]]


def test_a_file_without_blank_lines_is_split_into_rows_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = pair(text_of(["B-P O " * 200]), text_of(["O B-P " * 200]))
    times = 0
    rows = Unit.rows

    def counted(unit: Unit) -> list[bytes]:
        nonlocal times
        times += 1
        return rows(unit)

    monkeypatch.setattr(Unit, "rows", counted)
    assert len(said(held, "span-error")) == 400
    assert times < 10


def test_the_same_tokens_in_other_columns_are_the_same_text() -> None:
    held = pair("a\tNN\tB-P\n", "a B-P\n")
    assert found(held.pred, held) == []
    assert counts(held) == (1, 1, 1)


@pytest.mark.parametrize(
    ("gold", "pred", "place", "there"),
    [
        # The first token that differs, or the end of the shorter sentence.
        ("a O\nb O\nc O\n", "a O\nc O\n", (2, "c"), (1, 0, 1)),
        ("a O\nb O\n", "a O\nb O\nc O\n", (3, "c"), (1, 3, 3)),
        ("a O\nb O\nc O\n", "a O\nb O\n", (2, ""), (2, 0, 1)),
    ],
)
def test_a_mismatch_is_said_where_the_tokens_part(
    gold: str, pred: str, place: tuple[int, str], there: tuple[int, int, int]
) -> None:
    held = pair(gold, pred)
    (one,) = listed(held.pred, held)
    assert found(held.pred, held) == [(place[0], "stream-mismatch", place[1])]
    assert one.problem.refuses and one.severity is Severity.ERROR
    (related,) = one.problem.related
    assert (related.place.line, related.place.start, related.place.end) == there


def test_what_is_missing_is_said_where_it_would_stand() -> None:
    held = pair("a O\n\nb O\nc O\n\nd O\n", "a O\n\nd O\n")
    assert found(held.pred, held) == [(1, "stream-mismatch", "")]
    assert said(held, "stream-mismatch")[0][1] == (
        "Gold has 1 sentence more here; put in what is missing"
    )
    (one,) = listed(held.pred, held)
    assert (one.problem.related[0].place.unit, one.there) == (0, 1)
    empty = pair("a O\n", "")
    assert found(empty.pred, empty) == [(1, "stream-mismatch", "")]


def test_what_is_too_much_is_said_at_its_first_token() -> None:
    held = pair("a O\n\nd O\n", "a O\n\n# c\nb O\n\nc O\n\nd O\n")
    assert found(held.pred, held) == [(4, "stream-mismatch", "b")]
    assert said(held, "stream-mismatch")[0][1] == (
        "Gold does not have 2 sentences; take out what is too much"
    )


def test_a_long_name_is_cut() -> None:
    held = pair("x" * 99 + " B-P\n", "x" * 99 + " O\n")
    assert len(said(held, "span-error")[0][1]) < 120


def test_the_same_text_read_in_two_ways_is_compared() -> None:
    # A tab somewhere else in a file changes where the same line's token ends.
    held = pair("New York\tB-P\n\nx\tO\n", "New York\tB-P\n\nx O\n")
    assert [code for _, code, _ in found(held.pred, held)] == ["iob2-tag", "token-text"]


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        # Nothing is found, or it ends too soon, because a tag is not read as it stands.
        ("B-P I-P", "I-P I-P"),
        ("B-P I-P", "b-P O"),
        ("B-P I-P I-P", "B-P X I-P"),
        ("B-P I-P I-P", "B-P I-L I-P"),
    ],
)
def test_what_comes_of_a_faulty_tag_is_not_told_again(gold: str, pred: str) -> None:
    held = pair(text_of([gold]), text_of([pred]))
    assert said(held, "span-error") == []
    assert counts(held)[0] == 0
    assert [one for one in found(held.pred, held) if one[1].startswith("iob2")]


@pytest.mark.parametrize(
    ("gold", "pred"),
    [
        ("B-P I-P O O", "O O O I-P"),
        ("B-P I-P O", "B-P I-P I-P"),
        ("O B-P", "I-P B-L"),
        ("B-P O", "B B-P"),
        ("B-P I-P I-P", "B-L X O"),
    ],
)
def test_an_error_that_has_nothing_to_do_with_a_faulty_tag_is_told(gold: str, pred: str) -> None:
    held = pair(text_of([gold]), text_of([pred]))
    assert said(held, "span-error")
