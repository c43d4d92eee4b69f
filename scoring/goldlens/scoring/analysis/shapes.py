"""Shapes of trees: how long a sentence is, how far a head, how deep a word; in bins."""

from __future__ import annotations

from typing import Final

import numpy as np

from goldlens.scoring.analysis.breakdown import binned
from goldlens.scoring.ud.aligned import Words
from goldlens.scoring.ud.cells import Ints
from goldlens.scoring.ud.table import ROOT

LENGTHS: Final = (1, 6, 11, 21, 31, 51)
"""Where the bins of sentence length begin, in words."""

DISTANCES: Final = (1, 2, 3, 7)
"""Where the bins of dependency length begin: how many words on the head is, either way."""

DEPTHS: Final = (0, 1, 2, 3, 4, 5, 6, 8)
"""Where the bins of depth begin: how many heads stand above a word."""

ROOTS: Final = "root"
"""The group of the words that have no head because they are roots."""


def lengths(words: Words) -> tuple[list[str | None], Ints]:
    """The bin of the length of each word's sentence."""
    size = np.bincount(words.unit)[words.unit] if len(words) else words.unit
    return [*binned(LENGTHS)], _bins(size, LENGTHS)


def distances(words: Words) -> tuple[list[str | None], Ints]:
    """The bin of the distance of each word from its head; roots apart, bad heads last (None)."""
    names: list[str | None] = [ROOTS, *binned(DISTANCES), None]
    far = np.abs(words.head - words.number)
    found = np.where(words.head_word >= 0, _bins(np.maximum(far, 1), DISTANCES) + 1, len(names) - 1)
    return names, np.where(words.head_word == ROOT, 0, found)


def depths(words: Words) -> tuple[list[str | None], Ints]:
    """The bin of each word's depth; last (None) those that no way leads to from a root."""
    names: list[str | None] = [*binned(DEPTHS), None]
    depth = depth_of(words.head_word)
    return names, np.where(depth < 0, len(names) - 1, _bins(np.maximum(depth, 0), DEPTHS))


def depth_of(head: Ints) -> Ints:
    """How many heads stand above each word: 0 for a root, -1 where that cannot be said.

    All ways up are followed at once, each step twice as far as the one before.
    """
    size = len(head)
    top, nowhere = size, size + 1
    above = np.concatenate(
        [np.where(head >= 0, head, np.where(head == ROOT, top, nowhere)), [top, nowhere]]
    )
    steps = np.ones(size + 2, np.int64)
    steps[size:] = 0
    for _ in range(size.bit_length() + 1):
        steps += steps[above]
        above = above[above]
    depth: Ints = np.where(above[:size] == top, steps[:size] - 1, -1)
    return depth


def _bins(values: Ints, bounds: tuple[int, ...]) -> Ints:
    return np.array(bounds).searchsorted(values, side="right") - 1
