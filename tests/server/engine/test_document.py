"""A document under edits: small cases, each of which has gone wrong or well might."""

from __future__ import annotations

import pytest

from goldlens.scoring.ud.task import UD
from goldlens.server.engine.document import Document, Edit
from goldlens.server.engine.flaws import OTHERS, REFUSING
from goldlens.server.engine.positions import Encoding

BOM = "\ufeff"
ROW = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n"
NEXT = "2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n"
SENTENCE = f"{ROW}\n"


def edited(text: str, *ranges: int, new: str = "", encoding: str = "utf-16") -> Document:
    """The text after one edit, which is as if it had just been read."""
    document = Document(UD, text.encode())
    document.edit(Edit(*ranges, new.encode()), Encoding(encoding))
    fresh = Document(UD, document.text())
    assert document.units == fresh.units
    assert document.line_starts.tolist() == fresh.line_starts.tolist()
    assert document.bom == fresh.bom
    return document


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_an_edit_behind_characters_of_several_units(encoding: str) -> None:
    column = {"utf-8": 6, "utf-16": 4, "utf-32": 3}[encoding]
    document = edited("# 𐀀é\n", 0, column, 0, column, new="x", encoding=encoding)
    assert document.text() == "# 𐀀xé\n".encode()


def test_a_column_inside_a_character_means_its_start() -> None:
    assert edited("# 𐀀\n", 0, 3, 0, 3, new="x").text() == "# x𐀀\n".encode()
    document = edited("# é\n", 0, 3, 0, 3, new="x", encoding="utf-8")
    assert document.text() == "# xé\n".encode()


def test_a_line_ends_at_lf_cr_lf_and_cr_and_nowhere_else() -> None:
    document = Document(UD, "# a\u2028b\r# c\r\n# d\x0c\x85\n".encode())
    assert document.lines == 3
    assert [document.line(k).decode() for k in range(3)] == ["# a\u2028b", "# c", "# d\x0c\x85"]


def test_positions_behind_a_line_or_the_text_mean_their_end() -> None:
    assert edited("# a\n# b\n", 0, 99, 0, 99, new="x").text() == b"# ax\n# b\n"
    assert edited("# a\n# b\n", 9, 0, 9, 9, new="x").text() == b"# a\n# b\nx"
    assert edited("", 0, 0, 0, 0, new=SENTENCE).text() == SENTENCE.encode()


def test_a_range_the_other_way_round() -> None:
    assert edited("# abc\n", 0, 4, 0, 2).text() == b"# c\n"
    assert edited("# abc\n# d\n", 1, 0, 0, 2).text() == b"# # d\n"
    # In a file with a mark, whose first line has a column more.
    assert edited(f"{BOM}# abc\n# d\n", 1, 0, 0, 3).text() == f"{BOM}# # d\n".encode()


def test_a_mark_that_is_typed_at_the_start() -> None:
    document = edited(SENTENCE, 0, 0, 0, 0, new=BOM)
    assert document.bom
    assert document.text() == f"{BOM}{SENTENCE}".encode()
    # One that comes to stand there since what was before it has gone.
    assert edited(f"# x\n{BOM}# y\n{SENTENCE}", 0, 0, 1, 0).bom
    assert not edited(SENTENCE, 0, 1, 0, 1, new=BOM).bom


def test_a_mark_that_is_deleted_or_has_something_put_before_it() -> None:
    assert not edited(f"{BOM}{SENTENCE}", 0, 0, 0, 1).bom
    document = edited(f"{BOM}{SENTENCE}", 0, 0, 0, 0, new="# x\n")
    assert not document.bom
    assert document.text() == f"# x\n{BOM}{SENTENCE}".encode()


def test_columns_of_the_first_line_count_the_mark() -> None:
    assert edited(f"{BOM}# ab\n", 0, 4, 0, 5).text() == f"{BOM}# a\n".encode()
    document = edited(f"{BOM}# ab\n", 0, 6, 0, 7, encoding="utf-8")
    assert document.text() == f"{BOM}# a\n".encode()


def test_a_comment_at_the_end_of_the_file_without_a_line_end() -> None:
    document = edited("# sent_id =", 0, 11, 0, 11, new=" ")
    assert document.units[0].sent_id is None
    document = edited("# sent_id = ", 0, 12, 0, 12, new="p")
    assert document.units[0].sent_id == b"p"


