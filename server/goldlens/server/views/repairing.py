"""What can be done about problems, each tried before it is offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from goldlens.scoring.conllu.blocks import lines
from goldlens.scoring.conllu.editing.repairs import Proposal, proposals
from goldlens.scoring.conllu.editing.replacing import (
    Replacement,
    at,
    new_line,
    overlap,
    without_line,
)
from goldlens.scoring.conllu.sentence import sentence
from goldlens.scoring.problems import Problem
from goldlens.scoring.spans.tags import UNNAMED, is_bare
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair
from goldlens.server.views import taking
from goldlens.server.views.fix import Fix
from goldlens.server.views.joining import joined
from goldlens.server.views.ranging import ranges_taken
from goldlens.server.views.trying import Change, betters

ALONE: Final = frozenset(("sent-id-duplicate", "sent-id-missing", "id-extra", "form-extra"))
"""Codes that are repaired one at a time: where a name is made up, which others may make up as
well, and where it is gold alone that says that a row should go.
"""

_WHOLE_ROWS: Final = frozenset(("id-duplicate", "id-extra", "form-duplicate", "form-extra"))


def fixes(document: Document, pair: Pair | None, unit: int, problem: Problem) -> Iterator[Fix]:
    """What can be done about a problem of a unit, best first; only what makes the text better."""
    seen = set()
    for fix in _proposed(document, pair, unit, problem):
        if fix.change.edits in seen or not fix.change.edits:
            continue
        seen.add(fix.change.edits)
        if betters(
            document,
            pair,
            fix.change,
            problem.code,
            revealing=fix.revealing,
            reading=fix.reading,
        ):
            yield fix


def _proposed(document: Document, pair: Pair | None, unit: int, problem: Problem) -> Iterator[Fix]:
    if pair is not None:
        for title, change in taking.cells(pair, unit, problem):
            yield Fix(title, change, of_gold=True)
        if problem.code == "token-boundary":
            for title, change in ranges_taken(pair, unit):
                yield Fix(title, change, of_gold=True)
    if 0 <= unit < len(document.units):
        if problem.code == "column-count":
            for title, change in joined(document, unit, problem):
                yield Fix(title, change, revealing=True, reading=True)
        for each in _own(document, unit, problem):
            change = Change(unit, unit + 1, each.edits)
            yield Fix(each.title, change, each.safe, revealing=each.revealing)
    if pair is not None:
        for title, change in taking.sentences(pair, unit, problem):
            yield Fix(title, change, of_gold=True)


def _own(document: Document, unit: int, problem: Problem) -> Iterable[Proposal]:
    block = document.units[unit].text
    if problem.repair is not None:
        edit = at(block, problem.place, problem.repair.new.encode())
        return [Proposal(problem.repair.title, (edit,), safe=True, revealing=True)]
    if problem.code in _WHOLE_ROWS:
        return _row_out(block, problem)
    if problem.code == "iob2-tag":
        return _bare(block, problem)
    if problem.code == "row-format" and document.format.name == "stemming":
        return _own_stem(document.units[unit])
    if document.format.name != "ud":
        return []
    if problem.code == "sent-id-duplicate":
        return [_renamed(document, block, problem)]
    if problem.code == "sent-id-missing":
        return _named(document, unit, block)
    return proposals(sentence(block), problem)


def _bare(block: bytes, problem: Problem) -> list[Proposal]:
    """A tag without a label with the one that it is read as; what it should be nobody can tell."""
    place = problem.place
    tag = lines(block)[place.line][place.start : place.end]
    if not is_bare(tag):
        return []
    new = tag + b"-" + UNNAMED
    return [Proposal(f"Write {new.decode()}, as which it is read", (at(block, place, new),))]


def _own_stem(unit: Any) -> list[Proposal]:
    """The form of a row that lacks a stem, as its stem: nothing is said of it by that."""
    form = getattr(unit, "form", None)
    if form is None:
        return []
    body = len(unit.text.rstrip(b"\r\n"))
    said = form.decode("utf-8", "replace")
    edit = Replacement(0, body, form + b"\t" + form)
    return [Proposal(f"Make {said} its own stem", (edit,))]


def _row_out(block: bytes, problem: Problem) -> list[Proposal]:
    place = problem.place
    before = block[: place.start]
    if problem.code == "form-duplicate" and before.endswith(b"\t"):
        # A form that stands twice in one row of a dictionary.
        edit = Replacement(place.start - 1, place.end, b"")
        return [Proposal("Take the form out that stands before", (edit,), safe=True)]
    if problem.code == "form-duplicate" and problem.refuses:
        return []
    return [Proposal("Take the row out", (without_line(block, place.line),))]


def _renamed(document: Document, block: bytes, problem: Problem) -> Proposal:
    """Another sent_id: the same with a number that makes it the only one."""
    place = problem.place
    name = block.splitlines()[place.line][place.start : place.end]
    number = 2
    while (new := b"%s-%d" % (name, number)) in document.keys:
        number += 1
    said = new.decode("utf-8", "replace")
    return Proposal(f"Rename the sentence to {said}", (at(block, place, new),))


def _named(document: Document, unit: int, block: bytes) -> list[Proposal]:
    rows = sentence(block).rows
    if not rows:
        return []
    number = unit + 1
    while (name := b"s%d" % number) in document.keys:
        number += 1
    edit = new_line(block, 0, b"# sent_id = " + name)
    return [Proposal(f"Add the sent_id {name.decode()}", (edit,))]


def all_of(
    document: Document, pair: Pair | None, unit: int, codes: frozenset[str] | None
) -> list[Change]:
    """What makes all problems of a unit good that have one of some codes, by themselves.

    `codes` None: all that have one right repair, which is safe. Safe ones are not tried first:
    a file may have them by the hundred thousand. What would get into the way of another is left
    out.
    """
    found: list[Change] = []
    problems = list(document.units[unit].problems)
    if document.format.duplicate_code not in ALONE:
        duplicates = document.duplicates()
        if duplicates is not None and duplicates.severities[unit]:
            problems.append(duplicates.problem(unit))
    for problem in problems:
        if problem.code in ALONE or (codes is not None and problem.code not in codes):
            continue
        change = _best(document, pair, unit, problem, safe=codes is None)
        if change is not None and not any(_clash(change, other) for other in found):
            found.append(change)
    return found


def _best(
    document: Document, pair: Pair | None, unit: int, problem: Problem, *, safe: bool
) -> Change | None:
    """The first thing to do about a problem that needs no gold; only a `safe` one, if so."""
    for proposal in _own(document, unit, problem):
        change = Change(unit, unit + 1, proposal.edits)
        if proposal.edits and (
            proposal.safe
            or (
                not safe
                and betters(document, pair, change, problem.code, revealing=proposal.revealing)
            )
        ):
            return change
    return None


def _clash(one: Change, other: Change) -> bool:
    return one.first == other.first and overlap(one.edits, other.edits)
