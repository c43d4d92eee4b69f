"""The shared cases from public trouble reports, played as they are written."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.playing import copied, expected, lines, play, pred
from tests.lsp.session import (
    RpcError,
    SocketSession,
    StdioSession,
    note,
    opened,
    replace,
)

Start = Callable[..., StdioSession]


@pytest.fixture(params=["alone", "daemon"])
def via(request: pytest.FixtureRequest) -> str:
    """Each case is played against a server of its own, and against a daemon."""
    served: str = request.param
    return served


@pytest.fixture
def case(shared: Path, tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a case's folder that may be written to."""
    return lambda number: copied(shared, number, tmp_path / "case")


def test_78_incremental_edit_behind_emoji(
    session: SocketSession, case: Callable[[str], Path]
) -> None:
    folder = case("78")
    *before, change = lines(folder)
    for line in before:
        session.put(line)
    session.problems(pred(folder), 1)
    assert session.las(pred(folder)) == expected(folder)["after_open"]["LAS"]
    session.put(change)
    assert session.problems(pred(folder), 2) == []
    assert session.las(pred(folder)) == expected(folder)["after_change"]["LAS"]


def test_81_fast_typing(session: SocketSession, case: Callable[[str], Path]) -> None:
    folder = case("81")
    final = expected(folder)["final"]
    play(session, folder)
    [found] = session.problems(pred(folder), final["version"])
    assert found["range"]["start"]["line"] == final["las_error_lsp_line"]
    assert session.las(pred(folder)) == final["LAS"]
    versions = [push["version"] for push in session.pushed(pred(folder))]
    assert versions == sorted(versions) and versions[-1] == final["version"]


def test_81_the_same_version_for_ever(session: SocketSession, case: Callable[[str], Path]) -> None:
    folder = case("81")
    play(session, folder, "session_same_version.jsonl")
    assert session.las(pred(folder)) == expected(folder)["same_version_final"]["LAS"]
    session.settle()
    assert session.pushed(pred(folder))[-1]["diagnostics"] == []


def test_82_change_before_open_and_second_open(start: Start, case: Callable[[str], Path]) -> None:
    folder = case("82")
    session = start()
    play(session, folder)
    assert session.answer(2) is None
    assert session.answer(3) is None
    assert session.status() == expected(folder)["exit_code"]
    pushes = [(p["version"], len(p["diagnostics"])) for p in session.pushed(pred(folder))]
    assert pushes == [(1, 1), (5, 0), (5, 0)]
    told = [
        m["params"]["metrics"]["LAS"]["f1"]
        for m in session.log
        if m.get("method") == "goldlens/scores"
    ]
    assert [round(x, 4) for x in told] == [80, 100]


def test_86_symlinked_prediction(session: SocketSession, case: Callable[[str], Path]) -> None:
    folder = case("86")
    subprocess.run(["sh", "setup.sh"], cwd=folder, check=True)
    (folder / "goldlens.toml").write_text(
        '[[pair]]\ngold = "gold.conllu"\npred = "*/pred.conllu"\n', "utf-8"
    )
    play(session, folder)
    for name in ("latest", "run_a"):
        uri = (folder / name / "pred.conllu").as_uri()
        assert len(session.problems(uri, 1)) == 1
        assert session.las(uri) == 80
    session.settle()
    assert len(session.pushed((folder / "latest/pred.conllu").as_uri())) == 1


@pytest.mark.parametrize(
    "name", ["session.jsonl", "session_null_params.jsonl", "session_no_shutdown.jsonl"]
)
def test_88_shutdown_and_exit_codes(start: Start, case: Callable[[str], Path], name: str) -> None:
    folder = case("88")
    session = start()
    play(session, folder, name)
    assert session.status() == expected(folder)["exit_codes"][name]
    if name == "session.jsonl":
        with pytest.raises(RpcError) as caught:
            session.answer(3)
        assert caught.value.code == expected(folder)["error_code_after_shutdown"]


