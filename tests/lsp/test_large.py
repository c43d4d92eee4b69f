"""Large files: opened in a thread, with the client served meanwhile and told how it goes."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import RpcError, SocketSession, edited, note, opened, replace

PROGRESS = {"window": {"workDoneProgress": True}}
HOVER = {"textDocument": {"uri": "file:///a"}, "position": {"line": 0, "character": 0}}


def sentences(last: str, count: int) -> str:
    """Sentences of twelve words, of which the last has the relation `last`."""
    found = []
    for k in range(count):
        rows = [f"# sent_id = big{k}"]
        for i in range(1, 13):
            head, relation = (0, "root") if i == 1 else (1, last if i == 12 else "dep")
            rows.append(f"{i}\tw{k}x{i}\tw\tX\t_\t_\t{head}\t{relation}\t_\t_")
        found.append("\n".join(rows) + "\n\n")
    return "".join(found)


COUNT = 14_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A pair of 5 MB: LAS 11/12."""
    folder: Path = tmp_path_factory.mktemp("large")
    pair = Pair(folder, sentences("dep", COUNT), sentences("obj", COUNT))
    assert len(pair.pred) > 4_000_000
    pair.gold_file.write_text(pair.gold, "utf-8", newline="\n")
    return pair


def test_the_client_is_served_while_a_large_file_is_opened(
    session: SocketSession, large: Pair
) -> None:
    session.initialize(PROGRESS)
    session.open(large.uri, large.pred)
    # Begun before the file is open, answered before it is.
    hover = session.ask("textDocument/hover", HOVER)
    score = session.ask(
        "workspace/executeCommand",
        {"command": "goldlens.score", "arguments": [{"uri": large.uri}]},
    )
    session.answer(hover)
    assert session.pushed(large.uri) == []
    create = session.expect(
        lambda m: m.get("method") == "window/workDoneProgress/create", "progress"
    )
    token = create["params"]["token"]
    session.put({"jsonrpc": "2.0", "id": create["id"], "result": None})
    begin = session.notification("$/progress")
    assert begin["token"] == token
    assert begin["value"] == {
        "kind": "begin",
        "title": "Scoring pred.conllu",
        "cancellable": True,
    }
    assert round(session.answer(score)["metrics"]["LAS"]["f1"], 4) == 91.6667
    assert len(session.problems(large.uri, 1)) == 250
    values = [m["params"]["value"] for m in session.log if m.get("method") == "$/progress"]
    assert [v["kind"] for v in values][-1] == "end"
    assert {v["kind"] for v in values[1:-1]} <= {"report"}


def test_edits_that_come_while_it_is_opened_count(session: SocketSession, large: Pair) -> None:
    session.initialize()
    line = 12
    column = large.pred.split("\n")[line].index("obj")
    right = replace(line, column, column + 3, "dep")
    session.put(opened(large.uri, large.pred), edited(large.uri, 2, right))
    session.problems(large.uri, 2)
    assert [push["version"] for push in session.pushed(large.uri)] == [2]
    assert session.las(large.uri) == round(100 * (11 * COUNT + 1) / (12 * COUNT), 4)
    assert not session.has("window/workDoneProgress/create")


def test_opening_can_be_called_off(session: SocketSession, large: Pair) -> None:
    session.initialize(PROGRESS)
    session.open(large.uri, large.pred)
    create = session.expect(
        lambda m: m.get("method") == "window/workDoneProgress/create", "progress"
    )
    token = create["params"]["token"]
    session.put(
        {"jsonrpc": "2.0", "id": create["id"], "result": None},
        note("window/workDoneProgress/cancel", {"token": token}),
    )
    assert "pred.conllu is not checked" in session.notification("window/showMessage")["message"]
    session.edit(large.uri, 2, replace(0, 0, 0, "# x\n"))
    with pytest.raises(RpcError, match="no such file"):
        session.las(large.uri)
    assert session.pushed(large.uri) == []
    values = [m["params"]["value"]["kind"] for m in session.log if m.get("method") == "$/progress"]
    assert values == ["begin", "end"]
    session.open(large.uri, large.pred, 3)
    assert len(session.problems(large.uri, 3)) == 250


def test_a_client_that_refuses_the_display_gets_none(session: SocketSession, large: Pair) -> None:
    session.initialize(PROGRESS)
    session.open(large.uri, large.pred)
    create = session.expect(
        lambda m: m.get("method") == "window/workDoneProgress/create", "progress"
    )
    error = {"code": -32601, "message": "no such thing"}
    session.put({"jsonrpc": "2.0", "id": create["id"], "error": error})
    assert len(session.problems(large.uri, 1)) == 250
    assert not session.has("$/progress")


def test_closed_before_it_is_open(session: SocketSession, large: Pair) -> None:
    session.initialize()
    session.open(large.uri, large.pred)
    session.close(large.uri)
    assert session.problems(large.uri) == []
    session.settle()
    assert len(session.pushed(large.uri)) == 1


def test_a_small_file_that_faces_a_large_one(
    session: SocketSession, large: Pair, tmp_path: Path
) -> None:
    (tmp_path / "gold.conllu").write_text(large.gold, "utf-8", newline="\n")
    uri = (tmp_path / "pred.conllu").as_uri()
    session.initialize(PROGRESS)
    session.open(uri, sentences("obj", 2))
    session.notification("window/workDoneProgress/create")
    assert session.problems(uri, 1)


def test_edits_far_apart_and_a_whole_new_text(session: SocketSession, large: Pair) -> None:
    session.initialize()
    session.open(large.uri, large.pred)
    lines = large.pred.split("\n")
    version = 1
    for line in (12, 14 * (COUNT // 2) + 12, 14 * (COUNT - 1) + 12):
        column = lines[line].index("obj")
        version += 1
        session.edit(large.uri, version, replace(line, column, column + 3, "dep"))
    assert session.las(large.uri) == round(100 * (11 * COUNT + 3) / (12 * COUNT), 4)
    session.edit(large.uri, version + 1, {"text": large.gold})
    assert session.problems(large.uri, version + 1) == []
    assert session.las(large.uri) == 100


def test_a_storm_of_edits_is_kept_up_with(
    connect: Callable[[], SocketSession], large: Pair
) -> None:
    session = connect()
    session.initialize()
    session.open(large.uri, large.pred)
    session.problems(large.uri, 1)
    line = 14 * (COUNT // 2) + 12
    column = large.pred.split("\n")[line].index("obj")
    waits = []
    for version in range(2, 42):
        began = time.monotonic()
        text = ("dep", "obj")[version % 2]
        session.edit(large.uri, version, replace(line, column, column + 3, text))
        session.problems(large.uri, version)
        waits.append(time.monotonic() - began)
    assert sorted(waits)[len(waits) * 95 // 100] < 0.5
    assert session.las(large.uri) == 91.6667


def test_checks_that_were_put_off_are_made_when_it_is_quiet(
    session: SocketSession, large: Pair
) -> None:
    session.initialize()
    session.open(large.uri, large.pred.replace("\tX\t_\t_\t", "\tX\t_\tbad\t", 1))
    session.expect(
        lambda m: (
            m.get("method") == "textDocument/publishDiagnostics"
            and any(p["code"] == "feats-format" for p in m["params"]["diagnostics"])
        ),
        "feats-format",
    )
