"""What is right: a fresh evaluation of bytes, and a fresh check, that know nothing of a daemon."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from benchmarks.soak.corpus import Corpus
from goldlens.cli.check import Checker, Disk
from goldlens.scoring.problems import Severity
from goldlens.scoring.tasks import task_named
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.positions import Encoding
from goldlens.server.engine.scoreboard import Scoreboard
from goldlens.server.sources import read, sha256

Board = Mapping[str, Any]

Place = tuple[int, int, int, int, str, str]
"""A problem: line, from, to (all from 0, columns in units), severity, code and message."""

_FIGURES: Final = ("task", "metrics", "covered", "would_refuse", "labels", "skipped")
"""What of a scoreboard depends on the two texts alone."""


def figures(board: Board) -> dict[str, Any]:
    """All of a scoreboard that is computed from the two texts."""
    return {name: board[name] for name in _FIGURES if name in board}


def told(board: Board) -> dict[str, Any]:
    """The same with what says which bytes were scored."""
    return {**figures(board), "gold": board["gold"]["sha256"], "pred": board["pred"]["sha256"]}


class Truth:
    """What holds of a corpus as it is on disk now; with `buffers` over it, if there are any."""

    def __init__(self, corpus: Corpus, buffers: Mapping[Path, bytes] | None = None) -> None:
        self._corpus, self._buffers = corpus, dict(buffers or {})
        # Golds and problems are found once: it is good for this moment.
        self._found: dict[Path, list[dict[str, Any]]] = {}
        self._checker = Checker(None, use_gold=True).among(_Over(self._buffers))

    def board(self, pred: Path) -> dict[str, Any]:
        """The scoreboard of a prediction."""
        gold = self._corpus.gold_of(pred)
        theirs, ours = self._read(gold), self._read(pred)
        return dict(_board(self._corpus.preds[pred].task, theirs, ours))

    def findings(self, pred: Path) -> list[dict[str, Any]]:
        """The problems of a prediction as `goldlens check --format json` has them, sorted."""
        if pred not in self._found:
            found = self._checker.look(str(pred), pred, self._read(pred))
            self._found[pred] = in_order([finding.as_dict() for finding in found])
        return self._found[pred]

    def places(self, pred: Path, encoding: Encoding) -> list[Place]:
        """The problems of a prediction as an editor shows them, sorted."""
        lines = self._read(pred).split(b"\n")
        found = []
        for finding in self.findings(pred):
            number = finding["line"] - 1
            line = lines[number] if number < len(lines) else b""
            start, end = (_units(line, finding[key] - 1, encoding) for key in _COLUMNS)
            severity = int(_SEVERITIES[finding["severity"]])
            found.append((number, start, end, severity, finding["code"], finding["message"]))
        return sorted(found)

    def _read(self, path: Path) -> bytes:
        return self._buffers[path] if path in self._buffers else read(path)


_COLUMNS: Final = ("column", "end_column")
_SEVERITIES: Final = {severity.label: severity for severity in Severity}


class _Over(Disk):
    """The disk, with buffers over it."""

    def __init__(self, buffers: Mapping[Path, bytes]) -> None:
        self._buffers = buffers

    def read(self, path: Path) -> bytes:
        """The bytes of a text file. Raises Unreadable."""
        return self._buffers[path] if path in self._buffers else super().read(path)


def in_order(problems: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Problems in an order that depends on nothing but themselves."""
    return sorted(problems, key=lambda one: json.dumps(one, sort_keys=True))


def by_command(corpus: Corpus, pred: Path) -> dict[str, Any]:
    """The metrics of a prediction, and what was compared, as `goldlens score --json` has them."""
    gold, task = str(corpus.gold_of(pred)), corpus.preds[pred].task
    command = [sys.executable, "-m", "goldlens.cli", "score", "--json", "--policy", "lenient"]
    done = subprocess.run(
        [*command, "--task", task, gold, str(pred)], capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"goldlens score {pred}: {done.stderr.decode('utf-8', 'replace')}")
    found = json.loads(done.stdout)
    return {name: found[name] for name in ("metrics", "covered")}


@lru_cache(maxsize=4096)
def _board(task: str, gold: bytes, pred: bytes) -> Mapping[str, Any]:
    pair = pair_of(task_named(task), gold, pred, "auto")
    found = Scoreboard(pair).as_dict({"sha256": sha256(gold)}, {"sha256": sha256(pred)})
    # As it comes over a wire: lists, not tuples.
    return told(json.loads(json.dumps(found)))


def _units(line: bytes, column: int, encoding: Encoding) -> int:
    start = line.decode("utf-8", "replace")[:column]
    match encoding:
        case Encoding.UTF8:
            return len(start.encode())
        case Encoding.UTF16:
            return len(start.encode("utf-16-le")) // 2
        case _:
            return len(start)
