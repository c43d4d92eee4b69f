"""Heads changed so that a sentence is a tree with one root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from goldlens.scoring.conllu.editing.replacing import Replacements, cell
from goldlens.scoring.conllu.rows import DEPREL, HEAD
from goldlens.scoring.conllu.sentence import Row, Sentence

_ROOT: Final = "root"
_ANY: Final = "dep"
"""The relation that makes no claim."""

_NAMED: Final = 4

Change = tuple[str, Replacements]
"""What is done, and how."""


def attached(sentence: Sentence, row: Row) -> Iterator[Change]:
    """Another head for a word: the root, or else it is made the root."""
    roots = [root for root in sentence.dependents(0) if root is not row]
    if roots:
        root = roots[0]
        relation = row.cell(DEPREL)
        edits = [cell(sentence.block, row, HEAD, str(root.first))]
        said = f"Attach {sentence.name(row)} to the root, {sentence.name(root)}"
        if _is_root(relation):
            edits.append(cell(sentence.block, row, DEPREL, _ANY))
            said += f", as {_ANY}"
        yield said, tuple(edits)
    else:
        edits = [cell(sentence.block, row, HEAD, "0")]
        if not _is_root(row.cell(DEPREL)):
            edits.append(cell(sentence.block, row, DEPREL, _ROOT))
        yield f"Make {sentence.name(row)} the root", tuple(edits)


def one_root(sentence: Sentence) -> Iterator[Change]:
    """Each root in turn kept as the only one, the first of them first; others hang from it."""
    roots = sentence.dependents(0)
    # The one whose relation is root is more likely to be it.
    for kept in sorted(roots, key=lambda row: not _is_root(row.cell(DEPREL)))[:_NAMED]:
        edits = []
        for row in roots:
            if row is kept:
                if not _is_root(row.cell(DEPREL)):
                    edits.append(cell(sentence.block, row, DEPREL, _ROOT))
                continue
            edits.append(cell(sentence.block, row, HEAD, str(kept.first)))
            if _is_root(row.cell(DEPREL)):
                edits.append(cell(sentence.block, row, DEPREL, _ANY))
        others = _listed(sentence, [row for row in roots if row is not kept])
        yield f"Keep {sentence.name(kept)} as the root and attach {others} to it", tuple(edits)


def agreeing(sentence: Sentence, row: Row) -> Iterator[Change]:
    """HEAD 0 and the relation root made to go together."""
    if sentence.head(row) == 0:
        yield "Change the relation to root", (cell(sentence.block, row, DEPREL, _ROOT),)
        return
    if not sentence.dependents(0):
        yield "Change HEAD to 0", (cell(sentence.block, row, HEAD, "0"),)
    yield f"Change the relation to {_ANY}", (cell(sentence.block, row, DEPREL, _ANY),)


def _is_root(relation: str) -> bool:
    return relation.partition(":")[0] == _ROOT


def _listed(sentence: Sentence, rows: Sequence[Row]) -> str:
    named = ", ".join(sentence.name(row) for row in rows[:_NAMED])
    more = len(rows) - _NAMED
    return f"{named} and {more} more" if more > 0 else named
