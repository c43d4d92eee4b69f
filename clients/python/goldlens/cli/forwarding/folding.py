"""Changes of a text, made on its lines: many at once, and none of them costs what the text does.

What it comes to is what the server's own documents make of the same changes, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from goldlens.server.engine.positions import Encoding


def folded(text: bytes, changes: Iterable[Mapping[str, Any]], encoding: Encoding) -> bytes:
    """A text after some `contentChanges` of textDocument/didChange, in their order.

    Positions behind a line or the text mean its end. A range whose end lies before its start is
    read the other way round.
    """
    # Of bytes, splitlines knows no line ends but LF, CR and CRLF.
    lines = text.splitlines(keepends=True)
    for change in changes:
        new = change["text"].encode("utf-8", "surrogatepass")
        where = change.get("range")
        if where is None:
            lines = new.splitlines(keepends=True)
        else:
            start, end = sorted(map(_position, (where["start"], where["end"])))
            _put(lines, start, end, new, encoding)
    return b"".join(lines)


def _position(position: Mapping[str, int]) -> tuple[int, int]:
    return position["line"], position["character"]


def _put(
    lines: list[bytes],
    start: tuple[int, int],
    end: tuple[int, int],
    text: bytes,
    encoding: Encoding,
) -> None:
    first, from_byte = _locate(lines, *start, encoding)
    last, to_byte = _locate(lines, *end, encoding)
    head = lines[first][:from_byte] if first < len(lines) else b""
    tail = lines[last][to_byte:] if last < len(lines) else b""
    new = head + text + tail
    if first and not lines[first - 1].endswith(b"\n"):
        # A line without an end goes on, and CR with LF behind it is one end.
        first -= 1
        new = lines[first] + new
    lines[first : last + 1] = new.splitlines(keepends=True)


def _locate(lines: list[bytes], line: int, column: int, encoding: Encoding) -> tuple[int, int]:
    """The number of a line that is there, or of the one behind them all, and a byte in it."""
    if line >= len(lines):
        return len(lines), 0
    return line, encoding.to_byte(lines[line].rstrip(b"\r\n"), column)
