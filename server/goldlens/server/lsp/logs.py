"""The log, on stderr or in a file, written by a thread of its own.

An editor that never reads a server's stderr fills the pipe; a log line must not then stop the
server. So lines are handed over through a queue, and dropped when it is full.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import os
import queue
import sys
import threading
from pathlib import Path
from typing import Final, TextIO

LEVEL_VARIABLE: Final = "GOLDLENS_LOG"
"""The environment variable that names the log's level: debug, info, warning (default), error."""

SIZE: Final = 1 << 20
KEPT: Final = 3
"""How large a log file grows, in bytes, and how many older ones are kept."""

_FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_END: Final = None


class Log(logging.handlers.QueueHandler):
    """Hands records to a thread that writes them."""

    def __init__(self, stream: TextIO, size: int = 1000) -> None:
        self._lines: queue.Queue[logging.LogRecord | None] = queue.Queue(size)
        super().__init__(self._lines)
        self.setFormatter(logging.Formatter(_FORMAT))
        self._stream = stream
        self._thread = threading.Thread(target=self._write, name="goldlens-log", daemon=True)
        self._thread.start()

    def enqueue(self, record: logging.LogRecord) -> None:
        """Takes a line, unless too many wait already."""
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(record)

    def _write(self) -> None:
        while (record := self._lines.get()) is not _END:
            try:
                self._stream.write(f"{record.getMessage()}\n")
                self._stream.flush()
            except (OSError, ValueError):
                return  # nobody there to read it

    def finish(self, seconds: float = 0.3) -> None:
        """Waits until all is written, but not long: the reader may have gone away."""
        try:
            self._lines.put_nowait(_END)
        except queue.Full:
            return
        self._thread.join(seconds)


def start(level: str | None = None) -> Log:
    """Sends everybody's log, and Python's warnings, to stderr, at `level` or the variable's."""
    handler = Log(sys.stderr)
    _install(handler, level)
    return handler


def start_file(path: Path, level: str, size: int = SIZE) -> logging.handlers.QueueListener:
    """Sends everybody's log to a file that is rotated when it has `size` bytes. To be stopped in
    the end. Raises OSError if nothing can be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    lines: queue.Queue[logging.LogRecord] = queue.Queue(1000)
    file = _Rotated(path, "a", size, KEPT, "utf-8")
    handler = _Dropping(lines)
    handler.setFormatter(logging.Formatter(_FORMAT))
    _install(handler, level)
    listener = _Listener(lines, file)
    listener.start()
    return listener


class _Rotated(logging.handlers.RotatingFileHandler):
    """A log that goes on where a line cannot be written: a full disk stays full for a while, and
    telling of each line would fill what is left of it.
    """

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """The line is lost."""


class _Listener(logging.handlers.QueueListener):
    """Can be stopped while more lines wait than there is room for."""

    def enqueue_sentinel(self) -> None:
        """Says that nothing more comes, as soon as there is room."""
        self.queue.put(None)  # type: ignore[attr-defined]


class _Dropping(logging.handlers.QueueHandler):
    """Drops lines where too many wait."""

    def enqueue(self, record: logging.LogRecord) -> None:
        """Takes a line, unless too many wait already."""
        with contextlib.suppress(queue.Full):
            self.queue.put_nowait(record)


def _install(handler: logging.Handler, level: str | None) -> None:
    named = (level or os.environ.get(LEVEL_VARIABLE, "")).upper()
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(named if named in logging.getLevelNamesMapping() else "WARNING")
    logging.captureWarnings(True)
