"""The long runs of `make soak`, for seconds each: whatever happens, each ends at what is right.

How fast it is, and how it grows, is for the long ones.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

# Benchmarks are no part of what is installed.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.soak import clients, kills, latency
from benchmarks.soak.corpus import FAMILIES, settle
from benchmarks.soak.place import ground
from benchmarks.soak.truth import Truth

SEED = 20260101

pytestmark = pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="processes are looked for in /proc"
)


def test_a_rename_is_told_of() -> None:
    [line] = latency.measure(SEED, renames=4, pause=(0.3, 0.5), allowed=5.0)
    assert "4 renames: median" in line


def test_clients_of_all_kinds_end_at_the_right_scores() -> None:
    [line] = clients.measure(SEED, seconds=4.0, files=16)
    assert line.startswith("16 connections, 16 files, ")


def test_daemons_that_are_killed_leave_nothing_wrong_behind() -> None:
    [line] = kills.measure(SEED, kills=3, files=8, apart=(0.1, 0.5))
    assert line.startswith("3 kills (") and line.endswith("nothing corrupt")


def test_the_ground_of_a_run_is_gone_when_it_is_over() -> None:
    before = dict(os.environ)
    with ground() as here:
        assert os.environ["GOLDLENS_RUNTIME_DIR"] == str(here.folder / "run")
        here.connect().close()
        assert len(here.daemons()) == 1
    assert here.daemons() == [] and not here.folder.exists()
    assert dict(os.environ) == before


def test_what_is_right_is_of_the_bytes_that_are_there(tmp_path: Path) -> None:
    corpus = settle(tmp_path, 4, random.Random(SEED))
    assert {family.task for family in corpus.preds.values()} == {f.task for f in FAMILIES}
    pred = next(path for path, family in corpus.preds.items() if family.task == "ud")
    before, problems = Truth(corpus).board(pred), Truth(corpus).findings(pred)
    pred.write_bytes(corpus.gold_of(pred).read_bytes())
    after = Truth(corpus).board(pred)
    assert after["pred"] != before["pred"] and after["metrics"]["LAS"]["f1"] == 100
    assert Truth(corpus).findings(pred) == [] != problems
    buffers = {pred: b"# sent_id = x\n\n"}
    assert Truth(corpus, buffers).board(pred)["metrics"]["LAS"]["correct"] == 0
