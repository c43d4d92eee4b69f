"""`goldlens score` as a whole process, beside the official script and the floor."""

from __future__ import annotations

import sys

from benchmarks.data import treebank
from benchmarks.measure import interleaved
from benchmarks.official import script


def measure(times: int, rounds: int) -> dict[str, object]:
    """Seconds, MiB and ratios at `times` the base treebank."""
    bank = treebank(times)
    files = [str(bank.gold), str(bank.pred)]
    calls = {
        "goldlens": [sys.executable, "-m", "goldlens.cli", "score", "--policy", "lenient", *files],
        "floor": [sys.executable, "-m", "benchmarks.floor", *files],
    }
    official = script()
    if official is not None:
        calls["official"] = [sys.executable, str(official), "-v", *files]
    runs = interleaved(calls, rounds)
    found: dict[str, object] = {"treebank": bank.name, "words": bank.words}
    for name, one in runs.items():
        found[f"{name} s"] = round(one.seconds, 3)
        found[f"{name} MiB"] = round(one.mebibytes, 1)
    if official is not None:
        found["times faster"] = round(runs["official"].seconds / runs["goldlens"].seconds, 1)
        share = runs["goldlens"].mebibytes / runs["official"].mebibytes
        found["memory share"] = round(share, 3)
    return found
