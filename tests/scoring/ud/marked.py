"""CoNLL-U as tests write it, what is scored of it, and what is said about it.

One space stands between cells, and what is left out at the end of a row is `_`; `∅` is an empty
cell, `␣` a space inside one. Sentences are set apart by an empty line.
"""

from __future__ import annotations

import io
from textwrap import dedent

from goldlens.scoring.counts import Count
from goldlens.scoring.problems import Problem, Side
from goldlens.scoring.ud import metrics
from goldlens.scoring.ud.evaluate import Evaluation, Options, evaluate
from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.scoreboard import Scoreboard


def conllu(text: str) -> bytes:
    """The file that a text stands for."""
    lines = []
    for line in dedent(text).strip("\n").split("\n"):
        if not line or line.startswith("#"):
            lines.append(line)
            continue
        cells = [cell.replace("␣", " ").replace("∅", "") for cell in line.split(" ")]
        lines.append("\t".join([*cells, *["_"] * (10 - len(cells))]))
    return ("\n".join(lines) + "\n\n").encode()


def scored(gold: str, pred: str, **options: object) -> Evaluation:
    """The evaluation of a pair, which the engine agrees with where it can be asked the same."""
    sides = conllu(gold), conllu(pred)
    found = evaluate(*map(io.BytesIO, sides), Options(**options))  # type: ignore[arg-type]
    if not options.get("only"):
        pair = opened(*sides, str(options.get("match", "auto")))
        assert pair.sums.total.tolist() == found.total.tolist()
        assert Scoreboard(pair).covered() == found.covered
    return found


def counts(gold: str, pred: str, *names: str, **options: object) -> dict[str, tuple[int, ...]]:
    """For each metric: correct, gold, predicted."""
    found = scored(gold, pred, strict=True, **options)
    every = {name: metrics.METRICS[name].count(found.total) for name in names}
    return {name: numbers(count) for name, count in every.items()}


def numbers(count: Count | None) -> tuple[int, ...]:
    assert count is not None
    return count.correct, count.gold, count.predicted


def opened(gold: bytes, pred: bytes, match: str = "auto") -> Pair:
    """The pair as an editor has it."""
    return Pair(UD, Document(UD, gold, checks=False), Document(UD, pred), match)


class Said:
    """A problem with its places looked up in the texts."""

    def __init__(self, pair: Pair, segment: int, problem: Problem) -> None:
        self.code, self.message, self.severity = problem.code, problem.message, problem.severity
        here, there = pair.pairing[segment].pred.start, pair.pairing[segment].gold.start
        self.places = []
        for place in (problem.place, *[related.place for related in problem.related]):
            theirs = place.side is Side.THERE
            document = pair.gold if theirs else pair.pred
            unit = place.unit + (there if theirs else here)
            line = int(document.line_starts[unit]) + place.line
            cell = document.line(line)[place.start : place.end].decode()
            self.places.append(("gold" if theirs else "here", line + 1, cell))

    @property
    def place(self) -> tuple[str, int, str]:
        """Side, line (from 1) and the text that is marked."""
        return self.places[0]

    @property
    def related(self) -> list[tuple[str, int, str]]:
        return self.places[1:]


def said(gold: str | bytes, pred: str | bytes, match: str = "auto") -> list[Said]:
    """What the comparison says, in order of segments."""
    sides = [side if isinstance(side, bytes) else conllu(side) for side in (gold, pred)]
    pair = opened(sides[0], sides[1], match)
    return [
        Said(pair, k, problem) for k in range(len(pair.pairing)) for problem in pair.problems_of(k)
    ]
