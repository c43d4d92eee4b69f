"""Problems of a file as a whole, each said once."""

from __future__ import annotations

from goldlens.scoring.problems import Place, Problem, Severity, problem
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair

_START = Place(0, 0, 0, 0)


def file_problems(
    document: Document,
    trouble: Problem | None = None,
    too_large: str | None = None,
    pair: Pair | None = None,
) -> list[Problem]:
    """What is to be said once of a whole file; places count units from its first.

    `trouble`: why there is nothing that the file could be held against, though there should be.
    `too_large`: why it cannot be compared with its gold. `pair`: the file as the prediction of a
    pair.
    """
    found: list[Problem] = []
    if too_large:
        found.append(problem("word-alignment", _START, too_large, severity=Severity.ERROR))
    if trouble:
        found.append(trouble)
    if document.bom:
        message = "The file begins with a byte order mark, which is not part of the text; remove it"
        found.append(problem("bom", _START, message, script=True))
    if document.cr and document.format.name == "ud":
        message = "Lines end in CR LF or CR; the CoNLL-U format wants LF alone"
        found.append(problem("line-ending", _START, message))
    found += document.format.notices(document.units, document.facts.tolist())
    return found + (pair.notices() if pair is not None else [])
