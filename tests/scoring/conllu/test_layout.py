"""Lines, blank lines, comments out of place, and where blocks meet."""

import pytest

from goldlens.scoring.conllu.reader import read

ROW = b"1\ta\ta\tX\t_\t_\t0\troot\t_\t_"


def test_a_clean_sentence(check):
    reading = check("""
        # sent_id = s1
        # text = Dogs bark
        1 Dogs dog NOUN NNS Number=Plur 2 nsubj 2:nsubj _
        2 bark bark VERB VB _ 0 root 0:root _
        """)
    assert reading.canonical == (
        b"1\tDogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_\n"
        b"2\tbark\tbark\tVERB\tVB\t_\t0\troot\t0:root\t_\n\n"
    )
    assert reading.row_lines == (2, 3)
    assert (reading.sentence, reading.readable) == (True, True)
    assert (reading.words, reading.unheaded) == (2, 0)
    assert reading.sent_id == b"s1"


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_line_end_is_read(end):
    reading = read(end.join([b"# x", ROW, b"", b""]))
    assert reading.problems == ()
    assert reading.canonical == ROW + b"\n\n"
    assert reading.row_lines == (1,)


def test_line_ends_may_differ_within_a_block():
    reading = read(b"# x\r" + ROW + b"\r\n\n")
    assert reading.problems == ()
    assert reading.row_lines == (1,)


@pytest.mark.parametrize("char", ["\u2028", "\u0085", "\x0b", "\x0c"])
def test_other_separators_stay_inside_cells(char):
    row = f"1\ta{char}b\tc{char}d\tX\t_\t_\t0\troot\t_\t_\n"
    reading = read((row + "\n").encode())
    assert reading.problems == ()
    assert reading.canonical.decode() == row + "\n"


def test_an_empty_block_is_nothing():
    reading = read(b"", last=True, glued=True)
    assert (reading.problems, reading.canonical, reading.sentence) == ((), b"", False)


def test_blank_line_holding_white_space(check):
    check("""
        1 a a X _ _ 0 root _ _
        ␣→⏎
        ^^ blank-line: warning script
        """)


@pytest.mark.parametrize("options", [{}, {"last": True}])
def test_superfluous_blank_line(check, options):
    reading = check(
        """
        ⏎
        | blank-line: warning script
        """,
        **options,
    )
    assert not reading.sentence
    assert reading.canonical == b""


def test_superfluous_blank_line_holding_white_space_is_one_problem(check):
    check("""
        →␣⏎
        ^^ blank-line: warning script
        """)


def test_comments_without_a_sentence(check):
    reading = check("""
        # one
        #␣sent_id␣=␣x
        ⏎
        | blank-line: warning script
        """)
    assert not reading.sentence
    assert reading.sent_id == b"x"
    assert "comments" in reading.problems[0].message


def test_comments_at_the_end_of_the_file(check):
    reading = check(
        """
        # one
        ^^^^^ comment-position: error
        # two
        """,
        ended=False,
        last=True,
    )
    assert not reading.sentence


def test_a_glued_block_lacks_the_blank_line_before_it(check):
    check(
        """
        # new é
        ^^^^^^^ missing-blank-line: error refuses script
        1 a a X _ _ 0 root _ _
        """,
        glued=True,
    )


def test_a_block_cut_off_is_told_by_the_next(check):
    assert check("1 a a X _ _ 0 root _ _", ended=False).words == 1


def test_no_blank_line_at_the_end_of_the_file(check):
    check(
        """
        1 a a X _ _ 0 root _ _
        2 é a X _ _ 1 dep _ _
        ^^^^^^^^^^^^^^^^^^^^^ missing-blank-line: warning script
        """,
        ended=False,
        last=True,
    )


def test_no_line_end_at_the_end_of_the_file():
    reading = read(ROW, last=True)
    (missing,) = reading.problems
    assert (missing.code, missing.place.line, missing.place.end) == ("missing-blank-line", 0, 22)
    assert reading.canonical == ROW + b"\n\n"


def test_a_final_blank_line_is_enough_at_the_end_of_the_file(check):
    check("1 a a X _ _ 0 root _ _", last=True)


def test_comments_inside_a_sentence_do_not_end_it(check):
    reading = check("""
        1 a a X _ _ 0 root _ _
        #␣sent_id␣=␣x
        ^^^^^^^^^^^^^ comment-position: error script
        2 b b X _ _ 1 dep _ _
        #␣two
        ^^^^^ comment-position: error script
        """)
    assert reading.words == 2
    assert reading.row_lines == (0, 2)
    assert reading.sent_id == b"x"


def test_problems_come_in_the_order_of_their_places(check):
    check("""
        1 a a Foo _ A 7 bar _ _
              ^^^ upos-unknown: warning
                    ^ feats-format: error
                      ^ head-out-of-range: error refuses script
                        ^^^ deprel-unknown: warning
        # late
        ^^^^^^ comment-position: error script
        2 b b Foo _ _ 0 root _ _
              ^^^ upos-unknown: warning
        """)
