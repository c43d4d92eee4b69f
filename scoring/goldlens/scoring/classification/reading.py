"""Lines of classification files, and one of them read with care."""

from __future__ import annotations

from goldlens.scoring.classification import jsonl, tsv
from goldlens.scoring.classification.row import Row, Unreadable, encoding, row_format
from goldlens.scoring.text import is_utf8


def split(text: bytes) -> list[bytes]:
    """The lines of a text, each with its end: LF, CR LF or CR, and nothing else."""
    return text.splitlines(keepends=True)


def is_closed(block: bytes) -> bool:
    """Whether a line has its end."""
    return block.endswith((b"\n", b"\r"))


def is_header(block: bytes) -> bool:
    """Whether a line, as the first of its file, names the columns: its first cell is `id`."""
    return block.rstrip(b"\r\n").partition(b"\t")[0].strip(b" ") == b"id"


def read_row(line: bytes) -> Row:
    """A line, which holds something, read with care. Never raises: `Row.wrong` says what is.

    A line whose first character that is no blank is `{` is JSON, any other is tab-separated.
    """
    line = line.rstrip(b"\r\n")
    row = Row()
    try:
        (jsonl if line.lstrip(b" \t").startswith(b"{") else tsv).read(line, row)
    except Unreadable as found:
        row.wrong = row_format(found)
    try:
        line.decode()
    except UnicodeDecodeError as error:
        row.wrong = encoding(line, error.start)
        if row.id is not None and not is_utf8(row.id):
            row.id = None
    return row
