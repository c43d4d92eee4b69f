"""workspace/symbol: sentences of the workspace by their names, whether open or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import SocketSession

CONFIG = '[[pair]]\ngold = "gold.conllu"\npred = "runs/*/pred.conllu"\n'


@pytest.fixture
def runs(pair: Pair) -> Path:
    """Three systems of one gold, named by a configuration."""
    (pair.folder / "goldlens.toml").write_text(CONFIG, "utf-8")
    for name in ("a", "b", "c"):
        folder = pair.folder / "runs" / name
        folder.mkdir(parents=True)
        text = pair.pred.replace("s2", f"{name}-s2")
        (folder / "pred.conllu").write_text(text, "utf-8", newline="\n")
    (pair.folder / "pred.conllu").unlink()
    return pair.folder / "runs"


def found(session: SocketSession, query: str) -> list[tuple[str, str, int]]:
    symbols: list[Any] = session.call("workspace/symbol", {"query": query})
    return [
        (
            symbol["name"],
            symbol["containerName"],
            symbol["location"]["range"]["start"]["line"],
        )
        for symbol in symbols
    ]


def test_of_predictions_and_golds_that_nobody_has_open(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder)
    assert found(session, "S2") == [
        ("s2", "gold.conllu", 5),
        ("a-s2", "runs/a/pred.conllu", 5),
        ("b-s2", "runs/b/pred.conllu", 5),
        ("c-s2", "runs/c/pred.conllu", 5),
    ]
    assert found(session, "b-s") == [("b-s2", "runs/b/pred.conllu", 5)]
    assert found(session, "nothing") == []
    assert len(found(session, "")) == 8


def test_letters_that_are_not_ascii_are_found(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder)
    text = pair.pred.replace("s2", "Äsop-Œuvre-2")
    (runs / "a" / "pred.conllu").write_text(text, "utf-8")
    uri = (runs / "b" / "pred.conllu").as_uri()
    session.open(uri, text)
    session.problems(uri, 1)
    names = ("runs/b/pred.conllu", "runs/a/pred.conllu")
    assert found(session, "Äsop-Œuvre") == [("Äsop-Œuvre-2", name, 5) for name in names]


def test_an_open_buffer_counts_and_not_the_disk(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder)
    uri = (runs / "a" / "pred.conllu").as_uri()
    session.open(uri, pair.pred.replace("s2", "fresh"))
    session.problems(uri, 1)
    assert [where for name, where, _ in found(session, "s2")] == [
        "gold.conllu",
        "runs/b/pred.conllu",
        "runs/c/pred.conllu",
    ]
    assert found(session, "fresh") == [("fresh", "runs/a/pred.conllu", 5)]


def test_what_changes_on_disk_is_read_again(session: SocketSession, runs: Path, pair: Pair) -> None:
    session.initialize(folder=pair.folder)
    assert found(session, "c-s2") == [("c-s2", "runs/c/pred.conllu", 5)]
    (runs / "c" / "pred.conllu").write_text("\n# sent_id = c-s2\n", "utf-8")
    assert found(session, "c-s2") == [("c-s2", "runs/c/pred.conllu", 1)]
    (runs / "c" / "pred.conllu").unlink()
    assert found(session, "c-s2") == []


def test_not_more_than_two_hundred_and_the_best(
    session: SocketSession, runs: Path, pair: Pair
) -> None:
    session.initialize(folder=pair.folder)
    text = "".join(f"# sent_id = x-7-{k}\n\n" for k in range(300)) + "# sent_id = 7\n\n"
    (runs / "a" / "pred.conllu").write_text(text, "utf-8")
    names = [name for name, _, _ in found(session, "7")]
    assert len(names) == 200 and names[0] == "7"


def test_it_can_be_cancelled(session: SocketSession, runs: Path, pair: Pair) -> None:
    session.initialize(folder=pair.folder)
    number = 4711
    # In one message: the search has no time to end before it is cancelled.
    session.put(
        {"jsonrpc": "2.0", "id": number, "method": "workspace/symbol", "params": {"query": "s"}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}},
    )
    answer = session.expect(lambda m: m.get("id") == number, json.dumps(number))
    assert answer["error"]["code"] == -32800
    assert found(session, "b-s2") == [("b-s2", "runs/b/pred.conllu", 5)]