def test_a_line_feed_that_joins_a_carriage_return() -> None:
    text = f"{SENTENCE}{SENTENCE}".replace("\n", "\r")
    # The blank line of the first sentence becomes CR LF: nothing else changes.
    document = edited(text, 2, 0, 2, 0, new="\n")
    assert len(document.units) == 2
    assert document.lines == 4


def test_a_blank_line_makes_two_sentences_and_its_going_one() -> None:
    both = f"{ROW}{NEXT}\n"
    assert len(edited(both, 1, 0, 1, 0, new="\n").units) == 2
    document = edited(f"{ROW}\n{NEXT}\n", 1, 0, 2, 0)
    assert [unit.text for unit in document.units] == [both.encode()]


def test_only_what_is_touched_is_parsed_again() -> None:
    document = Document(UD, SENTENCE.encode() * 50)
    before = list(document.units)
    splice = document.edit(Edit(40, 2, 40, 3, b"x"), Encoding.UTF16)
    assert (splice.start, len(splice.removed), len(splice.added)) == (20, 1, 1)
    changed = [k for k, (a, b) in enumerate(zip(before, document.units, strict=True)) if a is not b]
    assert changed == [20]


def test_another_text_keeps_the_units_it_shares() -> None:
    document = Document(UD, SENTENCE.encode() * 9)
    before = list(document.units)
    text = SENTENCE * 4 + SENTENCE.replace("a", "b") + SENTENCE * 4
    splice = document.replace(text.encode())
    assert (splice.start, len(splice.removed), len(splice.added)) == (4, 1, 1)
    assert sum(a is b for a, b in zip(before, document.units, strict=True)) == 8


def test_facts_of_the_whole_follow_edits() -> None:
    named = "".join(f"# sent_id = {name}\n{SENTENCE}" for name in "pqp")
    document = Document(UD, named.encode())
    assert document.facts.tolist() == [3, 3, 0]
    assert document.keys.doubled == {b"p"}
    document.edit(Edit(0, 12, 0, 13, b"r"), Encoding.UTF16)
    assert document.keys.doubled == set()
    document.edit(Edit(1, 12, 1, 13, b"_"), Encoding.UTF16)
    assert document.facts.tolist() == [3, 3, 1]
    assert document.flaws.rows[:, REFUSING].tolist() == [1, 0, 0]


def test_checks_that_were_put_off_are_done_by_and_by() -> None:
    text = SENTENCE.replace("X", "nonsense") * 3
    document = Document(UD, text.encode(), later=True)
    assert document.unchecked == 3
    assert document.flaws.rows.sum() == 0
    assert document.check_some(2)
    assert not document.check_some(2)
    assert document.units == Document(UD, text.encode()).units
    assert document.flaws.rows[:, OTHERS].tolist() == [1, 1, 1]


def test_white_space_at_the_end_of_a_file_is_no_border_yet() -> None:
    assert texts(edited(f"{ROW}\t", 1, 1, 1, 1, new="a")) == [f"{ROW}\ta"]


def test_taking_out_the_end_of_a_blank_line_joins_what_it_parted() -> None:
    document = edited(f"{ROW}  \n# c\n{SENTENCE}", 1, 2, 2, 0)
    assert texts(document) == texts(Document(UD, f"{ROW}  # c\n{SENTENCE}".encode()))


def texts(document: Document) -> list[str]:
    return [unit.text.decode() for unit in document.units]


def test_undoing_brings_back_the_unit_that_was() -> None:
    document = Document(UD, SENTENCE.encode() * 2)
    was = document.units[1]
    document.edit(Edit(2, 2, 2, 3, b"b"), Encoding.UTF8)
    assert document.units[1] is not was
    document.edit(Edit(2, 2, 2, 3, b"a"), Encoding.UTF8)
    assert document.units[1] is was


def test_what_is_brought_back_says_what_holds_where_it_stands() -> None:
    """The same text as the last block of a file and before another says other things."""
    document = Document(UD, f"{SENTENCE}{ROW}".encode())
    document.edit(Edit(3, 0, 3, 0, b"\n"), Encoding.UTF8)
    document.edit(Edit(2, 2, 2, 3, b"b"), Encoding.UTF8)
    document.edit(Edit(2, 2, 2, 3, b"a"), Encoding.UTF8)
    document.edit(Edit(3, 0, 4, 0, b""), Encoding.UTF8)
    assert document.units == Document(UD, document.text()).units
