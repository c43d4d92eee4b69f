"""Measuring whole processes: time and peak memory, interleaved so that noise hits all alike."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Run:
    """One process: seconds of wall time and MiB of resident memory at its peak."""

    seconds: float
    mebibytes: float


def run(call: Sequence[str]) -> Run:
    """Runs a command to its end. Raises CalledProcessError if it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(
        call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert process.stderr is not None
    complaint = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, call, stderr=complaint)
    return Run(seconds, usage.ru_maxrss / 1024)


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
