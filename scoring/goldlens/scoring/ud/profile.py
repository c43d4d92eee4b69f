"""Reconciliation profiles: how two conventions of annotation are brought together.

A profile says what is done to both sides before they are compared, and what is not compared at
all. It is written as a TOML table:

    [upos]                          # tags that count as another one; all at once, not in a chain
    PROPN = "NOUN"

    [lemma]
    form = "NFC"                    # the Unicode form of lemmas
    homograph = "#1"                # how a suffix that tells homographs apart is written

    [exclude]
    upos = ["PUNCT"]                # words of these tags (after [upos]) are left out

    [incomparable]
    metrics = ["XPOS", "AllTags"]   # metrics that are undefined

`read` takes such a table, parsed, and never raises on what a person may write.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from goldlens.scoring.conllu.inventory import UPOS_TAGS
from goldlens.scoring.named import nearest, shown
from goldlens.scoring.ud.metrics import NAMES

Form: TypeAlias = Literal["NFC", "NFD", "NFKC", "NFKD"]

FORMS: Final = ("NFC", "NFD", "NFKC", "NFKD")
"""The Unicode forms."""

HOMOGRAPHS: Final = {
    "#1": re.compile(r"#[0-9]+\Z"),
    "_1": re.compile(r"_[0-9]+\Z"),
    "-1": re.compile(r"-[0-9]+\Z"),
    "1": re.compile(r"[0-9]+\Z"),
}
"""The suffixes of homographs, each named by what the first one looks like."""

_BLANK: Final = "_"


@dataclass(frozen=True, slots=True)
class Profile:
    """What two conventions are reconciled by. `name` is what signatures call it.

    `upos`: pairs of a tag and the one it counts as. `form` and `homograph` say what happens to
    lemmas. `exclude`: tags whose words are left out. `incomparable`: metrics without a figure.
    """

    name: str = "none"
    upos: tuple[tuple[str, str], ...] = ()
    form: Form | None = None
    homograph: str | None = None
    exclude: tuple[str, ...] = ()
    incomparable: tuple[str, ...] = ()

    def lemma(self, lemma: str) -> str:
        """A lemma as it is compared.

        What would leave nothing of it, or make it `_`, is not done.
        """
        found = lemma
        if self.form is not None:
            found = unicodedata.normalize(self.form, found)
        if self.homograph is not None:
            found = HOMOGRAPHS[self.homograph].sub("", found)
        return lemma if found in ("", _BLANK) else found

    @property
    def only_leaving_out(self) -> Profile:
        """A profile that leaves out the same words, and changes nothing of the others.

        What it makes of a score is no matter of convention: there are other words to score.
        """
        mapped = dict(self.upos)
        tags = [tag for tag in (*mapped, *self.exclude) if mapped.get(tag, tag) in self.exclude]
        return Profile(f"{self.name}-words", exclude=tuple(dict.fromkeys(tags)))


NONE: Final = Profile()
"""Nothing is reconciled."""

PROIEL: Final = Profile(
    "proiel",
    (("AUX", "VERB"), ("PROPN", "NOUN"), ("SCONJ", "CCONJ")),
    "NFC",
    "#1",
    ("NUM", "PUNCT"),
    ("XPOS", "AllTags", "AllTagsAll"),
)
"""PROIEL's Ancient Greek and Latin against the conventions of Perseus's.

