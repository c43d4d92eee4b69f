"""A watch on a terminal: the table, drawn again at every change, and keys."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console
from rich.live import Live

from goldlens.cli.watching.board import Board
from goldlens.cli.watching.keys import Keys
from goldlens.cli.watching.run import Run
from goldlens.server.history import History
from goldlens.server.noted import note
from goldlens.server.systems import Change, Systems

_GONE: Final = 128 + 1
"""The status of a process whose terminal was closed (SIGHUP)."""


class Screen:
    """The table on the whole of the terminal, which is given back at the end."""

    def __init__(
        self, systems: Systems, history: History, sort: str, opened: Callable[[], None]
    ) -> None:
        """`opened` is called when all has been read; what it raises ends the watch."""
        self._board = Board(systems, history, sort)
        self._console = Console()
        self._keys = Keys()
        self._live = self._new_live()
        self._run = Run(systems, self._tell, self._attach, opened)
        self._loop: asyncio.AbstractEventLoop | None = None

    def watch(self, *, poll: bool) -> int:
        """Watches until a key or a signal ends it; the exit status."""
        try:
            self._begin()
            return self._run.start(poll=poll)
        finally:
            # Where the terminal has been closed there is nothing to be put back.
            with contextlib.suppress(OSError):
                self._end()
                # The screen is gone with all that was on it: this stays.
                self._console.print(self._board.render(self._console, keys=False, whole=True))

    def _new_live(self) -> Live:
        return Live(
            console=self._console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def _begin(self) -> None:
        self._keys.begin()
        self._live.start()

    def _end(self) -> None:
        try:
            self._live.stop()
        finally:
            self._keys.end()

    def _attach(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        if self._keys.fd is not None:
            loop.add_reader(self._keys.fd, self._pressed)
        for name, handle in (("SIGWINCH", self._draw), ("SIGTSTP", self._suspend)):
            if number := getattr(signal, name, None):
                with contextlib.suppress(NotImplementedError, RuntimeError):
                    loop.add_signal_handler(number, handle)
        self._draw()

    def _tell(self, changes: Sequence[Change]) -> None:
        for change in changes:
            note(self._board.history, change)
        self._draw()

    def _draw(self) -> None:
        keys = self._keys.fd is not None
        try:
            self._live.update(self._board.render(self._console, keys=keys), refresh=True)
        except OSError:
            # Of its end the signal and the keys tell too, but not always sooner.
            self._run.end(_GONE)

    def _pressed(self) -> None:
        pressed = self._keys.read()
        if not pressed:
            self._run.end(_GONE)
            return
        for key in pressed:
            match key:
                case "s":
                    self._board.next_sort()
                case "r":
                    self._board.reverse = not self._board.reverse
                case "q":
                    self._run.end()
        self._draw()

    def _suspend(self) -> None:
        """Ctrl-Z: the terminal is the shell's until we go on."""
        if self._loop is not None and self._keys.fd is not None:
            self._loop.remove_reader(self._keys.fd)
        self._end()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._live = self._new_live()
        self._begin()
        if self._loop is not None and self._keys.fd is not None:
            self._loop.add_reader(self._keys.fd, self._pressed)
        self._draw()
