"""What an analysis says of each task, and what it cannot be asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.analysis.analysis import (
    EVERY,
    OVERVIEW,
    WHATS,
    Analysis,
    Question,
    WrongQuestion,
    analysis,
)
from goldlens.scoring.bootstrap import nobody
from goldlens.scoring.tasks import task_named
from tests.strategies import texts

GOLD = """\
# newdoc id = d
# sent_id = a-1
1	We	we	PRON	PRP	Case=Nom	2	nsubj	_	_
2	like	like	VERB	VBP	Mood=Ind	0	root	_	_
3	tea	tea	NOUN	NN	Number=Sing	2	obj	_	_

"""
PRED = GOLD.replace("PRON", "NOUN").replace("obj", "nsubj").replace("Case=Nom", "Case=Acc")
SPANS = "a\tB-X\nb\tI-X\nc\tO\n\n"
CLASSES = "1\tx\n2\ty\n"


def headless(text: str) -> str:
    rows = [line.split("\t") for line in text.split("\n")]
    return "\n".join("\t".join([*row[:6], *"____"] if len(row) == 10 else row) for row in rows)


def of(task: str, gold: str, pred: str, told: Any = nobody, **asked: Any) -> Analysis:
    found = task_named(task)
    theirs, ours = (found.parse(found.split(text.encode())) for text in (gold, pred))
    segments = list(found.pair(theirs, ours, "auto"))
    return analysis(task, theirs, ours, segments, Question(**asked), told)


def said(found: Analysis) -> list[str]:
    return [section.what for section in found.sections]


def test_an_overview_of_trees() -> None:
    found = of("ud", GOLD, PRED)
    assert (found.task, found.metric, found.score) == ("ud", "LAS", pytest.approx(200 / 3))
    assert said(found) == [
        "upos", "xpos", "feats", "lemma", "deprel", "heads", "length", "distance", "depth", "genre",
    ]  # fmt: skip
    assert found.left_out == (("form", "no training file is named (--train)"),)
    [first, *_] = found.costliest
    assert (first[0], first[1].gold, first[1].pred) == ("deprel", "obj", "nsubj")
    assert first[1].gain == pytest.approx(100 / 3)


@pytest.mark.parametrize("what", WHATS["ud"])
def test_each_thing_can_be_asked_of_trees_alone(what: str) -> None:
    found = of("ud", GOLD, PRED, what=what, forms={"tea"})
    assert said(found) == [what]
    [section] = found.sections
    assert section.confusions or section.groups
    assert found.left_out == ()
    json.dumps(found.as_dict())


@pytest.mark.parametrize(
    ("task", "text", "metric"), [("span", SPANS, "Micro"), ("classification", CLASSES, "Accuracy")]
)
def test_overviews_of_other_tasks(task: str, text: str, metric: str) -> None:
    found = of(task, text, text)
    assert said(found) == list(WHATS[task])
    assert (found.metric, found.score, found.costliest) == (metric, 100, ())
    for what in WHATS[task]:
        assert said(of(task, text, text, what=what)) == [what]
    json.dumps(found.as_dict())


@pytest.mark.parametrize(
    ("task", "gold", "pred"),
    [
        ("ud", GOLD, PRED),
        ("span", "a\tB-X\n\n", "a\tB-Y\n\n"),
        ("classification", '{"id": "%d", "label": "a"}\n', '{"id": "%d", "label": "b"}\n'),
    ],
)
def test_as_many_examples_are_given_as_are_asked_for(task: str, gold: str, pred: str) -> None:
    theirs, ours = ("".join(text.replace("%d", str(k)) for k in range(5)) for text in (gold, pred))
    for asked, there in (({}, 3), ({"examples": 1}, 1), ({"examples": 4}, 4), ({"examples": 9}, 5)):
        found = of(task, theirs, ours, **asked)
        [_, costliest], *_ = found.costliest
        confusions = [section.confusions for section in found.sections if section.confusions]
        assert (costliest.count, len(costliest.places)) == (5, there)
        assert any(len(each.places) == there for one in confusions for each in one.listed)


def test_features_have_a_matrix_each() -> None:
    found = of("ud", GOLD, PRED, what="feats").sections[0]
    assert [matrix.column for matrix in found.matrices] == ["Case", "Mood", "Number"]
    assert found.matrix is None
    upos = of("ud", GOLD, PRED, what="upos").sections[0]
    assert upos.matrix is not None and upos.matrix.labels == ("NOUN", "VERB", "PRON")


def test_a_tagging_prediction_has_no_attachments() -> None:
    found = of("ud", GOLD, headless(PRED))
    assert found.metric == "UPOS"
    assert "no word of the prediction has a HEAD" in dict(found.left_out)["deprel"]
    assert {"deprel", "heads"}.isdisjoint(said(found))
    assert {"distance", "depth"} <= set(said(found))
    for section in found.sections:
        assert section.groups is None or "LAS" not in section.groups.metrics
    gold = of("ud", headless(GOLD), PRED)
    assert {"deprel", "heads", "distance", "depth"} <= dict(gold.left_out).keys()
    for asked in ({"metric": "LAS"}, {"what": "heads"}):
        with pytest.raises(WrongQuestion, match="no word of the prediction has a HEAD"):
            of("ud", GOLD, headless(PRED), **asked)


@pytest.mark.parametrize(
    ("task", "asked", "why"),
    [
        ("ud", {"what": "labels"}, "unknown what 'labels'; expected one of overview, upos"),
        ("ud", {"metric": "las"}, "unknown metric 'las'; expected one of UPOS"),
        ("ud", {"metric": "ELAS"}, "unknown metric 'ELAS'"),
        ("ud", {"what": "form"}, "nothing is said of form: no training file is named"),
        ("span", {"what": "upos"}, "expected one of overview, class, label, length"),
        ("span", {"metric": "Accuracy"}, "expected one of Micro, Macro"),
        ("classification", {"what": "class"}, "expected one of overview, label"),
        ("classification", {"metric": "ROC-AUC"}, "expected one of Accuracy, Micro, Macro"),
    ],
)
def test_what_cannot_be_asked_says_what_can(task: str, asked: dict[str, str], why: str) -> None:
    text = {"ud": GOLD, "span": SPANS, "classification": CLASSES}[task]
    with pytest.raises(WrongQuestion) as caught:
        of(task, text, text, **asked)
    assert why in str(caught.value)


def test_stems_have_an_audit_of_their_own() -> None:
    with pytest.raises(WrongQuestion, match="goldlens stem --audit"):
        analysis("stemming", [], [], [], Question())


def test_genres_and_documents_that_nothing_names() -> None:
    bare = "\n".join(line for line in GOLD.split("\n") if not line.startswith("#"))
    assert {"genre", "document"} <= dict(of("ud", bare, bare).left_out).keys()
    with pytest.raises(WrongQuestion, match="newdoc"):
        of("ud", bare, bare, what="document")


def test_a_text_about_newdoc_begins_no_document() -> None:
    gold = GOLD.replace("# newdoc id = d", "# text = newdoc")
    assert "document" in dict(of("ud", gold, PRED).left_out)
    with pytest.raises(WrongQuestion, match="gold has no “# newdoc”"):
        of("ud", gold, PRED, what="document")


def test_it_tells_how_it_gets_on_and_ends_when_told_to() -> None:
    done: list[tuple[int, int]] = []
    of("ud", GOLD, PRED, lambda k, n: done.append((k, n)))
    assert done == [(k, 10) for k in range(10)]

    def enough(k: int, n: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        of("ud", GOLD, PRED, enough)


def test_all_that_can_be_asked_has_a_name() -> None:
    assert EVERY[0] == OVERVIEW
    assert set(EVERY[1:]) == {name for names in WHATS.values() for name in names}


@given(texts(), texts(), st.sampled_from([None, "MLAS", "UFeats"]))
def test_any_texts_can_be_analysed(gold: str, pred: str, metric: str | None) -> None:
    try:
        found = of("ud", gold, pred, metric=metric, forms={"a"}, top=3)
    except WrongQuestion as error:
        assert metric == "MLAS" and "has a HEAD" in str(error)
        return
    document = json.loads(json.dumps(found.as_dict()))
    assert len(document["costliest"]) <= 3
    assert [section["what"] for section in document["sections"]] == said(found)
