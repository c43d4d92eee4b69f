"""What a script is answered is what an editor is answered: the same commands, results, messages."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.daemon.conftest import Connect, Work
from tests.daemon.session import Daemon, Rpc, RpcError, as_editor
from tests.lsp import session as lsp

CHANGES = {"since_open", "since_save"}
"""What in a score counts from another time, where the daemon watches the prediction."""


class Editor(lsp.Session):
    """A client of a daemon that speaks LSP."""

    def __init__(self, daemon: Daemon) -> None:
        self.socket = as_editor(daemon)
        self.socket.settimeout(None)
        super().__init__(lambda: self.socket.recv(1 << 16), self.socket.sendall)

    def kill(self) -> None:
        self.socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(lsp.WAIT)
        self.socket.close()


@pytest.fixture
def editor(common: Daemon, common_work: Work) -> Iterator[Editor]:
    """An editor that has the workspace open."""
    session = Editor(common)
    session.initialize(folder=common_work.folder)
    yield session
    session.kill()
    session.check()


Ask = Callable[[str, dict[str, object]], Any]


@pytest.fixture
def both(rpc: Rpc, editor: Editor) -> Ask:
    """Asks a script's connection and an editor's; what both are answered, or the message."""

    def ask(command: str, arguments: dict[str, object]) -> Any:
        answers = []
        for call in (
            lambda: rpc.call(command, **arguments),
            lambda: editor.command(command, arguments),
        ):
            try:
                answers.append(call())
            except (RpcError, lsp.RpcError) as error:
                answers.append(str(error).removeprefix("Invalid params: "))
        assert answers[0] == answers[1]
        return answers[0]

    return ask


def test_rows(both: Ask, common_work: Work) -> None:
    for form in ("markdown", "json", "csv", "latex", "hf"):
        arguments = {"uri": common_work.one, "format": form, "resamples": 100, "metrics": ["LAS"]}
        assert "LAS" in both("goldlens.rows", arguments)


def test_a_comparison(both: Ask, common_work: Work) -> None:
    arguments = {"uri": common_work.one, "other": common_work.two, "resamples": 100}
    assert both("goldlens.compare", arguments)


def test_a_receipt(both: Ask, common_work: Work) -> None:
    assert both("goldlens.receipt", {"uri": common_work.one, "split": "dev"})


def test_pairs(both: Ask) -> None:
    assert len(both("goldlens.pairs", {})) == 2


def test_a_tree(both: Ask, common_work: Work) -> None:
    assert both("goldlens.tree", {"uri": common_work.one, "line": 2})
    assert both("goldlens.tree", {"uri": common_work.one, "line": 9999}) is None


def test_a_sentence_with_problems(both: Ask, common_work: Work) -> None:
    for which in ("worst", "next", "previous"):
        found = both("goldlens.seek", {"uri": common_work.one, "which": which})
        assert found["problems"] > 0


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("goldlens.seek", {"uri": "/x", "which": "best"}),
        ("goldlens.seek", {"uri": "file:///nowhere/at-all.conllu", "which": "worst"}),
        ("goldlens.score", {"uri": "file:///nowhere/at-all.conllu"}),
        ("goldlens.score", {"uri": "untitled:Untitled-1"}),
        ("goldlens.score", {}),
        ("goldlens.score", {"uri": 7}),
        ("goldlens.score", {"uri": "x", "url": "y"}),
        ("goldlens.rows", {"uri": "/x", "format": "docx"}),
        ("goldlens.rows", {"uri": "/x", "format": "json", "resamples": 1}),
        ("goldlens.tree", {"uri": "/x", "line": -1}),
        ("goldlens.compare", {"uri": "/x", "other": "/y", "level": 2}),
        ("goldlens.receipt", {"uri": "/nowhere/at-all.conllu"}),
        ("goldlens.setGold", {"uri": "/x", "gold": "http://example.org/gold.conllu"}),
    ],
)
def test_messages(both: Ask, command: str, arguments: dict[str, object]) -> None:
    assert isinstance(both(command, arguments), str)


def test_the_score_of_a_prediction(rpc: Rpc, editor: Editor, common_work: Work) -> None:
    for uri in (common_work.one, common_work.two):
        told = rpc.call("goldlens.score", uri=uri)
        seen = editor.command("goldlens.score", {"uri": uri})
        assert told["metrics"]["LAS"]["f1"] > 0
        assert told.keys() == seen.keys()
        assert all(told[key] == seen[key] for key in told.keys() - CHANGES)
    assert rpc.call("goldlens.score", uri=common_work.aside) is None
    assert editor.command("goldlens.score", {"uri": common_work.aside}) is None


def test_a_path_is_as_good_as_a_uri(rpc: Rpc, common_work: Work) -> None:
    for name in ("runs/one.conllu", "aside.conllu"):
        path = common_work.path(name)
        by_uri = rpc.call("goldlens.score", uri=path.as_uri())
        assert rpc.call("goldlens.score", uri=str(path)) == by_uri


def test_gold_is_set_for_one_connection(connect: Connect, common_work: Work) -> None:
    one, other = connect(), connect()
    gold = common_work.uri("gold.conllu")
    assert one.call("goldlens.setGold", uri=common_work.aside, gold=gold) is None
    assert one.call("goldlens.score", uri=common_work.aside)["metrics"]["LAS"]["f1"] == 80
    assert other.call("goldlens.score", uri=common_work.aside) is None
    # Of a watched prediction, too.
    gold = common_work.aside
    assert one.call("goldlens.setGold", uri=common_work.one, gold=gold) is None
    assert one.call("goldlens.score", uri=common_work.one)["metrics"]["LAS"]["f1"] == 100
    assert other.call("goldlens.score", uri=common_work.one)["metrics"]["LAS"]["f1"] == 80
    later = connect()
    assert later.call("goldlens.score", uri=common_work.aside) is None


def test_scores_that_the_daemon_does_not_have(
    start: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    """Where it says to subscribers that something is wrong, who asks is told what an editor is."""
    work.path("runs/one.conllu").write_bytes(b"\xff\xfe\0not text")
    rpc = connect(start())
    rpc.call("subscribe")
    # An empty file is taken for unfinished at first.
    work.path("runs/two.conllu").write_text("", "utf-8")
    for uri in (work.one, work.two):
        rpc.expect(lambda m, uri=uri: m[2][0]["uri"] == uri and m[2][0]["trouble"], "a trouble")
    with pytest.raises(RpcError, match=r"one\.conllu: the file is UTF-16, not UTF-8; save it"):
        rpc.call("goldlens.score", uri=work.one)
    assert rpc.call("goldlens.score", uri=work.two)["metrics"]["LAS"]["f1"] == 0


def test_who_writes_and_asks_gets_the_score_of_what_was_written(
    start: Callable[..., Daemon], work: Work, connect: Connect
) -> None:
    """Though the daemon waits a moment after a change."""
    rpc = connect(start())
    for text, score in [(work.gold, 100), (work.wrong, 80)] * 3:
        work.path("runs/one.conllu").write_text(text, "utf-8")
        assert rpc.call("goldlens.score", uri=work.one)["metrics"]["LAS"]["f1"] == score
