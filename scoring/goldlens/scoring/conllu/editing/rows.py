"""A row that has not ten cells, made to have ten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from goldlens.scoring.conllu.inventory import UNIVERSAL_RELATIONS
from goldlens.scoring.conllu.inventory import UPOS as TAGS
from goldlens.scoring.conllu.rows import COLUMN_NAMES, DEPREL, FEATS, HEAD, MISC, UPOS

_COLUMNS: Final = 10
_APART: Final = re.compile(rb"[ \t]+")
_WIDE: Final = re.compile(rb"[ ]{2,}|[ ]*\t[ ]*")
_NUMBER: Final = re.compile(rb"\d{1,9}")


def ten_cells(line: bytes) -> Iterator[tuple[bytes, str]]:
    """The row a line could have been, and what has to be done for it; likely ones first."""
    cells = line.split(b"\t")
    for parts in (_WIDE.split(line.strip()), _APART.split(line.strip())):
        if len(parts) == _COLUMNS and all(parts):
            yield b"\t".join(parts), "Put one tab between the cells"
            return
    if len(cells) > _COLUMNS:
        if not any(cells[_COLUMNS:]):
            yield b"\t".join(cells[:_COLUMNS]), "Take out the tabs at the end of the row"
        elif not any(part not in (b"", b"_") for part in cells[_COLUMNS:]):
            yield b"\t".join(cells[:_COLUMNS]), "Take out the superfluous cells"
        full = [part for part in cells if part]
        if len(full) == _COLUMNS:
            yield b"\t".join(full), "Take out the superfluous tabs"
        return
    if len(cells) == _COLUMNS - 1:
        for column in range(MISC, 1, -1):
            filled = [*cells[:column], b"_", *cells[column:]]
            if _fits(filled):
                yield b"\t".join(filled), f"Write _ for the missing {COLUMN_NAMES[column]}"
                return
    if len(cells) > 1:
        missing = _COLUMNS - len(cells)
        said = "the missing cell" if missing == 1 else f"the {missing} missing cells"
        yield b"\t".join([*cells, *[b"_"] * missing]), f"Write _ for {said} at the end"


def _fits(cells: list[bytes]) -> bool:
    """Whether the cells stand where such cells belong."""
    return (
        (cells[UPOS] in TAGS or cells[UPOS] == b"_")
        and (cells[FEATS] == b"_" or b"=" in cells[FEATS])
        and _NUMBER.fullmatch(cells[HEAD]) is not None
        and cells[DEPREL].partition(b":")[0] in UNIVERSAL_RELATIONS
        and (cells[DEPREL + 1] == b"_" or b":" in cells[DEPREL + 1])
    )
