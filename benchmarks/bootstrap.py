"""The bootstrap: every UD metric, its precision and its recall, over 1,000 resamples.

`python -m benchmarks.bootstrap [--json]`. Measured are the draws and intervals alone, at the size
of a test set and of a large treebank, in a process of their own for its memory; and `goldlens
rows` as a whole process beside what scoring each resample again with the official script takes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from statistics import median

from benchmarks.data import treebank
from benchmarks.measure import run
from benchmarks.official import script

RESAMPLES = 1000

_ALONE = """
import json, resource, sys, time
import numpy as np
from goldlens.scoring.bootstrap import interval, resampled
from goldlens.scoring.sample import Sample
from goldlens.scoring.ud import metrics

units, rounds = int(sys.argv[1]), int(sys.argv[2])
generator = np.random.default_rng(1)
counts = generator.integers(0, 40, (units, metrics.PROBLEM), np.int32)
sample = Sample(counts, metrics.STATISTICS)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
times = []
for _ in range(rounds):
    start = time.perf_counter()
    [sums] = resampled([sample], 20260101, 1000)
    intervals = [interval(statistic(sums), 0.95) for statistic in sample.statistics.values()]
    times.append(time.perf_counter() - start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([len(intervals), counts.shape[1], times, before / 1024, peak / 1024]))
"""


def alone(units: int, rounds: int) -> dict[str, object]:
    """Draws and intervals over so many units, with counts like those of sentences."""
    call = [sys.executable, "-c", _ALONE, str(units), str(rounds)]
    said = subprocess.run(call, capture_output=True, check=True).stdout
    intervals, columns, times, before, peak = json.loads(said)
    return {
        "units": units,
        "columns": columns,
        "intervals": intervals,
        "s": round(median(times), 3),
        "MiB before": round(before, 1),
        "MiB peak": round(peak, 1),
    }


def rows(rounds: int) -> dict[str, object]:
    """`goldlens rows` on the base treebank, and what the official script would take instead."""
    bank = treebank(1)
    files = ["--gold", str(bank.gold), "--pred", str(bank.pred), "--policy", "lenient"]
    call = [sys.executable, "-m", "goldlens.cli", "rows", "ud", *files]
    runs = [run(call) for _ in range(rounds)]
    seconds = median(each.seconds for each in runs)
    found: dict[str, object] = {
        "treebank": bank.name,
        "words": bank.words,
        "goldlens rows s": round(seconds, 3),
        "MiB": round(median(each.mebibytes for each in runs), 1),
    }
    official = script()
    if official is not None:
        once = run([sys.executable, str(official), str(bank.gold), str(bank.pred)]).seconds
        found["official, each resample scored, s"] = round(once * RESAMPLES)
        found["times faster"] = round(once * RESAMPLES / seconds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bootstrap")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = [
        {"benchmark": "bootstrap", **alone(2_077, 5)},
        {"benchmark": "bootstrap", **alone(61_000, 3)},
        {"benchmark": "rows", **rows(3)},
    ]
    if options.json:
        print(json.dumps(found, indent=1))
        return
    for row in found:
        print("  ".join(f"{name}: {value}" for name, value in row.items()))


if __name__ == "__main__":
    main()
