"""Every pair of the oracle files: counts, figures, refusals, by all three ways of comparing.

The oracles are the pinned CoNLL 2018 script and, for ELAS and EULAS, udtools' `udeval`. The ways
are the streamed one, the one that holds both files, and the engine of the server.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.held import evaluate_held
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard

FIGURES = ("precision", "recall", "f1", "aligned_accuracy")
COUNTS = ("correct", "gold", "predicted", "aligned")


def oracle(name: str) -> Any:
    """What an oracle file says; nothing where there is none (the tests then skip)."""
    folder = os.environ.get("GOLDLENS_SHARED")
    path = Path(folder or "", "oracle", name)
    return json.loads(path.read_text("utf-8")) if folder and path.is_file() else {}


ORACLE = oracle("ud.json")
SYSTEMS = oracle("ud-systems.json")
ENHANCED = oracle("enhanced.json")
CORNERS = {case["name"]: case for case in oracle("corner.json")}

SCORED_ALL_THE_SAME = {
    "blank_with_space": "blank-line",
    "bom": "bom",
    "bom_comment": "bom",
    "comment_inside": "comment-position",
    "comment_only_block": "blank-line",
    "head_blank_everywhere": "head-missing",
    "leading_blank_line": "blank-line",
    "mwt_overlap": "id-range",
    "only_newline": "blank-line",
    "trailing_blank_lines": "blank-line",
    "empty_node_in_mwt": "id-sequence",
}
"""Corners that the script refuses and the specification does not, and the code that says so."""


def names(found: Mapping[str, Any]) -> list[str]:
    return sorted(found) or ["needs GOLDLENS_SHARED"]


class Ways(NamedTuple):
    """One pair, compared in three ways."""

    streamed: Evaluation
    held: Evaluation
    engine: Pair


def compared(gold: bytes, pred: bytes, policy: str = "official") -> Ways:
    options = Options(policy=policy)
    return Ways(
        evaluate(io.BytesIO(gold), io.BytesIO(pred), options),
        evaluate_held(gold, pred, options),
        Pair(UD, Document(UD, gold, checks=False), Document(UD, pred)),
    )


def agree(ways: Ways) -> None:
    """The three say the same of totals, coverage and refusals."""
    streamed, held, pair = ways
    assert streamed.total.tolist() == held.total.tolist() == pair.sums.total.tolist()
    sample = pair.sample()
    assert sample is not None
    assert len(sample.counts) == pair.gold.facts[0]
    if len(sample.counts):
        columns = sample.counts.shape[1]
        assert sample.counts.sum(axis=0).tolist() == pair.sums.total[:columns].tolist()
    board = Scoreboard(pair)
    assert streamed.covered == held.covered == board.covered()
    assert set(streamed.causes) == set(held.causes)
    said = {(c.side, c.sent_id, c.line, c.code) for c in held.causes if c.script}
    refusals = {(r["side"], r["sent_id"], r["line"], r["code"]) for r in board.would_refuse()}
    assert refusals == said
    assert streamed.tagging == held.tagging
    assert (board.figures()["LAS"] is None) == held.tagging


def scores(evaluation: Evaluation, expected: Mapping[str, Mapping[str, Any]]) -> None:
    figures = evaluation.figures()
    for name, values in expected.items():
        count = figures[name]
        assert count is not None, name
        for what in COUNTS:
            if what in values:
                assert getattr(count, what) == values[what], (name, what)
        for what in FIGURES:
            if what in values and values[what] is None:
                assert getattr(count, what) is None, (name, what)
            elif what in values:
                assert getattr(count, what) == pytest.approx(values[what], abs=5e-5), (name, what)


@pytest.mark.parametrize("name", names(ORACLE))
def test_predictions_made_from_gold(name: str, shared: Path) -> None:
    folder = shared / "data" / "ud"
    gold = (folder / f"{name.partition('.')[0]}.gold.conllu").read_bytes()
    ways = compared(gold, (folder / name).read_bytes())
    agree(ways)
    assert not ways.streamed.causes
    assert set(metrics.OFFICIAL) == set(ORACLE[name]["scores"])
    scores(ways.streamed, ORACLE[name]["scores"])
    scores(ways.streamed, ENHANCED.get(name, {}))


@pytest.mark.parametrize("name", names({k: v for k, v in ENHANCED.items() if k not in ORACLE}))
def test_enhanced_dependencies_of_other_files(name: str, shared: Path) -> None:
    folder = shared / "data" / "ud"
    gold = (folder / f"{name.partition('.')[0]}.gold.conllu").read_bytes()
    ways = compared(gold, (folder / name).read_bytes())
    agree(ways)
    scores(ways.streamed, ENHANCED[name])


@pytest.mark.parametrize("name", names(SYSTEMS))
def test_outputs_of_real_systems(name: str, shared: Path) -> None:
    folder = shared / "data" / "ud" / "systems"
    gold = (folder / "gold" / SYSTEMS[name]["gold"]).read_bytes()
    pred = (folder / name).read_bytes()
    ways = compared(gold, pred)
    agree(ways)
    if "scores" in SYSTEMS[name]:
        assert not ways.streamed.refused
        scores(ways.streamed, SYSTEMS[name]["scores"])
        return
    assert ways.streamed.as_dict("gold", "pred")["metrics"] is None
    refused = [cause for cause in ways.streamed.refused if cause.side == "pred"]
    assert len(refused) == len(ways.streamed.refused)
    offending = sorted(offending_sentences(pred.decode()))
    assert offending
    # A sentence may have several faults (two rings, no root), but every one that has any is named.
    named = {next((s for s in offending if s[0] <= cause.line <= s[1]), cause) for cause in refused}
    assert named == set(offending)
    # What is refused officially is scored under the lenient policy.
    lenient = evaluate(io.BytesIO(gold), io.BytesIO(pred), Options(policy="lenient"))
    assert not lenient.refused
    assert lenient.as_dict("gold", "pred")["metrics"]


def offending_sentences(text: str) -> Iterator[tuple[int, int]]:
    """First and last line of each sentence whose heads are no tree, by a plain look."""
    heads: dict[int, int] = {}
    first = 1
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.split("\t")
        if len(cells) == 10 and cells[0].isdecimal():
            heads[int(cells[0])] = int(cells[6])
        elif not line and heads:
            if not is_tree(heads):
                yield first, number
            heads, first = {}, number + 1


def is_tree(heads: Mapping[int, int]) -> bool:
    if sum(not head for head in heads.values()) != 1:
        return False
    for word in heads:
        at, steps = word, 0
        while at and steps <= len(heads):
            if at not in heads:
                return False
            at, steps = heads[at], steps + 1
        if at:
            return False
    return True


@pytest.mark.parametrize("name", names(CORNERS))
def test_corners(name: str, shared: Path) -> None:
    case = CORNERS[name]
    ways = compared(case["gold"].encode(), case["pred"].encode())
    agree(ways)
    script, causes = case["script"], ways.streamed.causes
    if "refused" not in script:
        assert not ways.streamed.refused
        assert not [cause for cause in causes if cause.script]
        expected = {
            metric: dict(zip(COUNTS, counts, strict=True)) for metric, counts in script.items()
        }
        scores(ways.streamed, expected)
        return
    sides = {cause.side for cause in causes if cause.script}
    assert (script["refused"] if script["refused"] != "pair" else "pred") in sides
    if name in SCORED_ALL_THE_SAME:
        assert not ways.streamed.refused
        assert {cause.code for cause in causes if cause.script} == {SCORED_ALL_THE_SAME[name]}
        assert ways.streamed.as_dict("gold", "pred")["metrics"]
    else:
        assert ways.streamed.refused
        assert ways.streamed.as_dict("gold", "pred")["metrics"] is None
        if script["refused"] == "pair":
            assert {cause.code for cause in ways.streamed.refused} == {"stream-mismatch"}


def test_every_corner_is_known(shared: Path) -> None:
    """The lists above name corners that there are, and that the script refuses."""
    for name in SCORED_ALL_THE_SAME:
        assert "refused" in CORNERS[name]["script"], name
