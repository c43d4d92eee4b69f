"""Of which task a file is, as far as its name and its first lines tell."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

EXTENSIONS: Final[dict[str, str]] = {
    ".conllu": "ud",
    ".iob2": "span",
    ".bio": "span",
    ".jsonl": "classification",
    ".tsv": "classification",
}
"""The task that a file's extension makes likely."""

_TAG: Final = re.compile(r"O|[BI]-\S+|[BI]")
"""A tag of IOB2; by them a file of columns is known."""


LOOKED_AT: Final = 1 << 14
"""So many bytes of a text are enough to tell."""


def first_lines(data: bytes, *, cut: bool) -> str:
    """The beginning of a text, for `task_of`; `cut`: it goes on behind `LOOKED_AT` bytes."""
    text = data[:LOOKED_AT].decode("utf-8", "replace").removeprefix("\ufeff")
    # The last line may be cut off.
    return text[: text.rfind("\n") + 1] if cut else text


def task_of(path: PurePath, text: str = "") -> str | None:
    """The task a file's name suggests or, where it does not, the beginning of its `text`."""
    if path.name.endswith((".stems.tsv", ".groups.tsv")) or path.name in (
        "stems.tsv",
        "groups.tsv",
    ):
        return "stemming"
    if path.suffix in EXTENSIONS:
        return EXTENSIONS[path.suffix]
    rows = [line.rstrip() for line in text.split("\n") if line.strip() and line[0] != "#"]
    rows = [row for row in rows[:200] if not row.startswith(("-DOCSTART-", "TOKEN"))]
    if not rows:
        return None
    cells = rows[0].split("\t")
    if len(cells) == 10 and cells[0][:1].isdigit():
        return "ud"
    if rows[0].startswith("{"):
        return "classification"
    columns = [row.split() for row in rows]
    tagged = sum(len(row) > 1 and any(map(_TAG.fullmatch, row[1:])) for row in columns)
    return "span" if tagged == len(rows) else None
