"""UD's validator as a process: given a text, within a time, killed when it is wanted no more."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from goldlens.server.validation.findings import is_complete

SECONDS: Final = 120.0
"""What takes longer is ended."""

LARGEST: Final = 4 << 20
"""A text of more bytes is not validated: at this size it takes half a minute."""

UNIVERSAL: Final = "ud"
"""The language of those who want no tests of a language."""

_ONE: Final = threading.Lock()
"""Of the validators of a process one runs at a time."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The validator did not come to its end."""

    why: str


def is_installed() -> bool:
    """Whether there is a validator."""
    return find_spec("udtools") is not None


def command(language: str, excluded: Sequence[str] = ()) -> list[str]:
    """The command that validates what it reads, in the Python that runs.

    Without a language only what holds in all of them is tested. Nothing is taken from the folder
    in which it is called.
    """
    level = "3" if language == UNIVERSAL else "5"
    found = [sys.executable, "-P", "-X", "utf8", "-m", "udtools.cli"]
    found += ["--lang", language, "--level", level, "--max-err", "0"]
    return [*found, *(["--exclude", *excluded, "--"] if excluded else []), "-"]


class Run:
    """One run of the validator, in a thread. `done` is called there with its output, or Failed."""

    def __init__(
        self,
        command: Sequence[str],
        text: bytes,
        done: Callable[[str | Failed], None],
        seconds: float = SECONDS,
    ) -> None:
        self._command, self._text, self._done, self._seconds = command, text, done, seconds
        self._lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._thread = threading.Thread(target=self._work, name="goldlens-validate", daemon=True)
        self._thread.start()

    def kill(self) -> None:
        """Ends it; `done` is not called any more, unless it has been."""
        with self._lock:
            self._killed = True
            if self.process is not None:
                self.process.kill()

    def _work(self) -> None:
        with _ONE:
            outcome = self._outcome()
        if not self._killed:
            self._done(outcome)

    def _outcome(self) -> str | Failed:
        with self._lock:
            if self._killed:
                return Failed("it was not wanted any more")
            try:
                self.process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                return Failed(f"it could not be started: {error}")
        try:
            _, written = self.process.communicate(self._text, timeout=self._seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            return Failed(f"it took more than {self._seconds:.0f} seconds and was ended")
        output = written.decode("utf-8", "replace")
        if not is_complete(output):
            last = output.strip().rpartition("\n")[2]
            return Failed(f"it ended with status {self.process.returncode}: {last}")
        return output
