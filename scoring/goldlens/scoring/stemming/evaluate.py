"""One evaluation from scratch: two texts, a million forms in seconds.

What is wrong comes with its place, and refuses the pair if it is an error; the rows are read as
the formats of the task read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.problems import Problem
from goldlens.scoring.stemming import messages
from goldlens.scoring.stemming.bulk import Numbered
from goldlens.scoring.stemming.policies import ALL_WORDS, MODES, Pairs
from goldlens.scoring.stemming.rows import Group, Output, has_capital, read_group, read_output
from goldlens.scoring.text import BOM

GOLD: Final = 0
PRED: Final = 1

Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Found:
    """A problem of a file (GOLD or PRED), where a unit is a line.

    Its places count from line `base` of that file and line `there` of the other, both from 0.
    """

    side: int
    base: int
    problem: Problem
    there: int = 0

    @property
    def line(self) -> int:
        """The number of the line, from 0."""
        return self.base + self.problem.place.unit


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary, read: its groups in order, the row and the line (from 0) of each; problems."""

    groups: Sequence[Group]
    rows: Sequence[bytes]
    lines: Sequence[int]
    problems: Sequence[Found]

    def kept(self, mode: str) -> Mask | None:
        """Which groups a mode keeps: a boolean each, or None for all."""
        if mode == ALL_WORDS:
            return None
        return np.array([not has_capital(group.forms) for group in self.groups], bool)


@dataclass(frozen=True, slots=True)
class Outputs:
    """A stemmer's output, read: the output of each form, and problems of the file by itself.

    The first row of a form counts; `forms` has its line (from 0). `size` is how many lines there
    are, `last` the last of them, None if there is none.
    """

    outputs: Mapping[bytes, Output]
    forms: Mapping[bytes, int]
    size: int
    last: bytes | None
    problems: Sequence[Found]


def read_dictionary(text: bytes) -> Dictionary:
    """Reads a dictionary. Never raises on bad text."""
    groups: list[Group] = []
    rows: list[bytes] = []
    lines: list[int] = []
    problems: list[Found] = []
    for number, line in enumerate(_lines(text)):
        group, wrong = read_group(line)
        if group is not None:
            groups.append(group)
            rows.append(line)
            lines.append(number)
        problems += [Found(GOLD, number, problem) for problem in wrong]
    return Dictionary(groups, rows, lines, problems)


def read_outputs(text: bytes) -> Outputs:
    """Reads a stemmer's output. Never raises on bad text."""
    outputs: dict[bytes, Output] = {}
    forms: dict[bytes, int] = {}
    problems: list[Found] = []
    lines = _lines(text)
    for number, line in enumerate(lines):
        form, output, wrong = read_output(line)
        if wrong:
            problems += [Found(PRED, number, problem) for problem in wrong]
        if form is None:
            continue
        if form in forms:
            severity = messages.duplicate_severity(output, outputs.get(form))
            here, first = (messages.place_of(form, line) for line in (number, forms[form]))
            problems.append(Found(PRED, 0, messages.duplicate(form, here, first, severity)))
            continue
        forms[form] = number
        if output is not None:
            outputs[form] = output
    return Outputs(outputs, forms, len(lines), lines[-1] if lines else None, problems)


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Counts by mode and policy, unless the pair is refused; and all problems, in order.

    A refused pair has no counts.
    """

    pairs: dict[str, dict[str, Pairs]]
    problems: Sequence[Found]

    @property
    def refused(self) -> list[Found]:
        """The problems for which the pair is refused."""
        return [found for found in self.problems if found.problem.refuses]


def evaluate(dictionary: Dictionary, outputs: Outputs, modes: Sequence[str] = MODES) -> Evaluation:
    """Scores an output. Raises BrokenRelation, which would be an error of this program."""
    kept = {mode: dictionary.kept(mode) for mode in modes}
    problems = [*dictionary.problems, *outputs.problems, *_unfaced(dictionary, outputs, kept)]
    problems.sort(key=lambda found: (found.side, found.line))
    if any(found.problem.refuses for found in problems):
        return Evaluation({}, problems)
    numbered = Numbered(dictionary.groups, outputs.outputs)
    return Evaluation({mode: numbered.pairs(mask) for mode, mask in kept.items()}, problems)


def _unfaced(
    dictionary: Dictionary, outputs: Outputs, kept: Mapping[str, Mask | None]
) -> Iterator[Found]:
    """The forms that have no row of output, then the rows that no group has."""
    known, groups = outputs.forms, dictionary.groups
    every: set[bytes] = set().union(*[group.forms for group in groups])
    if not every <= known.keys():
        said: set[bytes] = set()
        masks = [mask for mask in kept.values() if mask is not None]
        evaluated = np.any(masks, axis=0) if len(masks) == len(kept) else np.ones(len(groups), bool)
        for number in evaluated.nonzero()[0].tolist():
            for form in groups[number].forms:
                if form not in known and form not in said:
                    said.add(form)
                    what = messages.missing(form, dictionary.rows[number], outputs.last)
                    yield Found(PRED, outputs.size, what, dictionary.lines[number])
    for form in known.keys() - every:
        yield Found(PRED, known[form], messages.extra(form))


def _lines(text: bytes) -> list[bytes]:
    """The lines without their ends, and without the byte order mark of the file."""
    text = text.removeprefix(BOM)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines
