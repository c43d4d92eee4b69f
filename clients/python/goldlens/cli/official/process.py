"""The official script as a process: isolated, within a time, its output bounded, none left behind.

What it runs in is a folder made for it, and taken away afterwards. It gets no environment but
what Python itself may need to start.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

LARGEST: Final = 1 << 20
"""So many bytes of output are taken; a script that prints more is ended."""

_NEEDED: Final = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_LONGEST: Final = 300
_INSIDE: Final = Path(__file__).with_name("inside.py")


class Failed(Exception):
    """The script did not come to its end. `str` says why, in one line.

    `recursion`: it ran out of Python's stack.
    """

    def __init__(self, why: str, *, recursion: bool = False) -> None:
        super().__init__(why)
        self.recursion = recursion


def run(script: bytes, gold: bytes, pred: bytes, seconds: float) -> bytes:
    """What the script prints of two texts (see `inside`). Raises Failed, and OSError."""
    # The script that runs is the one whose bytes were looked at, whatever became of its file.
    with TemporaryDirectory(prefix="goldlens-official-") as name:
        folder = Path(name)
        files = {"official.py": script, "gold.conllu": gold, "pred.conllu": pred}
        for file, data in files.items():
            (folder / file).write_bytes(data)
        empty = folder / "empty"
        empty.mkdir()
        call = [sys.executable, "-I", "-B", "-X", "utf8", str(_INSIDE)]
        return _output([*call, *(str(folder / file) for file in files)], empty, seconds)


def _output(call: Sequence[str], folder: Path, seconds: float) -> bytes:
    readers: list[_Reader] = []
    with _started(call, folder) as process:
        try:
            for stream in (process.stdout, process.stderr):
                assert stream is not None
                readers.append(_Reader(stream, process))
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            message = f"it took more than {seconds:g} seconds and was ended"
            raise Failed(f"{message}; give it more with --official-timeout") from None
        finally:
            # Whatever it has started holds its output open, and ends with it.
            _end(process)
            for reader in readers:
                reader.join()
    output, errors = readers
    if output.too_much or errors.too_much:
        raise Failed(f"it printed more than {LARGEST:,} bytes and was ended")
    if status < 0:
        raise Failed(f"it was ended by signal {-status}, perhaps for want of memory")
    if status:
        said = _last(errors.data.decode("utf-8", "replace"))
        recursion = said.startswith("RecursionError")
        raise Failed(f"it ended with status {status}: {said}", recursion=recursion)
    return output.data


def _started(call: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """A process with a group of its own; its input stays open as long as we live."""
    environment = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        call,
        cwd=folder,
        env=environment,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process and, where there are groups, what it has started."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


class _Reader(threading.Thread):
    """Reads what a process prints, to its end; if that is too much, the process is ended."""

    def __init__(self, stream: IO[bytes], process: subprocess.Popen[bytes]) -> None:
        super().__init__(daemon=True)
        self._stream, self._process = stream, process
        self.data, self.too_much = b"", False
        self.start()

    def run(self) -> None:
        while chunk := self._stream.read1(1 << 16):  # type: ignore[attr-defined]
            if len(self.data) + len(chunk) > LARGEST:
                self.too_much = True
                _end(self._process)
                return
            self.data += chunk


def _last(errors: str) -> str:
    """The exception that a traceback ends with, or whatever was said last, in one line."""
    said = re.split(r"^[ \t].*\n", errors.strip() + "\n", flags=re.M)[-1].split()
    text = " ".join(said) or "it says nothing"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
