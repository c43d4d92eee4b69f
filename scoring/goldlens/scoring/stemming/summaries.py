"""Rows of a study summed up by stemmer, compared, ranked and correlated.

Only rows of default dictionaries are used, and a language that a stemmer does not have counts
nowhere: it is not a zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from goldlens.scoring.stemming.correlation import Correlation, correlation
from goldlens.scoring.stemming.indices import INDICES, LOW_IS_GOOD, indices, metrics
from goldlens.scoring.stemming.policies import Pairs
from goldlens.scoring.stemming.study import Row

NOTHING = Pairs(0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of the defined values, in points, and how many these are; None if there are none."""

    value: float | None
    defined: int


@dataclass(frozen=True, slots=True)
class Summary:
    """A stemmer over languages: `micro` indices of the added counts, `macro` means of indices."""

    stemmer: str
    mode: str
    policy: str
    languages: tuple[str, ...]
    pairs: Pairs
    micro: dict[str, float | None]
    macro: dict[str, Mean]

    def as_dict(self) -> dict[str, object]:
        """The summary for JSON."""
        return {
            "stemmer": self.stemmer,
            "mode": self.mode,
            "policy": self.policy,
            "languages": list(self.languages),
            "under_error": self.pairs.under_error,
            "under_possible": self.pairs.under_possible,
            "over_error": self.pairs.over_error,
            "over_possible": self.pairs.over_possible,
            "micro": self.micro,
            "macro": {key: mean.value for key, mean in self.macro.items()},
            "defined": {key: mean.defined for key, mean in self.macro.items()},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two stemmers in the languages that both have, by one index: micro and macro, and a − b."""

    a: str
    b: str
    mode: str
    policy: str
    metric: str
    languages: tuple[str, ...]
    micro: tuple[float | None, float | None]
    macro: tuple[Mean, Mean]

    def as_dict(self) -> dict[str, object]:
        """The comparison for JSON."""
        macro = self.macro[0].value, self.macro[1].value
        return {
            "a": self.a,
            "b": self.b,
            "mode": self.mode,
            "policy": self.policy,
            "metric": self.metric,
            "languages": list(self.languages),
            "a_micro": self.micro[0],
            "b_micro": self.micro[1],
            "micro_difference": _difference(*self.micro),
            "a_macro": macro[0],
            "b_macro": macro[1],
            "macro_difference": _difference(*macro),
            "defined": [self.macro[0].defined, self.macro[1].defined],
        }


@dataclass(frozen=True, slots=True)
class Ranking:
    """Stemmers by the macro mean of an index over the languages that all of them have.

    The best is first; equal values share a rank. A stemmer without a value has rank None.
    """

    mode: str
    policy: str
    metric: str
    languages: tuple[str, ...]
    places: tuple[tuple[int | None, str, Mean], ...]

    def as_dict(self) -> dict[str, object]:
        """The ranking for JSON."""
        return {
            "mode": self.mode,
            "policy": self.policy,
            "metric": self.metric,
            "languages": list(self.languages),
            "places": [
                {"rank": rank, "stemmer": stemmer, "value": mean.value, "defined": mean.defined}
                for rank, stemmer, mean in self.places
            ],
        }


def summaries(rows: Iterable[Row]) -> list[Summary]:
    """A summary of each stemmer, mode and policy."""
    return [
        _summary(stemmer, mode, policy, its)
        for (mode, policy), stemmers in _tables(rows)
        for stemmer, its in stemmers.items()
    ]


def comparisons(rows: Iterable[Row], metric: str) -> list[Comparison]:
    """Each two stemmers that have a language in common, by mode and policy."""
    found = []
    for (mode, policy), stemmers in _tables(rows):
        for a, b in combinations(stemmers, 2):
            languages = [each for each in stemmers[a] if each in stemmers[b]]
            if languages:
                one, two = (
                    _summary(name, mode, policy, {k: stemmers[name][k] for k in languages})
                    for name in (a, b)
                )
                micro = one.micro[metric], two.micro[metric]
                macro = one.macro[metric], two.macro[metric]
                found.append(Comparison(a, b, mode, policy, metric, tuple(languages), micro, macro))
    return found


def rankings(rows: Iterable[Row], metric: str) -> list[Ranking]:
    """A ranking of the stemmers for each mode, and each policy that has the index."""
    found = []
    for (mode, policy), stemmers in _tables(rows):
        if metric not in metrics(policy):
            continue
        every = list(stemmers.values())
        languages = [each for each in every[0] if all(each in its for its in every)]
        means = {
            name: _mean([its[language].indices[metric] for language in languages])
            for name, its in stemmers.items()
        }
        sign = 1 if metric in LOW_IS_GOOD else -1
        order = sorted(means, key=lambda n: (means[n].value is None, sign * (means[n].value or 0)))
        values = [means[name].value for name in order]
        places = tuple(
            (None if value is None else values.index(value) + 1, name, means[name])
            for name, value in zip(order, values, strict=True)
        )
        found.append(Ranking(mode, policy, metric, tuple(languages), places))
    return found


def correlations(rows: Iterable[Row]) -> list[Correlation]:
    """Each two indices over all rows of a mode and a policy."""
    found = []
    for (mode, policy), stemmers in _tables(rows):
        its = [row for languages in stemmers.values() for row in languages.values()]
        for a, b in combinations(metrics(policy), 2):
            values = [(row.indices[a], row.indices[b]) for row in its]
            found.append(correlation(mode, policy, a, b, values))
    return found


_Table = dict[str, dict[str, Row]]
"""Rows by stemmer and language."""


def _tables(rows: Iterable[Row]) -> Iterator[tuple[tuple[str, str], _Table]]:
    """The rows of default dictionaries for each mode and policy."""
    tables: dict[tuple[str, str], _Table] = {}
    for row in rows:
        if row.default:
            key = row.key
            table = tables.setdefault((key.mode, key.policy), {})
            table.setdefault(key.stemmer, {})[key.language] = row
    return iter(tables.items())


def _summary(stemmer: str, mode: str, policy: str, rows: dict[str, Row]) -> Summary:
    pairs = sum((row.pairs for row in rows.values()), NOTHING)
    macro = {key: _mean([row.indices[key] for row in rows.values()]) for key in INDICES}
    return Summary(stemmer, mode, policy, tuple(rows), pairs, indices(pairs, policy), macro)


def _mean(values: Sequence[float | None]) -> Mean:
    defined = [value for value in values if value is not None]
    return Mean(fsum(defined) / len(defined) if defined else None, len(defined))


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b
