"""What the values of a configuration may be, and what is wrong with those that are not."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from goldlens.scoring.named import nearest, shown
from goldlens.server.config_places import Way


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something wrong with the value (or, if it is a `config-key`, the key) at `where`."""

    where: Way
    message: str
    code: str = "config-value"


Kind: TypeAlias = Callable[[Any, Way], tuple[Any, list[Wrong]]]
"""What a value may be: gives the usable value, None if there is none, and what is wrong."""


def usable(
    found: Mapping[str, Any], kinds: Mapping[str, Kind], where: Way
) -> tuple[dict[str, Any], list[Wrong]]:
    """The usable values of a table, and what is wrong with the others."""
    values: dict[str, Any] = {}
    wrong: list[Wrong] = []
    for key, value in found.items():
        if key not in kinds:
            wrong.append(Wrong((*where, key), unknown("key", key, kinds), "config-key"))
            continue
        good, more = kinds[key](value, (*where, key))
        wrong += more
        if good is not None:
            values[key] = good
    return values, wrong


def kind(expected: str, right: Callable[[Any], bool], names: Iterable[str] = ()) -> Kind:
    """What satisfies `right`; `names` are tried for one that is near."""

    def read(value: Any, where: Way) -> tuple[Any, list[Wrong]]:
        if right(value):
            return value, []
        hint = nearest(value, names) if isinstance(value, str) else ""
        return None, [Wrong(where, f"expected {expected}, not {shown(value)}{hint}")]

    return read


def one_of(*names: str) -> Kind:
    """One of some texts."""
    expected = f"{', '.join(names[:-1])} or {names[-1]}"
    return kind(expected, lambda value: isinstance(value, str) and value in names, names)


def whole(expected: str, right: Callable[[int], bool]) -> Kind:
    """A whole number."""
    # `type`, not `isinstance`: true and false are ints to Python, but not to people.
    return kind(expected, lambda value: type(value) is int and right(value))


def real(expected: str, right: Callable[[float], bool] = math.isfinite) -> Kind:
    """A number."""
    return kind(expected, lambda value: type(value) in (int, float) and right(value))


def array_of(expected: str, item: type) -> Kind:
    """An array; items of another type are left out."""
    array = kind(f"an array of {expected}", lambda value: isinstance(value, list))
    each = kind(expected, lambda value: isinstance(value, item))

    def read(value: Any, where: Way) -> tuple[Any, list[Wrong]]:
        items, wrong = array(value, where)
        for index, one in enumerate(items or ()):
            wrong += each(one, (*where, index))[1]
        return items and [one for one in items if isinstance(one, item)], wrong

    return read


def table_of(kinds: Mapping[str, Kind] | Kind) -> Kind:
    """A table of the keys in `kinds`, or of any keys, all of one kind."""
    table = kind("a table", lambda value: isinstance(value, Mapping))

    def read(value: Any, where: Way) -> tuple[Any, list[Wrong]]:
        found, wrong = table(value, where)
        if found is None:
            return None, wrong
        return usable(value, dict.fromkeys(value, kinds) if callable(kinds) else kinds, where)

    return read


def unknown(what: str, name: str, names: Iterable[str]) -> str:
    """That there is no such name, and which one may be meant."""
    return f"unknown {what} {shown(name)}{nearest(name, names)}"
