"""Two whole files scored at once, where every line of both is plain.

The same sums as those of all comparisons, from a few dozen array operations: a series of tags
ends where the next one does not follow it, and is a span if it begins with `B`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.labels import Entry
from goldlens.scoring.spans.careful import rows_of
from goldlens.scoring.spans.columns import Ints, Lines, lines_of
from goldlens.scoring.spans.rows import Layout, is_docstart
from goldlens.scoring.spans.tags import is_valid, label_of

_HASH, _HYPHEN, _SPACE = b"#- "
Bools: TypeAlias = npt.NDArray[np.bool_]

_ODD: Final = 200
"""Sentences, besides one in fifty, that may be read with care."""

_LONGEST: Final = 1 << 20
"""Tokens of a span; longer ones are counted elsewhere."""


@dataclass(frozen=True, slots=True)
class Whole:
    """What two files come to: the counts of each label, and gold's sentences and tokens.

    `orphans`: how many series of `I-` tags of gold, and of the prediction, continue no span and
    are not read.
    """

    entries: tuple[Entry, ...]
    sentences: int
    tokens: int
    orphans: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class _Spans:
    """The spans of a file: the first token, counted over the file, how many, and the label.

    `sentences` has the number of tokens of each.
    """

    start: Ints
    size: Ints
    label: Ints
    sentences: Ints
    orphans: int


def score_whole(
    gold: bytes, pred: bytes, tabs: tuple[bool, bool], *, lenient: bool
) -> Whole | None:
    """The counts of a prediction; None if they are to be found sentence by sentence.

    That is so where a line of either file is anything but a plain row, a comment or blank, a tag
    is no tag, the tags seem to follow another scheme, or sentences differ in size. `tabs`: which
    of the two is tab-separated. Token and tag are the first and the last column.
    """
    labels: dict[bytes, int] = {}
    theirs = _spans(gold, tabs[0], labels, lenient)
    ours = _spans(pred, tabs[1], labels, lenient) if theirs is not None else None
    if theirs is None or ours is None or not np.array_equal(theirs.sentences, ours.sentences):
        return None
    size = len(labels)
    keys = [(side.start * _LONGEST + side.size) * size + side.label for side in (theirs, ours)]
    right = np.intersect1d(keys[0], keys[1], assume_unique=True) % max(1, size)
    counted = [np.bincount(each, minlength=size) for each in (right, theirs.label, ours.label)]
    entries = tuple(zip(labels, *(counts.tolist() for counts in counted), strict=True))
    orphans = theirs.orphans, ours.orphans
    return Whole(entries, len(theirs.sentences), int(theirs.sentences.sum()), orphans)


def _spans(text: bytes, tabs: bool, labels: dict[bytes, int], lenient: bool) -> _Spans | None:
    """The spans of a file; its labels get numbers."""
    if not text.endswith(b"\n"):
        text += b"\n"
    lines = lines_of(text, tabs=tabs)
    if lines is None:
        return None
    border = _borders(text, lines)
    token = _tokens(text, lines, border, tabs)
    named = lines.names[1:]
    if token is None or not all(map(is_valid, named)):
        return None
    begins = np.array([False, *(name[:1] == b"B" for name in named)])
    of_tag = np.array([-1, *(labels.setdefault(label_of(name), len(labels)) for name in named)])
    tokens = token.nonzero()[0]
    sentence = border.cumsum()[tokens]
    tags = lines.numbers[tokens]
    inside = tags.nonzero()[0]
    # Nothing goes on over the end of a sentence, nor over a token outside.
    behind = np.zeros(len(inside), bool)
    behind[1:] = (inside[1:] == inside[:-1] + 1) & (sentence[inside[1:]] == sentence[inside[:-1]])
    begin, label = begins[tags[inside]], of_tag[tags[inside]]
    behind[1:] &= label[1:] == label[:-1]
    first = (begin | ~behind).nonzero()[0]
    size = np.diff(np.append(first, len(inside)))
    begun = begin[first]
    orphans, fresh = int((~begun).sum()), int((begun & ~behind[first]).sum())
    if orphans > 20 * fresh or int(size.max(initial=0)) >= _LONGEST:
        # So many an I that continues nothing may be another scheme, which is to be told.
        return None
    if not lenient:
        first, size = first[begun], size[begun]
    number = np.bincount(sentence)
    number = number[number > 0]
    return _Spans(inside[first], size, label[first], number, 0 if lenient else orphans)


def _borders(text: bytes, lines: Lines) -> Bools:
    """Which lines end a sentence: those of nothing but white space, and `-DOCSTART-`."""
    border: Bools = lines.ends == lines.starts
    byte = np.frombuffer(text, np.uint8)
    head = byte[lines.starts]
    perhaps = (~border & ((head <= _SPACE) | (lines.odd & (head == _HYPHEN)))).nonzero()[0]
    bounds = zip(lines.starts[perhaps].tolist(), lines.ends[perhaps].tolist(), strict=True)
    bodies = [text[start:end].rstrip() for start, end in bounds]
    border[perhaps] = [not body or is_docstart(body) for body in bodies]
    return border


def _tokens(text: bytes, lines: Lines, border: Bools, tabs: bool) -> Bools | None:
    """Which lines are tokens; None if that takes more than to read some sentences with care.

    Tags that were not read yet get their numbers in `lines`.
    """
    token = ~lines.odd
    layout = Layout(1, -1, tabs)
    left = (lines.odd & ~border).nonzero()[0]
    byte = np.frombuffer(text, np.uint8)
    note = byte[lines.starts[left]] == _HASH
    bounds = zip(lines.starts[left[note]].tolist(), lines.ends[left[note]].tolist(), strict=True)
    note[note] = [not is_valid(layout.tag_of(layout.cells(text[a:b]))) for a, b in bounds]
    borders = np.append(-1, border.nonzero()[0])
    blocks = dict.fromkeys((borders.searchsorted(left[~note]) - 1).tolist())
    if len(blocks) > _ODD + len(borders) // 50:
        return None
    known = {name: k for k, name in enumerate(lines.names)}
    for block in blocks:
        first = int(borders[block]) + 1
        stop = int(borders[block + 1]) if block + 1 < len(borders) else len(border)
        rows = rows_of(text[lines.starts[first] : lines.ends[stop - 1] + 1], layout)
        if rows.problems or rows.tabbed is not tabs:
            return None
        token[first:stop] = False
        for at, tag in zip(rows.at, rows.tags, strict=True):
            token[first + at] = True
            lines.numbers[first + at] = known.setdefault(tag, len(known))
    lines.names[:] = known
    return token
