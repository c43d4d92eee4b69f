"""`goldlens report` as a whole process: how long it takes, and how large the page is."""

from __future__ import annotations

import sys

from benchmarks.data import WORK, treebank
from benchmarks.measure import interleaved


def measure(rounds: int) -> dict[str, object]:
    """Seconds, MiB and bytes for the base treebank, of which the prediction has no confidences."""
    bank = treebank(1)
    page = WORK / "report.html"
    call = [sys.executable, "-m", "goldlens.cli", "report", "--policy", "lenient"]
    run = interleaved({"report": [*call, str(bank.gold), str(bank.pred), "-o", str(page)]}, rounds)
    return {
        "treebank": bank.name,
        "words": bank.words,
        "report s": round(run["report"].seconds, 2),
        "report MiB": round(run["report"].mebibytes, 1),
        "page bytes": page.stat().st_size,
    }
