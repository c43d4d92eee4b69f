"""A sentence drawn: gold's arcs above its words, the prediction's below, wrong ones marked."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

_STEP: Final = 22.0
_MARGIN: Final = 14.0
_BETWEEN: Final = 16.0
_LEAST: Final = 34.0
_LABEL: Final = 20.0
_WORDS: Final = 40.0
_CORNER: Final = 6.0
_OFFSET: Final = 5.0
_EM: Final = 7.6
"""How wide a narrow character is taken to be, in pixels; nothing measures text here."""

Word = Mapping[str, Any]
"""A word as `server.trees.tree_at` tells of it."""


@dataclass(frozen=True, slots=True)
class Arc:
    """From a head to a dependent, both numbers from 0; a root has no head."""

    dependent: int
    head: int | None
    label: str
    wrong: bool

    @property
    def first(self) -> int:
        """The word more to the beginning."""
        return self.dependent if self.head is None else min(self.dependent, self.head)

    @property
    def last(self) -> int:
        """The word more to the end."""
        return self.dependent if self.head is None else max(self.dependent, self.head)


def drawn(words: Sequence[Word]) -> str:
    """The SVG of a sentence; right-to-left scripts run from the right."""
    above, below = list(_arcs(words, gold=True)), list(_arcs(words, gold=False))
    widths = [max(_width(w["form"]), _width(w["upos"]), _LEAST) for w in words]
    middles, width = _positions(widths, [*above, *below])
    if from_the_right(words):
        middles = [width - x for x in middles]
    up, down = _levels(above, len(words)), _levels(below, len(words))
    top = _MARGIN + (max(up, default=0) + 0.6) * _STEP
    bottom = top + _WORDS
    height = bottom + (max(down, default=0) + 0.6) * _STEP + _MARGIN
    parts = [
        f'<svg class="tree" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{escape(_said(words))}">'
    ]
    parts += [
        _arc(arc, middles, top, -level * _STEP, "gold")
        for arc, level in zip(above, up, strict=True)
    ]
    parts += [
        _arc(arc, middles, bottom, level * _STEP, "pred")
        for arc, level in zip(below, down, strict=True)
    ]
    for word, x in zip(words, middles, strict=True):
        parts.append(
            f'<text class="form" x="{x:.1f}" y="{top + 17:.1f}">{escape(word["form"])}</text>'
            f'<text class="tag" x="{x:.1f}" y="{top + 32:.1f}">{escape(word["upos"])}</text>'
        )
    return "".join(parts) + "</svg>"


def from_the_right(words: Sequence[Word]) -> bool:
    """Whether most words that have letters are of a script written from right to left."""
    balance = 0
    for word in words:
        kinds = {unicodedata.bidirectional(character) for character in word["form"]}
        balance += 1 if kinds & {"R", "AL"} else -1 if "L" in kinds else 0
    return balance > 0


def _arcs(words: Sequence[Word], *, gold: bool) -> Iterator[Arc]:
    """The arcs of one side; a head that is no word of the sentence gives none."""
    for number, word in enumerate(words):
        told = word["gold"] if gold else word
        head = None if told is None else told["head"]
        if told is None or head is None or head > len(words) or head == number + 1:
            continue
        wrong = word["correct"] is False
        yield Arc(number, head - 1 if head else None, told["deprel"], wrong)


def _width(text: str) -> float:
    cells = 0
    for character in text:
        if unicodedata.combining(character):
            continue
        cells += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return cells * _EM


def _positions(widths: Sequence[float], arcs: Sequence[Arc]) -> tuple[list[float], float]:
    """The middles of the words, so far apart that each arc has room for its label; the width."""
    middles: list[float] = []
    at = _MARGIN
    for width in widths:
        middles.append(at + width / 2)
        at += width + _BETWEEN
    for arc in sorted(arcs, key=lambda a: a.last - a.first):
        lacking = _width(arc.label) + _LABEL - (middles[arc.last] - middles[arc.first])
        if arc.first != arc.last and lacking > 0:
            for word in range(arc.last, len(middles)):
                middles[word] += lacking
    end = middles[-1] + widths[-1] / 2 if middles else 0.0
    return middles, end + _MARGIN


def _levels(arcs: Sequence[Arc], words: int) -> list[int]:
    """How high each arc runs, from 1: above all that is shorter and nested in it or crosses it."""
    heights = [0] * (words + 1)
    found: dict[Arc, int] = {}
    for arc in sorted(arcs, key=lambda a: (a.head is None, a.last - a.first)):
        low = arc.dependent if arc.head is None else arc.first + 1
        high = arc.dependent + 1 if arc.head is None else arc.last
        level = 1 + max(heights[low : high + 1])
        heights[low : high + 1] = [level] * (high + 1 - low)
        found[arc] = level
    return [found[arc] for arc in arcs]


def _arc(arc: Arc, x: Sequence[float], y: float, rise: float, side: str) -> str:
    """An arc from the line `y` of its words to `rise` beyond it; up if that is negative."""
    to, peak, sign = x[arc.dependent], y + rise, 1 if rise > 0 else -1
    if arc.head is None:
        middle, path = to, f"M{to:.1f} {peak:.1f}V{y + sign * 6:.1f}"
    else:
        towards = 1 if to > x[arc.head] else -1
        start = x[arc.head] + towards * _OFFSET
        corner = min(_CORNER, abs(rise) / 2, abs(to - start) / 2)
        middle = (start + to) / 2
        path = (
            f"M{start:.1f} {y:.1f}V{peak - sign * corner:.1f}"
            f"Q{start:.1f} {peak:.1f} {start + towards * corner:.1f} {peak:.1f}"
            f"H{to - towards * corner:.1f}"
            f"Q{to:.1f} {peak:.1f} {to:.1f} {peak - sign * corner:.1f}V{y + sign * 6:.1f}"
        )
    tip = f"{to:.1f},{y:.1f} {to - 3.5:.1f},{y + sign * 7:.1f} {to + 3.5:.1f},{y + sign * 7:.1f}"
    kind = f"{side} wrong" if arc.wrong else side
    at = peak - 4 if sign < 0 else peak + 12
    return (
        f'<g class="{kind}"><path d="{path}"/><polygon points="{tip}"/>'
        f'<text x="{middle:.1f}" y="{at:.1f}">{escape(arc.label)}</text></g>'
    )


def _said(words: Sequence[Word]) -> str:
    """The sentence and its wrong words, for those who do not see the drawing."""
    text = " ".join(word["form"] for word in words)
    wrong = [f"{word['id']} {word['form']}" for word in words if word["correct"] is False]
    return f"{text}. Wrong: {', '.join(wrong) or 'nothing'}"
