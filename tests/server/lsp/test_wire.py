"""Messages come whole out of a stream that is cut anywhere."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.server.lsp.wire import MAX_BODY, MAX_HEADERS, MAX_LINE, FrameError, Frames, frame


@given(st.lists(st.binary(max_size=30), max_size=6), st.lists(st.integers(0, 400)))
def test_a_stream_cut_anywhere_gives_the_same_messages(
    bodies: list[bytes], cuts: list[int]
) -> None:
    stream = b"".join(frame(body) for body in bodies)
    edges = sorted({0, len(stream), *[cut for cut in cuts if cut < len(stream)]})
    frames = Frames()
    found = [body for start, stop in pairwise(edges) for body in frames.feed(stream[start:stop])]
    assert found == bodies


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length:2\r\n\r\n",
        b"CONTENT-LENGTH :  2 \r\n\r\n",
        b"Content-Type: x; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\n\n",
    ],
)
def test_headers_that_are_understood(headers: bytes) -> None:
    assert list(Frames().feed(headers + b"{}" + frame(b"[]"))) == [b"{}", b"[]"]


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        (b"hello\n", "no header: b'hello'"),
        (b": 3\r\n", "no header"),
        (b"\r\n", "without Content-Length"),
        (b"A: b\r\n\r\n", "without Content-Length"),
        (b"Content-Length: 0x3\r\n", "no number"),
        (b"Content-Length:\r\n", "no number"),
        (b"Content-Length: %d\r\n" % (MAX_BODY + 1), "at most"),
        (b"Content-Length: 1\r\nContent-Length: 2\r\n", "two different lengths"),
        (b"x" * MAX_LINE, "a header of more than"),
        (b"A: b\r\n" * (MAX_HEADERS + 1), "more than"),
    ],
)
def test_what_cannot_be_a_header(stream: bytes, said: str) -> None:
    with pytest.raises(FrameError, match=said):
        list(Frames().feed(stream))


def test_messages_before_the_bad_one_are_given() -> None:
    found = []
    with pytest.raises(FrameError):
        for body in Frames().feed(frame(b"{}") + b"rubbish\r\n"):
            found.append(body)
    assert found == [b"{}"]
