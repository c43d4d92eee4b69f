"""What messages say of names and values that somebody has written: which is meant, how it looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def nearest(name: str, names: Iterable[str]) -> str:
    """“; did you mean …?”, or nothing where no name is near. Letter case does not matter."""
    # Not sooner: a start of the command line that finds nothing wrong does not pay for it.
    from difflib import get_close_matches

    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean “{lower[near[0]]}”?" if near else ""


def shown(value: object) -> str:
    """A value as a message shows it."""
    match value:
        case str():
            return f"“{value}”" if len(value) <= 60 else f"“{value[:59]}…”"
        case bool():
            return str(value).lower()
        case Mapping():
            return "a table"
        case list():
            return "an array"
        case _:
            return str(value)
