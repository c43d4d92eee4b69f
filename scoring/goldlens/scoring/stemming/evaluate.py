"""One evaluation from scratch: two texts, a million forms in seconds.

What is wrong comes with its place, and refuses the pair if it is an error; the rows are read as
the formats of the task read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from goldlens.scoring.problems import Problem
from goldlens.scoring.stemming import messages
from goldlens.scoring.stemming.bulk import Numbered
from goldlens.scoring.stemming.policies import ALL_WORDS, MODES, Pairs
from goldlens.scoring.stemming.rows import (
    Group,
    Output,
    has_capital,
    read_group,
    read_output,
)
from goldlens.scoring.text import BOM, is_utf8

GOLD: Final = 0
PRED: Final = 1

Ints: TypeAlias = npt.NDArray[np.int64]
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
    """A stemmer's output, read: a number for each form, in order, and problems of the file.

    The first row of a form counts. By number, `lines` has its line (from 0), `primary` its
    primary output (None if the row has none); `several` has its candidates only where these are
    more than one. `size` is how many lines there are, `last` the last of them, if there is one.
    """

    forms: Mapping[bytes, int]
    lines: Sequence[int]
    primary: Sequence[bytes | None]
    several: Mapping[int, tuple[bytes, ...]]
    size: int
    last: bytes | None
    problems: Sequence[Found]

    def output(self, form: bytes) -> Output | None:
        """The output of a form, if it has one."""
        number = self.forms.get(form)
        return None if number is None else _output(form, number, self.primary, self.several)


def read_dictionary(text: bytes) -> Dictionary:
    """Reads a dictionary. Never raises on bad text."""
    groups: list[Group] = []
    rows: list[bytes] = []
    lines: list[int] = []
    problems: list[Found] = []
    clean = is_utf8(text)
    for number, line in enumerate(_lines(text)):
        group, wrong = read_group(line, clean)
        if group is not None:
            groups.append(group)
            rows.append(line)
            lines.append(number)
        problems += [Found(GOLD, number, problem) for problem in wrong]
    return Dictionary(groups, rows, lines, problems)


def read_outputs(text: bytes) -> Outputs:
    """Reads a stemmer's output. Never raises on bad text."""
    forms: dict[bytes, int] = {}
    lines: list[int] = []
    primary: list[bytes | None] = []
    several: dict[int, tuple[bytes, ...]] = {}
    problems: list[Found] = []
    clean = is_utf8(text)
    rows = _lines(text)
    for line, row in enumerate(rows):
        form, output, wrong = read_output(row, clean)
        if wrong:
            problems += [Found(PRED, line, problem) for problem in wrong]
        if form is None:
            continue
        number = forms.setdefault(form, len(lines))
        if number < len(lines):
            first = _output(form, number, primary, several)
            severity = messages.duplicate_severity(output, first)
            here, there = (messages.place_of(form, at) for at in (line, lines[number]))
            problems.append(Found(PRED, 0, messages.duplicate(form, here, there, severity)))
            continue
        lines.append(line)
        primary.append(output.primary if output else None)
        if output and len(output.candidates) > 1:
            several[number] = output.candidates
    last = rows[-1] if rows else None
    return Outputs(forms, lines, primary, several, len(rows), last, problems)


def _output(
    form: bytes,
    number: int,
    primary: Sequence[bytes | None],
    several: Mapping[int, tuple[bytes, ...]],
) -> Output | None:
    stem = primary[number]
    return None if stem is None else Output(form, stem, several.get(number, (stem,)))


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
    members = list(chain.from_iterable([group.forms for group in dictionary.groups]))
    numbers = np.fromiter(map(outputs.forms.get, members, repeat(-1)), np.int64, len(members))
    sizes = [len(group.forms) for group in dictionary.groups]
    of_group = np.arange(len(sizes)).repeat(sizes)
    problems = [
        *dictionary.problems,
        *outputs.problems,
        *_missing(dictionary, outputs, of_group[numbers < 0], kept.values()),
        *_extra(outputs, numbers),
    ]
    problems.sort(key=lambda found: (found.side, found.line))
    if any(found.problem.refuses for found in problems):
        return Evaluation({}, problems)
    numbered = Numbered(numbers, of_group, outputs.primary, outputs.several)
    return Evaluation({mode: numbered.pairs(mask) for mode, mask in kept.items()}, problems)


def _missing(
    dictionary: Dictionary, outputs: Outputs, groups: Ints, kept: Iterable[Mask | None]
) -> Iterator[Found]:
    """The forms without a row of output, which are in these groups, that some mode keeps."""
    said: set[bytes] = set()
    masks = list(kept)
    for number in dict.fromkeys(groups.tolist()):
        if not any(mask is None or mask[number] for mask in masks):
            continue
        forms = [
            form
            for form in dictionary.groups[number].forms
            if form not in outputs.forms and form not in said
        ]
        said.update(forms)
        for what in messages.missing(forms, dictionary.rows[number], outputs.last):
            yield Found(PRED, outputs.size, what, dictionary.lines[number])


def _extra(outputs: Outputs, numbers: Ints) -> Iterator[Found]:
    """The rows of output, with a stem, whose form no group has; `numbers` are those of forms in
    groups.
    """
    known = np.zeros(len(outputs.lines) + 1, bool)
    known[numbers] = True  # the last one is for the forms that are missing
    if known[:-1].all():
        return
    forms = list(outputs.forms)
    for number in (~known[:-1]).nonzero()[0].tolist():
        if outputs.primary[number] is None or not is_utf8(forms[number]):
            continue
        yield Found(PRED, outputs.lines[number], messages.extra(forms[number]))


def _lines(text: bytes) -> list[bytes]:
    """The lines without their ends, and without the byte order mark of the file."""
    text = text.removeprefix(BOM)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = text.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines
