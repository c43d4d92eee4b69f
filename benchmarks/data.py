"""Treebanks to measure on: English-EWT where it is at hand, else one grown from the examples.

A larger treebank is a smaller one several times over, with `~k` behind each LEMMA of copy k on
both sides, so that no two sentences are alike and nothing can be gained by remembering them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".benchmarks"


@dataclass(frozen=True)
class Treebank:
    """Two files on disk, and how many gold words they have."""

    name: str
    gold: Path
    pred: Path
    words: int


def base() -> tuple[str, bytes, bytes]:
    """The name and the texts that treebanks are grown from."""
    shared = os.environ.get("GOLDLENS_SHARED", "")
    folder = Path(shared) / "data" / "ud"
    if shared and (folder / "en_ewt.gold.conllu").is_file():
        return (
            "English-EWT",
            (folder / "en_ewt.gold.conllu").read_bytes(),
            (folder / "en_ewt.p1.conllu").read_bytes(),
        )
    examples = ROOT / "examples"
    gold = (examples / "gold" / "garden.conllu").read_bytes()
    pred = (examples / "runs" / "alpha" / "garden.conllu").read_bytes()
    copies = 25_000 // _words(gold) + 1
    return "examples", _copies(gold, copies), _copies(pred, copies)


def treebank(times: int) -> Treebank:
    """The base treebank `times` over; made once, kept in `.benchmarks/`."""
    name, gold, pred = base()
    WORK.mkdir(exist_ok=True)
    paths = [WORK / f"{name}-{times}.{side}.conllu" for side in ("gold", "pred")]
    for path, text in zip(paths, (gold, pred), strict=True):
        if not path.exists():
            path.write_bytes(_copies(text, times))
    return Treebank(name, paths[0], paths[1], _words(gold) * times)


def _copies(text: bytes, times: int) -> bytes:
    return b"".join(_copy(text, k) for k in range(times))


def _copy(text: bytes, number: int) -> bytes:
    mark = b"~%d" % number
    lines = []
    for line in text.split(b"\n")[:-1]:
        cells = line.split(b"\t")
        if len(cells) == 10:
            cells[2] += mark
            line = b"\t".join(cells)
        lines.append(line + b"\n")
    return b"".join(lines)


def _words(text: bytes) -> int:
    ids = (line.partition(b"\t")[0] for line in text.split(b"\n"))
    return sum(name.isdigit() for name in ids)
