"""The definitions, word for word: every pair of forms is looked at."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from goldlens.scoring.stemming.policies import ALL_WORDS, POLICIES, Pairs


@dataclass(frozen=True)
class Case:
    """A dictionary, and the stems of each form; the first is the primary output."""

    groups: Sequence[Sequence[str]]
    stems: Mapping[str, Sequence[str]]

    @property
    def gold(self) -> bytes:
        return "".join("\t".join(group) + "\n" for group in self.groups).encode()

    @property
    def pred(self) -> bytes:
        rows = ("\t".join([form, *stems]) + "\n" for form, stems in self.stems.items())
        return "".join(rows).encode()


def counted(case: Case, mode: str = ALL_WORDS) -> dict[str, Pairs]:
    """The counts of each policy. A form that has no stems is separated from all others."""
    kept = [set(group) for group in case.groups if mode == ALL_WORDS or not capital(group)]
    forms = sorted(set().union(*kept))
    found = {}
    for policy in POLICIES:
        errors = {True: 0, False: 0}
        possible = {True: 0, False: 0}
        for a, b in combinations(forms, 2):
            related = any(a in group and b in group for group in kept)
            possible[related] += 1
            first, second = case.stems.get(a, ()), case.stems.get(b, ())
            if not first or not second:
                errors[related] += related
                continue
            share = bool(set(first) & set(second))
            conflated = {
                "PRIMARY_OUTPUT": first[0] == second[0],
                "ALL_CANDIDATES": share,
                "ANY_CANDIDATE": share
                if related
                else len(set(first)) == 1 and set(first) == set(second),
            }[policy]
            errors[related] += conflated != related
        found[policy] = Pairs(
            len(forms), errors[True], possible[True], errors[False], possible[False]
        )
    return found


def capital(group: Sequence[str]) -> bool:
    return any(unicodedata.category(char) in ("Lu", "Lt") for form in group for char in form)


def random_case(chance: random.Random, *, complete: bool = True) -> Case:
    """A small dictionary with groups that overlap, and an output of every kind."""
    letters = chance.choice(["abcd", "abcdefghij", "aǅBç", "abcdefghijklmnopq"])
    forms = sorted({chance.choice(letters) + chance.choice(["", "s"]) for _ in range(14)})
    groups = []
    for _ in range(chance.randint(1, 8)):
        size = min(len(forms), chance.choice([1, 2, 2, 3, 5, 9]))
        groups.append(chance.sample(forms, size))
        if chance.random() < 0.2:
            groups.append(groups[-1])
    many = chance.choice([1, 1, 2, 3, 9, 12])
    stems = {
        form: [chance.choice("uvwxyz123456") for _ in range(chance.randint(1, many))]
        for form in forms
        if complete or chance.random() < 0.8
    }
    return Case(groups, stems)
