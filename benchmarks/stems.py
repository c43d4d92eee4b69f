"""A million forms against a stemmer's output: reading, and every count of both modes."""

from __future__ import annotations

import argparse
import random
import resource
import time

from goldlens.scoring.stemming.evaluate import evaluate, read_dictionary, read_outputs

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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stems")
    parser.add_argument("--forms", type=int, default=1_000_000)
    options = parser.parse_args()
    for candidates in (1, 3):
        row = measure(options.forms, candidates)
        print("  ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
