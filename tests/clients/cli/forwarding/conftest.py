"""A workspace with a pair, and runtime folders of its own; no daemon of it outlives the test."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from goldlens.client.place import LOG_VARIABLE, RUNTIME_VARIABLE, State, place_of
from tests.lsp.conftest import Pair
from tests.lsp.session import WAIT, StdioSession

COMMAND = [sys.executable, "-m", "goldlens.cli", "lsp"]


def until(wanted: Callable[[], Any], what: str) -> Any:
    """What `wanted` gives, once it is true of it."""
    end = time.monotonic() + WAIT
    while not (found := wanted()):
        assert time.monotonic() < end, f"{what} did not come about"
        time.sleep(0.02)
    return found


class Workspace(Pair):
    """A pair in a folder that a daemon may serve."""

    def daemon(self) -> State:
        """The daemon that lives, which may still be starting."""
        found: State = until(place_of(self.folder).living, "a daemon")
        return found

    def kill(self) -> State:
        """Kills the daemon, at once; who it was."""
        state = self.daemon()
        os.kill(state.pid, signal.SIGKILL)
        until(lambda: not place_of(self.folder).locked(), "the daemon's death")
        return state


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setenv(RUNTIME_VARIABLE, str(tmp_path / "run"))
    monkeypatch.setenv(LOG_VARIABLE, str(tmp_path / "log"))
    folder = tmp_path / "w"
    folder.mkdir()
    made = Workspace(folder)
    made.gold_file.write_text(made.gold, "utf-8", newline="\n")
    (folder / "pred.conllu").write_text(made.pred, "utf-8", newline="\n")
    yield made
    place = place_of(folder)
    # One may be starting: it has the lock before it says who it is.
    end = time.monotonic() + WAIT
    while place.locked() and time.monotonic() < end:
        if (state := place.living()) is not None:
            with suppress(ProcessLookupError):
                os.kill(state.pid, signal.SIGKILL)
        time.sleep(0.02)
    assert not place.locked()


@pytest.fixture
def start(work: Workspace) -> Iterator[Callable[..., StdioSession]]:
    """Starts `goldlens lsp` for editors; they are killed in the end."""
    sessions: list[StdioSession] = []

    def begin(*arguments: str) -> StdioSession:
        sessions.append(StdioSession(*arguments, command=COMMAND))
        return sessions[-1]

    yield begin
    for session in sessions:
        session.kill()
        session.check()
