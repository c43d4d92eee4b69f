"""What can be done about a problem."""

from __future__ import annotations

from dataclasses import dataclass

from goldlens.server.views.trying import Change


@dataclass(frozen=True, slots=True)
class Fix:
    """What can be done, and that it is done by `change`.

    `safe`: it is the one right repair, and changes nothing that the text says. `revealing`: it
    makes a sentence legible, so that problems may come to light that could not be seen before.
    `of_gold`: it takes something over from gold. `reading`: rows that could not be read are read,
    so that what is wrong with their cells may come to light too.
    """

    title: str
    change: Change
    safe: bool = False
    of_gold: bool = False
    revealing: bool = False
    reading: bool = False
