"""Draws docs/picture.svg, the picture in the README: what `goldlens demo` shows on a terminal.

python docs/picture.py
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path

from rich.console import Console
from rich.text import Text

OUT = Path(__file__).with_name("picture.svg")
WIDTH = 112


def shown() -> str:
    """What the demo writes to a terminal of that width, colours and all."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, WIDTH, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    environment["TERM"] = "xterm-256color"
    call = [sys.executable, "-m", "goldlens.cli", "demo"]
    with subprocess.Popen(call, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        chunks: list[bytes] = []
        # At the end of the other side reading fails on Linux and gives nothing elsewhere.
        with suppress(OSError):
            while data := os.read(ours, 1 << 16):
                chunks.append(data)
    return b"".join(chunks).decode("utf-8", "replace").replace("\r\n", "\n")


def part(text: str, first: str, last: str) -> str:
    """The lines from the one that has `first` to the one that has `last`."""
    lines = text.split("\n")
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    start = next(k for k, line in enumerate(plain) if first in line)
    end = next(k for k, line in enumerate(plain) if k > start and last in line)
    return "\n".join(lines[start : end + 1])


def main() -> None:
    """Writes the picture."""
    text = shown()
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    found = part(text, "2. Find out why", "error[multiple-roots]")
    edits = part(text, "3. Repair it", "All is as it was")
    console.print(Text.from_ansi(f"{found}\n\n{edits}"))
    OUT.write_text(console.export_svg(title="goldlens demo"), encoding="utf-8")


if __name__ == "__main__":
    main()
