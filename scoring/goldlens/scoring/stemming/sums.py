"""Groups and outputs add up to pairs of forms, as they come and go in any order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from goldlens.scoring.stemming.policies import Pairs, counts_by_policy
from goldlens.scoring.stemming.rows import Group, Output
from goldlens.scoring.stemming.sharing import Sharing

Comparison = Group | Output | None
"""What a row adds: a group, a form's output, or nothing."""


class _Form(NamedTuple):
    """A form's place in the count: the numbers of its groups, and its output if it has one."""

    groups: tuple[int, ...]
    output: Output | None


_NOWHERE: Final = _Form((), None)


class StemSums:
    """The sums of the `stemming` task.

    A form counts if it has a group; one without output is separated from all others. Where a form
    has several outputs (which is so only between two steps of a change) one of them counts.

    What changes is only noted; counting is done when counts are asked for.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[bytes, ...], list[int]] = {}
        """Of each group its number, and how many rows there are of it."""
        self._next = 0
        self._groups: dict[bytes, tuple[int, ...]] = {}
        self._outputs: dict[bytes, Output] = {}
        self._spare: dict[bytes, list[Output]] = {}
        self._before: dict[bytes, _Form] = {}
        """Forms that have changed since the last count, as they were then."""
        self._forms = 0
        self._related = Sharing()
        self._primary, self._primary_related = Sharing(), Sharing()
        self._any, self._any_related = Sharing(), Sharing()
        self._sole, self._sole_related = Sharing(), Sharing()

    def add(self, comparisons: Iterable[Comparison]) -> None:
        """Takes groups and outputs in."""
        for each in comparisons:
            if isinstance(each, Group):
                self._add_group(each.forms)
            elif each is not None:
                self._touch(each.form)
                if each.form in self._outputs:
                    self._spare.setdefault(each.form, []).append(each)
                else:
                    self._outputs[each.form] = each

    def remove(self, comparisons: Iterable[Comparison]) -> None:
        """Takes groups and outputs out that were added before."""
        for each in comparisons:
            if isinstance(each, Group):
                self._remove_group(each.forms)
            elif each is not None:
                self._touch(each.form)
                self._remove_output(each)

    @property
    def forms(self) -> int:
        """How many distinct forms there are in groups."""
        self._count()
        return self._forms

    def pairs(self) -> dict[str, Pairs]:
        """The counts by policy. Raises BrokenRelation, which would be an error of this program."""
        self._count()
        return counts_by_policy(
            self._forms,
            self._related.pairs,
            (self._primary_related.pairs, self._primary.pairs),
            (self._any_related.pairs, self._any.pairs),
            (self._sole_related.pairs, self._sole.pairs),
        )

    def _touch(self, form: bytes) -> None:
        if form not in self._before:
            self._before[form] = self._now(form)

    def _now(self, form: bytes) -> _Form:
        return _Form(self._groups.get(form, ()), self._outputs.get(form))

    def _add_group(self, forms: tuple[bytes, ...]) -> None:
        known = self._numbers.get(forms)
        if known is not None:
            known[1] += 1
            return
        number = self._next
        self._next += 1
        self._numbers[forms] = [number, 1]
        alone = (number,)
        for form in forms:
            self._touch(form)
            groups = self._groups.get(form)
            # Numbers ascend, so that the groups of a form stay in order.
            self._groups[form] = alone if groups is None else groups + alone

    def _remove_group(self, forms: tuple[bytes, ...]) -> None:
        known = self._numbers[forms]
        known[1] -= 1
        if known[1]:
            return
        del self._numbers[forms]
        for form in forms:
            self._touch(form)
            groups = tuple(number for number in self._groups[form] if number != known[0])
            if groups:
                self._groups[form] = groups
            else:
                del self._groups[form]

    def _remove_output(self, output: Output) -> None:
        form = output.form
        spare = self._spare.get(form)
        if spare is None:
            del self._outputs[form]
            return
        if self._outputs[form] == output:
            self._outputs[form] = spare.pop()
        else:
            spare.remove(output)
        if not spare:
            del self._spare[form]

    def _count(self) -> None:
        """Brings the counts up to date."""
        added = []
        for form, was in self._before.items():
            now = self._now(form)
            if now == was:
                continue
            if was.groups:
                self._take_out(was)
            if now.groups:
                added.append(now)
        self._before.clear()
        self._put_in(added)

    def _take_out(self, form: _Form) -> None:
        self._forms -= 1
        groups, output = form
        self._related.remove(groups)
        if output is None:
            return
        primary, candidates = (output.primary,), output.candidates
        self._primary.remove(primary)
        self._primary_related.remove(groups, primary)
        self._any.remove(candidates)
        self._any_related.remove(groups, candidates)
        if len(candidates) == 1:
            self._sole.remove(candidates)
            self._sole_related.remove(groups, candidates)

    def _put_in(self, forms: Sequence[_Form]) -> None:
        """Counts forms: those of one group and one candidate, which most are, in one go."""
        self._forms += len(forms)
        plain = [
            (groups[0], output.primary)
            for groups, output in forms
            if output is not None and len(groups) == len(output.candidates) == 1
        ]
        stems = [stem for _, stem in plain]
        self._related.add_single([group for group, _ in plain])
        for sharing in (self._primary, self._any, self._sole):
            sharing.add_single(stems)
        for sharing in (self._primary_related, self._any_related, self._sole_related):
            sharing.add_single(plain)
        rest = [
            form
            for form in forms
            if form.output is None or not len(form.groups) == len(form.output.candidates) == 1
        ]
        self._related.add_all([(groups,) for groups, _ in rest])
        related = [(groups, output) for groups, output in rest if output is not None]
        sole = [(groups, output) for groups, output in related if len(output.candidates) == 1]
        self._primary.add_all([((output.primary,),) for _, output in related])
        self._primary_related.add_all([(groups, (o.primary,)) for groups, o in related])
        self._any.add_all([(output.candidates,) for _, output in related])
        self._any_related.add_all([(groups, o.candidates) for groups, o in related])
        self._sole.add_all([(output.candidates,) for _, output in sole])
        self._sole_related.add_all([(groups, o.candidates) for groups, o in sole])
