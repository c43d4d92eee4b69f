"""A batch as it runs: what is known already is taken from the ledger, the rest is asked."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from typing import TypeAlias

from goldlens.cli.batching.digests import Digests
from goldlens.cli.batching.ledger import Ledger
from goldlens.cli.batching.pairs import Question, Wanted
from goldlens.cli.batching.rows import Recorded, rows_of
from goldlens.cli.batching.work import Answer
from goldlens.cli.lines import Trouble, line

Asker: TypeAlias = Callable[[Mapping[str, Question]], Generator[tuple[str, Answer], None, None]]
"""Answers questions by name, in any order."""

Progress: TypeAlias = Callable[[int], AbstractContextManager[Callable[[], None]]]
"""Shows how many of a number of questions are answered: to be called for each."""


@dataclass(slots=True)
class Run:
    """The pairs of a batch under way, and then what became of them.

    `scored` and `kept` count pairs whose rows were computed now, or were in the ledger; `failed`
    has the lines of each of the others, `said` what else is to be said.
    """

    pairs: Sequence[Wanted]
    rows: list[Recorded] = field(default_factory=list)
    scored: int = 0
    kept: int = 0
    failed: list[tuple[str, ...]] = field(default_factory=list)
    said: dict[str, None] = field(default_factory=dict)
    _names: list[str | Trouble] = field(default_factory=list)

    def run(self, ask: Asker, ledger: Ledger, progress: Progress, *, force: bool = False) -> None:
        """Asks what the ledger does not have (everything, with `force`), and adds it there.

        Raises what `ask` raises; what was answered before is in the ledger then.
        """
        asked = self._asked(ledger, force)
        answers: dict[str, Answer] = {}
        if asked:
            with progress(len(asked)) as step, closing(ask(asked)) as answering:
                for asked_as, answer in answering:
                    answers[asked_as] = answer
                    if not answer.errors:
                        ledger.add(answer)
                    step()
        for wanted, name in zip(self.pairs, self._names, strict=True):
            if isinstance(name, Trouble):
                self.failed.append((str(name),))
            elif (found := answers.get(name)) is None:
                self._take(wanted, ledger.get(name))
                self.kept += 1
            elif found.errors:
                self.failed.append(_errors(wanted.question, asked[name], found))
            else:
                self._take(wanted, found)
                self.scored += 1

    def _asked(self, ledger: Ledger, force: bool) -> dict[str, Question]:
        """The questions without an answer; of those that are alike only one."""
        asked: dict[str, Question] = {}
        digests = Digests()
        for wanted in self.pairs:
            try:
                name, question = digests.named(wanted.question)
            except Trouble as trouble:
                self._names.append(trouble)
                continue
            self._names.append(name)
            if force or ledger.get(name) is None:
                asked.setdefault(name, question)
        return asked

    def _take(self, wanted: Wanted, answer: Answer | None) -> None:
        assert answer is not None
        rows = rows_of(wanted, answer)
        self.rows += rows
        self.said |= dict.fromkeys(answer.said)
        if rows and rows[0].units == 1:
            message = "gold has one unit, which gives an interval no width; trust none of them"
            self.said[line(wanted.question.gold, 1, 1, "warning", "one-unit", message)] = None


def _errors(question: Question, asked: Question, answer: Answer) -> tuple[str, ...]:
    """The lines of a pair that failed, or that another one failed which is the same."""
    if question.pred == asked.pred:
        return answer.errors
    message = f"this is the same as {asked.pred}, which failed; see there"
    return (line(question.pred, 1, 1, "error", "refused", message),)
