"""Measuring whole processes: time and peak memory, interleaved so that noise hits all alike."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Run:
    """One process: seconds of wall time and MiB of resident memory at its peak."""

    seconds: float
    mebibytes: float


_LAUNCH = """
import json, os, resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(json.dumps([done.returncode, seconds, peak]))
"""
"""A small process that starts another: a child's peak counts what its parent had in memory."""


def run(call: Sequence[str]) -> Run:
    """Runs a command to its end. Raises CalledProcessError if it fails."""
    launcher = [sys.executable, "-S", "-c", _LAUNCH, *call]
    said = subprocess.run(launcher, capture_output=True, check=True)
    status, seconds, peak = json.loads(said.stdout)
    if status:
        raise subprocess.CalledProcessError(status, call, stderr=said.stderr)
    return Run(seconds, peak / 1024)


def interleaved(calls: Mapping[str, Sequence[str]], rounds: int) -> dict[str, Run]:
    """The median of several rounds, in each of which every command runs once."""
    found: dict[str, list[Run]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            found[name].append(run(call))
    return {
        name: Run(median(r.seconds for r in runs), median(r.mebibytes for r in runs))
        for name, runs in found.items()
    }


def quantile(values: Sequence[float], share: float) -> float:
    """A quantile by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
