"""Single keys from a terminal, which is put back as it was, whatever happens."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any, Self

try:
    import termios
    import tty
except ImportError:  # not POSIX: no keys
    termios = None  # type: ignore[assignment]


class Keys:
    """Keys are to be had, unechoed and one by one, between entering and leaving.

    `fd` is where to read them; None if standard input is no terminal of ours.
    """

    def __init__(self) -> None:
        self.fd: int | None = None
        self._were: list[Any] = []

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    def begin(self) -> None:
        """Begins, if that is possible."""
        if termios is None or sys.stdin is None or not sys.stdin.isatty():
            return
        fd = sys.stdin.fileno()
        try:
            # A job in the background would be stopped for touching the terminal.
            if os.tcgetpgrp(fd) != os.getpgrp():
                return
            self._were = termios.tcgetattr(fd)
            tty.setcbreak(fd)
        except (OSError, termios.error):
            return
        self.fd = fd

    def end(self) -> None:
        """Puts the terminal back; a second time: nothing."""
        fd, self.fd = self.fd, None
        if fd is not None:
            try:
                termios.tcsetattr(fd, termios.TCSADRAIN, self._were)
            except (OSError, termios.error):
                # The terminal has gone; there is nothing to be put back.
                return

    def read(self) -> str:
        """The keys pressed since; empty if the terminal has gone."""
        try:
            return os.read(self.fd, 64).decode("utf-8", "replace") if self.fd is not None else ""
        except OSError:
            return ""
