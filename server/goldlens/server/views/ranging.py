"""The multiword tokens of a sentence made those of gold, where the words are the same."""

from __future__ import annotations

from collections.abc import Iterator

from goldlens.scoring.conllu.editing.replacing import Replacement, new_line, without_line
from goldlens.scoring.conllu.rows import FORM, Kind
from goldlens.scoring.conllu.sentence import Row, Sentence
from goldlens.scoring.task import PRED
from goldlens.server.engine.pair import Pair
from goldlens.server.spot import sentence_of
from goldlens.server.views.trying import Change


def ranges_taken(pair: Pair, unit: int) -> Iterator[tuple[str, Change]]:
    """Gold's multiword tokens in place of those of a sentence; nothing but their rows changes."""
    segment = pair.pairing[pair.segment_of(PRED, unit)]
    if not (segment.kind.compared and len(segment.gold) == len(segment.pred) == 1):
        return
    ours, theirs = sentence_of(pair.pred, unit), sentence_of(pair.gold, segment.gold.start)
    if list(ours.words) != list(theirs.words):
        return
    here, there = _ranges(ours), _ranges(theirs)
    edits: list[Replacement] = [
        without_line(ours.block, row.line) for key, row in here.items() if key not in there
    ]
    edits += [
        new_line(ours.block, ours.words[key[0]].line, row.text.rstrip(b"\r\n"))
        for key, row in there.items()
        if key not in here and key[0] in ours.words
    ]
    if edits:
        forms = ", ".join(key[2] for key in sorted({*here} ^ {*there}) if key in there)
        title = f"Take gold's multiword tokens: {forms}" if forms else "Take the ranges out"
        yield title, Change(unit, unit + 1, tuple(edits))


def _ranges(sentence: Sentence) -> dict[tuple[int, int, str], Row]:
    """The ranges by their first and last word and their form."""
    return {
        (row.first, row.second, row.cell(FORM)): row
        for row in sentence.rows
        if row.kind is Kind.RANGE
    }
