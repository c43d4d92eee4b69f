"""Opening, and the cost of an edit, in the engine alone."""

from __future__ import annotations

import gc
import random
import time
from statistics import median

from benchmarks.data import Treebank, treebank
from benchmarks.measure import quantile
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.pair import PRED, Pair
from goldlens.server.engine.positions import Encoding

DEPREL = 7
FORM = 1


def opened(bank: Treebank) -> tuple[Pair, float]:
    """The pair of a treebank, and the seconds it took to open both files."""
    gold, pred = bank.gold.read_bytes(), bank.pred.read_bytes()
    gc.disable()
    start = time.perf_counter()
    both = UD.open_both(gold, pred)
    documents = (
        Document(UD, gold, checks=False, units=both.gold),
        Document(UD, pred, later=True, units=both.pred),
    )
    pair = Pair(UD, *documents, known=both.counts)
    seconds = time.perf_counter() - start
    gc.enable()
    gc.freeze()
    return pair, seconds


def measure(times: int, edits: int = 400) -> dict[str, object]:
    """Milliseconds of edits at random words of `times` the base treebank."""
    bank = treebank(times)
    pair, seconds = opened(bank)
    chance = random.Random(20260101)
    inside: list[float] = []
    breaking: list[float] = []
    for _ in range(edits // 2):
        line = _word_line(pair.pred, chance)
        cells = pair.pred.line(line).split(b"\t")
        for text in (b"dep", cells[DEPREL]):
            inside.append(_timed(pair, line, DEPREL, text))
        for text in (cells[FORM] + b"q", cells[FORM]):
            breaking.append(_timed(pair, line, FORM, text))
    return {
        "treebank": bank.name,
        "words": bank.words,
        "open s": round(seconds, 2),
        "edit p50 ms": round(median(inside), 3),
        "edit p95 ms": round(quantile(inside, 0.95), 3),
        "stream break/heal p50 ms": round(median(breaking), 3),
        "stream break/heal p95 ms": round(quantile(breaking, 0.95), 3),
    }


def _word_line(document: Document, chance: random.Random) -> int:
    while True:
        line = chance.randrange(document.lines)
        if document.line(line).partition(b"\t")[0].isdigit():
            return line


def _timed(pair: Pair, line: int, column: int, text: bytes) -> float:
    cells = pair.pred.line(line).split(b"\t")
    start_column = sum(len(cell) + 1 for cell in cells[:column])
    edit = Edit(line, start_column, line, start_column + len(cells[column]), text)
    start = time.perf_counter()
    pair.apply(PRED, pair.pred.edit(edit, Encoding.UTF8))
    return (time.perf_counter() - start) * 1000
