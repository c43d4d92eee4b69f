"""Two files scored at once: the same as sentence by sentence, wherever it is done at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from goldlens.scoring.spans.task import Spans
from goldlens.scoring.spans.whole import score_whole
from goldlens.server.engine.opening import pair_of

LINES = (
    "a\tO", "a\tO", "a\tB-X", "b\tI-X", "a\tI-Y", "b\tB-Y", "a\tB", "b\tI", "", "", "# a note",
    "#\tO", "#tag\tB-X", "-DOCSTART-\tO", "TOKEN\tTAG", "a\tc\tB-X", "a b\tB-X", "a\tS-X", "\t",
    "a\tB-long-label-of-many-bytes", "é\tI-X", "a\tB-é",
)  # fmt: skip


def texts(tabs: bool) -> st.SearchStrategy[bytes]:
    def joined(lines: list[str]) -> bytes:
        text = "\n".join(lines)
        return (text if tabs else text.replace("\t", " ")).encode()

    # The last lines are rarer, so that many texts have none of what is odd.
    line = st.one_of(
        st.sampled_from(LINES[:10]), st.sampled_from(LINES[:13]), st.sampled_from(LINES)
    )
    return st.lists(line, max_size=30).map(joined)


def whole(task: Spans, gold: bytes, pred: bytes) -> Any:
    tabs = task.likely_regime(gold), task.likely_regime(pred)
    return score_whole(gold, pred, tabs, lenient=task.reading == "conlleval")


def by_label(entries: Any) -> dict[str, tuple[int, int, int]]:
    return {label.decode(): tuple(counts) for label, *counts in entries if any(counts)}


@pytest.mark.parametrize("reading", ["strict", "conlleval"])
@settings(max_examples=600, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), tabs=st.booleans(), alike=st.booleans(), cr=st.booleans())
def test_the_same_as_sentence_by_sentence(
    reading: str, data: st.DataObject, tabs: bool, alike: bool, cr: bool
) -> None:
    gold = data.draw(texts(tabs))
    pred = gold if alike else data.draw(texts(tabs))
    if alike:
        for old, new in data.draw(st.lists(st.sampled_from(
            ((b"B-X", b"I-X"), (b"I-X", b"O"), (b"B-Y", b"B-X"), (b"O", b"B-X"))), max_size=2
        )):  # fmt: skip
            pred = pred.replace(old, new, 1)
    if cr:
        gold = gold.replace(b"\n", b"\r\n")
    task = Spans(reading=reading)
    found = whole(task, gold, pred)
    if found is None:
        return
    pair = pair_of(task, gold, pred)
    labels = pair.sums.labels.by_label()
    counts = {label: (c.correct, c.gold, c.predicted) for label, c in labels.items()}
    assert by_label(found.entries) == counts
    assert (found.sentences, found.tokens) == tuple(pair.gold.facts.tolist()[:2])
    # Nothing that is to be told is passed over.
    for document in (pair.gold, pair.pred):
        assert task.notices(document.units, document.facts.tolist()) == []
        assert not any(problem.refuses for unit in document.units for problem in unit.problems)
    assert not list(pair.pairing.uncompared())


GOLD = b"a\tB-X\nb\tI-X\n\n# c\nd\tO\ne\tB-Y\n\n"


@pytest.mark.parametrize(
    "pred",
    [
        GOLD,
        GOLD.replace(b"I-X", b"O"),
        GOLD.replace(b"B-Y", b"I-Y"),
        GOLD.replace(b"\t", b" "),
        GOLD.replace(b"\n", b"\r\n"),
        GOLD.replace(b"d\t", b"#d\t"),
        GOLD.removesuffix(b"\n"),
        GOLD.replace(b"\n\n# c", b"\n-DOCSTART-\tO\n# c"),
        b"-DOCSTART-\n" + GOLD,
    ],
)
def test_well_formed_files_are_scored_so(pred: bytes) -> None:
    found = whole(Spans(), GOLD, pred)
    assert found is not None
    assert (found.sentences, found.tokens) == (2, 4)


@pytest.mark.parametrize(
    "pred",
    [
        GOLD.replace(b"B-Y", b"S-Y"),
        GOLD.replace(b"d\tO\n", b""),
        GOLD.replace(b"\n\n# c", b"\n# c"),
        GOLD.replace(b"a\t", b"\xff\t"),
        GOLD.replace(b"B-", b"I-"),
        GOLD.replace(b"d\tO", b"d O"),
        GOLD.replace(b"d\tO\ne\tB", b"d\tNN\tO\ne\tB-N\t"),
    ],
)
def test_what_is_to_be_told_of_is_left_to_others(pred: bytes) -> None:
    assert whole(Spans(), GOLD, pred) is None
