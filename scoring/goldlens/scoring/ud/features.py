"""FEATS cells in the forms that are compared."""

from __future__ import annotations

from functools import lru_cache

from goldlens.scoring.conllu.inventory import UNIVERSAL_FEATURES


@lru_cache(maxsize=1 << 15)
def normal_forms(cell: bytes) -> tuple[tuple[bytes, ...], tuple[bytes, ...]]:
    """The universal features of a cell and all its features, each sorted.

    `_`, an empty cell and stray pipes hold no feature. A feature that stands twice is kept twice,
    so it differs from one that stands once.
    """
    parts = sorted(part for part in cell.split(b"|") if part not in (b"", b"_"))
    universal = [part for part in parts if part.partition(b"=")[0] in UNIVERSAL_FEATURES]
    return tuple(universal), tuple(parts)
