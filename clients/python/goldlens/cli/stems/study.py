"""The file of a study, TOML: what it says, and what is wrong with it, at its place.

modes = ["ALL_WORDS"]              # left out: both
policies = ["PRIMARY_OUTPUT"]      # left out: all three

[[dictionary]]
id = "unimorph-en"
language = "en"
path = "dictionaries/en.tsv"       # relative to the study
version = "4.0"
sha256 = "..."                     # if given, the file must have it
default = true                     # left out: true

[[stemmer]]
name = "snowball"
prediction = "stems/{language}/snowball.tsv"     # {dictionary} is the id
languages = ["en", "de"]           # left out: all
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from goldlens.cli.lines import Trouble, Troubles, line
from goldlens.scoring.problems import Place
from goldlens.scoring.stemming.policies import MODES, POLICIES
from goldlens.scoring.stemming.study import DictionaryEntry, StemmerEntry, Study
from goldlens.server.config_places import Scanner, Way, not_toml, place

_Check = Callable[[Any], bool]


class Located(Trouble):
    """Something wrong at a place of the study."""

    def __init__(self, path: str, code: str, message: str, at: Place) -> None:
        super().__init__(path, code, message)
        self.at = at

    def __str__(self) -> str:
        at = self.at
        return line(self.path, at.line + 1, at.start + 1, "error", self.code, self.message)


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_text, value))


def _some(names: Sequence[str]) -> tuple[_Check, str]:
    def right(value: Any) -> bool:
        return _texts(value) and set(value) <= set(names) and len(set(value)) == len(value)

    return right, f"a list of some of {', '.join(names)}, each once"


_TEXT: Final[tuple[_Check, str]] = _text, "a text"
_TOP: Final[dict[str, tuple[_Check, str]]] = {
    "modes": _some(MODES),
    "policies": _some(POLICIES),
}
_DICTIONARY: Final[dict[str, tuple[_Check, str]]] = {
    "id": _TEXT,
    "language": _TEXT,
    "path": _TEXT,
    "version": _TEXT,
    "sha256": (
        lambda value: _text(value) and bool(re.fullmatch("[0-9a-fA-F]{64}", value)),
        "64 hexadecimal digits",
    ),
    "default": (lambda value: isinstance(value, bool), "true or false"),
}
_STEMMER: Final[dict[str, tuple[_Check, str]]] = {
    "name": _TEXT,
    "prediction": _TEXT,
    "languages": (_texts, "a list of languages"),
}
_TABLES: Final = {"dictionary": _DICTIONARY, "stemmer": _STEMMER}
_REQUIRED: Final = {
    "dictionary": ("id", "language", "path"),
    "stemmer": ("name", "prediction"),
}


def read(data: bytes, path: str) -> Study:
    """The study of a file. Raises Troubles, one for each thing that is wrong."""
    return _Reader(data.decode("utf-8-sig", "replace"), path).study()


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self._text, self._path = text.replace("\r\n", "\n"), path
        self._wrong: list[Trouble] = []
        try:
            self._raw: dict[str, Any] = tomllib.loads(self._text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            problem = not_toml(self._text, error)
            where = Located(path, problem.code, f"{problem.message}; mend it", problem.place)
            raise Troubles([where]) from error
        self._spots = Scanner(self._text).spots

    def study(self) -> Study:
        """The study. Raises Troubles."""
        raw = self._raw
        self._keys(raw, _TOP | dict.fromkeys(_TABLES, _TEXT), ())
        top = self._values({k: v for k, v in raw.items() if k not in _TABLES}, _TOP, ())
        dictionaries = [
            DictionaryEntry(**values) for values in self._tables("dictionary") if values is not None
        ]
        stemmers = [
            StemmerEntry(**{**values, "languages": _tuple(values.get("languages"))})
            for values in self._tables("stemmer")
            if values is not None
        ]
        if not self._wrong:
            self._consistent(dictionaries, stemmers)
        if self._wrong:
            raise Troubles(self._wrong)
        return Study(
            tuple(dictionaries),
            tuple(stemmers),
            tuple(top.get("modes", MODES)),
            tuple(top.get("policies", POLICIES)),
        )

    def _tables(self, name: str) -> list[dict[str, Any] | None]:
        """The tables of an array, each None if something is wrong with it."""
        tables = self._raw.get(name)
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            way: Way = (name,) if name in self._raw else ()
            self._say("config-value", way, f"a study has [[{name}]] tables; add one for each")
            return []
        found: list[dict[str, Any] | None] = []
        for number, raw in enumerate(tables):
            where: Way = (name, number)
            before = len(self._wrong)
            self._keys(raw, _TABLES[name], where)
            values = self._values(raw, _TABLES[name], where)
            for key in _REQUIRED[name]:
                if key not in raw:
                    self._say("config-key", where, f"this [[{name}]] has no {key}; add it")
            found.append(values if len(self._wrong) == before else None)
        return found

    def _keys(self, raw: Mapping[str, Any], known: Mapping[str, Any], where: Way) -> None:
        for key in raw:
            if key not in known:
                near = get_close_matches(key, known, 1, 0)
                message = f"unknown key {key}; the nearest that there is: {near[0]}"
                self._say("config-key", (*where, key), message, "config-key")

    def _values(
        self, raw: Mapping[str, Any], checks: Mapping[str, tuple[_Check, str]], where: Way
    ) -> dict[str, Any]:
        found = {}
        for key, value in raw.items():
            if key not in checks:
                continue
            right, expected = checks[key]
            if right(value):
                found[key] = value
            else:
                self._say("config-value", (*where, key), f"{key} is not {expected}; write one")
        return found

    def _consistent(
        self, dictionaries: Sequence[DictionaryEntry], stemmers: Sequence[StemmerEntry]
    ) -> None:
        """One default dictionary for each language, and no key twice."""
        self._once("dictionary", "id", [(each.language, each.id) for each in dictionaries])
        self._once("stemmer", "name", [each.name for each in stemmers])
        defaults: dict[str, list[int]] = {each.language: [] for each in dictionaries}
        for number, each in enumerate(dictionaries):
            if each.default:
                defaults[each.language].append(number)
        for language, numbers in defaults.items():
            if not numbers:
                first = [each.language for each in dictionaries].index(language)
                message = f"{language} has no default dictionary; let one be its default"
                self._say("config-value", ("dictionary", first, "default"), message)
            for number in numbers[1:]:
                message = f"{language} has a default dictionary before; set default = false"
                self._say("duplicate", ("dictionary", number, "language"), message)
        for number, stemmer in enumerate(stemmers):
            twice = [k for k, n in Counter(stemmer.languages or ()).items() if n > 1]
            unknown = [k for k in stemmer.languages or () if k not in defaults]
            way: Way = ("stemmer", number, "languages")
            if twice:
                self._say("duplicate", way, f"{twice[0]} stands twice; take one out")
            if unknown:
                message = f"no dictionary is for {unknown[0]}; add one, or take the language out"
                self._say("unexpected", way, message)
        self._one_file(stemmers, defaults)

    def _one_file(
        self, stemmers: Sequence[StemmerEntry], defaults: Mapping[str, Sequence[int]]
    ) -> None:
        """A prediction is of one language, so its path must name it where there are several."""
        for number, stemmer in enumerate(stemmers):
            several = [language for language in defaults if stemmer.has(language)]
            if len(several) > 1 and not re.search(r"\{(language|dictionary)\}", stemmer.prediction):
                message = "one path for several languages; put {language} into it"
                self._say("duplicate", ("stemmer", number, "prediction"), message)

    def _once(self, name: str, key: str, names: Sequence[Any]) -> None:
        for number, each in enumerate(names):
            if each in names[:number]:
                message = f"this {key} of a {name} has been given before; name each apart"
                self._say("duplicate", (name, number, key), message)

    def _say(self, code: str, way: Way, message: str, of: str = "config-value") -> None:
        at = Place(0, 0, 0, 0)
        while way and way not in self._spots:
            way = way[:-1]
        if way:
            at = place(self._text, *self._spots[way][of])
        self._wrong.append(Located(self._path, code, message, at))


def _tuple(value: Any) -> tuple[str, ...] | None:
    return None if value is None else tuple(value)
