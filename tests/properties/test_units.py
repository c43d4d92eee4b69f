"""Blocks and units: what is cut, read and suspected depends on the block alone."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from goldlens.scoring.conllu.blocks import count_lines, is_closed, lines, split
from goldlens.scoring.ud.unit import parse, reading
from goldlens.server.engine.positions import Encoding
from tests.properties import lsp_model
from tests.strategies import FRAGMENTS, fragments, row, texts

many = settings(
    max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
SCRAPS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), fragments()), max_size=12).map("".join)
ANY_TEXT = st.one_of(texts(), SCRAPS)

OVERRUNNING = row("1", "a", "_", "X", "_", "_", "0", "root") + row("2-3", "b")
"""A sentence with a range that reaches behind its end."""
OPENS_MULTI = (
    row("1-2", "ab")
    + row("1", "a", "_", "X", "_", "_", "0", "root")
    + row("2", "b", "_", "X", "_", "_", "1", "dep")
)


@many
@given(ANY_TEXT)
def test_blocks_join_to_the_text(text: str) -> None:
    data = text.encode()
    blocks = split(data)
    assert b"".join(blocks) == data
    assert all(blocks)
    assert sum(count_lines(block) for block in blocks) == len(lsp_model.starts(text)) - 1
    for block in blocks:
        assert b"".join(lines(block)) == block
        ended = [line for line in lines(block) if line.endswith((b"\n", b"\r"))]
        assert len(ended) == count_lines(block)


@many
@given(ANY_TEXT)
def test_a_text_may_be_split_at_any_closed_border(text: str) -> None:
    data = text.encode()
    blocks = split(data)
    size = 0
    for k, block in enumerate(blocks):
        size += len(block)
        if is_closed(block):
            assert split(data[:size]) == blocks[: k + 1]
            assert split(data[size:]) == blocks[k + 1 :]


@many
@given(ANY_TEXT)
def test_only_the_last_line_of_a_block_is_blank(text: str) -> None:
    for block in split(text.encode()):
        blank = [not line.strip(b" \t\r\n") for line in lines(block)]
        assert not any(blank[:-1])
        assert is_closed(block) == (blank[-1] and block.endswith((b"\r", b"\n")))


ONE = row("1", "a", "_", "X", "_", "_", "0", "root")
TWO = row("2", "b", "_", "X", "_", "_", "1", "dep")


@pytest.mark.parametrize(
    "blocks",
    [
        [f"{ONE}{TWO}\n", f"{ONE}\n"],
        # The blank line is missing: before comments, if the next row begins a sentence …
        [f"{ONE}", f"# c\n{ONE}\n"],
        [f"{ONE}# c\n{TWO}\n"],
        # … and where numbering starts again and goes on.
        [f"{ONE}{TWO}", f"{ONE}{TWO}\n"],
        [f"{ONE}{TWO}", f"{row('1-2', 'ab')}{ONE}{TWO}\n"],
        [f"{ONE}{TWO}{ONE}\n"],
        [f"{ONE}{ONE}{TWO}\n"],
        [f"{row('1-2', 'ab')}{ONE}{TWO}\n"],
        # One blank line too many is a block of its own.
        ["\n", f"{ONE}\n", " \n", "\n", f"{ONE} \t\n"],
        [f"{ONE}\r\n", f"{ONE}\n"],
    ],
)
def test_where_a_text_is_cut(blocks: list[str]) -> None:
    assert split("".join(blocks).encode()) == [block.encode() for block in blocks]


@many
@given(ANY_TEXT, st.booleans())
@example(f"{OVERRUNNING}\n# c\n{OPENS_MULTI}\n", True)
def test_a_unit_is_the_same_whatever_stands_around_it(text: str, checks: bool) -> None:
    blocks = split(text.encode())
    units = parse(blocks, checks=checks)
    for k, unit in enumerate(units):
        after_closed = not k or is_closed(blocks[k - 1])
        at_end = k == len(blocks) - 1
        alone = parse([blocks[k]], after_closed=after_closed, at_end=at_end, checks=checks)
        if unit.glued != alone[0].glued:
            # Whether two blocks hang together is decided by the first one's rows, too.
            assert not after_closed
            continue
        assert alone == [unit]


INSIDE = (row("1-2", "ab"), row("1", "a", "_", "X", "_", "_", "0", "root"))
"""The rows before the second word of a multiword token, which no token cell covers."""


@many
@given(ANY_TEXT)
@example("".join([*INSIDE, row("2", " b", "_", "X", "_", "_", "1", "dep"), "\n"]))
@example("".join([*INSIDE, row("2", "b", "b\u00a0", "X", "_", "_", "1", "dep"), "\n"]))
@example("".join([*INSIDE, row("2", "b", "_", "X", "", "_", "1", "dep"), "\n"]))
@example("".join([*INSIDE, row("2", "", "_", "X", "_", "_", "1", "dep"), "\n"]))
def test_nothing_is_passed_over_that_a_careful_look_finds(text: str) -> None:
    """The screen may suspect the innocent, but has to suspect all who have a problem."""
    for unit in parse(split(text.encode())):
        assert unit.problems == reading(unit).problems


@many
@given(ANY_TEXT)
def test_without_checks_all_is_found_that_a_score_feels(text: str) -> None:
    blocks = split(text.encode())
    for loose, strict in zip(parse(blocks, checks=False), parse(blocks), strict=True):
        if loose.problems != strict.problems:
            assert loose.problems == ()
            assert not any(p.refuses or p.script for p in strict.problems)
        assert (loose.stream, loose.words, loose.unheaded) == (
            strict.stream,
            strict.words,
            strict.unheaded,
        )
        assert (loose.tail, loose.opens_multi, loose.readable, loose.sent_id) == (
            strict.tail,
            strict.opens_multi,
            strict.readable,
            strict.sent_id,
        )


LINES = st.text(st.sampled_from("aé𝐀\u0301\t\u2028b"), max_size=8)
ENCODINGS = st.sampled_from(Encoding)


@many
@given(LINES, ENCODINGS)
def test_positions_come_back(line: str, encoding: Encoding) -> None:
    data = line.encode()
    for k in range(len(line) + 1):
        at = len(line[:k].encode())
        column = sum(lsp_model.width(char, encoding.value) for char in line[:k])
        assert encoding.from_byte(data, at) == column
        assert encoding.to_byte(data, column) == at


@many
@given(LINES, ENCODINGS, st.integers(-2, 40))
def test_any_column_is_the_start_of_a_character_or_the_end(
    line: str, encoding: Encoding, column: int
) -> None:
    expected = lsp_model.offset(line, 0, max(0, column), encoding.value)
    assert encoding.to_byte(line.encode(), column) == len(line[:expected].encode())
