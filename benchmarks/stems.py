"""A million forms against a stemmer's output: both modes from scratch; edits in the engine."""

from __future__ import annotations

import argparse
import gc
import random
import resource
import time
from statistics import median

from benchmarks.measure import quantile
from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs
from goldlens.scoring.stemming.task import STEMMING
from goldlens.scoring.task import GOLD, PRED
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def texts(forms: int, candidates: int, seed: int = 20260101) -> tuple[bytes, bytes]:
    """A dictionary of so many forms, a tenth of them in two groups, and an output.

    Half of the forms have up to `candidates` stems, if that is more than one.
    """
    chance = random.Random(seed)
    endings = ["", "s", "ed", "ing", "er", "ers"]
    gold, pred = [], []
    made = 0
    before = ""
    while made < forms:
        stem = "".join(chance.choices(LETTERS, k=8))
        if chance.random() < 0.02:
            stem = stem.capitalize()
        names = [stem + ending for ending in endings[: chance.randint(1, 6)]][: forms - made]
        made += len(names)
        gold.append("\t".join([*names, before] if before and chance.random() < 0.3 else names))
        before = chance.choice(names)
        cut = chance.choice([4, 6, 8, 8, 8])
        for name in names:
            stems = [name[:cut] if chance.random() < 0.9 else name]
            if candidates > 1 and chance.random() < 0.5:
                stems += [name[: chance.randint(3, 9)] for _ in range(candidates - 1)]
            pred.append("\t".join([name, *stems]))
    chance.shuffle(pred)
    return ("\n".join(gold) + "\n").encode(), ("\n".join(pred) + "\n").encode()


def measure(forms: int, candidates: int) -> dict[str, object]:
    """Seconds to read both files and to count for both modes and all policies."""
    gold, pred = texts(forms, candidates)
    gc.set_threshold(100_000, 50, 50)  # as the command has it
    start = time.perf_counter()
    dictionary, outputs = read_dictionary(gold), read_outputs(pred)
    read = time.perf_counter()
    found = evaluate(dictionary, outputs)
    counted = time.perf_counter()
    assert not found.refused
    return {
        "forms": forms,
        "candidates": candidates,
        "read s": round(read - start, 2),
        "count s": round(counted - read, 2),
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def edits(forms: int, candidates: int, rounds: int = 200) -> dict[str, object]:
    """Seconds to open a pair in the engine, milliseconds of an edit of a stem and of a form."""
    gold, pred = texts(forms, candidates)
    gc.disable()
    start = time.perf_counter()
    documents = (
        Document(STEMMING.format(GOLD), gold),
        Document(STEMMING.format(PRED), pred),
    )
    pair = Pair(STEMMING, *documents)
    Scoreboard(pair).figures()
    opened = time.perf_counter() - start
    gc.enable()
    gc.freeze()
    chance = random.Random(20260101)
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds // 2):
        for side in (GOLD, PRED):
            line = chance.randrange(documents[side].lines)
            cells = documents[side].line(line).split(b"\t")
            column, end = sum(len(cell) + 1 for cell in cells[:side]), len(cells[side])
            for length, text in ((end, cells[side] + b"q"), (end + 1, cells[side])):
                edit = Edit(line, column, line, column + length, text)
                start = time.perf_counter()
                pair.apply(side, documents[side].edit(edit, Encoding.UTF8))
                Scoreboard(pair).figures()
                taken[side].append((time.perf_counter() - start) * 1000)
    return {
        "forms": forms,
        "candidates": candidates,
        "open s": round(opened, 2),
        "stem edit p50 ms": round(median(taken[PRED]), 3),
        "stem edit p95 ms": round(quantile(taken[PRED], 0.95), 3),
        "form edit p50 ms": round(median(taken[GOLD]), 3),
        "form edit p95 ms": round(quantile(taken[GOLD], 0.95), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stems")
    parser.add_argument("--forms", type=int, default=1_000_000)
    parser.add_argument("--edits", action="store_true", help="in the engine, too (100,000 forms)")
    options = parser.parse_args()
    found = [measure(options.forms, candidates) for candidates in (1, 3)]
    if options.edits:
        found += [edits(min(100_000, options.forms), candidates) for candidates in (1, 3)]
    for row in found:
        print("  ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
