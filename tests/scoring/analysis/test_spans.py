"""Errors in spans by class, label and length, and what each costs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics import f1_score
from seqeval.scheme import IOB2

from goldlens.scoring.analysis.confusion import Confusion
from goldlens.scoring.analysis.spans import UNCOMPARED, SpanPair
from goldlens.scoring.analysis.tallies import by_label
from goldlens.scoring.counts import Count
from goldlens.scoring.spans.task import SPANS

NAMES = ["hau.afroxlmr.1.pred", "bam.afriberta.2.pred", "wnut17.arcada", "wnut17.uh_ritual"]

Found = tuple[int, int, int, str]
"""A span: its sentence, where it begins and ends, its label."""

GOLD = [
    ["B-PER", "I-PER", "O", "B-LOC", "O"],
    ["B-ORG", "O", "B-PER", "I-PER", "O"],
    ["O", "B-LOC", "I-LOC"],
]
PRED = [
    ["B-PER", "O", "O", "B-ORG", "B-LOC"],
    ["O", "O", "I-PER", "B-LOC", "O"],
    ["O", "B-LOC", "I-LOC"],
]
"""Boundary (PER), type (LOC as ORG), spurious (LOC), missing (ORG), both (PER as LOC), right."""


def text(sentences: list[list[str]]) -> str:
    return "".join(
        "".join(f"w{k}\t{tag}\n" for k, tag in enumerate(tags)) + "\n" for tags in sentences
    )


def span_pair(gold: str, pred: str) -> SpanPair:
    theirs, ours = (SPANS.parse(SPANS.split(side.encode())) for side in (gold, pred))
    return SpanPair(theirs, ours, list(SPANS.pair(theirs, ours, "auto")))


def listed(pair: SpanPair, column: str) -> dict[tuple[str | None, ...], int]:
    found = pair.confusions(column, "Micro")
    return {(one.of, one.gold, one.pred): one.count for one in found.listed}


def test_each_error_has_a_class() -> None:
    pair = span_pair(text(GOLD), text(PRED))
    assert listed(pair, "class") == {
        (kind, None, None): 1
        for kind in ("boundary", "type", "spurious", "missing", "boundary and type")
    }
    assert listed(pair, "label") == {
        ("boundary", "PER", "PER"): 1,
        ("type", "LOC", "ORG"): 1,
        ("spurious", None, "LOC"): 1,
        ("missing", "ORG", None): 1,
        ("boundary and type", "PER", "LOC"): 1,
    }


def test_examples_are_quoted_with_their_lines() -> None:
    pair = span_pair(text(GOLD), "# sent_id = s1\n" + text(PRED))
    places = {one.of: one.places[0] for one in pair.confusions("class", "Micro").listed}
    at = {kind: (p.name, p.line, p.gold_line, p.text) for kind, p in places.items()}
    assert at == {
        "boundary": ("s1", 2, 1, "w0"),
        "type": ("s1", 5, 4, "w3"),
        "spurious": ("s1", 6, 5, "w4"),
        "missing": (None, 8, 7, "w0"),
        "boundary and type": (None, 11, 9, "w3"),
    }


def test_a_matrix_has_what_stands_over_the_same_tokens() -> None:
    found = span_pair(text(GOLD), text(PRED)).matrix(9)
    rows = {
        (gold, pred): count
        for gold, row in zip(found.labels, found.counts, strict=True)
        for pred, count in zip(found.labels, row, strict=True)
        if count
    }
    assert rows == {
        ("LOC", "LOC"): 1,
        ("LOC", "ORG"): 1,
        ("PER", None): 2,
        ("ORG", None): 1,
        (None, "LOC"): 2,
        (None, "PER"): 1,
    }


def test_spans_by_length_and_label() -> None:
    pair = span_pair(text(GOLD), text(PRED))
    groups = pair.by_length().groups
    lengths = [(g.name, g.gold, g.predicted, g.correct["Micro"]) for g in groups]
    assert lengths == [("1", 2, 4, 0), ("2", 3, 1, 1)]
    labels = [
        (g.name, g.gold, g.predicted, g.correct["Micro"]) for g in by_label(pair.tally).groups
    ]
    assert labels == [("LOC", 2, 3, 1), ("PER", 2, 1, 0), ("ORG", 1, 1, 0)]


def test_spans_of_sentences_that_are_not_compared_are_errors_by_themselves() -> None:
    pair = span_pair(text(GOLD), text([*PRED[:2], ["B-PER", "B-LOC"]]))
    assert listed(pair, "class")[UNCOMPARED, None, None] == 3
    by = listed(pair, "label")
    assert by[UNCOMPARED, "LOC", None] == by[UNCOMPARED, None, "PER"] == 1
    at = [one.places[0] for one in pair.confusions("label", "Micro").listed if one.of == UNCOMPARED]
    assert {(place.line, place.gold_line) for place in at} == {(None, 14), (13, None), (14, None)}


def spans_of(pair_side: list[tuple[int, tuple[tuple[int, int, bytes], ...]]]) -> set[Found]:
    return {
        (number, start, end, label.decode())
        for number, spans in pair_side
        for start, end, label in spans
    }


def sides(gold: str, pred: str) -> tuple[set[Found], set[Found]]:
    """The spans of two files whose sentences face each other one by one."""
    theirs, ours = (
        spans_of(
            list(
                enumerate(
                    unit.reading.spans
                    for unit in SPANS.parse(SPANS.split(side.encode()))
                    if unit.reading.tags
                )
            )
        )
        for side in (gold, pred)
    )
    return theirs, ours


def score(gold: set[Found], pred: set[Found], metric: str) -> float:
    """F1 of sets of spans."""

    def f1(a: set[Found], b: set[Found]) -> float:
        return 200 * len(a & b) / (len(a) + len(b)) if a or b else 0.0

    if metric == "Micro":
        return f1(gold, pred)
    labels = {span[3] for span in gold | pred}
    by_label = [
        f1({s for s in gold if s[3] == one}, {s for s in pred if s[3] == one}) for one in labels
    ]
    return sum(by_label) / len(labels) if labels else 0.0


def slow_errors(gold: set[Found], pred: set[Found]) -> list[tuple[str, Found | None, Found | None]]:
    """Each wrong span and what it faces: first by place, then by label, then what overlaps."""
    missed, wrong = gold - pred, pred - gold

    def overlap(a: Found, b: Found) -> int:
        return min(a[2], b[2]) - max(a[1], b[1]) if a[0] == b[0] else 0

    candidates = []
    for b in wrong:
        for a in missed:
            if overlap(a, b) <= 0:
                continue
            kind = "boundary and type"
            if a[:3] == b[:3]:
                kind = "type"
            elif a[3] == b[3]:
                kind = "boundary"
            rank = kind == "boundary and type", -overlap(a, b), b[0], b[1], a[1]
            candidates.append((rank, kind, a, b))
    found: list[tuple[str, Found | None, Found | None]] = []
    for _, kind, a, b in sorted(candidates):
        if a in missed and b in wrong:
            found.append((kind, a, b))
            missed.discard(a)
            wrong.discard(b)
    return [
        *found,
        *(("missing", a, None) for a in missed),
        *(("spurious", None, b) for b in wrong),
    ]


def check(gold: str, pred: str) -> None:
    theirs, ours = sides(gold, pred)
    pair, expected = span_pair(gold, pred), slow_errors(theirs, ours)
    assert listed(pair, "class") == Counter((kind, None, None) for kind, _, _ in expected)
    assert listed(pair, "label") == Counter(
        (kind, a and a[3], b and b[3]) for kind, a, b in expected
    )
    for metric in ("Micro", "Macro"):
        before = score(theirs, ours, metric)
        assert pair.tally.score(metric) == pytest.approx(before)
        for column in ("class", "label"):
            for one in pair.confusions(column, metric).listed:
                after = ours.copy()
                for kind, a, b in expected:
                    if _is(one, column, kind, a, b):
                        after = (after - {b}) | ({a} if a else set())  # type: ignore[arg-type]
                assert one.gain == pytest.approx(score(theirs, after, metric) - before)
    # What is missed and what is superfluous, each once.
    counts = {one[0]: n for one, n in listed(pair, "class").items()}
    faced = sum(counts.get(kind, 0) for kind in ("boundary", "type", "boundary and type"))
    assert faced + counts.get("missing", 0) == len(theirs - ours)
    assert faced + counts.get("spurious", 0) == len(ours - theirs)


def _is(one: Confusion, column: str, kind: str, a: Found | None, b: Found | None) -> bool:
    if column == "class":
        return kind == one.of
    return (kind, a and a[3], b and b[3]) == (one.of, one.gold, one.pred)


@pytest.mark.parametrize("name", NAMES)
def test_errors_are_those_of_the_slow_road(shared: Path, name: str) -> None:
    folder = shared / "data" / "spans"
    gold = (folder / f"{name.partition('.')[0]}.gold.txt").read_text("utf-8")
    pred = (folder / f"{name}.txt").read_text("utf-8")
    check(gold, pred)
    pair = span_pair(gold, pred)
    theirs, ours = sides(gold, pred)
    for group in by_label(pair.tally).groups:
        own = [{s for s in side if s[3] == group.name} for side in (theirs, ours, theirs & ours)]
        assert [group.gold, group.predicted, group.correct["Micro"]] == list(map(len, own))
    for group in pair.by_length().groups:
        low, _, high = (group.name or "").rstrip("+").partition("-")
        last = 9999 if (group.name or "").endswith("+") else int(high or low)
        own = [
            [s for s in side if int(low) <= s[2] - s[1] <= last]
            for side in (theirs, ours, theirs & ours)
        ]
        assert [group.gold, group.predicted, group.correct["Micro"]] == list(map(len, own))


def test_the_figure_is_that_of_seqeval() -> None:
    pair = span_pair(text(GOLD), text(PRED))
    expected = 100 * f1_score(GOLD, PRED, mode="strict", scheme=IOB2, zero_division=0)
    assert pair.tally.score("Micro") == pytest.approx(expected)


tags = st.sampled_from(["O", "O", "B-A", "I-A", "B-B", "I-B"])
sentence = st.integers(1, 6).flatmap(
    lambda size: st.tuples(*[st.lists(tags, min_size=size, max_size=size)] * 2)
)


@given(st.lists(sentence, min_size=1, max_size=4))
def test_any_tags_have_the_errors_of_the_slow_road(both: list[tuple[list[str], list[str]]]) -> None:
    gold, pred = ([each[side] for each in both] for side in (0, 1))
    check(text(gold), text(pred))


@given(st.lists(sentence, max_size=4), st.lists(sentence, max_size=4))
def test_whatever_is_compared_the_sums_are_those_of_the_score(
    gold: list[tuple[list[str], list[str]]], pred: list[tuple[list[str], list[str]]]
) -> None:
    there, here = text([a for a, _ in gold]), text([b for _, b in pred])
    pair = span_pair(there, here)
    theirs, ours = (SPANS.parse(SPANS.split(side.encode())) for side in (there, here))
    sums = SPANS.sums()
    sums.add(SPANS.compare(theirs, ours, list(SPANS.pair(theirs, ours, "auto"))))
    micro = sums.labels.micro()
    for found in (by_label(pair.tally), pair.by_length()):
        counts = [group.count("Micro") for group in found.groups]
        assert (
            Count(
                sum(c.correct for c in counts),
                sum(c.gold for c in counts),
                sum(c.predicted for c in counts),
            )
            == micro
        )
    missed = sum(error.gold is not None for error in pair.errors)
    extra = sum(error.pred is not None for error in pair.errors)
    assert (missed, extra) == (micro.gold - micro.correct, micro.predicted - micro.correct)
    matrix = pair.matrix(9)
    assert sum(map(sum, matrix.counts)) >= micro.gold


def test_an_unknown_column_or_metric_is_none() -> None:
    pair = span_pair(text(GOLD), text(PRED))
    with pytest.raises(KeyError):
        pair.confusions("tag", "Micro")
    with pytest.raises(KeyError):
        pair.confusions("class", "Accuracy2")
