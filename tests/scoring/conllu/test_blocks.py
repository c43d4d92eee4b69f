"""Where breaks are put in when a blank line is missing, and where not."""

from __future__ import annotations

import pytest

from goldlens.scoring.conllu.blocks import is_closed, split
from goldlens.scoring.ud.unit import parse


def row(name: object, head: object = 0, relation: str = "root") -> str:
    return f"{name}\tw\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n"


TWO = row(1) + row(2, 1, "dep")
RANGE = row("1-2", "_", "_")
NODE = row("0.1", "_", "_")


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        pytest.param(TWO + TWO, [2, 2], id="numbering begins again"),
        pytest.param(TWO + "# c\n" + TWO, [2, 3], id="after a comment"),
        pytest.param(TWO + "# c\n# d\n" + TWO, [2, 4], id="after comments"),
        pytest.param(TWO + RANGE + TWO, [2, 3], id="with a range"),
        pytest.param(TWO + NODE + TWO, [2, 3], id="with an empty node"),
        pytest.param(TWO + "# c\n" + NODE + TWO, [2, 4], id="comment and empty node"),
        pytest.param(RANGE + TWO, [3], id="a range first"),
        pytest.param(NODE + TWO, [3], id="an empty node first"),
        pytest.param(row("99-100", "_", "_") + TWO, [3], id="a wrong range first"),
        pytest.param(row(1) + row(1, 1, "dep"), [2], id="an ID twice"),
        pytest.param(TWO + row(1, 1, "dep"), [3], id="a slip at the end"),
        pytest.param(row(1) + "# c\n" + row(2, 1, "dep"), [3], id="a comment inside"),
    ],
)
def test_breaks(text: str, sizes: list[int]) -> None:
    blocks = split(f"{text}\n".encode())
    found = [len(block.rstrip(b"\n").split(b"\n")) for block in blocks]
    assert found == sizes
    missing = [p.code for unit in parse(blocks) for p in unit.problems]
    assert missing.count("missing-blank-line") == len(sizes) - 1


@pytest.mark.parametrize(
    ("block", "closed"),
    [
        ("a\n\n", True),
        ("a\n \t\n", True),
        ("\n", True),
        ("a\r\n\r\n", True),
        ("a\r\r", True),
        ("a\n", False),
        ("a\n  ", False),
        ("a", False),
        ("", False),
    ],
)
def test_a_block_is_closed_by_a_blank_line_that_ends(block: str, closed: bool) -> None:
    assert is_closed(block.encode()) is closed