PROIEL tags proper nouns and auxiliaries apart, where Perseus has nouns and verbs, and has no
punctuation; the two draw the lines around numerals and subordinating conjunctions elsewhere, and
their tags of their own (XPOS) are different ones.
"""

BUILT_IN: Final = {profile.name: profile for profile in (NONE, PROIEL)}
"""The profiles that need no file, by name."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """Something wrong with a value (or, of a `config-key`, with the key) of a table.

    `where`: the keys and indices that lead to it.
    """

    where: tuple[str | int, ...]
    message: str
    code: str = "config-value"


def read(table: Mapping[str, Any], name: str) -> tuple[Profile, tuple[Wrong, ...]]:
    """The profile that a table describes, and what is wrong with it.

    `name` is what to call it; what it says is added as a few digits of its hash, so that a
    signature tells two versions of a file apart. Nothing wrong is in the profile.
    """
    wrong: list[Wrong] = []
    parts: dict[str, Any] = {}
    known = {"upos": _upos, "lemma": _lemma, "exclude": _exclude, "incomparable": _incomparable}
    for key, value in table.items():
        if key not in known:
            wrong.append(Wrong((key,), _unknown("key", key, known), "config-key"))
        elif not isinstance(value, Mapping):
            wrong.append(Wrong((key,), f"expected a table [{key}], not {shown(value)}"))
        else:
            parts |= known[key](value, wrong)
    mapped = dict(parts.get("upos", ()))
    for at, tag in enumerate(parts.get("exclude", ())):
        if mapped.get(tag, tag) != tag:
            instead = f"leave out {mapped[tag]}, or map {tag} no more"
            message = f"no word has {tag} once [upos] has made it {mapped[tag]}; {instead}"
            wrong.append(Wrong(("exclude", "upos", at), message))
    parts["exclude"] = tuple(sorted(set(parts.get("exclude", ()))))
    parts["incomparable"] = tuple(sorted(set(parts.get("incomparable", ())), key=NAMES.index))
    profile = Profile("", **parts)
    digest = hashlib.sha256(repr(profile).encode()).hexdigest()[:8]
    called = re.sub(r"[^\w.-]+", "-", name) or "profile"
    return Profile(f"{called}@{digest}", **parts), tuple(wrong)


def unknown_name(name: str) -> str:
    """What to say of a name that no profile has."""
    near = nearest(name, BUILT_IN)
    built_in = " and ".join(map(shown, BUILT_IN))
    more = near or f"; there are {built_in}, and any TOML file with a profile"
    return f"there is no profile {shown(name)}{more}"


def _upos(table: Mapping[str, Any], wrong: list[Wrong]) -> dict[str, Any]:
    found = []
    for tag, other in table.items():
        if tag not in UPOS_TAGS:
            wrong.append(Wrong(("upos", tag), _unknown("class", tag, UPOS_TAGS), "config-key"))
        elif other not in UPOS_TAGS if isinstance(other, str) else True:
            wrong.append(Wrong(("upos", tag), _no_class(other)))
        elif tag != other:
            found.append((tag, other))
    return {"upos": tuple(sorted(found))}


def _lemma(table: Mapping[str, Any], wrong: list[Wrong]) -> dict[str, Any]:
    choices: dict[str, Iterable[str]] = {"form": FORMS, "homograph": HOMOGRAPHS}
    found = {}
    for key, value in table.items():
        if key not in choices:
            message = _unknown("key", key, choices)
            wrong.append(Wrong(("lemma", key), message, "config-key"))
        elif not isinstance(value, str) or value not in choices[key]:
            *others, last = choices[key]
            expected = f"{', '.join(others)} or {last}"
            message = f"expected {expected}, not {shown(value)}"
            wrong.append(Wrong(("lemma", key), message))
        else:
            found[key] = value
    return found


def _exclude(table: Mapping[str, Any], wrong: list[Wrong]) -> dict[str, Any]:
    names = _names(table, ("exclude", "upos"), wrong, UPOS_TAGS, _no_class)
    return {"exclude": names}


def _incomparable(table: Mapping[str, Any], wrong: list[Wrong]) -> dict[str, Any]:
    def no_metric(value: object) -> str:
        return _unknown("metric", value, NAMES)

    return {"incomparable": _names(table, ("incomparable", "metrics"), wrong, NAMES, no_metric)}


def _names(
    table: Mapping[str, Any],
    way: tuple[str, str],
    wrong: list[Wrong],
    known: Iterable[str],
    say: Callable[[object], str],
) -> tuple[str, ...]:
    """The names in the array that is the one key of a table."""
    names: list[str] = []
    for key, value in table.items():
        if key != way[1]:
            wrong.append(Wrong((way[0], key), _unknown("key", key, way[1:]), "config-key"))
        elif not isinstance(value, list):
            wrong.append(Wrong(way, f"expected an array of names, not {shown(value)}"))
        else:
            for at, name in enumerate(value):
                if isinstance(name, str) and name in known:
                    names.append(name)
                else:
                    wrong.append(Wrong((*way, at), say(name)))
    return tuple(names)


def _no_class(value: object) -> str:
    return _unknown("class", value, UPOS_TAGS)


def _unknown(what: str, value: object, names: Iterable[str]) -> str:
    near = nearest(value, names) if isinstance(value, str) else ""
    return f"unknown {what} {shown(value)}{near or '; there are ' + ', '.join(sorted(names))}"
