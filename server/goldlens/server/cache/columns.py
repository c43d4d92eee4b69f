"""Columns of whole numbers as few bytes: each in the smallest type that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

_TYPES: Final = ("<u1", "<u2", "<i4", "<i8")


class Unusable(ValueError):
    """What was kept is not what it should be, and is to be computed again."""


def packed(columns: Mapping[str, npt.NDArray[Any]]) -> dict[str, list[Any]]:
    """Columns as names, types and bytes."""
    found: dict[str, list[Any]] = {}
    for name, column in columns.items():
        low, high = (int(column.min()), int(column.max())) if len(column) else (0, 0)
        fits = (t for t in _TYPES if np.iinfo(t).min <= low and high <= np.iinfo(t).max)
        kind = next(fits)
        found[name] = [kind, column.astype(kind).tobytes()]
    return found


def unpacked(packed: object, names: tuple[str, ...]) -> dict[str, Ints]:
    """The columns of some names, all of one length. Raises Unusable."""
    found: dict[str, Ints] = {}
    if not isinstance(packed, dict) or tuple(packed) != names:
        raise Unusable("the columns are others")
    for name, pair in packed.items():
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] not in _TYPES:
            raise Unusable("a column is of another type")
        found[name] = column(*pair)
    if len({len(column) for column in found.values()}) > 1:
        raise Unusable("the columns are not of one length")
    return found


def column(kind: str, data: object) -> Ints:
    """Whole numbers from bytes. Raises Unusable."""
    if not isinstance(data, bytes) or len(data) % np.dtype(kind).itemsize:
        raise Unusable("a column is cut off")
    return np.frombuffer(data, kind).astype(np.int64)
