"""A sentence drawn: gold's arcs above, the prediction's below, right-to-left from the right."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from goldlens.server.report.trees import drawn, from_the_right


def word(number: int, form: str, head: int, gold: int | None, **more: Any) -> dict[str, Any]:
    """A word; `gold` its head in gold, None where it faces none."""
    deprel = more.get("deprel", "dep")
    facing = None if gold is None else {"head": gold, "deprel": "obj", "upos": "X"}
    correct = gold == head and deprel == "obj"
    return {
        "id": number, "form": form, "upos": "X", "head": head, "deprel": deprel,
        "gold": facing, "correct": correct,
    }  # fmt: skip


def groups(svg: str, kind: str) -> list[ElementTree.Element]:
    return [g for g in ElementTree.fromstring(svg).iter("g") if g.get("class") == kind]


def places(svg: str) -> list[float]:
    found = ElementTree.fromstring(svg).iter("text")
    return [float(each.get("x", "")) for each in found if each.get("class") == "form"]


def heights(svg: str, kind: str) -> list[float]:
    """Where the labels of arcs stand."""
    return [float(t.get("y", "")) for g in groups(svg, kind) for t in g.iter("text")]


def test_gold_stands_above_the_words_and_the_prediction_below() -> None:
    svg = drawn([word(1, "a", 2, 2, deprel="obj"), word(2, "b", 0, 0, deprel="obj")])
    forms = [t for t in ElementTree.fromstring(svg).iter("text") if t.get("class") == "form"]
    line = float(forms[0].get("y", ""))
    assert len(groups(svg, "gold")) == len(groups(svg, "pred")) == 2
    assert all(y < line for y in heights(svg, "gold"))
    assert all(y > line for y in heights(svg, "pred"))


def test_what_is_wrong_is_marked_on_both_sides() -> None:
    svg = drawn([word(1, "a", 2, 0), word(2, "b", 0, 1), word(3, "c", 2, 2, deprel="obj")])
    assert len(groups(svg, "gold wrong")) == len(groups(svg, "pred wrong")) == 2
    assert len(groups(svg, "gold")) == len(groups(svg, "pred")) == 1


def test_a_word_without_counterpart_has_an_arc_on_one_side() -> None:
    svg = drawn([word(1, "a", 2, None), word(2, "b", 0, 0, deprel="obj")])
    assert len(groups(svg, "gold")) == 1
    assert len(groups(svg, "pred wrong")) == 1


@pytest.mark.parametrize("head", [5, 1])
def test_a_head_that_is_no_other_word_gives_no_arc(head: int) -> None:
    svg = drawn([word(1, "a", head, 0), word(2, "b", 1, 1, deprel="obj")])
    assert len(groups(svg, "pred wrong")) == 0


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (["שלום", "עולם", "."], True),
        (["مرحبا", "world", "بكم"], True),
        (["one", "שלום", "two"], False),
        ([".", "1"], False),
        ([], False),
    ],
)
def test_right_to_left_runs_from_the_right(forms: list[str], expected: bool) -> None:
    words = [word(k + 1, form, 0, 0) for k, form in enumerate(forms)]
    assert from_the_right(words) is expected
    x = places(drawn(words))
    assert x == sorted(x, reverse=expected)


def test_a_longer_arc_runs_above_the_shorter_one_within_it() -> None:
    words = [word(k, "w", h, h, deprel="obj") for k, h in ((1, 4), (2, 3), (3, 0), (4, 3))]
    svg = drawn(words)
    by_path = {
        re.findall(r"[\d.]+", g[0].get("d", ""))[0]: float(g[2].get("y", ""))
        for g in groups(svg, "gold")
    }
    assert len(by_path) >= 3
    assert len(set(heights(svg, "gold"))) >= 3


def test_what_a_text_holds_is_not_taken_for_markup() -> None:
    svg = drawn([word(1, '<b>&"', 0, 0, deprel="<x>")])
    assert "<b>" not in svg
    texts = [t.text for t in ElementTree.fromstring(svg).iter("text")]
    assert '<b>&"' in texts
    assert "<x>" in texts


def test_who_does_not_see_it_is_told() -> None:
    svg = drawn([word(1, "Hello", 0, 0, deprel="obj"), word(2, "you", 0, 1)])
    assert ElementTree.fromstring(svg).get("aria-label") == "Hello you. Wrong: 2 you"
