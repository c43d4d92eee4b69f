"""Problems of a file as a whole, each said once."""

from __future__ import annotations

from goldlens.scoring.problems import Place, Problem, Severity, problem
from goldlens.server.engine.document import Document
from goldlens.server.engine.scoreboard import is_tagging

_START = Place(0, 0, 0, 0)


def file_problems(
    document: Document, gold_trouble: str | None = None, too_large: str | None = None
) -> list[Problem]:
    """What is to be said once of a whole file; places count units from its first.

    `gold_trouble`: why the gold that the file should face cannot be had. `too_large`: why it
    cannot be compared with it.
    """
    found: list[Problem] = []
    if too_large:
        found.append(problem("word-alignment", _START, too_large, severity=Severity.ERROR))
    if gold_trouble:
        found.append(problem("gold-not-found", _START, gold_trouble))
    if document.bom:
        message = "The file begins with a byte order mark, which is not part of the text; remove it"
        found.append(problem("bom", _START, message, script=True))
    if document.cr and document.task.name == "ud":
        message = "Lines end in CR LF or CR; the CoNLL-U format wants LF alone"
        found.append(problem("line-ending", _START, message))
    return found


def tagging_notice(document: Document) -> Problem | None:
    """The one thing to say of a prediction without any HEAD; None if it has some."""
    if document.task.name != "ud" or not is_tagging(document):
        return None
    first = next(k for k, unit in enumerate(document.units) if unit.problems)
    missing = next((p for p in document.units[first].problems if p.code == "head-missing"), None)
    if missing is None:
        return None
    place = missing.place
    return problem(
        "head-missing",
        Place(first, place.line, place.start, place.end),
        "No word of this file has a HEAD: it is scored as a tagging prediction, without attachment",
        severity=Severity.INFORMATION,
        refuses=False,
        script=True,
    )
