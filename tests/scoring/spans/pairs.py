"""Small files of tags, and what the engine makes of them."""

from __future__ import annotations

from collections.abc import Sequence

from goldlens.scoring.labels import LabelSums
from goldlens.scoring.problems import Problem, Severity
from goldlens.scoring.spans.task import SPANS, Spans, SpanSums
from goldlens.scoring.spans.unit import Unit
from goldlens.server.engine.document import Document
from goldlens.server.engine.listing import Lister, Located
from goldlens.server.engine.pair import Pair
from goldlens.server.engine.wholefile import file_problems


def text_of(sentences: Sequence[str], form: str = "w") -> bytes:
    """A file of sentences, each its tags parted by blanks; tokens are named w1, w2 and so on."""
    rows = [
        "".join(f"{form}{k}\t{tag}\n" for k, tag in enumerate(tags.split(), 1))
        for tags in sentences
    ]
    return "\n".join([*rows, ""]).encode()


def units(text: str | bytes, task: Spans = SPANS) -> list[Unit]:
    """The units of a text, read as a file of its own."""
    return Document(task, text.encode() if isinstance(text, str) else text).units


def pair(gold: str | bytes, pred: str | bytes, task: Spans = SPANS) -> Pair:
    """Two texts held against each other."""
    theirs, ours = (text.encode() if isinstance(text, str) else text for text in (gold, pred))
    return Pair(task, Document(task, theirs), Document(task, ours))


def label_sums(held: Pair) -> LabelSums:
    """The counts of a pair by label."""
    assert isinstance(held.sums, SpanSums)
    return held.sums.labels


def counts(held: Pair) -> tuple[int, int, int]:
    """Correct, gold, predicted."""
    micro = label_sums(held).micro()
    return micro.correct, micro.gold, micro.predicted


def listed(document: Document, held: Pair | None = None) -> list[Located]:
    """All problems of a file, by itself or against gold, in order."""
    lister = Lister(document, held, _severity)
    return list(lister.list(file_problems(document), None, 0).shown)


def found(document: Document, held: Pair | None = None) -> list[tuple[int, str, str]]:
    """Line (from 1), code and the text at the place of all problems of a file."""
    lines = document.text().split(b"\n")
    return [
        (
            one.line + 1,
            one.problem.code,
            lines[one.line][one.problem.place.start : one.problem.place.end].decode(),
        )
        for one in listed(document, held)
    ]


def _severity(problem: Problem) -> Severity:
    return problem.severity
