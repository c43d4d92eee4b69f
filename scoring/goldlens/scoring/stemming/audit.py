"""The groups that a stemmer does worst on."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from goldlens.scoring.stemming.policies import ANY_CANDIDATE, PRIMARY_OUTPUT
from goldlens.scoring.stemming.rows import Group, Output, decoded
from goldlens.scoring.stemming.sharing import Sharing


@dataclass(frozen=True, slots=True)
class Audited:
    """A group, by its number: of its `under_possible` pairs `under_error` are separated, and
    `over_error` pairs of one of its forms and an unrelated form are conflated.

    `stems` has the forms of the group and what became of each, in the order of the row.
    """

    group: int
    under_error: int
    under_possible: int
    over_error: int
    stems: tuple[tuple[bytes, tuple[bytes, ...]], ...]

    def as_dict(self) -> dict[str, object]:
        """The group for JSON."""
        return {
            "lemma": decoded(self.stems[0][0]),
            "under_error": self.under_error,
            "under_possible": self.under_possible,
            "over_error": self.over_error,
            "stems": {decoded(form): [decoded(s) for s in stems] for form, stems in self.stems},
        }


def worst(
    groups: Sequence[Group], output: Callable[[bytes], Output | None], policy: str, limit: int
) -> list[Audited]:
    """The groups with the most wrong pairs, the worst first, at most `limit` of them.

    `output` gives the output of a form; a form that has none is conflated with nothing.
    """
    of_form: dict[bytes, list[int]] = {}
    for number, group in enumerate(groups):
        for form in group.forms:
            of_form.setdefault(form, []).append(number)
    every = Unrelated(policy)
    items = {form: (tuple(its), _stems(output(form), policy)) for form, its in of_form.items()}
    for its, stems in items.values():
        every.add(its, stems)
    over = {form: every.conflated(*item) for form, item in items.items()}
    found = []
    for number, group in enumerate(groups):
        size = len(group.forms)
        inside = Sharing()
        for form in group.forms:
            if stems := items[form][1]:
                inside.add(stems)
        possible = size * (size - 1) // 2
        found.append((possible - inside.pairs, sum(over[form] for form in group.forms), number))
    chosen = heapq.nsmallest(limit, found, key=lambda each: (-each[0] - each[1], each[2]))
    return [
        _audited(number, groups[number], output, policy, under, wrong)
        for under, wrong, number in chosen
        if under + wrong
    ]


class Unrelated:
    """How many unrelated forms each form is conflated with, under a policy."""

    def __init__(self, policy: str) -> None:
        self._policy = policy
        self._all, self._related = Sharing(), Sharing()

    def add(self, groups: tuple[int, ...], stems: tuple[bytes, ...]) -> None:
        """Takes a form in."""
        if self._counts(stems):
            self._all.add(stems)
            self._related.add(groups, stems)

    def conflated(self, groups: tuple[int, ...], stems: tuple[bytes, ...]) -> int:
        """How many unrelated forms a form is conflated with."""
        if not self._counts(stems):
            return 0
        return self._all.met(stems) - self._related.met(groups, stems)

    def _counts(self, stems: tuple[bytes, ...]) -> bool:
        return len(stems) == 1 or (len(stems) > 1 and self._policy != ANY_CANDIDATE)


def _stems(output: Output | None, policy: str) -> tuple[bytes, ...]:
    if output is None:
        return ()
    return (output.primary,) if policy == PRIMARY_OUTPUT else output.candidates


def _audited(
    number: int,
    group: Group,
    output: Callable[[bytes], Output | None],
    policy: str,
    under: int,
    over: int,
) -> Audited:
    size = len(group.forms)
    stems = tuple((form, _stems(output(form), policy)) for form in group.forms)
    return Audited(number, under, size * (size - 1) // 2, over, stems)
