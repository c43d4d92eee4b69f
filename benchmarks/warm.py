"""Opening large files again: from two files on disk to their score, with and without a cache.

Every figure is of a process of its own, from before the files are read to the score; imports are
not counted. Cold runs and runs from a cache take turns. A cache is filled by one cold run, and
each warm run has a copy of it as that run left it. Ratios are given of the time on the clock and
of that of the processor, which depends less on what else the machine does.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.data import Treebank, treebank

EDITS = {"one sentence changed": 0.5, "the first": 0.0, "the last": 1.0}

_OPEN = """
import json, sys, time
from pathlib import Path
from goldlens.server.cache.usual import usual
from goldlens.server.systems import Systems
from goldlens.server.workspace import Workspace
from goldlens.scoring.ud import task

how, path = sys.argv[1], Path(sys.argv[2])
start = time.perf_counter(), time.process_time()
if how == "editor":
    workspace = Workspace(path.parent)
    workspace.open(path.as_uri(), path.read_bytes().decode(), 1, "conllu")
    score = workspace.scores(path.as_uri())["metrics"]["LAS"]["f1"]
else:
    systems = Systems(path)
    changes = list(systems.open())
    score = changes[0].system.score.figures["LAS"].f1
seconds = time.perf_counter() - start[0], time.process_time() - start[1]
try:
    # Not `ru_maxrss`, which counts what the parent had in memory.
    peak = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
except OSError:
    peak = 0
usual().finish()
print(json.dumps([*seconds, peak, score]))
"""


def measure(times: int, how: str, rounds: int) -> dict[str, object]:
    """Seconds, ratios and MiB of opening `times` the base treebank `how`: "editor", "watch"."""
    bank = treebank(times)
    runs: dict[str, list[Run]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pred, filled = folder / "bank.pred.conllu", folder / "filled"
        shutil.copyfile(bank.gold, folder / "bank.gold.conllu")
        texts = {"unchanged": bank.pred.read_bytes()}
        texts |= {what: _changed(bank, where) for what, where in EDITS.items()}
        pred.write_bytes(texts["unchanged"])
        _open(how, pred, str(filled))
        for _ in range(rounds):
            for what, text in texts.items():
                pred.write_bytes(text)
                cache = folder / "cache"
                shutil.copytree(filled, cache)
                cold = _open(how, pred, None)
                warm = _open(how, pred, str(cache))
                shutil.rmtree(cache)
                if cold.score != warm.score:
                    raise AssertionError(f"{what}: {warm.score}, and {cold.score} without a cache")
                runs["cold"].append(cold)
                runs[what].append(warm)
        size = sum(path.stat().st_size for path in filled.iterdir())
    found: dict[str, object] = {"treebank": bank.name, "words": bank.words, "opened by": how}
    cold_seconds, cold_cpu = _medians(runs["cold"])
    for what, every in runs.items():
        seconds, cpu = _medians(every)
        found[f"{what} s"] = round(seconds, 3)
        if what != "cold":
            found[f"{what}, of cold"] = round(seconds / cold_seconds, 3)
            found[f"{what}, of cold, CPU"] = round(cpu / cold_cpu, 3)
        found[f"{what} MiB"] = round(median(run.mebibytes for run in every))
    return {**found, "cache MiB": round(size / (1 << 20), 1)}


@dataclass(frozen=True)
class Run:
    """One process: seconds on the clock and of the processor, MiB at the peak, and its score."""

    seconds: float
    cpu: float
    mebibytes: float
    score: float


def _medians(runs: list[Run]) -> tuple[float, float]:
    return median(run.seconds for run in runs), median(run.cpu for run in runs)


def _open(how: str, pred: Path, cache: str | None) -> Run:
    where = {"GOLDLENS_CACHE": "off"} if cache is None else {"GOLDLENS_CACHE_DIR": cache}
    rest = {key: value for key, value in os.environ.items() if not key.startswith("GOLDLENS_CACHE")}
    call = [sys.executable, "-c", _OPEN, how, str(pred)]
    said = subprocess.run(call, env={**rest, **where}, capture_output=True, check=True)
    return Run(*json.loads(said.stdout))


def _changed(bank: Treebank, where: float) -> bytes:
    """The prediction with another relation in one word, somewhere."""
    lines = bank.pred.read_bytes().split(b"\n")
    at, step = int(where * (len(lines) - 1)), -1 if where == 1.0 else 1
    while not lines[at].partition(b"\t")[0].isdigit():
        at += step
    cells = lines[at].split(b"\t")
    cells[7] = b"dep" if cells[7] != b"dep" else b"obj"
    lines[at] = b"\t".join(cells)
    return b"\n".join(lines)
