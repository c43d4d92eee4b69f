"""Positions as editors count them, by line and column, and as bytes of UTF-8."""

from __future__ import annotations

from enum import Enum


class Encoding(Enum):
    """What a column counts: the position encodings of the Language Server Protocol."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    UTF32 = "utf-32"

    def to_byte(self, line: bytes, column: int) -> int:
        """The byte offset of a column in a line without its end.

        A column behind the end means the end; one inside a character means its start.
        """
        if self is Encoding.UTF8:
            offset = min(max(column, 0), len(line))
            while 0 < offset < len(line) and line[offset] & 0xC0 == 0x80:
                offset -= 1
            return offset
        if line.isascii():
            return min(max(column, 0), len(line))
        text = line.decode("utf-8", "surrogatepass")
        if self is Encoding.UTF16:
            units = 0
            for k, char in enumerate(text):
                units += 2 if ord(char) > 0xFFFF else 1
                if units > column:
                    return len(text[:k].encode("utf-8", "surrogatepass"))
            return len(line)
        return len(text[: max(column, 0)].encode("utf-8", "surrogatepass"))

    def from_byte(self, line: bytes, offset: int) -> int:
        """The column of a byte offset in a line."""
        if self is Encoding.UTF8 or line.isascii():
            return offset
        text = line[:offset].decode("utf-8", "replace")
        if self is Encoding.UTF16:
            return len(text) + sum(1 for char in text if ord(char) > 0xFFFF)
        return len(text)


def line_start(text: bytes, number: int) -> int:
    """Where a line of a text begins; the text's end for a line that is not there."""
    offset = 0
    if b"\r" not in text:
        for _ in range(number):
            offset = text.find(b"\n", offset) + 1
            if not offset:
                return len(text)
        return offset
    for _ in range(number):
        end = line_end(text, offset)
        if end == len(text):
            return end
        offset = end + (2 if text[end : end + 2] == b"\r\n" else 1)
    return offset


def line_end(text: bytes, offset: int) -> int:
    """Where the line that begins at an offset ends, before its line end."""
    end = text.find(b"\n", offset)
    end = len(text) if end < 0 else end
    carriage = text.find(b"\r", offset, end)
    return end if carriage < 0 else carriage
