"""The policies: what it is for a stemmer to separate a pair of forms, or to conflate it.

PRIMARY_OUTPUT conflates two forms that have the same primary output; ALL_CANDIDATES two whose
candidates intersect. ANY_CANDIDATE is the optimistic bound: a related pair is kept together if
the candidates intersect, an unrelated one is conflated only if both forms have the same single
candidate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

ALL_WORDS: Final = "ALL_WORDS"
LOWERCASE_GROUPS_ONLY: Final = "LOWERCASE_GROUPS_ONLY"
MODES: Final = (ALL_WORDS, LOWERCASE_GROUPS_ONLY)
"""All groups, or only those without an uppercase or titlecase code point in any form."""

PRIMARY_OUTPUT: Final = "PRIMARY_OUTPUT"
ALL_CANDIDATES: Final = "ALL_CANDIDATES"
ANY_CANDIDATE: Final = "ANY_CANDIDATE"
POLICIES: Final = (PRIMARY_OUTPUT, ALL_CANDIDATES, ANY_CANDIDATE)


class BrokenRelation(Exception):
    """Counts of the three policies that cannot be of one output: an error of this program."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of distinct forms: of `under_possible` related ones `under_error` are separated, of
    `over_possible` unrelated ones `over_error` are conflated. `forms` is how many forms there are.
    """

    forms: int
    under_error: int
    under_possible: int
    over_error: int
    over_possible: int

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(
            self.forms + other.forms,
            self.under_error + other.under_error,
            self.under_possible + other.under_possible,
            self.over_error + other.over_error,
            self.over_possible + other.over_possible,
        )


def counts_by_policy(
    forms: int,
    related: int,
    primary: tuple[int, int],
    candidates: tuple[int, int],
    sole: tuple[int, int],
) -> dict[str, Pairs]:
    """The counts of each policy from pairs of forms that share something.

    `related` pairs share a group. Of the others the first number is of pairs that share a group
    too: `primary` pairs share the primary output, `candidates` pairs any candidate, and `sole`
    pairs have the same one candidate and no other. Raises BrokenRelation.
    """
    every = forms * (forms - 1) // 2

    def of(together: int, over: int) -> Pairs:
        return Pairs(forms, related - together, related, over, every - related)

    found = {
        PRIMARY_OUTPUT: of(primary[0], primary[1] - primary[0]),
        ALL_CANDIDATES: of(candidates[0], candidates[1] - candidates[0]),
        ANY_CANDIDATE: of(candidates[0], sole[1] - sole[0]),
    }
    checked(found)
    return found


def checked(found: Mapping[str, Pairs]) -> None:
    """Holds the counts of the three policies against each other. Raises BrokenRelation."""
    primary, every, some = (found[policy] for policy in POLICIES)
    relations = {
        "ANY under <= PRIMARY under": some.under_error <= primary.under_error,
        "ALL under <= PRIMARY under": every.under_error <= primary.under_error,
        "ANY under = ALL under": some.under_error == every.under_error,
        "ANY over <= PRIMARY over": some.over_error <= primary.over_error,
        "ALL over >= PRIMARY over": every.over_error >= primary.over_error,
    }
    for relation, holds in relations.items():
        if not holds:
            raise BrokenRelation(f"{relation} does not hold of {dict(found)}")
