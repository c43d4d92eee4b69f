"""Where two predictions of one gold differ: what only one of them has wrong."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, Final

from goldlens.cli.lines import counted, one_line
from goldlens.scoring.problems import Place, Problem, Severity, Side
from goldlens.scoring.task import PRED

if TYPE_CHECKING:
    from goldlens.cli.evaluated import Evaluated
    from goldlens.server.engine.pair import Pair

_AT_ONCE: Final = 1000
"""Segments whose problems are made in one go."""

_TAGS: Final = {"UPOS": ("UPOS",), "XPOS": ("XPOS",), "MLAS": ("UPOS",)}
_ALL_TAGS: Final = ("UPOS", "XPOS")

_SAYING: Final[Mapping[str, tuple[str, ...]]] = {
    "Tokens": ("token-boundary",),
    "Sentences": ("sentence-boundary",),
    "Words": (),
    "UPOS": ("tag-error",),
    "XPOS": ("tag-error",),
    "UFeats": ("feats-error",),
    "AllTags": ("tag-error", "feats-error"),
    "Lemmas": ("lemma-error",),
    "UAS": ("las-error",),
    "LAS": ("las-error",),
    "CLAS": ("las-error",),
    "MLAS": ("las-error", "tag-error", "feats-error"),
    "BLEX": ("las-error", "lemma-error"),
    "LASFull": ("las-error",),
    "UFeatsAll": ("feats-error",),
    "AllTagsAll": ("tag-error", "feats-error"),
}
"""Which problems say that a metric of UD has something wrong; of words, word-alignment besides."""


def _touches(problem: Problem, metrics: Set[str]) -> bool:
    """Whether a problem is about one of the metrics: any, where none is named or known here."""
    if not metrics or not metrics <= _SAYING.keys():
        return True
    if problem.code == "tag-error":
        tags = {tag for name in metrics for tag in _TAGS.get(name, _ALL_TAGS)}
        if problem.message.partition(" ")[0] not in tags:
            return False
    words = metrics - {"Tokens", "Sentences"}
    if problem.code == "word-alignment":
        return bool(words)
    if problem.code in ("stream-mismatch", "sentence-missing", "sentence-extra"):
        return True
    return any(problem.code in _SAYING[name] for name in metrics)


def differing(a: Evaluated, b: Evaluated, limit: int, metrics: Collection[str] = ()) -> list[str]:
    """Lines on what only A and only B has wrong, for at most `limit` of gold's units.

    `metrics`: those that it should be about; all, if empty. No lines for a task whose comparison
    gives no problems.
    """
    if not a.task.codes:
        return []
    wanted = {name.removesuffix(".precision").removesuffix(".recall") for name in metrics}
    sides = [_errors(one, wanted) for one in (a, b)]
    shared = sides[0].keys() & sides[1].keys()
    only = [{key: sides[k][key] for key in sides[k] if key not in shared} for k in (0, 1)]
    said = [
        f"Only A is wrong {counted(len(only[0]), 'time')}, only B "
        f"{counted(len(only[1]), 'time')}, both {counted(len(shared), 'time')}."
    ]
    by_unit: dict[int, list[tuple[Place | None, str]]] = {}
    for name, errors in zip("AB", only, strict=True):
        for unit, place, text in errors.values():
            by_unit.setdefault(unit, []).append((place, f"only {name}: {text}"))
    gold = a.pair.gold
    for unit in sorted(by_unit)[:limit]:
        start = int(gold.line_starts[unit]) if unit < len(gold.units) else 0
        title = gold.format.title(gold.units[unit]) if unit < len(gold.units) else None
        said.append("")
        said.append(one_line(f"{a.gold}:{start + 1}: {title or ''}".rstrip()))
        entries = sorted(by_unit[unit], key=lambda each: (_order(each[0]), each[1]))
        said += [f"  {one_line(text)}" for _, text in entries]
    if len(by_unit) > limit and limit:
        many = gold.format.fact_names[0]
        more = counted(len(by_unit) - limit, f"more {many.removesuffix('s')}", f"more {many}")
        said += ["", f"… and {more} of gold; --limit lists more."]
    return said


Error = tuple[int, Place | None, str]
"""The gold unit it is about, where in it, and what is wrong."""


def _errors(one: Evaluated, metrics: Set[str]) -> dict[Hashable, Error]:
    """What a prediction has wrong, by what makes it the same error as another prediction's."""
    found: dict[Hashable, Error] = {}
    last = 0
    for number, problem in _problems(one.pair):
        if not _touches(problem, metrics):
            continue
        segment = one.pair.pairing[number]
        if segment.gold:
            last = segment.gold.start
        place = next((r.place for r in problem.related if r.place.side is Side.THERE), None)
        unit = last + (place.unit if place is not None else max(0, problem.place.unit))
        unit = max(0, min(unit, len(one.pair.gold.units) - 1))
        here = one.pair.pairing.starts(number)[1] + problem.place.unit
        line = int(one.pair.pred.line_starts[max(0, here)]) + problem.place.line + 1
        text = f"{one.pred}:{line}: {problem.code}: {problem.message}"
        where = (place.line, place.start) if place is not None else problem.message
        found.setdefault((unit, problem.code, where), (unit, place, text))
    for unit, problem, line in _own(one.pair):
        text = f"{one.pred}:{line}: {problem.code}: {problem.message}"
        where = (problem.place.line, problem.place.start)
        found.setdefault((unit, problem.code, where), (unit, None, text))
    return found


def _own(pair: Pair) -> Iterator[tuple[int, Problem, int]]:
    """What is wrong with a prediction by itself: gold's unit, the problem, and its line from 1."""
    last = len(pair.gold.units) - 1
    for number in pair.pred.flaws.rows[:, 0].nonzero()[0].tolist():
        segment = pair.pairing[pair.segment_of(PRED, number)]
        inside = min(number - segment.pred.start, max(0, len(segment.gold) - 1))
        unit = max(0, min(segment.gold.start + inside, last))
        for problem in pair.pred.units[number].problems:
            if problem.severity is Severity.ERROR:
                yield unit, problem, int(pair.pred.line_starts[number]) + problem.place.line + 1


def _problems(pair: Pair) -> Iterator[tuple[int, Problem]]:
    size = len(pair.pairing)
    for first in range(0, size, _AT_ONCE):
        numbers = range(first, min(first + _AT_ONCE, size))
        pair.make_problems([k for k in numbers if pair.tallies[k].any()])
        for number in numbers:
            for problem in pair.problems_of(number):
                yield number, problem


def _order(place: Place | None) -> tuple[int, int]:
    return (place.line, place.start) if place is not None else (1 << 60, 0)
