"""Cases from public trouble reports about intervals, played to the letter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from goldlens.scoring.bootstrap import Interval, Resampling
from goldlens.scoring.results.rows import Labels, Row, rows
from goldlens.scoring.results.systems import System
from goldlens.scoring.spans.task import SPANS
from goldlens.scoring.task import GOLD, PRED, Task
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard

SEEDS = [0, 1, 20260101, 2**64 - 1]


def system(task: Task, gold: Path, pred: Path) -> tuple[System, int]:
    """What a prediction scores, and how many units gold has."""
    theirs = Document(task.format(GOLD), gold.read_bytes())
    pair = Pair(task, theirs, Document(task.format(PRED), pred.read_bytes()))
    found = System(Scoreboard(pair).figures(), pair.sample(), task.name)
    return found, int(pair.gold.facts[0])


def case(shared: Path, number: str) -> tuple[Path, dict[str, Any]]:
    [folder] = (shared / "cases").glob(f"{number}-*")
    return folder, json.loads((folder / "expected.json").read_text("utf-8"))["bootstrap"]


def made(
    folder: Path, pred: str, metric: str, seed: int, against: str = "", gold: str = "gold"
) -> Row:
    task: Task = SPANS if metric == "F1" else UD
    end = "iob2" if task is SPANS else "conllu"
    gold_path = folder / f"{gold}.{end}"
    ours, units = system(task, gold_path, folder / f"{pred}.{end}")
    theirs = system(task, gold_path, folder / f"{against}.{end}")[0] if against else None
    return rows(ours, [metric], Labels(), units, Resampling(seed=seed), theirs)[0]


@pytest.mark.parametrize("seed", SEEDS)
class TestCases:
    def test_all_sentences_alike(self, shared: Path, seed: int) -> None:
        folder, expected = case(shared, "65")
        row = made(folder, "pred", "LAS", seed, against="pred")
        assert row.ci == Interval(*expected["LAS"])
        assert row.difference is not None
        assert row.difference.ci == Interval(*expected["paired_with_itself"])
        assert row.difference.differ is False

    def test_paired_difference_against_overlapping_intervals(self, shared: Path, seed: int) -> None:
        folder, expected = case(shared, "66")
        row = made(folder, "pred", "LAS", seed, against="pred_b")
        assert row.difference is not None
        assert row.difference.ci == Interval(*expected["paired_difference"])
        for ci, name in [(row.ci, "A"), (row.reference_ci, "B")]:
            assert ci is not None
            assert ci.low in expected[name]["low_any_of"]
            assert ci.high == expected[name]["high"]
        # Both as they are: the intervals overlap, and the systems differ.
        assert row.within_noise is True
        assert row.difference.differ is True

    def test_empty_units(self, shared: Path, seed: int) -> None:
        folder, expected = case(shared, "69")
        row = made(folder, "pred", "F1", seed)
        assert (row.score, row.ci) == (100.0, Interval(*expected["F1"]))

    def test_a_single_unit(self, shared: Path, seed: int) -> None:
        folder, _ = case(shared, "69")
        expected = json.loads((folder / "expected.json").read_text("utf-8"))["one_unit"]
        row = made(folder, "pred_one", "F1", seed, gold="gold_one")
        assert (row.score, row.ci, row.units) == (100.0, Interval(*expected), 1)
