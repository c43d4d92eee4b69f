"""The validator's process: its output, its time, its end."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from goldlens.server.validation.process import Failed, Run, command, is_installed


class Ended:
    def __init__(self) -> None:
        self.happened = threading.Event()
        self.outcome: str | Failed | None = None

    def __call__(self, outcome: str | Failed) -> None:
        self.outcome = outcome
        self.happened.set()

    def wait(self) -> str | Failed:
        assert self.happened.wait(30)
        assert self.outcome is not None
        return self.outcome


def code(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_the_real_validator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What a folder has is not what runs.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "udtools").mkdir()
    (tmp_path / "udtools" / "__init__.py").write_text("")
    (tmp_path / "udtools" / "cli.py").write_text("print('*** PASSED ***')")
    assert is_installed()
    ended = Ended()
    Run(command("ud"), "1\tы\t_\tXX\t_\t_\t0\troot\t_\t_\n\n".encode(), ended)
    outcome = ended.wait()
    assert isinstance(outcome, str) and "unknown-upos" in outcome


def test_what_fails_says_why() -> None:
    ended = Ended()
    Run(code("raise ValueError('no such thing')"), b"", ended)
    assert ended.wait() == Failed("it ended with status 1: ValueError: no such thing")
    ended = Ended()
    Run(["/nowhere/udvalidate"], b"", ended)
    outcome = ended.wait()
    assert isinstance(outcome, Failed) and "could not be started" in outcome.why


def test_what_takes_too_long_is_ended() -> None:
    ended = Ended()
    run = Run(code("import time\nwhile True: time.sleep(1)"), b"", ended, seconds=0.5)
    assert ended.wait() == Failed("it took more than 0 seconds and was ended")
    assert run.process is not None and run.process.poll() is not None


def test_what_is_killed_says_nothing_and_the_next_one_runs() -> None:
    never, next_one = Ended(), Ended()
    run = Run(code("import time\nwhile True: time.sleep(1)"), b"", never)
    waiting = Run(code("import sys; sys.stderr.write('*** PASSED ***')"), b"", next_one)
    run.kill()
    assert next_one.wait() == "*** PASSED ***"
    assert not never.happened.is_set()
    assert run.process is None or run.process.poll() is not None
    waiting.kill()
