"""Events, and the box in which the latest of each waits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from goldlens.client.events import Gone, Mailbox, Problems, Scores, event_of


def scores(uri: str, figure: float = 0) -> Scores:
    return Scores({"uri": uri, "metrics": {"LAS": {"f1": figure}}})


def test_scores_say_of_what_they_are() -> None:
    raw = {
        "uri": "file:///corpus/runs/%C3%BC%20%23/pred.conllu",
        "system": "ü #",
        "metrics": {"LAS": {"f1": 88.5, "precision": 90.0}, "Accuracy": {"value": 71.0}},
        "trouble": None,
        "since_open": {"LAS": 0.5},
        "since_save": None,
    }
    found = event_of("goldlens/scores", raw)
    assert isinstance(found, Scores)
    assert found.path == Path("/corpus/runs/ü #/pred.conllu")
    assert (found.uri, found.system, found.trouble) == (raw["uri"], "ü #", None)
    assert (found.since_open, found.since_save) == ({"LAS": 0.5}, None)
    assert (found.score("LAS"), found.score("Accuracy")) == (88.5, 71.0)
    with pytest.raises(KeyError):
        found.score("LASS")


def test_a_score_that_cannot_be_had_says_why() -> None:
    found = Scores({"uri": "file:///a", "metrics": None, "trouble": "the gold is gone"})
    assert (found.metrics, found.score("LAS"), found.trouble) == (None, None, "the gold is gone")


def test_a_path_that_is_no_text_is_found_all_the_same() -> None:
    assert os.fsencode(Gone({"uri": "file:///a%FF%25"}).path) == b"/a\xff%"


def test_problems_are_listed() -> None:
    problem = {"path": "/a", "line": 3, "code": "las-error"}
    found = event_of("goldlens/problems", {"uri": "file:///a", "problems": [problem], "more": 2})
    assert isinstance(found, Problems)
    assert (list(found.problems), found.more) == ([problem], 2)


def test_the_latest_wins_and_stands_where_it_came() -> None:
    box = Mailbox()
    for event in (scores("a", 1), scores("b", 2), scores("a", 3)):
        box.put(event)
    assert taken(box) == [scores("b", 2), scores("a", 3)]
    assert taken(box) == []


def test_scores_and_problems_do_not_replace_each_other() -> None:
    box = Mailbox()
    both = [scores("a"), Problems({"uri": "a"})]
    for event in both:
        box.put(event)
    assert taken(box) == both


def test_what_is_gone_has_no_scores_until_it_is_back() -> None:
    box = Mailbox()
    for event in (scores("a", 1), Problems({"uri": "a"}), scores("b"), Gone({"uri": "a"})):
        box.put(event)
    box.put(scores("a", 2))
    assert taken(box) == [scores("b"), Gone({"uri": "a"}), scores("a", 2)]


def test_a_box_holds_no_more_than_there_are_predictions() -> None:
    box = Mailbox()
    for number in range(1000):
        box.put(scores(f"{number % 3}", number))
    assert len(taken(box)) == 3


def taken(box: Mailbox) -> list[object]:
    found: list[object] = []
    while (event := box.take()) is not None:
        found.append(event)
    return found
