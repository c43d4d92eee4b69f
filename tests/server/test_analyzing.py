"""Analyses of pairs that the engine holds."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

from goldlens.scoring.analysis.analysis import Question
from goldlens.scoring.bootstrap import Resampling, nobody
from goldlens.scoring.task import PRED
from goldlens.scoring.ud.profile import PROIEL
from goldlens.scoring.ud.reconciled import task_of
from goldlens.scoring.ud.task import UD
from goldlens.server.analyzing import analysis_of, document_of
from goldlens.server.engine.document import Edit
from goldlens.server.engine.opening import pair_of
from goldlens.server.engine.positions import Encoding
from goldlens.server.report.making import page_of

GOLD = b"""\
1\tRome\tRome\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tfell\tfall\tVERB\t_\t_\t0\troot\t_\t_

"""
PRED_TEXT = GOLD.replace(b"NOUN", b"PROPN")


def test_what_is_analysed_is_what_there_was_when_it_was_asked_for() -> None:
    pair = pair_of(UD, GOLD, PRED_TEXT, "auto")
    later = analysis_of(pair, Question("upos", "UPOS"))
    edit = Edit(0, 12, 0, 17, b"NOUN")
    pair.apply(PRED, pair.pred.edit(edit, Encoding.UTF8))
    assert later(nobody).score == 50
    assert analysis_of(pair, Question("upos", "UPOS"))(nobody).score == 100


def test_a_profile_does_not_change_it_and_the_signature_says_so() -> None:
    documents: list[Any] = [
        document_of(pair_of(task, GOLD, PRED_TEXT, "auto"), {}, {}, Question("upos", "UPOS"))(
            nobody
        )
        for task in (UD, task_of(PROIEL))
    ]
    assert documents[0] == documents[1]
    assert documents[1]["score"] == 50
    assert "|profile:none|" in documents[1]["signature"]
    json.dumps(documents)


def test_nor_does_it_change_a_report() -> None:
    side = {"path": "a.conllu", "sha256": "00"}
    pages = [
        page_of(pair_of(task, GOLD, PRED_TEXT, "auto"), side, side, Resampling(100))(nobody)
        for task in (UD, task_of(PROIEL))
    ]
    assert pages[0] == pages[1]
    assert "|profile:none|" in pages[1]


def test_real_text_in_half_a_second_of_work(shared: Path) -> None:
    """25,000 words take a fifth of a second; ten times that is too long on any machine."""
    folder = shared / "data" / "ud"
    texts = [(folder / f"en_ewt.{name}.conllu").read_bytes() for name in ("gold", "p2")]
    pair = pair_of(UD, *texts, "auto")
    before = process_time()
    analysis_of(pair, Question())(nobody)
    assert process_time() - before < 2
