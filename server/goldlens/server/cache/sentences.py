"""Sentences of a treebank as columns, from which they are made again without being parsed.

What a unit holds is either a stretch of its text or a few numbers. Sentences that were written
anew by the careful reader have their canonical text besides, and problems are kept as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from goldlens.scoring.conllu.blocks import with_lf
from goldlens.scoring.problems import Problem
from goldlens.scoring.ud.faces import characters
from goldlens.scoring.ud.unit import Unit
from goldlens.server.cache import columns, problems
from goldlens.server.cache.columns import Ints, Unusable

_NAMES: Final = (
    "size", "lines", "words", "unheaded", "stream", "characters", "start", "end", "flags",
)  # fmt: skip
_OPENS, _READABLE, _GLUED, _LAST, _CR, _SENTENCE, _AS_LF, _APART = (1 << k for k in range(8))


@dataclass(frozen=True, slots=True)
class Sentences:
    """What units say, but for their texts.

    `columns` has a row for each unit: the bytes of its text and of its stream, the length of
    that in code points, its line ends, words, words without a HEAD, its tail (`start`, `end`),
    and flags. `names` are their sent_ids, `stream` all their streams joined. `canonical` has the
    canonical texts that are not the text itself, `problems` those of the units that have any.
    """

    columns: Mapping[str, Ints]
    stream: bytes
    names: list[bytes | None]
    canonical: Mapping[int, bytes]
    problems: Mapping[int, tuple[Problem, ...]]

    def __len__(self) -> int:
        return len(self.names)

    def facts(self) -> Ints:
        """The sums of the units' facts: sentences, words, words without a HEAD."""
        sentences = int((self.columns["flags"] & _SENTENCE > 0).sum())
        words, unheaded = (int(self.columns[name].sum()) for name in ("words", "unheaded"))
        return np.array([sentences, words, unheaded], np.int64)

    @property
    def cr(self) -> int:
        """How many units have a CR in their text."""
        return int((self.columns["flags"] & _CR > 0).sum())

    def part(self, first: int, stop: int) -> Sentences:
        """What units `first` to `stop` say."""
        sizes = self.columns["stream"]
        begin = int(sizes[:first].sum())
        return Sentences(
            {name: column[first:stop] for name, column in self.columns.items()},
            self.stream[begin : begin + int(sizes[first:stop].sum())],
            self.names[first:stop],
            {k - first: text for k, text in self.canonical.items() if first <= k < stop},
            {k - first: found for k, found in self.problems.items() if first <= k < stop},
        )

    def units(self, texts: Sequence[bytes], first: int) -> list[Unit]:
        """The units from number `first` on whose texts these are."""
        stop = first + len(texts)
        column = {name: values[first:stop].tolist() for name, values in self.columns.items()}
        end = int(self.columns["stream"][:first].sum())
        found: list[Unit] = []
        rows = zip(
            texts, self.names[first:stop], *(column[name] for name in _NAMES[1:]), strict=True
        )
        for k, row in enumerate(rows, first):
            text, name, lines, words, unheaded, stream, _, tail_start, tail_end, flags = row
            start, end = end, end + stream
            canonical = text
            if flags & (_AS_LF | _APART):
                canonical = with_lf(text) if flags & _AS_LF else self.canonical[k]
            found.append(
                Unit(
                    text,
                    canonical,
                    self.stream[start:end],
                    name,
                    words,
                    unheaded,
                    bool(flags & _OPENS),
                    (tail_start, tail_end),
                    bool(flags & _READABLE),
                    bool(flags & _GLUED),
                    bool(flags & _LAST),
                    self.problems.get(k, ()),
                    lines,
                )
            )
        return found


def of_units(units: Sequence[Unit]) -> Sentences:
    """What these units say."""
    flags = [_flags(unit) for unit in units]
    numbers: dict[str, Iterable[int]] = {
        "size": (len(unit.text) for unit in units),
        "lines": (unit.lines for unit in units),
        "words": (unit.words for unit in units),
        "unheaded": (unit.unheaded for unit in units),
        "stream": (len(unit.stream) for unit in units),
        "characters": characters(units),
        "start": (unit.tail[0] for unit in units),
        "end": (unit.tail[1] for unit in units),
        "flags": flags,
    }
    return Sentences(
        {name: np.fromiter(numbers[name], np.int64, len(units)) for name in _NAMES},
        b"".join([unit.stream for unit in units]),
        [unit.sent_id for unit in units],
        {k: unit.canonical for k, unit in enumerate(units) if flags[k] & _APART},
        {k: unit.problems for k, unit in enumerate(units) if unit.problems},
    )


def joined(parts: Sequence[Sentences]) -> Sentences:
    """What consecutive units say, given in parts."""
    firsts = np.cumsum([0, *map(len, parts)]).tolist()
    numbered = list(zip(firsts, parts, strict=False))
    return Sentences(
        {
            name: np.concatenate([np.zeros(0, np.int64), *(p.columns[name] for p in parts)])
            for name in _NAMES
        },
        b"".join([part.stream for part in parts]),
        [name for part in parts for name in part.names],
        {a + k: text for a, part in numbered for k, text in part.canonical.items()},
        {a + k: found for a, part in numbered for k, found in part.problems.items()},
    )


def packed(sentences: Sentences) -> list[Any]:
    """Plain values that say the same."""
    return [
        columns.packed(sentences.columns),
        sentences.stream,
        b"\n".join([name or b"" for name in sentences.names]),
        dict(sentences.canonical),
        {k: [problems.packed(one) for one in found] for k, found in sentences.problems.items()},
    ]


def unpacked(values: Any) -> Sentences:
    """What plain values say. Raises Unusable."""
    try:
        numbers, stream, names, canonical, found = values
        column = columns.unpacked(numbers, _NAMES)
        size = len(column["size"])
        sentences = Sentences(
            column,
            stream,
            [name or None for name in names.split(b"\n")] if size else [],
            {int(k): bytes(text) for k, text in canonical.items()},
            {int(k): tuple(map(problems.unpacked, each)) for k, each in found.items()},
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise Unusable(f"sentences are none: {error}") from error
    apart = (column["flags"] & _APART > 0).nonzero()[0].tolist()
    if (
        not isinstance(stream, bytes)
        or len(stream) != int(column["stream"].sum())
        or len(sentences.names) != size
        or list(sentences.canonical) != apart
        or any(not 0 <= k < size for k in sentences.problems)
    ):
        raise Unusable("sentences do not hang together")
    return sentences


def _flags(unit: Unit) -> int:
    flags = _OPENS * unit.opens_multi | _READABLE * unit.readable | _SENTENCE * unit.sentence
    flags |= _GLUED * unit.glued | _LAST * unit.last | _CR * (b"\r" in unit.text)
    if unit.canonical == unit.text:
        return flags
    return flags | (_AS_LF if unit.canonical == with_lf(unit.text) else _APART)
