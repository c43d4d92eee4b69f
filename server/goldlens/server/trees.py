"""One sentence with its arcs and errors: what views draw."""

from __future__ import annotations

from typing import Any

from goldlens.scoring.problems import Side
from goldlens.scoring.task import PRED
from goldlens.scoring.ud.compare import Comparison
from goldlens.scoring.ud.places import Rows
from goldlens.scoring.ud.table import DEPREL, FORM, LEMMA, UPOS
from goldlens.server.engine.document import Document
from goldlens.server.engine.pair import Pair


def tree_at(document: Document, pair: Pair | None, line: int) -> dict[str, object] | None:
    """The words, arcs and errors of the sentence at a line; None where there is none.

    `words`: id, form, lemma, upos, head, deprel, line; and where gold is compared `gold`: its
    head and relation, the head by the prediction's IDs (None if it has no counterpart in the
    sentence) and by its form (None of a root), and `correct`. `problems`: code, severity, line
    and message. Lines count from 0.
    """
    if document.format.name != "ud":
        return None
    number = document.unit_at(line)
    if number >= len(document.units) or not document.units[number].canonical:
        return None
    unit = document.units[number]
    rows = Rows([unit], Side.HERE)
    base = int(document.line_starts[number])
    words = [
        {
            "id": rows.number(w),
            "form": rows.cell(w, FORM),
            "lemma": rows.cell(w, LEMMA),
            "upos": rows.cell(w, UPOS),
            "head": _head(rows, w),
            "deprel": rows.cell(w, DEPREL),
            "line": base + rows.place(w, FORM).line,
            "gold": None,
            "correct": None,
        }
        for w in range(len(rows.table.word_sentence))
    ]
    problems = [_problem(p, base) for p in unit.problems]
    if pair is not None:
        problems += _against_gold(pair, number, words, document)
    return {
        "sent_id": unit.sent_id.decode("utf-8", "replace") if unit.sent_id else None,
        "line": base,
        "words": words,
        "problems": problems,
    }


def _head(rows: Rows, word: int) -> int | None:
    head = int(rows.table.head_of[word])
    if head >= 0:
        return rows.number(head)
    return 0 if head == -1 else None


def _problem(problem: Any, base: int) -> dict[str, object]:
    return {
        "code": problem.code,
        "severity": problem.severity.label,
        "line": base + problem.place.line,
        "message": problem.message,
    }


def _against_gold(
    pair: Pair, number: int, words: list[dict[str, Any]], document: Document
) -> list[dict[str, object]]:
    """Adds gold's side to `words`; returns the problems of the comparison in this unit."""
    at = pair.segment_of(PRED, number)
    segment = pair.pairing[at]
    found = [
        _problem(p, int(document.line_starts[number]))
        for p in pair.problems_of(at)
        if segment.pred.start + p.place.unit == number
    ]
    if not segment.kind.compared:
        return found
    gold = Rows(pair.gold.units[segment.gold.start : segment.gold.stop], Side.THERE)
    pred = Rows(pair.pred.units[segment.pred.start : segment.pred.stop], Side.HERE)
    compared = Comparison(gold.table, pred.table)
    before = sum(unit.words for unit in pair.pred.units[segment.pred.start : number])
    facing = {int(g): int(p) - before for p, g in enumerate(compared.gold_of) if g >= 0}
    agrees = dict(
        zip(compared.pred_word.tolist(), compared.attachment_agrees.tolist(), strict=True)
    )
    for w, word in enumerate(words):
        g = int(compared.gold_of[before + w])
        if g < 0:
            word["correct"] = False
            continue
        head = int(gold.table.head_of[g])
        there = facing.get(head)
        inside = there is not None and 0 <= there < len(words)
        word["gold"] = {
            "head": 0 if head == -1 else (there + 1 if inside and there is not None else None),
            "head_form": gold.cell(head, FORM) if head >= 0 else None,
            "deprel": gold.cell(g, DEPREL),
            "upos": gold.cell(g, UPOS),
        }
        word["correct"] = bool(agrees[before + w])
    return found
