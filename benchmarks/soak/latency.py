"""From the rename of a file, of which one sentence has changed, to the word at a subscriber."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from statistics import median
from typing import Any, Final

from benchmarks import data
from benchmarks.measure import quantile
from benchmarks.soak.place import Failed, Ground, ground
from goldlens.client import Scores
from goldlens.client.sync import Subscription
from goldlens.server.sources import sha256
from goldlens.server.watching.settling import Limits

ALLOWED: Final = 0.050
"""Seconds that the median may take beyond the debounce."""

_CONFIG: Final = '[[pair]]\ntask = "ud"\ngold = "gold.conllu"\npred = "runs/*/pred.conllu"\n'
_WAIT: Final = 30.0
_HEAD: Final = 6


def measure(
    seed: int,
    renames: int = 120,
    pause: tuple[float, float] = (0.4, 2.6),
    allowed: float = ALLOWED,
) -> Iterator[str]:
    """Milliseconds over so many renames, with a `pause` (from, to, in seconds) before each.

    Raises Failed, also if the median is more than `allowed` seconds over the debounce.
    """
    draw = random.Random(seed)
    name, gold, pred = data.base()
    with ground() as here:
        (here.work / "gold.conllu").write_bytes(gold)
        target = here.work / "runs" / "one" / "pred.conllu"
        target.parent.mkdir(parents=True)
        target.write_bytes(pred)
        (here.work / "goldlens.toml").write_text(_CONFIG, "utf-8")
        took = _renames(here, pred, draw, renames, pause)
    middle, limit = median(took), Limits().quiet + allowed
    words = sum(line.partition(b"\t")[0].isdigit() for line in gold.split(b"\n"))
    yield (
        f"{name}, {words:,} words, {renames} renames: median {middle * 1000:.0f} ms, "
        f"p95 {quantile(took, 0.95) * 1000:.0f} ms, most {max(took) * 1000:.0f} ms; "
        f"debounce {Limits().quiet * 1000:.0f} ms, allowed {limit * 1000:.0f} ms"
    )
    if middle > limit:
        raise Failed(f"the median is {middle * 1000:.0f} ms, over {limit * 1000:.0f}")


def _renames(
    here: Ground, pred: bytes, draw: random.Random, number: int, pause: tuple[float, float]
) -> list[float]:
    target = here.work / "runs" / "one" / "pred.conllu"
    lines = pred.split(b"\n")
    rows = [k for k, line in enumerate(lines) if line.startswith(b"3\t") and _head(line) in b"12"]
    took = []
    with here.connect() as client, client.subscribe() as events:
        _until(events, sha256(pred))
        for _ in range(number):
            time.sleep(draw.uniform(*pause))
            k = draw.choice(rows)
            cells = lines[k].split(b"\t")
            cells[_HEAD] = b"1" if cells[_HEAD] == b"2" else b"2"
            lines[k] = b"\t".join(cells)
            text = b"\n".join(lines)
            new = target.with_name("new.tmp")
            new.write_bytes(text)
            began = time.perf_counter()
            new.replace(target)
            _until(events, sha256(text))
            took.append(time.perf_counter() - began)
        client.end()
    if left := here.orphans():
        raise Failed(f"processes are left behind: {left}")
    return took


def _head(line: bytes) -> bytes:
    return line.split(b"\t")[_HEAD]


def _until(events: Subscription, digest: str) -> None:
    """Waits for the scores of a content. Raises Failed."""
    end = time.monotonic() + _WAIT
    while (left := end - time.monotonic()) > 0:
        event = events.get(left)
        if isinstance(event, Scores) and event.metrics is not None and _pred(event.raw) == digest:
            return
    raise Failed(f"no scores of a change within {_WAIT:.0f} s")


def _pred(raw: Any) -> object:
    return raw["pred"]["sha256"]
