"""Files that change on disk behind an editor that says nothing of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession

SEEN = 2.0
"""Seconds within which every change is seen."""


@pytest.fixture(params=["alone", "daemon"])
def via(request: pytest.FixtureRequest) -> str:
    served: str = request.param
    return served


@pytest.fixture
def editor(session: SocketSession, pair: Pair) -> SocketSession:
    session.initialize(folder=pair.folder)
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    assert session.las(pair.uri) == 80
    return session


def after(session: SocketSession, uri: str, holds: Callable[[list[Any]], bool]) -> float:
    """Waits for problems of which something holds; the seconds it took."""
    began = time.monotonic()
    while not holds(session.problems(uri)):
        pass
    return time.monotonic() - began


def codes(problems: list[Any]) -> set[str]:
    return {problem["code"] for problem in problems}


def test_gold_that_is_replaced(editor: SocketSession, pair: Pair) -> None:
    other = pair.folder / "new.tmp"
    other.write_text(pair.pred, "utf-8")
    other.replace(pair.gold_file)
    assert after(editor, pair.uri, lambda problems: problems == []) < SEEN
    assert editor.las(pair.uri) == 100


def test_gold_that_is_taken_away_and_put_back(editor: SocketSession, pair: Pair) -> None:
    pair.gold_file.unlink()
    taken = after(editor, pair.uri, lambda problems: codes(problems) == {"gold-not-found"})
    assert 0.4 < taken < SEEN
    assert editor.command("goldlens.score", {"uri": pair.uri}) is None
    pair.gold_file.write_text(pair.gold, "utf-8")
    assert after(editor, pair.uri, lambda problems: "las-error" in codes(problems)) < SEEN
    assert editor.las(pair.uri) == 80


def test_gold_written_in_pieces_is_not_scored_in_between(editor: SocketSession, pair: Pair) -> None:
    half = len(pair.gold) // 2 + 1
    editor.settle()
    before = len(editor.pushed(pair.uri))
    with pair.gold_file.open("w", encoding="utf-8") as file:
        file.write(pair.gold[:half])
        file.flush()
        time.sleep(0.6)
        file.write(pair.gold[half:] + "# done\n")
    time.sleep(1.5)
    editor.settle()
    assert len(editor.pushed(pair.uri)) <= before + 1
    assert editor.las(pair.uri) == 80


def test_a_configuration_that_appears(editor: SocketSession, pair: Pair) -> None:
    (pair.folder / "other.conllu").write_text(pair.pred, "utf-8")
    text = '[[pair]]\ngold = "other.conllu"\npred = "pred.conllu"\n'
    (pair.folder / "goldlens.toml").write_text(text, "utf-8")
    assert after(editor, pair.uri, lambda problems: problems == []) < SEEN
    assert editor.las(pair.uri) == 100


def test_a_profile_that_appears_changes_and_breaks(editor: SocketSession, pair: Pair) -> None:
    profile = pair.folder / "mine.toml"
    text = '[[pair]]\ngold = "gold.conllu"\npred = "pred.conllu"\nprofile = "mine.toml"\n'
    (pair.folder / "goldlens.toml").write_text(text, "utf-8")
    assert after(editor, pair.uri, lambda problems: "config-value" in codes(problems)) < SEEN
    assert editor.command("goldlens.score", {"uri": pair.uri}) is None
    profile.write_text("", "utf-8")
    assert after(editor, pair.uri, lambda problems: "las-error" in codes(problems)) < SEEN
    assert editor.las(pair.uri) == 80
    profile.write_text('[incomparable]\nmetrics = ["UPOS"]\n', "utf-8")

    def upos() -> Any:
        return editor.command("goldlens.score", {"uri": pair.uri})["metrics"]["UPOS"]

    assert after(editor, pair.uri, lambda problems: upos() is None) < SEEN
    profile.write_text("[upso]\n", "utf-8")
    assert after(editor, pair.uri, lambda problems: "config-value" in codes(problems)) < SEEN


def test_an_open_gold_wins_over_the_disk(editor: SocketSession, pair: Pair) -> None:
    editor.open(pair.gold_uri, pair.gold)
    pair.gold_file.write_text(pair.pred, "utf-8")
    time.sleep(1.5)
    assert editor.las(pair.uri) == 80
    editor.close(pair.gold_uri)
    assert after(editor, pair.uri, lambda problems: problems == []) < SEEN
    assert editor.las(pair.uri) == 100
