"""What a file evidently is, by its rows: of which task, or empty.

Only what is certain is said. A file is of another task than the one that is wanted if its rows are
evidently that task's and none of them could be a row of the wanted one. However broken, it is read
as what is wanted otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO, Final

from goldlens.scoring.text import BOM

LOOKED_AT: Final = 1 << 14
"""So many bytes of a file are enough to tell."""

_ROWS: Final = 200
_ID: Final = re.compile(r"\d+([-.]\d+)?")
_HEAD: Final = re.compile(r"\d+|_")
_TAG: Final = re.compile(r"O|[BIESLUM]-\S+|[BI]")
"""A tag of IOB2 or of a scheme like it."""

_CELLS_OF_A_TREE: Final = 8
"""A row that begins with an ID and has so many cells may be a broken one of CoNLL-U."""


def seems(text: bytes, wanted: str, tag_column: int = -1) -> str:
    """The task that the beginning of a file is evidently of; "" where that is not certain.

    It is `wanted`, the task that it should be of, if a single row may be of that task.
    `tag_column` is where tags of spans are looked for.
    """
    rows = _rows(text)
    if not rows:
        return ""
    if wanted == "span" and any(_has_tag(row, tag_column) for row in rows):
        return "span"
    cells = [row.split("\t") if "\t" in row else row.split() for row in rows]
    words = sum(len(row) == 10 and _is_word(row) and bool(_HEAD.fullmatch(row[6])) for row in cells)
    if 2 * words > len(rows):
        return "ud"
    if all(row.startswith(('{"', '[{"')) for row in rows):
        return "classification"
    if wanted == "ud" and any(len(row) >= _CELLS_OF_A_TREE and _is_word(row) for row in cells):
        return "ud"
    tags = [tag for row in rows if (tag := _first_tag(row))]
    if len(tags) < len(rows) or (wanted not in ("ud", "span") and not _in_sentences(text, tags)):
        return ""
    return "span"


def has_column(text: bytes, column: int) -> bool:
    """Whether any of the first rows of a text has a column, counted from 1, or from the end."""
    return any(len(row.split()) >= abs(column) for row in _rows(text))


def without_rows(file: BinaryIO) -> str:
    """In words, what an open file has instead of rows; "" if it has some."""
    blank = comments = False
    for number, each in enumerate(file):
        blank = True
        # A lone CR ends a line too.
        for row in (each if number else each.removeprefix(BOM)).split(b"\r"):
            if text := row.strip():
                # In a table of columns # may be a token, in others a name.
                if text[:1] != b"#" or b"\t" in text or _first_tag(text.decode("latin-1")):
                    return ""
                comments = True
    if comments:
        return "the file has nothing but comments"
    return "the file has nothing but blank lines" if blank else "the file is empty"


def _rows(text: bytes) -> list[str]:
    """The first rows of a text, without comments and what may be cut off."""
    first = text[:LOOKED_AT].removeprefix(BOM).replace(b"\r", b"\n").decode("utf-8", "replace")
    if len(text) >= LOOKED_AT:
        first = first[: first.rfind("\n") + 1]
    rows = [row.strip(" ") for row in first.split("\n") if row.strip()]
    return [row for row in rows if not row.startswith(("#", "-DOCSTART-"))][:_ROWS]


def _is_word(cells: Sequence[str]) -> bool:
    return bool(_ID.fullmatch(cells[0]))


def _has_tag(row: str, column: int) -> bool:
    """Whether a row has a tag in a column, counted from 1, or from the end."""
    cells = row.split()
    at = column - 1 if column > 0 else column
    return -len(cells) <= at < len(cells) and bool(_TAG.fullmatch(cells[at]))


def _first_tag(row: str) -> str:
    """The first tag behind a row's first cell; "" if there is none."""
    return next((cell for cell in row.split()[1:] if _TAG.fullmatch(cell)), "")


def _in_sentences(text: bytes, tags: Sequence[str]) -> bool:
    """Whether rows with tags are those of sentences, and not of a table in which O is a name."""
    whole = text.replace(b"\r\n", b"\n").strip()
    return b"\n\n" in whole and any("-" in tag for tag in tags)
