"""The process on stdio: how it ends, and that stdout carries nothing but frames."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lsp.conftest import Pair
from tests.lsp.session import (
    COMMAND,
    RpcError,
    StdioSession,
    edited,
    framed,
    note,
    opened,
    replace,
)
from tests.processes import alive

Start = Callable[..., StdioSession]

INITIALIZE = {**note("initialize", {"processId": None, "capabilities": {}}), "id": 1}

BUSY = """
import sys, time
from goldlens.server import publishing

def rows(self, *arguments, **fields):
    while True:
        sum(range(1000))

publishing.Publishing.rows_later = rows
from goldlens.server.lsp import serve_stdio
sys.exit(serve_stdio())
"""
"""A server whose rows take for ever, in Python code."""


def busy(start: Start, pair: Pair) -> StdioSession:
    session = start(command=[sys.executable, "-c", BUSY])
    session.initialize()
    session.open(pair.uri, pair.pred)
    session.problems(pair.uri, 1)
    return session


ROWS = {"command": "goldlens.rows", "arguments": [{"uri": "file:///a", "format": "csv"}]}


def test_exit_after_shutdown_is_right(start: Start) -> None:
    session = start()
    session.initialize()
    assert session.call("shutdown") is None
    assert session.process.poll() is None
    began = time.monotonic()
    session.send("exit")
    assert session.status() == 0
    assert time.monotonic() - began < 1


def test_exit_without_shutdown_is_wrong(start: Start) -> None:
    session = start()
    session.initialize()
    session.send("exit")
    assert session.status() == 1


def test_exit_before_anything_else(start: Start) -> None:
    session = start()
    session.send("exit")
    assert session.status() == 1


def test_work_in_a_thread_delays_nothing(start: Start, pair: Pair) -> None:
    session = busy(start, pair)
    rows = session.ask("workspace/executeCommand", ROWS)
    # What needs no workspace is answered, and the work can be called off.
    with pytest.raises(RpcError, match="nothing/known"):
        session.call("nothing/known")
    waiting = session.ask("textDocument/diagnostic", {"textDocument": {"uri": pair.uri}})
    for number in (rows, waiting):
        session.send("$/cancelRequest", {"id": number})
        answer = session.expect(lambda m, n=number: m.get("id") == n, "the cancelled answer")
        assert answer["error"]["code"] == -32800
    session.send("$/cancelRequest", {"id": rows})
    assert session.call("shutdown") is None
    began = time.monotonic()
    session.send("exit")
    assert session.status() == 0
    assert time.monotonic() - began < 1


def test_gone_after_the_end_of_input_even_at_work(start: Start, pair: Pair) -> None:
    session = busy(start, pair)
    session.ask("workspace/executeCommand", ROWS)
    began = time.monotonic()
    session.end_input()
    assert session.status() == 1
    assert time.monotonic() - began < 2


def test_what_came_before_the_end_of_input_is_answered(start: Start, pair: Pair) -> None:
    session = start()
    rows = {"command": "goldlens.pairs", "arguments": [{}]}
    session.put(
        INITIALIZE,
        note("initialized", {}),
        opened(pair.uri, pair.pred),
        {**note("workspace/executeCommand", rows), "id": 2},
    )
    session.end_input()
    assert session.status() == 1
    assert [m["id"] for m in session.log if "id" in m] == [1, 2]
    assert len(session.pushed(pair.uri)) == 1


def test_gone_when_nobody_reads_any_more(start: Start) -> None:
    session = start()
    session.initialize()
    assert session.process.stdout is not None
    # Closed while a thread waits in it, the pipe would stay open: the other end is let go instead.
    reader, writer = os.pipe()
    os.dup2(reader, session.process.stdout.fileno())
    os.close(reader)
    os.close(writer)
    session.ask("textDocument/hover", {})
    assert session.status() == 1


PARENT = """
import os, subprocess, sys, time
read, write = os.pipe()
heard, said = os.pipe()
server = subprocess.Popen({command!r}, stdin=read, stdout=said)
holder = subprocess.Popen(["sleep", "60"], pass_fds=(write, heard))
params = b'{{"processId":%d,"capabilities":{{}}}}' % os.getpid()
body = b'{{"jsonrpc":"2.0","id":1,"method":"initialize","params":%b}}' % params
os.write(write, b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
os.read(heard, 20)
print(server.pid, holder.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_gone_after_its_parent_though_another_holds_its_pipes() -> None:
    script = PARENT.format(command=COMMAND)
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    server, holder = map(int, parent.stdout.readline().split())
    try:
        assert alive(server)
        parent.kill()
        until = time.monotonic() + 15
        while alive(server) and time.monotonic() < until:
            time.sleep(0.1)
        assert alive(holder)
        assert not alive(server)
    finally:
        os.kill(holder, signal.SIGKILL)
        parent.wait()
        parent.stdout.close()


def test_a_parent_that_never_was_is_gone_too(start: Start) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    session = start()
    session.call("initialize", {"processId": ended.pid, "capabilities": {}})
    assert session.status() == 1


CLEAN = {
    "PYTHONWARNINGS": "always",
    "PYTHONIOENCODING": "ascii",
    "LC_ALL": "C",
    "PYTHONUTF8": "0",
    "GOLDLENS_LOG": "debug",
}


def test_nothing_but_frames_on_stdout(start: Start, pair: Pair) -> None:
    session = start("--log", "debug", env=CLEAN)
    session.initialize()
    right = "1\tGröße\tü\u2028😀\tX\t_\t_\t0\troot\t_\t_\n\n"
    pair.gold_file.write_text(right, "utf-8", newline="\n")
    session.open(pair.uri, right.replace("ß", "ss"))
    [found] = [p for p in session.problems(pair.uri, 1) if p["code"] == "stream-mismatch"]
    assert "ß" in found["message"]
    session.edit(pair.uri, 2, replace(0, 0, 1, "\ud83d"))
    session.problems(pair.uri, 2)
    session.send("workspace/didChangeConfiguration", {"settings": {"nö": "ü"}})
    assert "nö" in session.notification("window/showMessage")["message"]
    assert session.leave() == 0
    session.check()
    assert b"DEBUG" in session.stderr
    assert b"Traceback" not in session.stderr


PRINTS = """
import os, sys, warnings
from goldlens.server import workspace

def pairs(self):
    print("stray \\u00fc")
    os.system("echo stray")
    os.write(1, b"stray")
    sys.stdout.write("stray")
    sys.__stdout__.write("stray"); sys.__stdout__.flush()
    warnings.warn("stray")
    return [sys.stdin.read()]

workspace.Workspace.pairs = pairs
from goldlens.server.lsp import serve_stdio
sys.exit(serve_stdio())
"""


def test_stray_prints_go_to_stderr(start: Start) -> None:
    session = start(command=[sys.executable, "-c", PRINTS], env=CLEAN)
    session.initialize()
    assert session.command("goldlens.pairs", {}) == [""]
    assert session.leave() == 0
    assert session.stderr.count(b"stray") >= 6


def test_a_bug_is_an_error_in_the_answer_and_a_traceback_in_the_log(
    start: Start, pair: Pair
) -> None:
    code = BUSY.replace("    while True:\n        sum(range(1000))", "    raise KeyError('oops')")
    session = start(command=[sys.executable, "-c", code])
    session.initialize()
    number = session.ask("workspace/executeCommand", ROWS)
    answer = session.expect(lambda m: m.get("id") == number, "the answer")
    assert answer["error"]["code"] == -32603
    assert "oops" in answer["error"]["message"]
    session.open(pair.uri, pair.pred)
    assert len(session.problems(pair.uri, 1)) == 1
    assert session.leave() == 0
    assert b"Traceback" in session.stderr


def test_a_message_in_small_pieces(start: Start) -> None:
    session = start()
    for byte in framed(INITIALIZE):
        session.raw(bytes([byte]))
    assert session.answer(1)["serverInfo"]["name"] == "goldlens"


def test_files_do_for_stdin_and_stdout(tmp_path: Path, pair: Pair) -> None:
    said, heard = tmp_path / "said", tmp_path / "heard"
    messages = [
        INITIALIZE,
        note("initialized", {}),
        opened(pair.uri, pair.pred),
        {**note("shutdown"), "id": 2},
        note("exit"),
    ]
    said.write_bytes(b"".join(framed(message) for message in messages))
    with said.open("rb") as source, heard.open("wb") as sink:
        done = subprocess.run(COMMAND, stdin=source, stdout=sink, timeout=20, check=False)
    assert done.returncode == 0
    bodies = [part.split(b"\r\n\r\n", 1)[1] for part in heard.read_bytes().split(b"Content-L")[1:]]
    first, *_, last = [json.loads(body) for body in bodies]
    assert (first["id"], last["id"]) == (1, 2)
    assert any(b"las-error" in body for body in bodies)


def test_the_switch_that_editors_add(start: Start) -> None:
    session = start("--stdio")
    session.initialize()
    assert session.leave() == 0


def test_garbage_ends_the_process_with_a_line_in_the_log(start: Start) -> None:
    session = start()
    session.raw(b"print('hello')\r\n\r\n")
    assert session.status() == 1
    assert session.log == []
    assert b"hello" in session.stderr and b"Traceback" not in session.stderr


def test_a_client_that_does_not_read_gets_the_last_state(start: Start, pair: Pair) -> None:
    """It is neither waited for nor told everything: memory stays, and old lists are dropped."""
    session = start()
    session.initialize()
    text = "".join(f"# sent_id = x{k}\n1\tWe\twe\tX\t_\t_\t5\tdep\t_\t_\n\n" for k in range(300))
    session.open(pair.uri, text)
    session.problems(pair.uri, 1)
    session.reading.clear()
    for version in range(2, 1502):
        session.raw(framed(edited(pair.uri, version, replace(1, 18, 19, str(version % 7 + 2)))))
    # Edits are taken all the while: the server has not stopped at a full pipe.
    session.reading.set()
    session.problems(pair.uri, 1501)
    versions = [push["version"] for push in session.pushed(pair.uri)]
    assert versions == sorted(versions)
    assert len(versions) < 300
    assert session.leave() == 0


def test_a_client_that_never_reads_its_errors_is_served(pair: Pair) -> None:
    """More log than the pipe holds, and nobody at its end."""
    read, write = os.pipe()
    process = subprocess.Popen(
        [*COMMAND, "--log", "debug"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=write
    )
    assert process.stdin and process.stdout
    try:
        process.stdin.write(framed(INITIALIZE))
        unknown = framed(edited("file:///" + "x" * 500, 1))
        process.stdin.write(unknown * 2000)
        process.stdin.write(framed({**note("shutdown"), "id": 2}) + framed(note("exit")))
        process.stdin.flush()
        out = process.stdout.read()
        assert b'"id":2,"result":null' in out
        assert process.wait(5) == 0
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        os.close(read)
        os.close(write)


def test_gone_at_once_even_while_rows_are_made_apart(start: Start, pair: Pair) -> None:
    """Rows that have all they need let others work, and hold up nobody who leaves."""
    code = BUSY.replace("    while True:\n        sum(range(1000))", "    return ever")
    code = code.replace(
        "def rows(", "def ever():\n    while True:\n        sum(range(1000))\n\ndef rows("
    )
    session = start(command=[sys.executable, "-c", code])
    session.initialize()
    session.ask("workspace/executeCommand", ROWS)
    session.open(pair.uri, pair.pred)
    assert len(session.problems(pair.uri, 1)) == 1
    assert session.call("shutdown") is None
    began = time.monotonic()
    session.send("exit")
    assert session.status() == 0
    assert time.monotonic() - began < 1
