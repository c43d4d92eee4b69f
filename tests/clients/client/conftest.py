"""A runtime folder of the test's own, and small daemons in it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from goldlens.client import starting
from goldlens.client.place import State, place_of
from tests.clients.client import fake
from tests.clients.client.fake import FakeDaemon

Serve = Callable[..., FakeDaemon]


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The runtime folder, which is made when something is put into it."""
    folder = tmp_path / "runtime"
    monkeypatch.setenv("GOLDLENS_RUNTIME_DIR", str(folder))
    monkeypatch.setenv("GOLDLENS_LOG_DIR", str(tmp_path / "logs"))
    return folder


@pytest.fixture
def root(tmp_path: Path, runtime: Path) -> Path:
    """A folder to serve."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def serve(root: Path) -> Iterator[Serve]:
    """Starts a fake daemon of the root, or of another folder, until the test is over."""
    with ExitStack() as stack:

        def start(folder: Path = root, **changes: Any) -> FakeDaemon:
            place = place_of(folder)
            place.make()
            daemon = FakeDaemon(place.runtime, place.root, place.name, **changes)
            return stack.enter_context(daemon)

        yield start


@pytest.fixture
def state(root: Path) -> Callable[[], State]:
    """The state of the daemon that serves the root."""

    def found() -> State:
        living = place_of(root).living()
        assert living is not None
        return living

    return found


class Program:
    """What is started as a daemon: the fake one, which is well or ill, as the last call says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[int] = []
        """The processes that were started."""
        self._monkeypatch = monkeypatch
        self._spawn = starting._spawn
        monkeypatch.setattr(starting, "_spawn", self._noted)
        self("well")

    def __call__(self, behaviour: str) -> None:
        command = [sys.executable, str(Path(fake.__file__)), "--behaviour", behaviour]
        self._monkeypatch.setattr(starting, "COMMAND", command)

    def _noted(self, *arguments: Any) -> Any:
        process = self._spawn(*arguments)
        self.begun.append(process.pid)
        return process


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, root: Path) -> Iterator[Program]:
    """None of the processes outlives the test."""
    made = Program(monkeypatch)
    yield made
    for process in made.begun:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
