"""What a question is named by, before anybody answers it: its files are read for their hashes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path

from goldlens.cli import inputs
from goldlens.cli.batching.pairs import Question
from goldlens.cli.batching.work import identity
from goldlens.cli.tasks import TaskFlags, beginning_of


@dataclass(slots=True)
class Digests:
    """The hashes of files and how they begin, each file read once."""

    _known: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def named(self, question: Question) -> tuple[str, Question]:
        """The question's identity, and the question with its task made plain. Raises Trouble."""
        gold, _ = self._of(question.gold)
        pred, beginning = self._of(question.pred)
        other = None if question.ref_pred is None else self._of(question.ref_pred)[0]
        if question.task is None:
            task = TaskFlags().task(beginning, question.pred, question.gold).name
            question = replace(question, task=task)
        return identity(question, gold, pred, other), question

    def _of(self, path: str) -> tuple[str, bytes]:
        if path not in self._known:
            try:
                with Path(path).open("rb") as file:
                    beginning = beginning_of(file)
                    digest = hashlib.file_digest(file, "sha256").hexdigest()
            except OSError as error:
                raise inputs.unreadable(path, error) from error
            self._known[path] = digest, beginning
        return self._known[path]