def test_90_length_in_bytes(start: Start, case: Callable[[str], Path]) -> None:
    folder = case("90")
    session = start(
        "--log",
        "debug",
        env={"PYTHONWARNINGS": "always", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
    )
    play(session, folder)
    [wanted] = expected(folder)["diagnostics"]
    found = session.problems(pred(folder), 1)
    [mismatch] = [p for p in found if p["code"] == "stream-mismatch"]
    assert mismatch["range"]["start"]["line"] == wanted["lsp_line"]
    assert "ß" in mismatch["message"]
    assert session.leave() == 0
    session.check()


def test_91_push_and_pull_are_not_doubled(
    connect: Callable[[], SocketSession], case: Callable[[str], Path]
) -> None:
    folder = case("91")
    pulls = connect()
    play(pulls, folder)
    report = pulls.answer(2)
    pulls.settle()
    assert len(report["items"]) == expected(folder)["total_diagnostics_seen"]
    assert report["items"][0]["range"]["start"]["line"] == expected(folder)["lsp_line"]
    assert pulls.pushed(pred(folder)) == []
    listens = connect()
    play(listens, folder, "session_push_only.jsonl")
    [push] = listens.pushed(pred(folder))
    assert len(push["diagnostics"]) == expected(folder)["total_diagnostics_seen"]


@pytest.mark.parametrize("name", ["pred.conllu", "pred_plus_error.conllu"])
def test_92_thousands_of_diagnostics(
    session: SocketSession, case: Callable[[str], Path], name: str
) -> None:
    folder = case("92")
    text = (folder / name).read_bytes().decode("utf-8")
    session.initialize()
    began = time.monotonic()
    session.open(pred(folder), text)
    found = session.problems(pred(folder), 1)
    assert time.monotonic() - began < 1
    assert len(found) == 250
    assert len(json.dumps(found)) < 1_000_000
    [cut] = [p for p in found if p["code"] == "problems-cut"]
    assert cut["message"].startswith("27")
    wanted = expected(folder)["must_publish"]
    if name == wanted["file"]:
        assert (wanted["lsp_line"], "column-count") in [
            (p["range"]["start"]["line"], p["code"]) for p in found
        ]
    else:
        assert session.las(pred(folder)) == expected(folder)["LAS"]


def test_93_keystrokes_in_a_large_file(session: SocketSession, case: Callable[[str], Path]) -> None:
    folder = case("93")
    subprocess.run([sys.executable, "make_big.py", "20000"], cwd=folder, check=True)
    text = (folder / "pred.conllu").read_bytes().decode("utf-8")
    uri = pred(folder)
    session.initialize()
    session.open(uri, text)
    session.problems(uri, 1)
    assert session.las(uri) == expected(folder)["LAS"]
    line = 14 * 9999 + 5
    column = len("\t".join(text.split("\n", line + 1)[line].split("\t")[:6])) + 1
    waits = []
    for version in range(2, 102):
        began = time.monotonic()
        session.edit(uri, version, replace(line, column, column + 1, "12"[version % 2]))
        session.problems(uri, version)
        waits.append(time.monotonic() - began)
    assert sorted(waits)[95] * 1000 < expected(folder)["p95_ms"]
    told = session.command("goldlens.score", {"uri": uri})
    other = uri.replace("pred", "%70red")
    cold = opened_anew(session, other, text, line, column)
    assert cold["metrics"] == told["metrics"]


def opened_anew(session: SocketSession, uri: str, text: str, line: int, column: int) -> Any:
    """The scoreboard of the edited text, opened anew."""
    rows = text.split("\n")
    rows[line] = rows[line][:column] + "2" + rows[line][column + 1 :]
    session.put(opened(uri, "\n".join(rows), 200))
    session.problems(uri, 200)
    return session.command("goldlens.score", {"uri": uri})


def test_94_foreign_diagnostics(session: SocketSession, case: Callable[[str], Path]) -> None:
    folder = case("94")
    play(session, folder)
    assert session.answer(2) in (None, [])
    with pytest.raises(RpcError) as caught:
        session.answer(3)
    assert caught.value.code == expected(folder)["response_3_error"]
    hover = {"textDocument": {"uri": pred(folder)}, "position": {"line": 0, "character": 0}}
    session.put({**note("textDocument/hover", hover), "id": 9})
    assert session.answer(9)["contents"]["kind"] == "markdown"
