"""Many lines read: those of an ordinary kind quickly, the others with care.

A short cut takes only what the careful reader would read without a complaint, and reads it the
same way; it says nothing of places, which are found again where a problem is to be shown.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from goldlens.scoring.classification.json_scan import DEEPEST
from goldlens.scoring.classification.reading import is_closed, is_header, read_row
from goldlens.scoring.classification.row import NUMBER
from goldlens.scoring.classification.unit import Labels, Unit

_LABEL: Final = rb"[^\t|= ](?:[^\t|=]*[^\t|= ])?"
_SCORED: Final = re.compile(
    rb"([^\t{ ](?:[^\t]*[^\t ])?)(?:\t([^\t=]*))?((?:\t%b=%b)+)" % (_LABEL, NUMBER)
)
"""An ordinary tab-separated row with scores: id, perhaps a cell for labels, pairs."""

_PAIR: Final = re.compile(rb"\t([^=]*)=([^\t]*)")
_NUMBERS: Final = frozenset((float, int))
_NAMES: Final = frozenset((str, int))


class Reader:
    """Reads lines one after the other; what many of them have in common is kept once."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._cells: dict[bytes, Labels] = {}
        self._known: dict[Labels, Labels] = {}
        self._codes: dict[str, bytes] = {}
        self._scored: dict[tuple[str, ...], Labels] = {}

    def units(self, blocks: Sequence[bytes], *, at_start: bool) -> list[Unit]:
        """The units of lines; `at_start`: the first one is the file's first."""
        found = list(map(self._unit, blocks))
        if at_start and blocks and is_header(blocks[0]):
            found[0] = Unit(blocks[0], found[0].lines, first=True)
        return found

    def _unit(self, block: bytes) -> Unit:
        line = block.rstrip(b"\r\n")
        lines = int(is_closed(block))
        name, tab, cell = line.partition(b"\t")
        labels = self._cells.get(cell)
        if labels is not None and tab and _is_plain(name):
            return Unit(block, lines, name, labels, True)
        bare = line.strip(b" \t")
        if not bare:
            return Unit(block, lines)
        is_json = bare[:1] == b"{"
        if unit := (self._quick_json if is_json else self._quick_scores)(block, lines, bare):
            return unit
        row = read_row(line)
        if row.wrong:
            return Unit(block, lines, row.id, problems=(row.wrong,))
        scores = row.scores
        unit = self._made(block, lines, row.id, row.labels, tuple(scores), [*scores.values()])
        if not is_json and not scores:
            self._cells[cell] = unit.labels
        return unit

    def _made(
        self,
        block: bytes,
        lines: int,
        name: bytes | None,
        labels: Iterable[bytes] | None,
        scored: Labels,
        scores: Sequence[float],
    ) -> Unit:
        explicit = labels is not None
        if labels is None:
            least = self._threshold
            labels = [k for k, score in zip(scored, scores, strict=True) if score >= least]
        return Unit(
            block,
            lines,
            name,
            self._one(tuple(sorted(set(labels)))),
            explicit,
            self._one(scored),
            tuple(scores),
            bool(scores) and not (min(scores) >= 0 and max(scores) <= 1),
        )

    def _one(self, labels: Labels) -> Labels:
        """The labels, as the one tuple that all rows with them share."""
        return self._known.setdefault(labels, labels)

    def _quick_scores(self, block: bytes, lines: int, bare: bytes) -> Unit | None:
        """The unit of an ordinary tab-separated row with scores; None if care is needed."""
        found = _SCORED.fullmatch(bare) if b"=" in bare and bare.isascii() else None
        if not found or not block.startswith(bare):
            return None
        name, cell, rest = found.groups()
        labels = self._cells.get(cell) if cell else None
        if cell and labels is None:
            return None
        pairs = _PAIR.findall(rest)
        scored = tuple([label for label, _ in pairs])
        scores = [float(number) for _, number in pairs]
        if len(set(scored)) < len(scored) or not all(map(math.isfinite, scores)):
            return None
        return self._made(block, lines, name, labels, scored, scores)

    def _quick_json(self, block: bytes, lines: int, bare: bytes) -> Unit | None:
        """The unit of an ordinary JSON row; None if care is needed."""
        if bare.count(b"{") + bare.count(b"[") > DEEPEST:
            return None
        try:
            name, names, scores = _members(_decode(bare.decode()))
            code = name.encode()
            labels = None if names is None else [self._code(label) for label in names]
            scored = self._scored.get(tuple(scores))
            if scored is None:
                scored = tuple([self._code(label) for label in scores])
                self._scored[tuple(scores)] = scored
            numbers = list(map(float, scores.values()))
        except (ValueError, OverflowError, RecursionError):
            return None
        if not code or code.strip(b" \t") != code or not all(map(math.isfinite, numbers)):
            return None
        return self._made(block, lines, code, labels, scored, numbers)

    def _code(self, label: str) -> bytes:
        """A label in UTF-8. Raises ValueError if it needs care."""
        code = self._codes.get(label)
        if code is None:
            code = label.encode()
            if not code or code.strip(b" \t") != code:
                raise ValueError(label)
            self._codes[label] = code
        return code


def _is_plain(name: bytes) -> bool:
    """Whether an id needs no care: ASCII, without blanks at its edges, and no JSON."""
    return name.isascii() and name[:1] > b" " and name[:1] != b"{" and name[-1:] > b" "


def _members(row: dict[str, Any]) -> tuple[str, list[str] | None, dict[str, float]]:
    """The id, the labels if there are any, and the scores of a JSON row.

    Raises ValueError if anything is not as it should be.
    """
    name, labels = row.get("id"), None
    if "label" in row or "labels" in row:
        labels = row["labels"] if "labels" in row else [row["label"]]
        if type(labels) is not list or ("label" in row and "labels" in row):
            raise ValueError("labels")
        if not _NAMES.issuperset(map(type, labels)):
            raise ValueError("labels")
        labels = list(map(str, labels))
    elif "scores" not in row:
        raise ValueError("nothing")
    scores = row.get("scores", {})
    if type(scores) is not dict or not _NUMBERS.issuperset(map(type, scores.values())):
        raise ValueError("scores")
    if type(name) not in _NAMES:
        raise ValueError("id")
    return str(name), labels, scores


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _integer(text: str) -> int:
    """A whole number that is written as `str` would write it."""
    if text == "-0":
        raise ValueError(text)
    return int(text)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


_decode: Final = json.JSONDecoder(
    object_pairs_hook=_distinct, parse_int=_integer, parse_constant=_refuse
).decode
