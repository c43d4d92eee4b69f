"""What data sets there are: `[[dataset]]` tables, read and checked; nothing is fetched here.

The tables of `registry.toml` are shipped. A `goldlens.toml` may have more of them, for data sets of
a project; it cannot give a shipped name another meaning.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from goldlens.scoring.named import nearest, shown
from goldlens.server.config_places import Way
from goldlens.server.config_values import Kind, Wrong, kind, one_of, usable, whole

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


@cache
def shipped() -> Mapping[str, Entry]:
    """The data sets that every installation knows, by name."""
    text = Path(__file__).with_name("registry.toml").read_text("utf-8")
    entries, wrong = read(tomllib.loads(text)["dataset"], (), {})
    assert not wrong, wrong
    return {entry.name: entry for entry in entries}


def read(
    tables: Sequence[Any], where: Way, taken: Mapping[str, Entry] | None = None
) -> tuple[tuple[Entry, ...], list[Wrong]]:
    """The usable entries of an array of tables that stands at `where`, and all that is wrong.

    A table with something wrong is no entry. `taken` has the names that mean something else
    already: those that are shipped, unless told otherwise. What is no table is passed over.
    """
    names = set(shipped() if taken is None else taken)
    entries: list[Entry] = []
    wrong: list[Wrong] = []
    for index, table in enumerate(tables):
        if not isinstance(table, Mapping):
            continue
        way = (*where, index)
        more = _wrong(table, way)
        name = table.get("name")
        if not more and name in names:
            more = [Wrong((*way, "name"), f"the name “{name}” is taken; choose another")]
        wrong += more
        if not more:
            entries.append(_entry(table))
            names.add(entries[-1].name)
    return tuple(entries), wrong


def unknown(name: str, entries: Mapping[str, Entry]) -> str:
    """What to say of a name that is none."""
    near = nearest(name, entries) or "; “goldlens data list” has them all"
    return f"there is no data set {shown(name)}{near}"


def no_gold(entry: Entry) -> str | None:
    """Why an entry is no gold; None if it is one."""
    if entry.kind == GOLD:
        return None
    return f"“{entry.name}” is a {entry.kind}, not gold; “goldlens data list” says what is"


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


def _url(value: Any, where: Way) -> tuple[Any, list[Wrong]]:
    """A URL. What is none is not quoted: a password may stand in it."""
    if _is_url(value):
        return value, []
    return None, [Wrong(where, "expected a URL of http or https without a password")]


_KEYS: Final[Mapping[str, Kind]] = {
    "name": kind(
        "a name of small letters, digits, “.”, “_” and “-”", _matching(r"[a-z0-9][a-z0-9._-]{0,63}")
    ),
    "url": _url,
    "version": kind("what upstream calls the release, such as “r2.15”", _is_text),
    "sha256": kind("the SHA-256 of the file, 64 hex digits", _matching(r"[0-9A-Fa-f]{64}")),
    "licence": kind("a licence as SPDX names it, such as “CC-BY-SA-4.0”", _matching(_SPDX)),
    "note": kind("how it may be used, such as “A test fold: never train on it.”", _is_text),
    "title": kind("a text", _is_text),
    "file": kind("the name of a file, without a folder", _matching(_FILE)),
    "kind": one_of(GOLD, SCRIPT),
    "commit": kind("a commit, 40 hex digits", _matching(r"[0-9a-f]{40}")),
    "size": whole("a number of bytes from 1", lambda size: size >= 1),
}

_NEEDED: Final = {
    "name": "what stands behind “data:”",
    "url": "where it is to be had",
    "version": "what upstream calls the release",
    "sha256": "the SHA-256 of the file",
    "licence": "a licence as SPDX names it, such as “CC-BY-SA-4.0”",
    "note": "how it may be used, such as “A test fold: never train on it.”",
}


def _wrong(table: Mapping[str, Any], way: Way) -> list[Wrong]:
    values, wrong = usable(table, _KEYS, way)
    for key, said in _NEEDED.items():
        if key not in table:
            wrong.append(Wrong(way, f"a data set needs “{key}”: {said}"))
    # Without a name for the file it is the URL's.
    if "url" in values and "file" not in table and not _matching(_FILE)(_file_of(values["url"])):
        wrong.append(Wrong(way, "the URL does not end in the name of a file; add “file”"))
    return wrong


def _file_of(url: str) -> str:
    return PurePosixPath(unquote(urlsplit(url).path)).name


def _entry(table: Mapping[str, Any]) -> Entry:
    values = dict(table)
    values["sha256"] = values["sha256"].lower()
    values.setdefault("title", values["name"])
    values.setdefault("file", _file_of(values["url"]))
    return Entry(**values)
