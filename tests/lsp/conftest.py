"""Servers to talk to, and a small prediction that faces gold.

Most tests share one server process: each connection to it is a server of its own. What is about
the process itself starts one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.session import COMMAND, WAIT, DaemonSession, SocketSession, StdioSession

GOLD = """\
# sent_id = s1
1\tWe\twe\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tlike\tlike\tVERB\t_\t_\t0\troot\t_\t_
3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t_\t_

# sent_id = s2
1\tYou\tyou\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tnap\tnap\tVERB\t_\t_\t0\troot\t_\t_

"""


@dataclass(frozen=True)
class Pair:
    """A folder with gold.conllu; pred.conllu faces it by its name.

    `pred` is as gold but for the head of "tea" in line 3, column 19: LAS 4/5.
    """

    folder: Path
    gold: str = GOLD
    pred: str = GOLD.replace("NOUN\t_\t_\t2", "NOUN\t_\t_\t1")

    @property
    def gold_file(self) -> Path:
        return self.folder / "gold.conllu"

    @property
    def gold_uri(self) -> str:
        return self.gold_file.as_uri()

    @property
    def uri(self) -> str:
        return (self.folder / "pred.conllu").as_uri()


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    made = Pair(tmp_path)
    made.gold_file.write_text(made.gold, "utf-8", newline="\n")
    (tmp_path / "pred.conllu").write_text(made.pred, "utf-8", newline="\n")
    return made


@pytest.fixture
def start() -> Iterator[Callable[..., StdioSession]]:
    """Starts servers on stdio; they are killed in the end, and held to the wire format."""
    sessions: list[StdioSession] = []

    def begin(*arguments: str, **more: Any) -> StdioSession:
        sessions.append(StdioSession(*arguments, **more))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.kill()
        session.check()


@dataclass(frozen=True)
class Listening:
    process: subprocess.Popen[bytes]
    port: int


@pytest.fixture(scope="session")
def listening() -> Iterator[Listening]:
    """A server process that takes connections."""
    process = subprocess.Popen([*COMMAND, "--tcp", "127.0.0.1:0"], stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.readline().decode()
    match = re.fullmatch(r"goldlens: listening on 127\.0\.0\.1:(\d+)\s*", said)
    assert match, said
    drain = threading.Thread(target=process.stderr.read, daemon=True)
    drain.start()
    yield Listening(process, int(match[1]))
    process.terminate()
    assert process.wait(10) == 0
    drain.join()
    process.stderr.close()


@pytest.fixture(scope="session")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of a daemon."""
    folder = tmp_path_factory.mktemp("daemon")
    folder.chmod(0o700)
    command = [sys.executable, "-m", "goldlens.server.daemon", "--root", str(folder)]
    command += ["--runtime", str(folder), "--name", "d", "--log", str(folder / "log")]
    process = subprocess.Popen(command, env={**os.environ, "XDG_STATE_HOME": str(folder)})
    until = time.monotonic() + WAIT
    while not (folder / "d.json").exists():
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.02)
    yield folder / "d.sock"
    process.terminate()
    assert process.wait(10) == 0
    assert "Traceback" not in (folder / "log").read_text("utf-8")


@pytest.fixture
def via() -> str:
    """Where clients connect to: a server "alone", or a "daemon"."""
    return "alone"


@pytest.fixture
def connect(via: str, request: pytest.FixtureRequest) -> Iterator[Callable[[], SocketSession]]:
    """Connects to the server."""
    server = request.getfixturevalue({"alone": "listening", "daemon": "daemon"}[via])
    sessions: list[SocketSession] = []

    def begin() -> SocketSession:
        made = SocketSession(server.port) if via == "alone" else DaemonSession(server)
        sessions.append(made)
        return made

    yield begin
    for session in sessions:
        session.kill()
        session.check()
    assert via == "daemon" or server.process.poll() is None


@pytest.fixture
def session(connect: Callable[[], SocketSession]) -> SocketSession:
    """A connection on which nothing has been said."""
    return connect()
