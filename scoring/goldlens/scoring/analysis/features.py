"""The universal features of a word, each by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from goldlens.scoring.conllu.inventory import UNIVERSAL_FEATURES
from goldlens.scoring.ud.features import normal_forms


@lru_cache(maxsize=1 << 14)
def features(cell: str) -> tuple[Mapping[str, str], tuple[bytes, ...]]:
    """The universal features of a FEATS cell by name, and all its other features.

    The value of a feature that stands several times is all its values with pipes between them.
    One without `=` has the value ``; with nothing behind it, or another `=`, it keeps the `=`.
    """
    universal, every = normal_forms(cell.encode())
    values: dict[str, list[str]] = {}
    for part in universal:
        name, equals, value = part.decode("utf-8", "replace").partition("=")
        plain = value and not value.startswith("=")
        values.setdefault(name, []).append(value if plain else equals + value)
    others = tuple(part for part in every if part.partition(b"=")[0] not in UNIVERSAL_FEATURES)
    return {name: "|".join(each) for name, each in values.items()}, others
