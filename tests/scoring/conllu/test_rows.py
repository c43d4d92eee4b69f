"""Rows that cannot be read."""

import pytest

from goldlens.scoring.conllu.reader import read


def only_problem(block: bytes):
    (problem,) = read(block).problems
    return problem


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("1\ta\ta\tX\t_\t_\t0\troot\t_", "9 columns"),
        ("1\ta\ta\tX\t_\t_\t0\troot\t_\t_\t", "11 columns"),
        ("1 a é X _ _ 0 root _ _", "blanks stand where tabs should"),
        ("word", "1 column "),
    ],
)
def test_column_count(row, says):
    problem = only_problem(f"{row}\n\n".encode())
    assert problem.code == "column-count"
    assert (problem.refuses, problem.script) == (True, True)
    assert (problem.place.start, problem.place.end) == (0, len(row.encode()))
    assert says in problem.message


def test_blanks_are_blamed_only_for_missing_tabs():
    assert "blanks" not in only_problem(b"1\ta b\n\n").message


@pytest.mark.parametrize(
    ("cell", "offset", "value"),
    [(b"caf\xe9", 5, "0xE9"), (b"\xed\xa0\x80", 2, "0xED"), (b"\xff", 2, "0xFF")],
)
def test_bytes_that_are_not_utf_8(cell, offset, value):
    problem = only_problem(b"1\t" + cell + b"\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert problem.code == "encoding"
    assert (problem.refuses, problem.script) == (True, True)
    assert (problem.place.start, problem.place.end) == (2, 2 + len(cell))
    assert f"{value} at offset {offset} " in problem.message


def test_bad_bytes_in_the_last_cell_and_after_wide_characters():
    before = "1\té\ta\tX\t_\t_\t0\troot\t_\t".encode()
    problem = only_problem(before + b"a\xfe\n\n")
    assert (problem.place.start, problem.place.end) == (len(before), len(before) + 2)


def test_bad_bytes_spoil_their_own_row_only():
    good = b"2\tb\xc3\xa9\tb\tX\t_\tA\t0\troot\t_\t_"
    reading = read(b"1\t\xff\ta\tX\t_\tA\t9\tx\t_\t_\n" + good + b"\n\n")
    assert [problem.code for problem in reading.problems] == ["encoding", "feats-format"]
    assert reading.canonical == good.replace(b"2", b"1", 1) + b"\n\n"
    assert not reading.readable


def test_bad_bytes_in_a_comment():
    reading = read(b"# text = \xff\n# sent_id = s\xff\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n\n")
    assert [problem.code for problem in reading.problems] == ["encoding", "encoding"]
    assert reading.sent_id == b"s\xff"
    assert reading.words == 1


@pytest.mark.parametrize("name", ["x", "1-", "1-2-3", "-1", "²", "1-x", "9" * 5000])
def test_ids_that_cannot_be_read(name):
    problem = only_problem(f"{name}\ta\ta\tX\t_\tA\t9\tx\t_\t_\n\n".encode())
    assert problem.code == "id-sequence"
    assert (problem.refuses, problem.script) == (True, True)
    assert (problem.place.start, problem.place.end) == (0, len(name.encode()))


def test_empty_id(check):
    check("""
        ∅ a a X _ A 9 x _ _
        | empty-cell: error refuses script
        """)


def test_no_tree_and_no_text_problems_beside_an_unreadable_row(check):
    reading = check("""
        # text = something else
        1 a a X _ _ _ dep _ _
        2 b
        ^^^ column-count: error refuses script
        3 c c X _ A 3 dep _ _
                  ^ feats-format: error
        4 d d X _ _ 0 dep _ _
        5 e e X _ _ 0 root _ _
        6 f f X _ _ x root _ _
        7 g g X _ _ 9 root _ _
        """)
    assert not reading.readable
    assert reading.words == 6
    assert reading.row_lines == (1, 3, 4, 5, 6, 7)
    assert reading.unheaded == 1
    heads = [line.split(b"\t")[6] for line in reading.canonical.splitlines()[:-1]]
    assert heads == [b"!", b"3", b"0", b"!0", b"!", b"!"]


def test_counting_resumes_at_the_next_id_that_can_be_read(check):
    check("""
        x a a X _ _ 0 root _ _
        ^ id-sequence: error refuses script
        7 b b X _ _ 0 root _ _
        8 c c X _ _ 0 root _ _
        10 d d X _ _ 0 root _ _
        ^^ id-sequence: error refuses script
        """)


def test_a_range_or_an_empty_node_may_be_where_counting_resumes(check):
    check("""
        x a a X _ _ 0 root _ _
        ^ id-sequence: error refuses script
        7-8 bc _ _ _ _ _ _ _ _
        7 b b X _ _ 0 root _ _
        8 c c X _ _ 0 root _ _
        x a a X _ _ 0 root _ _
        ^ id-sequence: error refuses script
        12.1 d d X _ _ _ _ _ _
        14 e e X _ _ 0 root _ _
        ^^ id-sequence: error refuses script
        """)


def test_an_unreadable_row_counts_as_a_word_of_its_range(check):
    reading = check("""
        1-2 ab _ _ _ _ _ _ _ _
        1 a a X _ _ 0 root _ _
        2 b
        ^^^ column-count: error refuses script
        3-4 cd _ _ _ _ _ _ _ _
        3 c c X _ _ 1 dep _ _
        4 d
        ^^^ column-count: error refuses script
        """)
    assert [line.split(b"\t")[0] for line in reading.canonical.splitlines()] == [
        b"1-1",
        b"1",
        b"2-2",
        b"2",
        b"",
    ]


def test_an_unreadable_row_hides_how_far_its_range_reaches(check):
    reading = check("""
        1-4 ab _ _ _ _ _ _ _ _
        1 a a X _ _ 0 root _ _
        2 b
        ^^^ column-count: error refuses script
        4-7 cd _ _ _ _ _ _ _ _
        4 c c X _ _ 1 dep _ _
        5 d
        ^^^ column-count: error refuses script
        """)
    assert reading.row_lines == (0, 1, 3, 4)


def test_a_sentence_of_unreadable_rows_is_a_sentence(check):
    reading = check("""
        # sent_id = s
        word
        ^^^^ column-count: error refuses script
        """)
    assert (reading.sentence, reading.readable) == (True, False)
    assert (reading.canonical, reading.row_lines, reading.words) == (b"", (), 0)
    assert reading.sent_id == b"s"
