"""What is called for from outside, taken apart: the value, or `WrongCall` that says what was
expected.

Unknown members are nobody's business here; whoever forbids them says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class WrongCall(Exception):
    """A call is wrong in itself. `str` says what was expected."""


def table(value: object, where: str) -> Mapping[str, Any]:
    """An object. Raises WrongCall."""
    if not isinstance(value, dict):
        raise WrongCall(f"expected {where} to be an object, not {shown(value)}")
    return value


def items(value: object, where: str) -> list[Any]:
    """An array. Raises WrongCall."""
    if not isinstance(value, list):
        raise WrongCall(f"expected {where} to be an array, not {shown(value)}")
    return value


def text(value: object, where: str) -> str:
    """A string. Raises WrongCall."""
    if not isinstance(value, str):
        raise WrongCall(f"expected {where} to be a string, not {shown(value)}")
    return value


def whole(value: object, where: str, least: int = 0) -> int:
    """A whole number. Raises WrongCall."""
    # `type`, not `isinstance`: true and false are ints to Python.
    if type(value) is not int or value < least:
        raise WrongCall(f"expected {where} to be a whole number from {least}, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value in a message: strings and numbers themselves, else what kind of thing it is."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f"{value!r}" if len(value) <= 60 else f"{value[:59]!r}…"
        case dict():
            return "an object"
        case list():
            return "an array"
        case bytes():
            return "bytes"
        case _:
            return str(value)
