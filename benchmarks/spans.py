"""`goldlens score` of spans as a whole process, beside one that asks seqeval the same.

The files are MasakhaNER's Hausa gold and a system's output where they are at hand, else random
ones, as many times over as 500,000 tokens need. With `--distinct` copy k has `~k` behind each
token, so that no two rows with a name in them are alike.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path

from benchmarks.data import WORK
from benchmarks.measure import interleaved

TOKENS = 500_000

SEQEVAL = """
import sys
from seqeval.metrics import classification_report, f1_score, precision_score, recall_score
from seqeval.scheme import IOB2

def read(path):
    sentences = [[]]
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            cells = line.split()
            if cells:
                sentences[-1].append(cells[-1])
            elif sentences[-1]:
                sentences.append([])
    return [sentence for sentence in sentences if sentence]

gold, pred = map(read, sys.argv[1:])
how = {"mode": "strict", "scheme": IOB2}
if REPEATED:
    for score in (precision_score, recall_score, f1_score):
        print(score(gold, pred, **how))
print(classification_report(gold, pred, output_dict=True, **how))
"""
"""Micro figures, and the report by label, of two files."""


def files(*, distinct: bool = False) -> tuple[Path, Path]:
    """Gold and a prediction of 500,000 tokens; made once, kept in `.benchmarks/`."""
    shared = os.environ.get("GOLDLENS_SHARED", "")
    folder = Path(shared) / "data" / "spans"
    if shared and (folder / "hau.gold.txt").is_file():
        name = "hausa"
        gold = (folder / "hau.gold.txt").read_bytes()
        pred = (folder / "hau.afriberta.1.pred.txt").read_bytes()
    else:
        name = "random"
        gold, pred = _random()
    WORK.mkdir(exist_ok=True)
    kind = "distinct" if distinct else "plain"
    paths = WORK / f"spans-{name}-{kind}.gold.txt", WORK / f"spans-{name}-{kind}.pred.txt"
    for path, text in zip(paths, (gold, pred), strict=True):
        if not path.exists():
            rows = sum([bool(line.strip()) for line in text.split(b"\n")])
            copies = range(-(-TOKENS // rows))
            path.write_bytes(b"".join([_copy(text, k if distinct else None) for k in copies]))
    return paths


def _copy(text: bytes, number: int | None) -> bytes:
    closed = text.rstrip() + b"\n\n"
    if number is None:
        return closed
    return b"\n".join([line.replace(b" ", b"~%d " % number, 1) for line in closed.split(b"\n")])


def _random() -> tuple[bytes, bytes]:
    """50,000 tokens in sentences of 5 to 30, a span in ten; the prediction errs in a tenth."""
    chance = random.Random(20260101)
    texts: tuple[list[str], list[str]] = ([], [])
    for _ in range(50_000 // 17):
        rows: list[list[str]] = [[], []]
        size = chance.randint(5, 30)
        while len(rows[0]) < size:
            label, width = chance.choice(("PER", "LOC", "ORG", "DATE")), chance.randint(1, 3)
            span = [f"B-{label}", *[f"I-{label}"] * (width - 1)]
            new = span if chance.random() < 0.1 else ["O"]
            rows[0] += new
            rows[1] += ["O"] * len(new) if chance.random() < 0.1 else new
        words = [f"w{chance.randint(0, 5000)}" for _ in rows[0]]
        for text, tags in zip(texts, rows, strict=True):
            pairs = zip(words, tags, strict=True)
            text.append("".join([f"{word} {tag}\n" for word, tag in pairs]))
    gold, pred = ("\n".join(text).encode() for text in texts)
    return gold, pred


def measure(rounds: int, *, distinct: bool = False) -> dict[str, object]:
    """Seconds, MiB and ratios at 500,000 tokens."""
    paths = [str(path) for path in files(distinct=distinct)]
    ours = [sys.executable, "-m", "goldlens.cli", "score", "--task", "span"]
    runs = interleaved(
        {
            "goldlens": [*ours, "--policy", "lenient", *paths],
            "seqeval": [sys.executable, "-c", SEQEVAL.replace("REPEATED", "True"), *paths],
            "seqeval report": [sys.executable, "-c", SEQEVAL.replace("REPEATED", "False"), *paths],
        },
        rounds,
    )
    found: dict[str, object] = {"tokens": TOKENS, "rows": "distinct" if distinct else "repeated"}
    for name, one in runs.items():
        found[f"{name} s"] = round(one.seconds, 3)
        found[f"{name} MiB"] = round(one.mebibytes, 1)
    for name in ("seqeval", "seqeval report"):
        found[f"times faster than {name}"] = round(runs[name].seconds / runs["goldlens"].seconds, 1)
    return found


def main() -> None:
    """Prints what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.spans")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--distinct", action="store_true")
    options = parser.parse_args()
    for name, value in measure(options.rounds, distinct=options.distinct).items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
