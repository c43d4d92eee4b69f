"""Pieces compare as the whole does: alignment in islands, counts over segments, problems."""

from __future__ import annotations

import io
from collections import Counter

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.segment import Kind
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.alignment import _Side, align, align_words
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.counting import by_sentence, in_total
from goldlens.scoring.ud.evaluate import Options, evaluate
from goldlens.scoring.ud.table import Table
from goldlens.scoring.ud.task import UD
from tests.strategies import TextPair, pairs, texts

many = settings(
    max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


def tables(pair: TextPair) -> tuple[Table, Table]:
    """Both texts as tables; their units are canonical, so nothing is left out."""
    gold, pred = (
        b"".join([unit.canonical for unit in UD.parse(split(text.encode()))])
        for text in (pair.gold, pair.pred)
    )
    return Table(gold, canonical=True), Table(pred, canonical=True)


@many
@given(pairs())
def test_islands_align_as_the_rule_does_word_by_word(pair: TextPair) -> None:
    gold, pred = tables(pair)
    ours, theirs = _Side(pred), _Side(gold)
    expected = align_words(theirs.words(0, len(theirs.end)), ours.words(0, len(ours.end)))
    found = align(gold, pred)
    assert list(zip(found[0].tolist(), found[1].tolist(), strict=True)) == expected


@many
@given(pairs())
def test_segments_align_as_the_whole_does(pair: TextPair) -> None:
    """The rule of where a file may be cut: no alignment reaches over."""
    gold, pred = (UD.parse(split(text.encode())) for text in (pair.gold, pair.pred))
    found: list[tuple[int, int]] = []
    before = [0, 0]
    for segment in UD.pair(gold, pred, "stream"):
        assert segment.kind is Kind.STREAM
        sides = [
            Table(b"".join([u.canonical for u in units[r.start : r.stop]]), canonical=True)
            for units, r in ((gold, segment.gold), (pred, segment.pred))
        ]
        g, p = align(*sides)
        found += zip((g + before[0]).tolist(), (p + before[1]).tolist(), strict=True)
        before = [n + len(t.head_of) for n, t in zip(before, sides, strict=True)]
    whole = align(*tables(pair))
    assert found == list(zip(whole[0].tolist(), whole[1].tolist(), strict=True))


@many
@given(pairs())
def test_counts_of_sentences_add_up_to_the_totals(pair: TextPair) -> None:
    comparison = Comparison(*tables(pair))
    assert by_sentence(comparison).sum(axis=0).tolist() == in_total(comparison).tolist()
    assert len(by_sentence(comparison)) == len(comparison.gold.block)


@many
@given(pairs())
def test_items_count_for_the_sentence_that_holds_them(pair: TextPair) -> None:
    """Gold's item and its counterpart where gold's starts, others by their first character."""
    comparison = Comparison(*tables(pair))
    gold, pred = comparison.gold, comparison.pred
    ends = gold.sentence_end.tolist()

    def holding(offset: int) -> int:
        return next(s for s, end in enumerate(ends) if offset < end)

    words: Counter[int] = Counter()
    for word, facing in enumerate(comparison.gold_of.tolist()):
        start = int(pred.token_start[pred.word_token[word]])
        words[int(gold.word_sentence[facing]) if facing >= 0 else holding(start)] += 1
    tokens = Counter(holding(start) for start in pred.token_start.tolist())
    starts = [0, *pred.sentence_end.tolist()]
    sentences = Counter(holding(start) for start in starts[:-1])
    correct = Counter(gold.word_sentence[comparison.gold_word].tolist())
    for s, row in enumerate(by_sentence(comparison).tolist()):
        counted = dict(zip(metrics.COLUMNS, row, strict=True))
        assert counted["predicted words"] == words[s]
        assert counted["predicted tokens"] == tokens[s]
        assert counted["predicted sentences"] == sentences[s]
        assert counted["correct Words"] == correct[s]


@many
@given(pairs())
def test_segments_add_up_to_the_whole(pair: TextPair) -> None:
    gold, pred = (UD.parse(split(text.encode())) for text in (pair.gold, pair.pred))
    segments = list(UD.pair(gold, pred, "auto"))
    counts = UD.compare(gold, pred, segments)
    whole = in_total(Comparison(*tables(pair)))
    assert np.concatenate(counts).sum(axis=0).tolist() == whole.tolist()
    for segment, found in zip(segments, counts, strict=True):
        alone = UD.compare(gold, pred, [segment])[0]
        assert found.tolist() == alone.tolist()
        problems = UD.problems(gold, pred, segment, 0)
        row = found[:, metrics.PROBLEM :].sum(axis=0).tolist()
        said = {code: n for code, n in zip(metrics.PROBLEMS, row, strict=True) if n}
        assert Counter(problem.code for problem in problems) == said


@many
@given(pairs())
def test_problems_point_at_cells_and_say_what_is_there(pair: TextPair) -> None:
    gold, pred = (UD.parse(split(text.encode())) for text in (pair.gold, pair.pred))
    for segment in UD.pair(gold, pred, "auto"):
        for problem in UD.problems(gold, pred, segment, 0):
            for place in (problem.place, *[related.place for related in problem.related]):
                units, first = (gold, segment.gold) if place.side else (pred, segment.pred)
                line = units[first.start + place.unit].text.split(b"\n")[place.line]
                cells, at = line.split(b"\t"), line[: place.start].count(b"\t")
                assert cells[at] == line[place.start : place.end]
                if place is problem.place and problem.code in ("tag-error", "lemma-error"):
                    assert f" {cells[at].decode()}, gold has " in problem.message


@many
@given(texts(), st.one_of(st.none(), texts()))
def test_a_file_against_itself_is_right_wherever_it_can_be_read(
    gold: str, other: str | None
) -> None:
    """Nothing raises on any text; equal texts that can be read agree in all words."""
    pred = gold if other is None else other
    options = Options(policy="lenient", strict=True)
    found = evaluate(io.BytesIO(gold.encode()), io.BytesIO(pred.encode()), options)
    assert found.total[metrics.METRICS["Words"].gold] >= found.total[metrics.ALIGNED]
    if pred == gold and not any(cause.code == "column-count" for cause in found.causes):
        for name in ("Tokens", "Words", "UPOS", "XPOS", "UFeats", "Lemmas"):
            count = metrics.METRICS[name].count(found.total)
            if not found.covered["mismatch"]:
                assert count.correct == count.gold == count.predicted, name
