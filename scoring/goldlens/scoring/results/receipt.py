"""Evaluation receipts: content-addressed records of one evaluation.

A receipt pins inputs, not conclusions: whoever has the same bytes and the same scorer gets the
same receipt, with the same id; any field that changes gives another id.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Final, NoReturn

from goldlens.scoring.signature import goldlens_version

UNSAVED: Final = "unsaved buffer"
"""What stands in place of the SHA-256 of what nobody has saved."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_DIGESTS: Final = ("gold_sha256", "pred_sha256", "scorer_sha256", "data_manifest_sha256")
_OBJECTS: Final = ("scores", "extra")


@dataclass(frozen=True, slots=True)
class Receipt:
    """One evaluation. Frozen all the way down; raises ValueError for what cannot be recorded.

    `scores`: the figures by metric, as the interfaces have them. `version` is the package's,
    unless another is given. `scorer_sha256`: of the program that counted. `extra`: anything else
    that JSON can say. `id`: the first 16 hex digits of the SHA-256 over the canonical JSON of
    every other field; computed where none is given, otherwise as claimed (see `verify`).
    """

    scores: Mapping[str, Any]
    signature: str
    gold_sha256: str
    pred_sha256: str
    scorer_sha256: str = ""
    data_manifest_sha256: str = ""
    model_id: str = ""
    treebank: str = ""
    split: str = ""
    protocol: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    version: str = field(default_factory=goldlens_version)
    id: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name in _OBJECTS:
                if not isinstance(value, Mapping):
                    raise ValueError(f"{each.name} is no object; give names and values")
                object.__setattr__(self, each.name, _frozen(value))
            elif not isinstance(value, str):
                raise ValueError(f"{each.name} is {value!r}; give a text")
        for name in _DIGESTS:
            value = getattr(self, name)
            if value and not _DIGEST.fullmatch(value) and value != UNSAVED:
                message = f"{name} is {value!r}; give the 64 hex digits of a SHA-256"
                raise ValueError(message)
        # Even where an id is claimed: what has no canonical form is no receipt.
        found = self._rehashed()
        if not self.id:
            object.__setattr__(self, "id", found)

    def __hash__(self) -> int:
        return hash(self.id)

    def as_dict(self) -> dict[str, Any]:
        """Every field by name, as plain objects and lists."""
        return {each.name: _thawed(getattr(self, each.name)) for each in fields(self)}

    def as_json(self) -> str:
        """Every field as a JSON object, for people to read; `canonical` is what is hashed."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Receipt:
        """The receipt of `as_dict`, with the id that it claims.

        Raises ValueError where a field is missing, unknown, or not what it should be.
        """
        known = [each.name for each in fields(cls)]
        if unknown := sorted(set(found) - set(known), key=str):
            raise ValueError(f"a receipt has no field {unknown[0]!r}; it has {', '.join(known)}")
        if missing := [name for name in known if name not in found]:
            raise ValueError(f"the receipt has no {missing[0]}; give all of {', '.join(known)}")
        if not found["id"]:
            raise ValueError("the receipt has no id; make it again")
        return cls(**found)

    @classmethod
    def from_json(cls, text: str) -> Receipt:
        """The receipt of `as_json`. Raises ValueError where the text is none."""
        try:
            found = json.loads(text, parse_constant=_no_number, object_pairs_hook=_once)
        except RecursionError as error:
            raise ValueError("the receipt is nested too deeply; make it again") from error
        except json.JSONDecodeError as error:
            message = f"the receipt is no JSON (line {error.lineno}: {error.msg}); make it again"
            raise ValueError(message) from error
        if not isinstance(found, dict):
            raise ValueError("the receipt is no JSON object; make it again")
        return cls.from_dict(found)

    def verify(self, other: Receipt | None = None) -> bool:
        """Whether the id is that of the fields; with `other`, whether both are, and the same.

        Two receipts that verify each other describe the byte-identical evaluation.
        """
        holds = self.id == self._rehashed()
        if other is None or not holds:
            return holds
        return canonical(self.as_dict()) == canonical(other.as_dict())

    def _rehashed(self) -> str:
        others = self.as_dict()
        del others["id"]
        return hashlib.sha256(canonical(others)).hexdigest()[:16]


def canonical(value: Any) -> bytes:
    """The one JSON text of a value: keys sorted by code point, no spaces, UTF-8.

    Floats have the fewest digits that give them back (75.0, 0.1), which says them exactly.
    Raises ValueError for NaN and infinities, for keys that are no text, for text that is not
    Unicode, and for what JSON does not have.
    """
    try:
        _check_keys(value)
        text = json.dumps(
            value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
        return text.encode()
    except (TypeError, RecursionError, UnicodeEncodeError) as error:
        raise ValueError(f"{error}; a receipt holds only what JSON can say") from error


def _check_keys(value: Any) -> None:
    if isinstance(value, dict):
        for key, each in value.items():
            if not isinstance(key, str):
                raise TypeError(f"the key {key!r} is no text")
            _check_keys(each)
    elif isinstance(value, list):
        for each in value:
            _check_keys(each)


def _frozen(value: Any) -> Any:
    if isinstance(value, Mapping):
        return MappingProxyType({key: _frozen(each) for key, each in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_frozen(each) for each in value)
    return value


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_thawed(each) for each in value]
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON's; make the receipt again")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field of the receipt stands twice; make it again")
    return found
