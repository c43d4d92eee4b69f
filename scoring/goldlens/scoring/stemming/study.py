"""A study: stemmers by language, mode and policy, each a row of counts and indices.

Everything here is a value; reading files and writing results is for the command line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from goldlens.scoring.stemming.indices import indices
from goldlens.scoring.stemming.policies import MODES, POLICIES, Pairs


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A dictionary of a study. `path` is relative to the study; `sha256`, if given, must hold."""

    id: str
    language: str
    path: str
    version: str = ""
    sha256: str = ""
    default: bool = True


@dataclass(frozen=True, slots=True)
class StemmerEntry:
    """A stemmer of a study: where its outputs are, and its languages (None for all).

    `prediction` is a path in which `{language}` and `{dictionary}` (its id) are filled in.
    """

    name: str
    prediction: str
    languages: tuple[str, ...] | None = None

    def has(self, language: str) -> bool:
        """Whether the stemmer is for a language."""
        return self.languages is None or language in self.languages

    def path(self, dictionary: DictionaryEntry) -> str:
        """Where its output for a dictionary is."""
        path = self.prediction.replace("{language}", dictionary.language)
        return path.replace("{dictionary}", dictionary.id)


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What names a row of results. A pair that is scored by itself has no language."""

    stemmer: str
    language: str
    dictionary: str
    mode: str
    policy: str

    def __str__(self) -> str:
        return " / ".join((self.stemmer, self.language, self.dictionary, self.mode, self.policy))


@dataclass(frozen=True, slots=True)
class Filter:
    """What of a study is wanted; all of it where a part is empty."""

    stemmers: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.stemmers or self.languages or self.modes or self.policies)


@dataclass(frozen=True, slots=True)
class Study:
    """What is to be scored with what, in which modes, under which policies."""

    dictionaries: tuple[DictionaryEntry, ...]
    stemmers: tuple[StemmerEntry, ...]
    modes: tuple[str, ...] = MODES
    policies: tuple[str, ...] = POLICIES

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages, in the order of their dictionaries."""
        return tuple(dict.fromkeys(each.language for each in self.dictionaries))

    def filtered(self, wanted: Filter) -> Study:
        """The part that is wanted."""
        return Study(
            tuple(d for d in self.dictionaries if _in(d.language, wanted.languages)),
            tuple(s for s in self.stemmers if _in(s.name, wanted.stemmers)),
            tuple(mode for mode in self.modes if _in(mode, wanted.modes)),
            tuple(policy for policy in self.policies if _in(policy, wanted.policies)),
        )

    def runs(self) -> list[tuple[StemmerEntry, DictionaryEntry]]:
        """Each stemmer with each dictionary of its languages."""
        return [
            (stemmer, dictionary)
            for stemmer in self.stemmers
            for dictionary in self.dictionaries
            if stemmer.has(dictionary.language)
        ]

    def keys(self) -> list[Key]:
        """The key of each row that a run must give, in order."""
        return [
            Key(stemmer.name, dictionary.language, dictionary.id, mode, policy)
            for stemmer, dictionary in self.runs()
            for mode in self.modes
            for policy in self.policies
        ]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of results. `default`: its dictionary is its language's default one.

    `indices` are points by key (see `indices.INDICES`), None where undefined.
    """

    key: Key
    pairs: Pairs
    version: str
    sha256: str
    default: bool = True
    indices: Mapping[str, float | None] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "indices", indices(self.pairs, self.key.policy))

    def as_dict(self) -> dict[str, object]:
        """The row as the interfaces have it."""
        key, pairs = self.key, self.pairs
        return {
            "stemmer": key.stemmer,
            "language": key.language or None,
            "mode": key.mode,
            "policy": key.policy,
            "forms": pairs.forms,
            "under_error": pairs.under_error,
            "under_possible": pairs.under_possible,
            "over_error": pairs.over_error,
            "over_possible": pairs.over_possible,
            **self.indices,
            "dictionary": key.dictionary,
            "version": self.version,
            "sha256": self.sha256,
            "default": self.default,
        }


def wrong_keys(expected: Iterable[Key], found: Sequence[Key]) -> list[tuple[str, Key]]:
    """What keys of a run are not as they should be: "duplicate", "missing" or "unexpected"."""
    counts = Counter(found)
    wanted = dict.fromkeys(expected)
    wrong = [("duplicate", key) for key, count in counts.items() if count > 1]
    wrong += [("missing", key) for key in wanted if key not in counts]
    return wrong + [("unexpected", key) for key in counts if key not in wanted]


def _in(name: str, wanted: Sequence[str]) -> bool:
    return not wanted or name in wanted
