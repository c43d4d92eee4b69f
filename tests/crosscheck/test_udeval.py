"""Random pairs, made to be hard, against the reference programs.

`udeval` of udtools always; the pinned CoNLL 2018 script too, where GOLDLENS_OFFICIAL names it.
GOLDLENS_EXAMPLES says how many pairs.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from udtools import udeval

from goldlens.cli.official.options import pinned
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.held import evaluate_held
from tests.strategies import TextPair, pairs

EXAMPLES = int(os.environ.get("GOLDLENS_EXAMPLES", "1500"))

many = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The pinned official script."""
    named = os.environ.get("GOLDLENS_OFFICIAL")
    if not named:
        pytest.skip("set GOLDLENS_OFFICIAL to the pinned conll18_ud_eval.py to compare with it")
    path = Path(named)
    if hashlib.sha256(path.read_bytes()).hexdigest() != pinned():
        pytest.fail(f"{path} is not the pinned script: its SHA-256 is another")
    spec = importlib.util.spec_from_file_location("conll18_ud_eval", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ours(pair: TextPair) -> Evaluation:
    return evaluate(
        io.BytesIO(pair.gold.encode()), io.BytesIO(pair.pred.encode()), Options(strict=True)
    )


def agrees(evaluation: Evaluation, theirs: Mapping[str, Any]) -> None:
    """Counts equal, figures equal to four decimals in points."""
    figures = evaluation.figures()
    for name, score in theirs.items():
        count = metrics.METRICS[name].count(evaluation.total)
        counts = (score.correct, score.gold_total, score.system_total)
        assert (count.correct, count.gold, count.predicted) == counts, name
        assert count.aligned == score.aligned_total, name
        assert figures.get(name, count) == count
        for figure, theirs_too in (
            (count.precision, score.precision),
            (count.recall, score.recall),
            (count.f1, score.f1),
            (count.aligned_accuracy, score.aligned_accuracy),
        ):
            if theirs_too is None:
                assert figure is None, name
            else:
                assert figure == pytest.approx(100 * theirs_too, abs=5e-5), name


@many
@given(pairs())
def test_agrees_with_udeval(pair: TextPair) -> None:
    kind = {"no_empty_nodes": False}
    gold = udeval.load_conllu(io.StringIO(pair.gold), "gold", kind)
    pred = udeval.load_conllu(io.StringIO(pair.pred), "pred", kind)
    theirs = udeval.evaluate(gold, pred)
    found = ours(pair)
    note_what_it_is(found)
    assert not found.refused
    agrees(found, theirs)
    held = evaluate_held(pair.gold.encode(), pair.pred.encode(), Options(strict=True))
    assert held.total.tolist() == found.total.tolist()
    assert held.covered == found.covered


@many
@given(pair=pairs())
def test_agrees_with_the_official_script(script: ModuleType, pair: TextPair) -> None:
    gold = script.load_conllu(io.StringIO(pair.gold))
    pred = script.load_conllu(io.StringIO(pair.pred))
    agrees(ours(pair), script.evaluate(gold, pred))


def note_what_it_is(found: Evaluation) -> None:
    words = metrics.METRICS["Words"].count(found.total)
    if words.correct < min(words.gold, words.predicted):
        event("some words do not align")
    sentences = metrics.METRICS["Sentences"].count(found.total)
    if sentences.correct < sentences.gold:
        event("sentences differ")
    las = metrics.METRICS["LAS"].count(found.total)
    if las.correct:
        event("some attachments are right")
    mlas = metrics.METRICS["MLAS"].count(found.total)
    if mlas.correct:
        event("some MLAS")
    if metrics.METRICS["ELAS"].count(found.total).correct:
        event("some ELAS")
