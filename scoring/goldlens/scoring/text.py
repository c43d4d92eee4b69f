"""Whether bytes are text at all, and how their file is told apart by its content."""

from __future__ import annotations

from typing import Final

BOM: Final = b"\xef\xbb\xbf"
"""The byte order mark of UTF-8, which is not part of the text."""

_BOMS: Final = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_PACKED: Final = (
    (b"\x1f\x8b", "gzip"),
    (b"PK\x03\x04", "zip"),
    (b"BZh91AY&SY", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
"""How files begin that are compressed."""

_LOOKED_AT: Final = 1 << 16


def decoded(name: bytes | None) -> str | None:
    """A name that was read, for people; None stays None."""
    return None if name is None else name.decode("utf-8", "replace")


def is_utf8(text: bytes) -> bool:
    """Whether bytes are UTF-8."""
    if text.isascii():
        return True
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def not_text(data: bytes) -> str | None:
    """Why bytes cannot be read as UTF-8 text, and what to do; None if they may be.

    Tells UTF-16 and UTF-32 by their marks or their zero bytes, compressed files by how they begin,
    and other binary files by zero bytes.
    Single bytes that are not UTF-8 are no business of this.
    """
    head = data[:_LOOKED_AT]
    for mark, name in _BOMS:
        if head.startswith(mark):
            return f"the file is {name}, not UTF-8; save it as UTF-8"
    for mark, name in _PACKED:
        if head.startswith(mark):
            return f"the file is binary, compressed with {name}, not text; unpack it first"
    if b"\0" not in head:
        return None
    zeros = head.count(b"\0")
    if 100 * zeros < len(head) and _looks_like_rows(head):
        # A stray zero byte in rows of text is a character like any other, as the scorers have it.
        return None
    if len(head) >= 4 and 0.2 * len(head) < zeros < 0.8 * len(head):
        even = head[::2].count(b"\0")
        if not 0.1 < even / zeros < 0.9:
            return "the file seems to be UTF-16 without a mark, not UTF-8; save it as UTF-8"
    at = head.index(b"\0")
    return f"the file is binary, not text (a zero byte at byte offset {at}); give a text file"


def _looks_like_rows(head: bytes) -> bool:
    """Whether bytes are UTF-8, in lines and cells; the last character may be cut off."""
    if b"\t" not in head or b"\n" not in head:
        return False
    try:
        head[: head.rfind(b"\n") + 1].decode()
    except UnicodeDecodeError:
        return False
    return True
