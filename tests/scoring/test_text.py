"""What is text, and what is told to be none."""

from __future__ import annotations

import bz2
import gzip
import lzma

import pytest

from goldlens.scoring.text import not_text

PACKED = ((gzip.compress, "gzip"), (bz2.compress, "bzip2"), (lzma.compress, "xz"))
ROW = "1\tgrün\t_\tX\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        ROW.encode(),
        b"\xef\xbb\xbf" + ROW.encode(),
        ROW.encode() * 9 + ROW.replace("root", "root\0").encode(),
        b"caf\xe9\n",
    ],
)
def test_text(data: bytes) -> None:
    assert not_text(data) is None


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (ROW.encode("utf-16"), "UTF-16"),
        (ROW.encode("utf-16-le"), "UTF-16"),
        (ROW.encode("utf-16-be"), "UTF-16"),
        (ROW.encode("utf-32"), "UTF-32"),
        (b"\x7fELF\0\0\0\x01\t\n", "binary"),
        (b"\0" * 9 + ROW.encode(), "binary"),
        *((pack(ROW.encode()), name) for pack, name in PACKED),
    ],
)
def test_no_text(data: bytes, word: str) -> None:
    trouble = not_text(data)
    assert trouble is not None
    assert word in trouble
