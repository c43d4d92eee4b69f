"""A small pair that can be counted by hand, and the command line to run on it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from goldlens.cli.main import goldlens

Run = Callable[..., Result]
Process = Callable[..., "subprocess.CompletedProcess[bytes]"]

GOLD = """\
# sent_id = one
1	A	a	DET	_	_	2	det	_	_
2	cat	cat	NOUN	_	_	3	nsubj	_	_
3	sleeps	sleep	VERB	_	_	0	root	_	_

# sent_id = two
1	Run	run	VERB	_	_	0	root	_	_
2	!	!	PUNCT	_	_	1	punct	_	_

"""

PRED = GOLD.replace("nsubj", "obj").replace("Run	run	VERB", "Run	run	NOUN")
"""One relation and one tag of five words are wrong: LAS and UPOS are 80, UAS is 100."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with g.conllu and p.conllu in it; no name says which faces which."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GOLDLENS_DEBUG", raising=False)
    Path("g.conllu").write_text(GOLD, "utf-8")
    Path("p.conllu").write_text(PRED, "utf-8")
    return tmp_path


@pytest.fixture
def run() -> Run:
    """Runs a command line in this process. No test may end in anything but an exit status."""

    def run(*args: object, stdin: bytes | None = None) -> Result:
        result = CliRunner().invoke(goldlens, [str(arg) for arg in args], input=stdin)
        assert result.exception is None or isinstance(result.exception, SystemExit)
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture
def process() -> Process:
    """Runs a command line as a process of its own."""

    def process(
        *args: object, stdin: bytes = b"", **environment: str
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "goldlens.cli", *map(str, args)],
            input=stdin,
            capture_output=True,
            env={**os.environ, **environment},
            timeout=60,
            check=False,
        )

    return process


def on_terminal(arguments: list[str], columns: int = 100, *, errors_too: bool = False) -> str:
    """What a command prints on a terminal."""
    # Not on every system.
    import pty

    leader, follower = pty.openpty()
    try:
        child = subprocess.Popen(
            [sys.executable, "-m", "goldlens.cli", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if errors_too else follower,
            stderr=follower if errors_too else subprocess.DEVNULL,
            env={**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color"},
        )
        os.close(follower)
        follower = -1
        read = bytearray()
        while select.select([leader], [], [], 60)[0]:
            try:
                data = os.read(leader, 65536)
            except OSError:  # Linux's way to say that the other end is closed
                break
            if not data:
                break
            read += data
        assert child.wait(60) == 0
        return read.decode()
    finally:
        os.close(leader)
        if follower >= 0:
            os.close(follower)
