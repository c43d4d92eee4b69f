"""What editors ask about a document, through a real stdio client: how long an answer takes.

Requests about a place at words all over the file, and requests about the whole of it.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any, Final

from benchmarks.roundtrip import Client, repeated, treebank

AT_A_PLACE: Final = (
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareCallHierarchy",
    "textDocument/selectionRange",
)
OF_A_FILE: Final = (
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "workspace/symbol",
)

_NUMBERS: Final = count(1000)


def measure(words: int, rounds: int = 60) -> list[dict[str, Any]]:
    """Milliseconds at the median and the 95th percentile, by method."""
    gold, pred = (repeated(text, words) for text in treebank())
    chance = random.Random(20260101)
    lines = pred.count("\n")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "big.gold.conllu").write_text(gold, "utf-8", newline="\n")
        uri = (Path(folder) / "big.pred.conllu").as_uri()
        client = Client(sys.executable, "-m", "goldlens.server.lsp")
        try:
            client.open(uri, pred)
            # What was put off when the file was opened is done first.
            time.sleep(2 + words / 50_000)
            for method in (*AT_A_PLACE, *OF_A_FILE):
                times = []
                for _ in range(rounds if method in AT_A_PLACE else 3):
                    place = {"line": chance.randrange(lines), "character": chance.randrange(30)}
                    times.append(_asked(client, method, uri, place) * 1000)
                found.append(
                    {
                        "method": method,
                        "words": words,
                        "p50 ms": round(statistics.median(times), 2),
                        "p95 ms": round(sorted(times)[int(len(times) * 0.95)], 2),
                    }
                )
        finally:
            client.end()
    return found


def _asked(client: Client, method: str, uri: str, place: dict[str, int]) -> float:
    number = next(_NUMBERS)
    params = {"textDocument": {"uri": uri}, "position": place, "positions": [place], "query": "7"}
    began = time.perf_counter()
    client.send(method, params, number)
    body = client.until(b'"id":%d,' % number)
    took = time.perf_counter() - began
    assert "error" not in json.loads(body), body[:200]
    return took
