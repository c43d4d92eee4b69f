"""What is drawn from is what was scored: on real data, of every task that adds up.

The sums of the full sample give every figure to the last bit, and a resample gives what scoring
a file of the drawn sentences gives.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from goldlens.scoring.bootstrap import resampled
from goldlens.scoring.conllu.blocks import split
from goldlens.scoring.draws import indexes
from goldlens.scoring.results.systems import System
from goldlens.scoring.spans.task import Spans
from goldlens.scoring.task import GOLD, PRED, Task
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard


def system(task: Task, gold: bytes, pred: bytes) -> System:
    theirs, ours = Document(task.format(GOLD), gold), Document(task.format(PRED), pred)
    pair = Pair(task, theirs, ours)
    return System(Scoreboard(pair, strict=True).figures(), pair.sample(), task.name)


def check_whole(found: System) -> None:
    assert found.sample is not None
    sums = found.sample.counts.sum(axis=0, dtype=np.int64)
    checked = 0
    for name, statistic in found.sample.statistics.items():
        base = name.removesuffix(".precision").removesuffix(".recall")
        if base not in found.figures or found.figures[base] is None:
            continue
        score = found.score(name)
        if base == "Macro":
            assert score == pytest.approx(float(statistic(sums)), abs=1e-9)
        else:
            assert score == float(statistic(sums))
        checked += 1
    assert checked >= 3


@pytest.mark.parametrize("treebank", ["en_ewt", "he_htb", "cop_scriptorium", "zh_gsd"])
@pytest.mark.parametrize("pred", ["p1", "p3"])
def test_treebanks(shared: Path, treebank: str, pred: str) -> None:
    folder = shared / "data" / "ud"
    gold, ours = (folder / f"{treebank}.{side}.conllu" for side in ("gold", pred))
    check_whole(system(UD, gold.read_bytes(), ours.read_bytes()))


@pytest.mark.parametrize(
    ("gold", "pred"),
    [("wnut17.gold.txt", "wnut17.arcada.txt"), ("hau.gold.txt", "hau.afriberta.1.pred.txt")],
)
def test_spans(shared: Path, gold: str, pred: str) -> None:
    folder = shared / "data" / "spans"
    check_whole(system(Spans(), (folder / gold).read_bytes(), (folder / pred).read_bytes()))


def test_a_resample_is_what_scoring_the_drawn_sentences_gives(shared: Path) -> None:
    """With sentences that face each other one by one, so that they can be drawn as text."""
    folder = shared / "data" / "ud"
    gold = split((folder / "fr_gsd.gold.conllu").read_bytes())
    pred = [
        block.replace(b"\tVERB\t", b"\tAUX\t").replace(b"\tobj\t", b"\tobl\t") for block in gold
    ]
    found = system(UD, b"".join(gold), b"".join(pred))
    assert found.sample is not None
    [sums] = resampled([found.sample], 7, 100)
    for r in (0, 1, 99):
        drawn = indexes(7, r * len(gold), len(gold), len(gold)).tolist()
        again = system(UD, b"".join(gold[k] for k in drawn), b"".join(pred[k] for k in drawn))
        for name in ("UPOS", "LAS", "CLAS", "MLAS", "Lemmas"):
            assert float(found.sample.statistics[name](sums[r])) == again.score(name)
        assert again.score("UPOS") != found.score("UPOS")
