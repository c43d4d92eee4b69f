"""A block read line by line: which of its lines are tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from goldlens.scoring.problems import Place, Problem, problem
from goldlens.scoring.spans.blocks import lines
from goldlens.scoring.spans.rows import HEADER, Layout, is_docstart
from goldlens.scoring.spans.tags import OUTSIDE, is_bare, is_valid
from goldlens.scoring.text import is_utf8

_TAB: Final = b"\t"


@dataclass(frozen=True, slots=True)
class Rows:
    """The tokens of a block: the line and the tag of each, as it stands.

    `tabbed`: a line that is neither blank nor a comment has a tab. `lines` counts line ends.
    `problems` are those of the bytes.
    """

    at: list[int]
    tags: list[bytes]
    tabbed: bool
    lines: int
    problems: list[Problem]


def rows_of(block: bytes, layout: Layout) -> Rows:
    """Which lines of a block are tokens, and what tags they have.

    A `-DOCSTART-` line is none, nor is the header line of the CLEF HIPE format: a first row whose
    token is `TOKEN` and whose tag is no tag. A `#` line is one if it has as many columns as
    another row of the sentence, and a valid tag. Where there is no other row, it has to have two
    columns (in a tab-separated file: two or more) and a tag with a label, or `O`.

    A tab at the end of a line counts as little as a blank, unless the row then has fewer columns
    than other rows of the sentence: its last columns are empty.
    """
    every = lines(block)
    ends = sum([line.endswith((b"\n", b"\r")) for line in every])
    words: list[tuple[int, list[bytes]]] = []
    notes: list[tuple[int, list[bytes]]] = []
    problems: list[Problem] = []
    bad: set[int] = set()
    tabbed = False
    for k, line in enumerate(every):
        body = line.rstrip()
        if not body:
            continue
        if not body.isascii():
            found = _encoding(k, body)
            if found is not None:
                problems.append(found)
                bad.add(k)
        if body[:1] == b"#":
            notes.append((k, layout.cells(line)))
        elif not is_docstart(body):
            words.append((k, layout.cells(line)))
            tabbed = tabbed or _TAB in body
    if words and layout.form_of(words[0][1]) == HEADER and not is_valid(layout.tag_of(words[0][1])):
        del words[0]
    if layout.tabs:
        words = _filled(words, every, layout)
    sizes = {len(cells) for _, cells in words}
    rows = [*words, *[row for row in notes if _is_token(row[1], sizes, layout)]]
    rows.sort(key=lambda row: row[0])
    tags = [
        OUTSIDE if k in bad and not is_utf8(tag) else tag
        for k, cells in rows
        for tag in [layout.tag_of(cells)]
    ]
    return Rows([k for k, _ in rows], tags, tabbed, ends, problems)


def _filled(
    rows: list[tuple[int, list[bytes]]], every: list[bytes], layout: Layout
) -> list[tuple[int, list[bytes]]]:
    """The rows, with the empty columns at their ends that other rows say there are."""
    short = {k for k, _ in rows if layout.ends_empty(every[k])}
    sizes = {len(cells) for k, cells in rows if k not in short}
    found = []
    for k, cells in rows:
        most = len(cells) + every[k][len(every[k].rstrip()) :].count(b"\t")
        fitting = [size for size in sizes if len(cells) < size <= most]
        if fitting and len(cells) not in sizes:
            cells = cells + [b""] * (min(fitting) - len(cells))
        found.append((k, cells))
    return found


def _is_token(cells: list[bytes], sizes: set[int], layout: Layout) -> bool:
    """Whether a `#` line is a row, given how many columns the other rows have."""
    tag = layout.tag_of(cells)
    if not is_valid(tag):
        return False
    if sizes:
        return len(cells) in sizes
    return not is_bare(tag) and (len(cells) == 2 or layout.tabs)


def _encoding(line: int, body: bytes) -> Problem | None:
    """The problem that a line is not UTF-8; None if it is."""
    try:
        body.decode()
    except UnicodeDecodeError as error:
        place = Place(0, line, error.start, error.end)
        return problem("encoding", place, "These bytes are not UTF-8; save the file as UTF-8")
    return None
