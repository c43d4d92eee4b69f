"""Text cut into sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goldlens.scoring.spans.blocks import is_closed, lines, split
from goldlens.scoring.spans.rows import is_docstart

PIECES = st.sampled_from(
    [
        "a O",
        "b",
        "-DOCSTART-",
        "-DOCSTART- O\n",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "\t",
        "\f",
        "\v",
        "\x85",
        "\u2028",
        "# c",
        "é",
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map(lambda parts: "".join(parts).encode())


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (b"", []),
        (b"a O\n\nb O\n\n", [b"a O\n\n", b"b O\n\n"]),
        (b"a O\n\nb O", [b"a O\n\n", b"b O"]),
        (b"a O\nb O\n", [b"a O\nb O\n"]),
        (b"a O\n\n\n\nb O\n", [b"a O\n\n", b"\n", b"\n", b"b O\n"]),
        (b"\n\na O\n", [b"\n", b"\n", b"a O\n"]),
        (b"a O\n\t\nb O\n", [b"a O\n\t\n", b"b O\n"]),
        (b" \na O\n \t \n", [b" \n", b"a O\n \t \n"]),
        (b"a O\r\n\r\nb O\r\n", [b"a O\r\n\r\n", b"b O\r\n"]),
        (b"a O\r\rb O\r", [b"a O\r\r", b"b O\r"]),
        (b"a O\n-DOCSTART- O\nb O\n", [b"a O\n-DOCSTART- O\n", b"b O\n"]),
        (b"-DOCSTART-\t\r\n\r\nb O", [b"-DOCSTART-\t\r\n", b"\r\n", b"b O"]),
        (b"-DOCSTART-\r-DOCSTART-", [b"-DOCSTART-\r", b"-DOCSTART-"]),
        (b"-DOCSTART-x O\nx -DOCSTART- O\n", [b"-DOCSTART-x O\nx -DOCSTART- O\n"]),
        (b"a O\n\f\nb O\n", [b"a O\n\f\n", b"b O\n"]),
        (b"a\x0cO\nb\xc2\x85O\n", [b"a\x0cO\nb\xc2\x85O\n"]),
        ("a O\u2028b O\n".encode(), ["a O\u2028b O\n".encode()]),
    ],
)
def test_the_first_blank_line_or_docstart_ends_a_block(text: bytes, blocks: list[bytes]) -> None:
    assert split(text) == blocks


@pytest.mark.parametrize(
    ("block", "closed"),
    [
        (b"a O\n\n", True),
        (b"a O\n", False),
        (b"a O", False),
        (b"\n", True),
        (b"a O\n\t\n", True),
        (b"a O\n\t", False),
        (b"a O\r\n\r\n", True),
        (b"a O\r\n", False),
        (b"a O\r\r", True),
        (b"a O\n-DOCSTART- O\n", True),
        (b"-DOCSTART-\r\n", True),
        (b"-DOCSTART- O", False),
        (b"-DOCSTART-x\n", False),
        (b"", False),
    ],
)
def test_a_block_is_closed_if_its_last_line_is_blank_or_a_docstart_and_ends(
    block: bytes, closed: bool
) -> None:
    assert is_closed(block) is closed


@given(TEXTS)
def test_blocks_joined_are_the_text_and_all_but_the_last_are_closed(text: bytes) -> None:
    blocks = split(text)
    assert b"".join(blocks) == text
    assert all(is_closed(block) for block in blocks[:-1])
    for block in blocks:
        # Only the last line of a block is one that ends it.
        inner = lines(block)[:-1]
        assert all(line.strip() and not is_docstart(line.rstrip()) for line in inner)


@given(TEXTS, TEXTS)
def test_what_is_cut_depends_on_nothing_behind_a_closed_block(one: bytes, two: bytes) -> None:
    before = b"".join(block for block in split(one) if is_closed(block))
    if before.endswith(b"\r") and two.startswith(b"\n"):
        return
    assert split(before + two) == [*split(before), *split(two)]
