"""Lines read: a few simple kinds at once, whatever else with care; the outcome is the same."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any, Final

from goldlens.scoring.classification import jsonl, tsv
from goldlens.scoring.classification.json_scan import DEEPEST
from goldlens.scoring.classification.row import NUMBER, Row, Unreadable, encoding, row_format
from goldlens.scoring.classification.unit import Labels, Unit

_LABEL: Final = rb"[^\t|= ](?:[^\t|=]*[^\t|= ])?"
_SCORED: Final = re.compile(
    rb"([^\t{ ](?:[^\t]*[^\t ])?)(?:\t([^\t=]*))?((?:\t%b=%b)+)" % (_LABEL, NUMBER)
)
"""An ordinary row with scores: id, perhaps a cell for labels, pairs."""

_PAIR: Final = re.compile(rb"\t([^=]*)=([^\t]*)")


def split(text: bytes) -> list[bytes]:
    """The lines of a text, each with its end: LF, CR LF or CR, and nothing else."""
    return text.splitlines(keepends=True)


def is_closed(block: bytes) -> bool:
    """Whether a line has its end."""
    return block.endswith((b"\n", b"\r"))


def read_row(line: bytes) -> Row:
    """A line, which holds something, read with care. Never raises: `Row.wrong` says what is."""
    line = line.rstrip(b"\r\n")
    row = Row()
    try:
        (jsonl if line.lstrip(b" \t").startswith(b"{") else tsv).read(line, row)
    except Unreadable as found:
        row.wrong = row_format(found)
    try:
        line.decode()
    except UnicodeDecodeError as error:
        row.wrong = encoding(line, error.start)
        if row.id is not None and not _is_text(row.id):
            row.id = None
    return row


class Reader:
    """Reads lines one after the other; what labels many of them have is kept once."""

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._cells: dict[bytes, Labels] = {}
        self._known: dict[Labels, Labels] = {}
        self._bytes: dict[str, bytes] = {}

    def units(self, blocks: Sequence[bytes], *, at_start: bool) -> list[Unit]:
        """The units of lines; `at_start`: the first one is the file's first."""
        found = list(map(self._unit, blocks))
        if at_start and blocks and _is_header(blocks[0]):
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
        quick = self._quick_json if bare[:1] == b"{" else self._quick_scores
        if unit := quick(block, lines, bare):
            return unit
        row = read_row(line)
        unit = self._made(block, lines, row)
        if unit.explicit and not unit.scored and cell.isascii() and b"\t" not in cell:
            self._cells[cell] = unit.labels
        return unit

    def _made(self, block: bytes, lines: int, row: Row) -> Unit:
        if row.wrong:
            return Unit(block, lines, row.id, problems=(row.wrong,))
        return self._unit_of(block, lines, row.id, row.labels, row.scored, row.scores)

    def _unit_of(
        self,
        block: bytes,
        lines: int,
        name: bytes | None,
        labels: Sequence[bytes] | None,
        scored: Sequence[bytes],
        scores: Sequence[float],
    ) -> Unit:
        explicit = labels is not None
        if labels is None:
            limit = self._threshold
            labels = [k for k, score in zip(scored, scores, strict=True) if score >= limit]
        return Unit(
            block,
            lines,
            name,
            self._one(tuple(sorted(set(labels)))),
            explicit,
            self._one(tuple(scored)),
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
        scored = self._one(tuple([label for label, _ in pairs]))
        scores = [float(number) for _, number in pairs]
        if len(set(scored)) < len(scored) or not all(map(math.isfinite, scores)):
            return None
        return self._unit_of(block, lines, name, labels, scored, scores)

    def _quick_json(self, block: bytes, lines: int, bare: bytes) -> Unit | None:
        """The unit of an ordinary JSON row; None if care is needed."""
        if bare.count(b"{") + bare.count(b"[") > DEEPEST or b"-0" in bare:
            return None
        try:
            row = _decode(bare.decode())
            names, given = _names(row)
            numbers = [float(n) for n in row.get("scores", {}).values()]
            codes = [self._code(name) for name in names]
        except (ValueError, OverflowError, RecursionError):
            return None
        if not all(codes) or not all(map(math.isfinite, numbers)):
            return None
        labels = None if given is None else codes[1 : 1 + given]
        scored = codes[1 + (given or 0) :]
        return self._unit_of(block, lines, codes[0], labels, scored, numbers)

    def _code(self, name: str) -> bytes:
        """A name in UTF-8; empty if it needs care. Raises UnicodeEncodeError."""
        code = self._bytes.get(name)
        if code is None:
            code = name.encode()
            self._bytes[name] = code = b"" if code.strip(b" \t") != code else code
        return code


def _names(row: dict[str, Any]) -> tuple[list[str], int | None]:
    """The id, the labels and the scored labels of a JSON row; how many labels are given.

    Raises ValueError if anything is not as it should be.
    """
    names = [row.get("id")]
    given = None
    if "label" in row or "labels" in row:
        labels = row["labels"] if "labels" in row else [row["label"]]
        if type(labels) is not list or ("label" in row and "labels" in row):
            raise ValueError("labels")
        names += labels
        given = len(labels)
    elif "scores" not in row:
        raise ValueError("nothing")
    scores = row.get("scores", {})
    if type(scores) is not dict or not _NUMBERS.issuperset(map(type, scores.values())):
        raise ValueError("scores")
    if not _NAMES.issuperset(map(type, names)):
        raise ValueError("names")
    return [*map(str, names), *scores], given


_NUMBERS: Final = frozenset((float, int))
_NAMES: Final = frozenset((str, int))


def _is_plain(name: bytes) -> bool:
    """Whether an id needs no care: ASCII, without blanks at its edges, and no JSON."""
    return name.isascii() and name[:1] > b" " and name[:1] != b"{" and name[-1:] > b" "


def _is_text(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_header(block: bytes) -> bool:
    """Whether a file's first line names its columns: its first cell is `id`."""
    return block.rstrip(b"\r\n").partition(b"\t")[0].strip(b" ") == b"id"


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


_decode: Final = json.JSONDecoder(object_pairs_hook=_distinct, parse_constant=_refuse).decode
