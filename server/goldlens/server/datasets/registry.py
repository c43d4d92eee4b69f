"""What data sets there are: `[[dataset]]` tables, read and checked; nothing is fetched here.

The tables of `registry.toml` are shipped. A `goldlens.toml` may have more of them, for data sets of
a project; it cannot give a shipped name another meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from goldlens.server.config_places import Way

GOLD: Final = "gold"
SCRIPT: Final = "script"

OFFICIAL: Final = "conll18_ud_eval"
"""The name of the pinned official scorer."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that has a name: where it is to be had, what its bytes are, how it may be used.

    `version` is upstream's name of the release, `commit` its commit where that is known, `sha256`
    is in lower case, `licence` an SPDX expression, `file` the name of the file in the cache, and
    `size` in bytes.
    """

    name: str
    url: str
    version: str
    sha256: str
    licence: str
    note: str
    title: str
    file: str
    kind: str = GOLD
    commit: str = ""
    size: int | None = None

    def as_dict(self) -> dict[str, object]:
        """The entry as JSON has it."""
        return {
            "name": self.name,
            "kind": self.kind,
            "title": self.title,
            "version": self.version,
            "commit": self.commit or None,
            "url": self.url,
            "file": self.file,
            "size": self.size,
            "sha256": self.sha256,
            "licence": self.licence,
            "note": self.note,
        }


class Fault(NamedTuple):
    """Something wrong with the value (or, if it is a `config-key`, the key) at `where`."""

    where: Way
    message: str
    code: str = "config-value"


@cache
def shipped() -> Mapping[str, Entry]:
    """The data sets that every installation knows, by name."""
    text = Path(__file__).with_name("registry.toml").read_text("utf-8")
    entries, faults = read(tomllib.loads(text)["dataset"], (), {})
    assert not faults, faults
    return {entry.name: entry for entry in entries}


def read(
    tables: Sequence[Any], where: Way, taken: Mapping[str, Entry] | None = None
) -> tuple[tuple[Entry, ...], list[Fault]]:
    """The usable entries of an array of tables that stands at `where`, and all faults.

    An entry with a fault is none. `taken` has the names that mean something else already: those
    that are shipped, unless told otherwise. What is no table is passed over.
    """
    names = set(shipped() if taken is None else taken)
    entries: list[Entry] = []
    faults: list[Fault] = []
    for index, table in enumerate(tables):
        if not isinstance(table, Mapping):
            continue
        way = (*where, index)
        wrong = list(_faults(table, way))
        name = table.get("name")
        if not wrong and name in names:
            wrong = [Fault((*way, "name"), f"the name “{name}” is taken; choose another")]
        faults += wrong
        if not wrong:
            entries.append(_entry(table))
            names.add(entries[-1].name)
    return tuple(entries), faults


def nearest(name: str, names: Mapping[str, object] | Sequence[str]) -> str:
    """“; did you mean …?”, or nothing where no name is near."""
    lower = {each.lower(): each for each in names}
    near = get_close_matches(name.lower(), lower, n=1)
    return f"; did you mean “{lower[near[0]]}”?" if near else ""


def unknown(name: str, entries: Mapping[str, Entry]) -> str:
    """What to say of a name that is none."""
    near = nearest(name, entries) or "; “goldlens data list” has them all"
    return f"there is no data set “{name}”{near}"


def no_gold(entry: Entry) -> str | None:
    """Why an entry is no gold; None if it is one."""
    if entry.kind == GOLD:
        return None
    return f"“{entry.name}” is a {entry.kind}, not gold; “goldlens data list” says what is"


class _Rule(NamedTuple):
    expected: str
    right: Callable[[Any], bool]
    needed: bool = True


def _matching(pattern: str) -> Callable[[Any], bool]:
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.strip() != "" and value.isprintable()


def _is_url(value: Any) -> bool:
    if not _is_text(value) or " " in value:
        return False
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError:
        return False
    # A password would be shown to whoever lists the data sets.
    plain = port != 0 and parts.hostname and "@" not in parts.netloc
    return bool(plain) and parts.scheme in ("http", "https")


_FILE: Final = r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}"
_SPDX: Final = (
    r"\(*[A-Za-z0-9][A-Za-z0-9.+:-]*(?:\)* (?:AND|OR|WITH) \(*[A-Za-z0-9][A-Za-z0-9.+:-]*)*\)*"
)

_RULES: Final[Mapping[str, _Rule]] = {
    "name": _Rule(
        "a name of small letters, digits, “.”, “_” and “-”", _matching(r"[a-z0-9][a-z0-9._-]{0,63}")
    ),
    "url": _Rule("a URL of http or https without a password", _is_url),
    "version": _Rule("what upstream calls the release, such as “r2.15”", _is_text),
    "sha256": _Rule("the SHA-256 of the file, 64 hex digits", _matching(r"[0-9A-Fa-f]{64}")),
    "licence": _Rule("a licence as SPDX names it, such as “CC-BY-SA-4.0”", _matching(_SPDX)),
    "note": _Rule("how it may be used, such as “A test fold: never train on it.”", _is_text),
    "title": _Rule("a text", _is_text, needed=False),
    "file": _Rule("the name of a file, without a folder", _matching(_FILE), needed=False),
    "kind": _Rule("gold or script", lambda value: value in (GOLD, SCRIPT), needed=False),
    "commit": _Rule("a commit, 40 hex digits", _matching(r"[0-9a-f]{40}"), needed=False),
    "size": _Rule(
        "a number of bytes from 1", lambda value: type(value) is int and value >= 1, needed=False
    ),
}


def _faults(table: Mapping[str, Any], way: Way) -> list[Fault]:
    faults = [
        Fault((*way, key), f"unknown key “{key}”{nearest(key, list(_RULES))}", "config-key")
        for key in table
        if key not in _RULES
    ]
    for key, rule in _RULES.items():
        if key in table and not rule.right(table[key]):
            faults.append(Fault((*way, key), f"expected {rule.expected}"))
        elif key not in table and rule.needed:
            faults.append(Fault(way, f"a data set needs “{key}”: {rule.expected}"))
    # Without a name for the file it is the URL's.
    url_is_right = "url" in table and _RULES["url"].right(table["url"])
    if "file" not in table and url_is_right and not _matching(_FILE)(_file_of(table["url"])):
        faults.append(Fault(way, "the URL does not end in the name of a file; add “file”"))
    return faults


def _file_of(url: str) -> str:
    return PurePosixPath(unquote(urlsplit(url).path)).name


def _entry(table: Mapping[str, Any]) -> Entry:
    values = dict(table)
    values["sha256"] = values["sha256"].lower()
    values.setdefault("title", values["name"])
    values.setdefault("file", _file_of(values["url"]))
    return Entry(**values)
