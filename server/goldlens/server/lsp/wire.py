"""Messages on a byte stream: `Content-Length` headers, then that many bytes.

Header names are read in any letter case; other headers are skipped. What cannot be a header, or
announces more than anyone should send, is a `FrameError`: after it nothing in the stream can be
trusted, so the connection has to end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

MAX_LINE: Final = 4096
"""The longest header line, in bytes."""

MAX_HEADERS: Final = 32
"""The most header lines of one message."""

MAX_BODY: Final = 1 << 30
"""The longest message, in bytes: ten times a treebank of a million words."""

_HEADER: Final = re.compile(rb"([!-9;-~]+)[ \t]*:[ \t]*(.*?)[ \t]*")
_DIGITS: Final = re.compile(rb"[0-9]{1,12}")


class FrameError(Exception):
    """The stream is not made of messages. `str` says what was found where a header was due."""


def frame(body: bytes) -> bytes:
    """A message as it goes over the wire."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Frames:
    """Takes a stream in pieces of any size and gives the messages in it, whole."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._at = 0
        self._headers = 0
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bodies that are complete with `data`. Raises FrameError."""
        self._buffer += data
        while (body := self._next()) is not None:
            yield body
        # What is left moves to the front, once for all the messages that were in the buffer.
        if self._at:
            del self._buffer[: self._at]
            self._at = 0

    def _next(self) -> bytes | None:
        while not self._in_body:
            line = self._line()
            if line is None:
                return None
            self._header(line)
        assert self._length is not None
        stop = self._at + self._length
        if len(self._buffer) < stop:
            return None
        body = bytes(memoryview(self._buffer)[self._at : stop])
        self._at, self._length, self._headers, self._in_body = stop, None, 0, False
        return body

    def _line(self) -> bytes | None:
        """The next header line without its end; None while it is incomplete."""
        end = self._buffer.find(b"\n", self._at, self._at + MAX_LINE)
        if end < 0:
            if len(self._buffer) - self._at >= MAX_LINE:
                raise FrameError(f"a header of more than {MAX_LINE} bytes")
            return None
        line = bytes(self._buffer[self._at : end]).removesuffix(b"\r")
        self._at = end + 1
        return line

    def _header(self, line: bytes) -> None:
        if not line:
            if self._length is None:
                raise FrameError("a message without Content-Length")
            self._in_body = True
            return
        self._headers += 1
        if self._headers > MAX_HEADERS:
            raise FrameError(f"more than {MAX_HEADERS} header lines")
        match = _HEADER.fullmatch(line)
        if match is None:
            raise FrameError(f"no header: {line[:60]!r}")
        if match[1].lower() != b"content-length":
            return
        if not _DIGITS.fullmatch(match[2]):
            raise FrameError(f"Content-Length is no number: {match[2][:60]!r}")
        length = int(match[2])
        if length > MAX_BODY:
            raise FrameError(f"a message of {length} bytes; at most {MAX_BODY} are taken")
        if self._length not in (None, length):
            raise FrameError("two different lengths for one message")
        self._length = length
