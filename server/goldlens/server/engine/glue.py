"""Blocks that hang together with their neighbours, and are split and parsed with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goldlens.scoring.task import Format


def stretched(units: Sequence[Any], first: int, stop: int, text: bytes) -> tuple[int, int, bytes]:
    """Units `first` to `stop`, whose text is to be `text`, with the neighbours glued to them."""
    while first > 0 and (
        (first < len(units) and units[first].glued)
        or (first == len(units) and units[first - 1].last)
        or (units[first - 1].text.endswith(b"\r") and text[:1] in (b"\n", b""))
    ):
        first -= 1
        text = units[first].text + text
    while stop < len(units) and units[stop].glued:
        text += units[stop].text
        stop += 1
    return first, stop, text


def runs_into(format: Format, block: bytes, following: Any) -> bool:
    """Whether a new block and the unit behind it hang together."""
    if not format.is_closed(block):
        return True
    return block.endswith(b"\r") and bool(following.text.startswith(b"\n"))


def stands_alone(format: Format, unit: Any) -> bool:
    """Whether a unit says the same wherever its block stands."""
    inside = not unit.glued and not unit.first and not unit.last
    return inside and format.is_closed(unit.text)


def unchanged(a: Any, b: Any) -> bool:
    """Whether two units are of the same block, with as much to do with its neighbours."""
    if a.text != b.text or a.glued != b.glued:
        return False
    return bool(a.first == b.first and a.last == b.last)
